/* SPDX-License-Identifier: MIT
 *
 * Slices of the words of one column: words of some heights whose lowest letters are given. What
 * fits in no memory for all words at once is counted slice by slice.
 *
 * Columns are read from above, and what was read matters less and less. Words that begin alike
 * above and differ below stay apart to the end; those of a slice, which end alike, become the same
 * on the way, as if all words were read at once. Must not know: games, frontiers.
 */
#ifndef PLB_TABLES_COUNT_COLUMN_SLICE_H
#define PLB_TABLES_COUNT_COLUMN_SLICE_H

#include "tables/reach/column_words.h"

typedef struct plb_column_slice {
    int column;      /* of the board, from the left */
    int least, most; /* stones */
    int given;       /* so many lowest letters are given; shorter words have those that they have */
    uint32_t x;      /* the given letters, bit r: x in row r */
} plb_column_slice;

/* All words of some heights. */
static inline plb_column_slice plb_column_slice_of(int column, int least, int most) {
    return (plb_column_slice){column, least, most, 0, 0};
}

/* May words of the slice have this letter in a row? */
static inline bool plb_column_slice_has(const plb_column_slice *slice, int row, int letter) {
    return row >= slice->given || (slice->x >> row & 1) == (unsigned)letter;
}

bool plb_column_slice_has_word(const plb_column_slice *slice, const plb_column_word *word);

/* Which share of all words it holds, at most 1. Cost: a step for each word. */
double plb_column_slice_share(const plb_column_slice *slice, const plb_column_words *words);

/* Is another slice this one, or was it cut out of it? */
bool plb_column_slice_contains(const plb_column_slice *slice, const plb_column_slice *other);

/* Cut a slice in two, by the lowest letter that is not given, or where all are by their number;
 * false if it is a single word. */
bool plb_column_slice_cut(const plb_column_slice *slice, plb_column_slice halves[2]);

#endif
