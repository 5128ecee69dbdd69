/* SPDX-License-Identifier: MIT
 *
 * Counting the pairs of outer columns that go with the columns between them (outer_columns.h).
 * Where there is no left column, it is the empty one. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_PAIRS_H
#define PLB_TABLES_COUNT_OUTER_PAIRS_H

#include "tables/count/column_lines.h"
#include "tables/count/outer_columns.h"

enum { PLB_MOST_BETWEEN = 3 };

/* Sums by the lanes of both outer columns; which one is which does not matter. */
typedef uint64_t plb_lane_sums[PLB_OUTER_LANES][PLB_OUTER_LANES];

typedef struct plb_pair_sums {
    plb_lane_sums open[2][2]; /* [odd number of stones of one][of the other] open positions */
    plb_lane_sums ends[2][2]; /* top stones of open positions that may have been the last; and of
                                 terminal positions the stones that complete the group, less one */
} plb_pair_sums;

/* The columns between. Of columns that are not there: dead, 0. */
typedef struct plb_between {
    uint32_t class;
    uint32_t before[PLB_MOST_BETWEEN]; /* class without the top stone of one */
    uint8_t x[PLB_MOST_BETWEEN];       /* colour of that stone */
    int balance;                       /* x less o */
    plb_lines lines[2]; /* with a stone of a colour in each of them, by rows of the last one */
    plb_lines top[PLB_MOST_BETWEEN]; /* through the top stone of each, likewise */
    plb_pair_sums *sums;             /* to be added to */
} plb_between;

/* Count the pairs of each of these, not of the dead class. vectors: that the processor has. */
void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_between *between, int count,
                           plb_vectors vectors);

#endif
