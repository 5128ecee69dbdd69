/* SPDX-License-Identifier: MIT
 *
 * The file of a strategy: for one player of a game the move in every position that can arise, with
 * him to move, when he follows it; but not where a rule gives the move (strategy_rules.h). A
 * position stands for all of its images, and the move is one of the canonical position (orbit.h).
 *
 * It is a file as store.h has it, with another description than that of a table:
 *
 *     strategy 1
 *     spec numeric-4x4
 *     player second
 *     claim win
 *     look-ahead 5
 *     compression zstd-19
 *     symmetries 32
 *     block 65536
 *
 * The stats record of a ply has as its total the positions of the ply that are stored, and zeros.
 * Its segments have one block each, the plane of which is, for n positions in ascending order,
 *
 *     [lowest bytes: n] .. [highest bytes: n] [moves: n] [zeros up to a whole word]
 *
 * 16 bytes of each position's number (orbit.h), less that of the position before it in
 * the block; then the number of its move among all moves of the position, in their order. A block
 * has as many positions as the description says, the last one of a ply the rest.
 *
 * All of a strategy is read into memory, 17 bytes for each position. Positions compress to one or
 * two bytes, and segments may have PLB_STRATEGY_DENSITY of them in a byte: so a small file takes
 * little memory, whatever it says. Must not know: how moves were found.
 */
#ifndef PLB_TABLES_STRATEGIES_STRATEGY_FILE_H
#define PLB_TABLES_STRATEGIES_STRATEGY_FILE_H

#include "tables/format/meta.h"
#include "tables/games/symmetry.h"
#include "tables/index/orbit.h"
#include "tables/strategies/strategy_rules.h"

enum {
    PLB_STRATEGY_VERSION = 1,
    PLB_STRATEGY_BLOCK = 1 << 16,
    PLB_STRATEGY_DENSITY = 4, /* positions for each byte of the segments, at most */
};

typedef struct plb_strategy_meta {
    char spec[PLB_SPEC_TEXT]; /* canonical name of the game */
    plb_strategy_claim claim;
    int level; /* of zstd */
    char builder[PLB_META_TEXT];
    int symmetries;    /* order of the symmetry group */
    int block_entries; /* positions of a block, at most */
} plb_strategy_meta;

/* The stored positions of a ply. */
typedef struct plb_strategy_ply {
    uint64_t count;
    plb_code *codes; /* [count] ascending */
    uint8_t *moves;  /* [count] each among the moves of its position */
} plb_strategy_ply;

typedef struct plb_strategy plb_strategy;
struct plb_strategy {
    plb_strategy_ply ply[PLB_MAX_CELLS + 1];
    uint64_t positions; /* of all plies */
};

/* "first" or "second". */
const char *plb_strategy_player_text(int player);

/* Write a whole file of the plies 0 to plies - 1, at a path where there is no file, or an empty
 * one. Errors: those of plb_store_create; PLB_ENOMEM. */
int plb_strategy_write(const char *path, const plb_strategy_meta *meta,
                       const plb_strategy *strategy, int plies, plb_message *message);

/* Read the description of a strategy, and begin the space of its game (plb_meta_begin_space).
 * Errors: PLB_EVERSION, PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_strategy_read_meta(const plb_store *store, plb_strategy_meta *meta, plb_space *space,
                           plb_message *message);

/* Read all positions of a game. What is read are numbers of positions, ascending, on plies of the
 * player, and no more than can be; whether they arise, and what the moves are worth, a verification
 * checks. Free with plb_strategy_free, also after an error.
 * Errors: PLB_ECORRUPT, PLB_EUNFINISHED, PLB_EIO, PLB_ENOMEM. */
int plb_strategy_read(const plb_store *store, const plb_strategy_meta *meta, const plb_game *game,
                      const plb_symmetry *symmetry, plb_strategy *strategy, plb_message *message);
void plb_strategy_free(plb_strategy *strategy);

/* Where a canonical position stands among those of its ply; -1: it is not stored. Threads: safe. */
int64_t plb_strategy_find(const plb_strategy *strategy, int ply, plb_code code);

#endif
