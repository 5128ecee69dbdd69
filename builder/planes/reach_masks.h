/* SPDX-License-Identifier: MIT
 *
 * Finds the reachable colourings of the low stones of a block, with gravity, by the automaton of
 * columns (tables/reach/column_automaton.h). The columns are read from the highest slot down. Those
 * of high stones are the same in the whole block and lead to one state of the automaton. From this
 * state on, the bit mask of the block is the concatenation of masks of the remaining columns, one
 * for each filling of the column that is read next:
 *
 *     cells  slot 0     slot 1     slot 2     slot 3          low stones: slots 0, 1, half of 2
 *                                  [ lo | hi ][ hi ]   ->  state after slot 3, hi stones of slot 2
 *     mask   [slot 2 lo is oo: mask of slots 0, 1 | is xo: mask of slots 0, 1 | ..]
 *
 * Masks of whole columns are kept, because slabs share many of them. Those of blocks in which a
 * column has high and low stones are in a small cache. A column filling that contains a group has
 * no number (tables/reach/column_words.h); otherwise groups are not considered.
 *
 * Must not know: games, groups, plies.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/reach/column_automaton.h"

/* The masks of a set of unread columns that have only low stones. */
typedef struct plb_mask_level {
    uint64_t cells; /* occupied cells of these columns */
    int slot;       /* highest of the columns; -1: all columns are read */
    int stones;     /* number of stones in them */
    uint32_t *mask; /* [states][stones + 1] by number of ones: offset in `words`; 0: not made yet */
} plb_mask_level;

/* The columns of a slab without low stones, highest first, with the states of the block that was
 * read last: the next block has most of these columns in common. */
typedef struct plb_high_columns {
    uint64_t occupied; /* cells of the slab; UINT64_MAX: no block was read yet */
    uint64_t hi;       /* of the block that was read last */
    int count;
    uint8_t below[PLB_MAX_CELLS];  /* [count] high stones in lower columns */
    uint8_t stones[PLB_MAX_CELLS]; /* [count] stones of the column */
    uint16_t
        state[PLB_MAX_CELLS + 1]; /* [count + 1] state before the column; the last: after all */
    uint64_t unread;              /* occupied cells of the other columns */
    int slot;                     /* highest of the other columns; -1: none */
} plb_high_columns;

/* Per-thread masks. Set the first two fields and zero the others to begin. */
typedef struct plb_reach_masks {
    const plb_column_automaton *columns;
    size_t max_bytes;       /* when the masks take more, all are discarded */
    plb_mask_level *levels; /* [level_count] */
    size_t level_count;
    uint16_t *places; /* hash table of levels: number of a level + 1; 0: empty */
    uint64_t *words;  /* [word_count] all masks */
    size_t word_count, word_capacity;
    size_t bytes;                   /* memory of levels and masks */
    struct plb_recent_mask *recent; /* cache of masks of blocks in which a column is divided */
    plb_high_columns high;
} plb_reach_masks;

void plb_reach_masks_free(plb_reach_masks *masks);

/* Clear the bits of unreachable positions in a block of a plane.
 *
 * block_words  [in,out]  the words of the block
 *
 * Errors: PLB_ENOMEM. */
int plb_reach_masks_keep(plb_reach_masks *masks, const plb_slab *slab, size_t block,
                         uint64_t *block_words);
