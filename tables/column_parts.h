/* SPDX-License-Identifier: MIT
 *
 * Counting a board by the words of one of its columns: threads take one word after another, and
 * what slices of the words (column_slice.h) have found is kept part by part, if anybody keeps it.
 * Must not know: games.
 */
#ifndef PLB_TABLES_COLUMN_PARTS_H
#define PLB_TABLES_COLUMN_PARTS_H

#include "tables/position_count.h"

/* Who counts. Threads: each has a counter of its own, but the context is shared. */
typedef struct plb_word_counter {
    void *(*begin)(void *context);          /* a counter; NULL: there is no memory for it */
    void (*count)(void *counter, int word); /* all positions with this word; fewer if the work is to
                                               stop */
    void (*finish)(void *counter);          /* what waits is counted now; fewer, likewise */
    void (*add)(const void *counter, plb_ply_count *plies); /* what it has counted, to each ply */
    void (*end)(void *counter); /* it is not needed any more; or NULL, which is no counter */
    void *context;
    double seconds; /* that all words take, about */
} plb_word_counter;

/* Add what all words have to the counts of each ply of a board with so many cells.
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED, those of the keeper. */
int plb_count_by_words(const plb_word_counter *counter, const plb_column_words *words, int cells,
                       const plb_count_work *work, plb_ply_count *plies);

#endif
