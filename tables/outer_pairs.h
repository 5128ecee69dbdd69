/* SPDX-License-Identifier: MIT
 *
 * Counting the pairs of outer columns that go with three columns between them (outer_columns.h).
 * Must not know: games.
 */
#ifndef PLB_TABLES_OUTER_PAIRS_H
#define PLB_TABLES_OUTER_PAIRS_H

#include <stdbool.h>

#include "tables/column_lines.h"
#include "tables/outer_columns.h"
#include "tables/wide.h"

/* Sums by the lanes of both outer columns; which one is which does not matter. */
typedef uint64_t plb_lane_sums[PLB_OUTER_LANES][PLB_OUTER_LANES];

typedef struct plb_pair_sums {
    plb_lane_sums open[2][2]; /* [odd number of stones of one][of the other] open positions */
    plb_lane_sums ends[2][2]; /* top stones of open positions that may have been the last; and of
                                 terminal positions the stones that complete the group, less one */
} plb_pair_sums;

/* Three columns between the outer ones. */
typedef struct plb_outer_three {
    uint32_t class;                     /* of them */
    uint32_t before[PLB_OUTER_BETWEEN]; /* without the top stone of one; dead if it has none */
    uint8_t x[PLB_OUTER_BETWEEN];       /* colour of that stone */
    int8_t balance;                     /* x less o */
    plb_lines lines[2]; /* with stones of all three, by colour, in rows of the third one */
    plb_lines top[PLB_OUTER_BETWEEN]; /* through the top stone of each, likewise */
    plb_pair_sums *sums;              /* to be added to */
} plb_outer_three;

/* open_only: `ends` are not wanted. vectors: that the processor has. */
void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_outer_three *threes, int count,
                           bool open_only, plb_vectors vectors);

/* The same, for a processor with AVX2. */
void plb_outer_pairs_count_avx2(const plb_outer_columns *outer, const plb_outer_three *threes,
                                int count, bool open_only);

#endif
