/* SPDX-License-Identifier: MIT
 *
 * An open table: its file, and the functions that answer from it, which plb_open chooses. Programs
 * include plybase.h alone; the tools also use the open file itself.
 */
#ifndef PLB_PROBE_TABLE_H
#define PLB_PROBE_TABLE_H

#include "probe/lookup.h"
#include "probe/plybase.h"
#include "tables/codec/table_file.h"
#include "tables/strategies/strategy_rules.h"

enum { PLB_TABLE_ID_TEXT = 17 };

struct plb_strategy; /* tables/strategies/strategy_file.h */
struct plb_seeker;   /* best.c */

/* What a table answers from. Positions are those that can arise. */
typedef struct plb_table_kind {
    bool
        is_whole; /* it has the values of all positions: it counts and lists them, and has blocks */

    /* The value of a position. Errors: those of plb_probe. Threads: each its own context. */
    int (*answer)(const plb_context *context, plb_position position, plb_answer *answer,
                  plb_message *message);

    /* The moves that it answers. Errors: those of plb_moves. */
    int (*list_moves)(const plb_table *table, plb_position position, int moves[PLB_MAX_MOVES],
                      int *count, plb_message *message);

    /* Of best moves that keep a win or a loss, without distances: what is known of the distance,
     * and which of the moves keep it too; `wanted` of them are enough.
     * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
    int (*find_distance)(const plb_table *table, struct plb_seeker *seeker, plb_position position,
                         int wanted, plb_best *best, plb_message *message);
} plb_table_kind;

extern const plb_table_kind plb_table_of_values, plb_table_of_strategy;

struct plb_table {
    const plb_table_kind *kind;
    plb_table_file file; /* of a strategy: store, game and symmetry, description, coding */
    plb_lookup *lookup;  /* NULL: the table is a strategy */
    plb_table_info info;
    char compression[PLB_COMPRESSION_TEXT], goal[PLB_GOAL_TEXT], id[PLB_TABLE_ID_TEXT];
    struct plb_strategy *strategy; /* NULL: the table is none */
    plb_strategy_claim claim;      /* of the strategy */
};

/* As plb_open, without the id of the table, which takes to read up to 32 MiB of it: plb_info tells
 * an empty one. log: of what is read for this; NULL: none. */
int plb_table_load(const char *path, plb_read_log *log, plb_table **table, plb_message *message);

/* A game without values, for what needs the rules alone: positions as text, plb_find_state, bare
 * pictures. It must not be asked for a value. Errors: those of plb_game_parse, PLB_ENOMEM. */
int plb_table_of_game(const char *spec, plb_table **table, plb_message *message);

/* Load the strategy of the open store of a table. The table is closed in any case by the caller.
 * Errors: those of plb_strategy_read_meta and plb_strategy_read; PLB_ECORRUPT. */
int plb_strategy_load(plb_table *table, plb_message *message);

/* Files that it has open: its own, and its shards. */
static inline int plb_table_files(const plb_table *table) {
    return 1 + plb_store_shards(table->file.store);
}

/* Bytes of the file after the end of the table, which are never read. */
static inline uint64_t plb_table_bytes_after_end(const plb_table *table) {
    return plb_store_bytes_after_end(table->file.store);
}

/* Have the id of a large table cover all that is stored, as that of others does; before any other
 * use of the table. go_on, errors: as in plb_store_hash. Cost: reads the whole file. */
int plb_table_read_id(plb_table *table, bool (*go_on)(void), plb_message *message);

/* The file of a table that is no strategy, else NULL. It is the table's; none of it changes but by
 * plb_enumeration_begin. */
static inline const plb_table_file *plb_table_find_file(const plb_table *table) {
    return table->kind->is_whole ? &table->file : NULL;
}

#endif
