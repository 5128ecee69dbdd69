/* SPDX-License-Identifier: MIT
 *
 * Counting a board by the words of one of its columns: slices of these words (column_slice.h) are
 * counted one after another, and kept if anybody keeps them. Threads share the steps of a slice.
 * Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_COLUMN_PARTS_H
#define PLB_TABLES_COUNT_COLUMN_PARTS_H

#include "tables/count/position_count.h"

/* Who counts. Threads: each has a counter of its own, but the context is shared. Errors end the
 * count. */
typedef struct plb_part_counter {
    int column; /* whose words are counted slice by slice */
    int (*open)(void *context, const plb_column_slice *slice, uint32_t *steps); /* the next slice */
    void *(*begin)(void *context);             /* a counter; NULL: there is no memory for it */
    int (*count)(void *counter, uint32_t step, /* all positions of a step, or fewer if the work is
                                                  to stop .. */
                 double *share);               /* .. and which share of the slice that is */
    void (*add)(const void *counter, plb_ply_count *plies); /* what it has counted, to each ply */
    void (*end)(void *counter); /* it is not needed any more; or NULL, which is no counter */
    void *context;
    double seconds; /* that all words take, about */
} plb_part_counter;

/* Add what all words have to the counts of each ply of a board with so many cells.
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED, those of the keeper. */
int plb_count_by_parts(const plb_part_counter *counter, const plb_column_words *words, int cells,
                       const plb_count_work *work, plb_ply_count *plies);

#endif
