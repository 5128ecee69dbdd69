/* SPDX-License-Identifier: MIT
 *
 * The file of a strategy: the moves of one player, for every position with him to move that can
 * arise while he follows the strategy. Positions where a rule gives the move (strategy_rules.h) are
 * left out. A position stands for all its images under symmetries; the move is for the canonical
 * position (orbit.h).
 *
 * The file has the same structure as a table (store.h), but another description:
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
 * In the statistics of a ply, the total is the number of stored positions; all else is 0. Every
 * segment has one block, with one plane. For n positions in ascending order of their numbers
 * (orbit.h) this is
 *
 *     [lowest bytes: n] .. [highest bytes: n] [moves: n] [zeros up to a whole 64-bit word]
 *
 * The first 16 n bytes are the differences of consecutive numbers, the first one from 0. A move is
 * its index in the list of all moves of the position. A block has the number of positions in the
 * description; the last block of a ply has the rest.
 *
 * A strategy is read into memory as a whole, 17 bytes for each position. Positions compress to one
 * or two bytes. A file may have at most PLB_STRATEGY_DENSITY positions for each byte of its
 * segments, so that a small damaged file cannot demand much memory. Must not know: how moves were
 * found.
 */
#pragma once

#include "tables/format/meta.h"
#include "tables/games/symmetry.h"
#include "tables/index/orbit.h"
#include "tables/strategies/strategy_rules.h"

enum {
    PLB_STRATEGY_VERSION = 1,
    PLB_STRATEGY_BLOCK = 1 << 16, /* positions of a block, at most */
    PLB_STRATEGY_DENSITY = 4,     /* positions for each byte of the segments, at most */
};

typedef struct plb_strategy_meta {
    char spec[PLB_SPEC_TEXT]; /* canonical */
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
    uint8_t *moves;  /* [count] index in the list of all moves of the position */
} plb_strategy_ply;

typedef struct plb_strategy plb_strategy;
struct plb_strategy {
    plb_strategy_ply ply[PLB_MAX_CELLS + 1];
    uint64_t positions; /* of all plies */
};

/* "first" or "second". */
const char *plb_strategy_player_text(int player);

/* Write a file with the plies 0 to plies - 1. There must be no file at `path`, or an empty one.
 * Errors: those of plb_store_create; PLB_ENOMEM. */
int plb_strategy_write(const char *path, const plb_strategy_meta *meta,
                       const plb_strategy *strategy, int plies, plb_message *message);

/* Read the description of a strategy, and open the space of its game (plb_meta_begin_space).
 * Errors: PLB_EVERSION, PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_strategy_read_meta(const plb_store *store, plb_strategy_meta *meta, plb_space *space,
                           plb_message *message);

/* Read all positions. It is checked that they are numbers of positions, ascending, on plies of the
 * player, and not too many; not whether they can arise or whether the moves are good, which
 * `verify` checks. Free with plb_strategy_free, even after an error. Errors: PLB_ECORRUPT,
 * PLB_EUNFINISHED, PLB_EIO, PLB_ENOMEM. */
int plb_strategy_read(const plb_store *store, const plb_strategy_meta *meta, const plb_game *game,
                      const plb_symmetry *symmetry, plb_strategy *strategy, plb_message *message);
void plb_strategy_free(plb_strategy *strategy);

/* The index of a canonical position in its ply; -1: it is not stored. Threads: safe. */
int64_t plb_strategy_find(const plb_strategy *strategy, int ply, plb_code code);
