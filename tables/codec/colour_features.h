/* SPDX-License-Identifier: MIT
 *
 * Which ranks of a slab are quiet by the rules alone, and what threatens there, for many ranks at
 * once. A batch is the colourings of a slab that agree in all stones but the lowest 14; they are
 * consecutive ranks, C(14, j) of them with j ones among those stones:
 *
 *     word      [ high stones | 14 low stones ]        rank of a batch: that of its first word
 *     batch     [      h      | j ones        ]        plane: bit i is word i of the batch
 *
 * A position is quiet as static_value.h says, or would be if it could be reached: no player has
 * a group, and the game is neither decided nor forced.
 *
 * Features separate positions of different values. For each player and each parity of rows: is
 * there a column in which the lowest empty cell that completes a group of either player completes
 * one for this player, and lies in such a row?
 *
 *     feature 0, 1    o, a row of even or odd number (the bottom one is 0)
 *     feature 2, 3    x, the same
 *
 * builder/planes/quiet_planes.h finds the quiet positions of slabs that are held in memory. Must
 * not know: values, bytes, files.
 */
#ifndef PLB_TABLES_CODEC_COLOUR_FEATURES_H
#define PLB_TABLES_CODEC_COLOUR_FEATURES_H

#include "tables/games/game.h"

enum {
    PLB_BATCH_STONES = 14,
    PLB_BATCH_ENTRIES = 3432, /* C(14, 7) */
    PLB_BATCH_WORDS = 56,     /* room for whole vectors */
    PLB_FEATURES = 4,
};

typedef uint64_t plb_batch_plane[PLB_BATCH_WORDS];

typedef struct plb_colour_batch {
    uint64_t rank; /* of its first word */
    int entries;
    const uint8_t *low_stones; /* [entries, and 128 more] the lowest eight stones of each */
    bool is_decided;           /* nothing that is wanted is quiet; the planes are not there */
    plb_batch_plane quiet;
    plb_batch_plane features[PLB_FEATURES]; /* of quiet positions; anything else elsewhere */
} plb_colour_batch;

/* Goes through the batches of slabs. */
typedef struct plb_colour_cursor plb_colour_cursor;

/* For a game of stones, which must outlive it. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_colour_cursor_open(const plb_game *game, plb_colour_cursor **cursor);
void plb_colour_cursor_close(plb_colour_cursor *cursor);

/* Begin at the batch of rank `from` of a slab; it must have one. Only ranks [from, until) are
 * wanted: others have anything in the planes. occupied: not empty only if the slab's ply is not
 * 0. */
void plb_colour_cursor_begin(plb_colour_cursor *cursor, uint64_t occupied, uint64_t from,
                             uint64_t until);

/* The next batch, until the words of the slab end; the caller knows how many there are. Owned by
 * the cursor until the next call. */
const plb_colour_batch *plb_colour_cursor_next(plb_colour_cursor *cursor);

#endif
