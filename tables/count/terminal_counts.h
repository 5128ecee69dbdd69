/* SPDX-License-Identifier: MIT
 *
 * Terminal positions, from open ones and their last stones. An open position has a successor for
 * each column that is not full; those successors that are open, too, are open positions with one of
 * their top stones as the last one. So, over all open positions,
 *
 *     stones that complete groups = columns that are not full - top stones that may be the last
 *
 * and terminal positions are completed by these stones; but one may be by two of them or more. On
 * boards where two groups across columns that share more than one stone are on one line, it has
 *
 *     a group in a column    it was completed by its top stone alone
 *     one on a line          by any of its stones that is a top stone, and without which the
 *                            columns have an order; if there is no group but on the line. Else the
 *                            groups have just one stone in common.
 *
 * Those that are too many are counted, and taken away: the repeats. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_TERMINAL_COUNTS_H
#define PLB_TABLES_COUNT_TERMINAL_COUNTS_H

#include "tables/count/count_types.h"
#include "tables/reach/column_words.h"

/* Positions with as many stones. */
typedef struct plb_counted_positions {
    uint64_t open; /* without a group */
    uint64_t ends; /* their top stones that may have been the last; and repeats: stones that
                      complete the group of a terminal position, less one */
    int free;      /* columns of the open ones that are not full */
    int times;     /* that they count */
} plb_counted_positions;

/* Add them to their ply, and what follows to the next one. open_only: `ends` are not counted. */
static inline void plb_add_positions(const plb_counted_positions *positions, bool open_only,
                                     plb_ply_count *ply) {
    plb_big_count open = (plb_big_count)positions->open * positions->times;
    plb_big_count ends = (plb_big_count)positions->ends * positions->times;
    ply->total += open;
    if (open_only) return;
    ply->total -= ends;
    ply->terminal -= ends;
    if (open * positions->free == 0) return; /* there may be no next ply */
    ply[1].total += open * positions->free;
    ply[1].terminal += open * positions->free;
}

#endif
