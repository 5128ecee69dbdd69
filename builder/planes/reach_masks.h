/* SPDX-License-Identifier: MIT
 *
 * Which colourings of the low stones of a block play can reach, with gravity: the automaton of
 * columns (tables/reach/column_automaton.h) on whole blocks. The columns are read from the highest
 * slot down. Those of high stones are the same in all of a block and lead to a state; from there a
 * mask is put together from those of the columns that are left, content by content:
 *
 *     cells  slot 0     slot 1     slot 2     slot 3          low stones: slots 0, 1, half of 2
 *                                  [ lo | hi ][ hi ]   ->  state after slot 3, hi stones of slot 2
 *     mask   [slot 2 lo is oo: mask of slots 0, 1 | is xo: mask of slots 0, 1 | ..]
 *
 * Masks are kept, as slabs have many of them in common; those of blocks whose lowest column has
 * high stones, too, are remembered only until another takes their place. Groups play no part, but
 * that a column that holds one has no word (tables/reach/column_words.h).
 *
 * Must not know: games, groups, plies.
 */
#ifndef PLB_BUILDER_PLANES_REACH_MASKS_H
#define PLB_BUILDER_PLANES_REACH_MASKS_H

#include "builder/planes/slab_shape.h"
#include "tables/reach/column_automaton.h"

/* The unread columns of a set of cells, all of low stones, and the masks of them that were made. */
typedef struct plb_mask_level {
    uint64_t cells; /* that are occupied in them */
    int slot;       /* the highest; -1: all columns are read */
    int stones;     /* in them */
    uint32_t *mask; /* [states][stones + 1] by ones: where it begins in `words`; 0: not made */
} plb_mask_level;

/* The columns of a slab without a low stone, highest first, as those of a block were read: blocks
 * that follow each other have most of them in common. */
typedef struct plb_high_columns {
    uint64_t occupied; /* in the slab; all: none was read */
    uint64_t hi;       /* of the block that was read last */
    int count;
    uint8_t below[PLB_MAX_CELLS];      /* [count] high stones that lie in lower columns, */
    uint8_t stones[PLB_MAX_CELLS];     /* and those of the column */
    uint16_t state[PLB_MAX_CELLS + 1]; /* [count + 1] before the column; the last one: after all */
    uint64_t unread;                   /* cells that are occupied in the others, */
    int slot;                          /* the highest of these; -1: there is none */
} plb_high_columns;

/* Masks of one thread. With the first two set and all else zeroed there are none yet. */
typedef struct plb_reach_masks {
    const plb_column_automaton *columns;
    size_t max_bytes;       /* when the masks take more than that, they are made anew */
    plb_mask_level *levels; /* [level_count] */
    size_t level_count;
    uint16_t *places; /* number of a level + 1, by a hash of it; 0: none */
    uint64_t *words;  /* [word_count] of all masks */
    size_t word_count, word_capacity;
    size_t bytes;                   /* that levels and masks take */
    struct plb_recent_mask *recent; /* of blocks with part of a column */
    plb_high_columns high;
} plb_reach_masks;

void plb_reach_masks_free(plb_reach_masks *masks);

/* Take the words of a block that can't be reached out of a plane.
 *
 * block_words  [in,out]  the words of the block
 *
 * Errors: PLB_ENOMEM. */
int plb_reach_masks_keep(plb_reach_masks *masks, const plb_slab *slab, size_t block,
                         uint64_t *block_words);

#endif
