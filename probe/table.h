/* SPDX-License-Identifier: MIT
 *
 * An open table: its file, and the functions that answer from it, which plb_open chooses. Programs
 * include only plybase.h; the tools also use the open file itself.
 */
#pragma once

#include "probe/late_search.h"
#include "probe/lookup.h"
#include "probe/plybase.h"
#include "tables/codec/table_file.h"
#include "tables/strategies/strategy_rules.h"

enum { PLB_TABLE_ID_TEXT = 17 };

struct plb_strategy;    /* tables/strategies/strategy_file.h */
struct plb_best_search; /* best.c */

/* The functions of a kind of table: of values, or of a strategy. All positions can arise. */
typedef struct plb_table_kind {
    bool is_whole; /* it has the values of all positions; a strategy does not */

    /* The value of a position. Errors: those of plb_probe. Threads: each with its own context. */
    int (*answer)(const plb_context *context, plb_position position, plb_answer *answer,
                  plb_message *message);

    /* The moves whose values it has. Errors: those of plb_moves. */
    int (*list_moves)(const plb_table *table, plb_position position, int moves[PLB_MAX_MOVES],
                      int *count, plb_message *message);

    /* best: [in,out] the moves that keep a win or a loss. Finds bounds of the distance, and keeps
     * the moves that keep it, too; `wanted` of them are enough.
     * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
    int (*find_distance)(const plb_table *table, struct plb_best_search *search,
                         plb_position position, int wanted, plb_best *best, plb_message *message);
} plb_table_kind;

extern const plb_table_kind plb_table_of_values, plb_table_of_strategy;

struct plb_table {
    const plb_table_kind *kind;
    plb_table_file file; /* of a strategy: store, game and symmetry, description, coding */
    plb_lookup *lookup;  /* NULL: the table is a strategy */
    plb_late_search late;
    plb_table_info info;
    char compression[PLB_COMPRESSION_TEXT], goal[PLB_GOAL_TEXT], id[PLB_TABLE_ID_TEXT];
    struct plb_strategy *strategy; /* NULL: the table is not a strategy */
    plb_strategy_claim claim;      /* of the strategy */
};

/* plb_open without the id of the table, for which up to 32 MiB are read: the id in plb_info is
 * empty. log: receives all reads; NULL: no log. */
int plb_table_load(const char *path, plb_read_log *log, plb_table **table, plb_message *message);

/* A table without values, for functions that need only the rules: positions as text,
 * plb_find_state, bare pictures. It must not be probed. Errors: those of plb_game_parse,
 * PLB_ENOMEM. */
int plb_table_of_game(const char *spec, plb_table **table, plb_message *message);

/* Load a strategy from the open store of a table. The caller closes the table, also after an error.
 * Errors: those of plb_strategy_read_meta and plb_strategy_read; PLB_ECORRUPT. */
int plb_strategy_load(plb_table *table, plb_message *message);

/* The number of its open files: its own, and its shards. */
static inline int plb_table_files(const plb_table *table) {
    return 1 + plb_store_shards(table->file.store);
}

/* As plb_store_bytes_after_end; these bytes are never read. */
static inline uint64_t plb_table_bytes_after_end(const plb_table *table, const char **path) {
    return plb_store_bytes_after_end(table->file.store, path);
}

/* Make the id of a large table cover the whole content, as that of a smaller one does. Call it
 * before any other use of the table. go_on, errors: as in plb_store_hash. Cost: reads the whole
 * file. */
int plb_table_read_id(plb_table *table, bool (*go_on)(void), plb_message *message);

/* The open file of a table, which owns it; NULL for a strategy. Only plb_enumeration_begin changes
 * it. */
static inline const plb_table_file *plb_table_find_file(const plb_table *table) {
    return table->kind->is_whole ? &table->file : NULL;
}
