/* SPDX-License-Identifier: MIT
 *
 * Slices of the words of one column: all words of some heights, or those of one height that have
 * certain letters on top. What fits in no memory for all words at once is counted slice by slice.
 * Must not know: games, frontiers.
 */
#ifndef PLB_TABLES_COLUMN_SLICE_H
#define PLB_TABLES_COLUMN_SLICE_H

#include "tables/column_words.h"

typedef struct plb_column_slice {
    int least, most; /* stones */
    uint32_t x;      /* where least is most: the letters from `row` on, bit r: x in row r */
    int row;         /* least letter that is given; `most` or more: none */
} plb_column_slice;

/* All words of some heights. */
static inline plb_column_slice plb_column_slice_of(int least, int most) {
    return (plb_column_slice){least, most, 0, most};
}

/* May words of the slice have this letter in a row? */
static inline bool plb_column_slice_has(const plb_column_slice *slice, int row, int letter) {
    return row < slice->row || (slice->x >> row & 1) == (unsigned)letter;
}

bool plb_column_slice_has_word(const plb_column_slice *slice, const plb_column_word *word);

/* Which share of all words it holds, at most 1. Cost: a step for each word. */
double plb_column_slice_share(const plb_column_slice *slice, const plb_column_words *words);

/* Has it all words of another slice? */
bool plb_column_slice_contains(const plb_column_slice *slice, const plb_column_slice *other);

/* Cut a slice in two of about the same size; false if it is too small, a single word. */
bool plb_column_slice_cut(const plb_column_slice *slice, plb_column_slice halves[2]);

#endif
