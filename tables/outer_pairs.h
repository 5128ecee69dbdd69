/* SPDX-License-Identifier: MIT
 *
 * Counting the pairs of outer columns that go with three columns between them (outer_columns.h).
 * Must not know: games.
 */
#ifndef PLB_TABLES_OUTER_PAIRS_H
#define PLB_TABLES_OUTER_PAIRS_H

#include <stdbool.h>

#include "tables/outer_columns.h"
#include "tables/wide.h"

/* Sums by the lanes of both outer columns; which one is which does not matter. */
typedef uint64_t plb_lane_sums[PLB_OUTER_LANES][PLB_OUTER_LANES];

typedef struct plb_pair_sums {
    plb_lane_sums open[2][2]; /* [odd number of stones of one][of the other] open positions */
    plb_lane_sums ends[2][2]; /* top stones of open positions that may have been the last; and of
                                 terminal positions the stones that complete the group, less one */
} plb_pair_sums;

enum {
    PLB_OUTER_SIDES = 2,           /* the left and the right outer column */
    PLB_OUTER_MOST_TIMES = 1 << 20 /* of one task */
};

typedef enum plb_outer_what {
    PLB_OUTER_OPEN, /* open positions, and the tops of outer columns as last stones */
    PLB_OUTER_TOP,  /* the top of one of the three as the last stone */
    PLB_OUTER_LINE  /* several last stones that complete the same groups, which lie on a line */
} plb_outer_what;

/* Something to be counted with three columns, and all of them that it is to be counted with: there
 * are no bytes between its members. */
typedef struct plb_outer_task {
    plb_pair_sums *sums;                /* to be added to */
    uint32_t class;                     /* of the three; of a top: without it */
    uint32_t before[PLB_OUTER_BETWEEN]; /* of a line: classes without one of the tops on it */
    uint16_t rows[PLB_OUTER_SIDES][2];  /* where a stone of a side makes a group, by colour */
    int16_t row[PLB_OUTER_SIDES];       /* of a line: where a stone makes the only group, or -1 */
    int8_t balance;                     /* x less o of the three */
    uint8_t what;                       /* plb_outer_what */
    uint8_t x;                          /* colour of the top, or of the line */
    uint8_t tops;                       /* of a line: how many top stones of the three are on it */
} plb_outer_task;

_Static_assert(sizeof(plb_outer_task) == sizeof(plb_pair_sums *) + 32,
               "tasks are compared as bytes");

/* Tasks to be done. */
typedef struct plb_outer_batch {
    const plb_outer_task *tasks; /* [count] */
    const uint32_t *times;       /* [count] how often, at most PLB_OUTER_MOST_TIMES */
    uint32_t count;
    bool open_only; /* `ends` are not wanted */
} plb_outer_batch;

/* vectors: that the processor has. */
void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_outer_batch *batch,
                           plb_vectors vectors);

/* The same, for a processor with AVX2. */
void plb_outer_pairs_count_avx2(const plb_outer_columns *outer, const plb_outer_batch *batch);

#endif
