/* SPDX-License-Identifier: MIT
 *
 * Finds the quiet ranks of a slab and their threats, for many ranks at once. A batch is all
 * colourings of a slab with the same high stones; only the lowest 14 stones differ. These are
 * C(14, j) consecutive ranks, where j is the number of ones among the low stones:
 *
 *     word      [ high stones | 14 low stones ]        rank of a batch: that of its first word
 *     batch     [      h      | j ones        ]        plane: bit i is word i of the batch
 *
 * A position is quiet as in static_value.h, whether it can arise or not: no player has a group, and
 * the game is neither decided nor forced.
 *
 * Features separate positions of different values. For each player and each parity of rows: is
 * there a column in which the lowest empty cell that completes a group of either player completes
 * one for this player, and lies in such a row?
 *
 *     feature 0, 1    o, in a row of even or odd number (the bottom one is 0)
 *     feature 2, 3    x, the same
 *
 * builder/planes/quiet_planes.h does the same for whole slabs in memory. Must not know: values,
 * bytes, files.
 */
#pragma once

#include "tables/games/game.h"

enum {
    PLB_BATCH_STONES = 14,
    PLB_BATCH_ENTRIES = 3432, /* C(14, 7) */
    PLB_BATCH_WORDS = 56,     /* of a plane, rounded up to whole vectors */
    PLB_FEATURES = 4,
};

typedef uint64_t plb_batch_plane[PLB_BATCH_WORDS];

typedef struct plb_colour_batch {
    uint64_t rank; /* of its first word */
    int entries;
    const uint8_t *low_stones; /* [entries, and 128 more readable bytes] the lowest eight stones */
    bool is_decided;           /* no wanted position is quiet; the planes are undefined */
    plb_batch_plane quiet;
    plb_batch_plane features[PLB_FEATURES]; /* of quiet positions; else undefined */
} plb_colour_batch;

/* A cursor over the batches of slabs. */
typedef struct plb_colour_cursor plb_colour_cursor;

/* For a game of stones, which must outlive it. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_colour_cursor_open(const plb_game *game, plb_colour_cursor **cursor);
void plb_colour_cursor_close(plb_colour_cursor *cursor);

/* Begin at the batch with rank `from` of the slab on the cells `occupied`. Only ranks [from, until)
 * are wanted: the others are undefined in the planes.
 *
 * quiet  [in]  a plane of the quiet ranks, and one more word that may be read; NULL: not known
 * at     [in]  the bit of rank `from` in this plane */
void plb_colour_cursor_begin(plb_colour_cursor *cursor, uint64_t occupied, uint64_t from,
                             uint64_t until, const uint64_t *quiet, uint64_t at);

/* The next batch, owned by the cursor until its next call. The caller knows where the slab ends. */
const plb_colour_batch *plb_colour_cursor_next(plb_colour_cursor *cursor);
