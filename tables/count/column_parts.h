/* SPDX-License-Identifier: MIT
 *
 * Counting a board by the words of one of its columns: slices of these words (column_slice.h) are
 * counted one after another, and kept if anybody keeps them. Threads share the steps of a slice.
 * Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_COLUMN_PARTS_H
#define PLB_TABLES_COUNT_COLUMN_PARTS_H

#include "tables/count/count_types.h"
#include "tables/reach/column_words.h"

/* Who counts. Threads: each has a counter of its own, but the context is shared. Errors end the
 * count. */
typedef struct plb_part_counter {
    uint32_t steps;
    void *(*begin)(void *context);             /* a counter; NULL: there is no memory for it */
    int (*count)(void *counter, uint32_t step, /* all positions of a step, or fewer if the work is
                                                  to stop .. */
                 double *share);               /* .. and which share of all that is */
    void (*add)(const void *counter, plb_ply_count *plies); /* what it has counted, to each ply */
    void (*end)(void *counter); /* it is not needed any more; or NULL, which is no counter */
    void *context;
} plb_part_counter;

/* Add what all steps have to the counts of each ply. Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_count_by_parts(const plb_part_counter *counter, const plb_count_work *work,
                       plb_ply_count *plies);

#endif
