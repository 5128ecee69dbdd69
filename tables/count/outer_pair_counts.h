/* SPDX-License-Identifier: MIT
 *
 * Counting the pairs of outer columns that go with three columns between them
 * (outer_column_sets.h). What depends on one outer column alone is counted once for all threes with
 * which stones of it make groups in the same rows. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_PAIR_COUNTS_H
#define PLB_TABLES_COUNT_OUTER_PAIR_COUNTS_H

#include <stdbool.h>

#include "tables/count/outer_column_sets.h"
#include "tables/cpu_dispatch.h"

/* Sums by the lanes of both outer columns; which one is which does not matter. */
typedef uint64_t plb_lane_sums[PLB_OUTER_LANES][PLB_OUTER_LANES];

typedef struct plb_pair_sums {
    plb_lane_sums open[2][2]; /* [odd number of stones of one][of the other] open positions */
    plb_lane_sums ends[2][2]; /* top stones of open positions that may have been the last; and of
                                 terminal positions the stones that complete the group, less one */
} plb_pair_sums;

enum {
    PLB_OUTER_SIDES = 2, /* the left and the right outer column */
    PLB_OUTER_MOST_TIMES = 1 << 30,
};

/* Where a stone of an outer column makes a group with the three. */
typedef struct plb_outer_rows {
    uint16_t of[2]; /* rows, by colour */
} plb_outer_rows;

/* Threes of columns with the same rows on each side. Numbers are below PLB_OUTER_MOST_TIMES. */
typedef struct plb_outer_pair {
    uint32_t rows[PLB_OUTER_SIDES]; /* numbers of rows of the batch */
    uint32_t open;                  /* how many threes */
    uint32_t ends[2][2]; /* [x][fills] how many whose last stone is an x, which is on top of one of
                            the three and fills its column or does not; the class is that without
                            this stone, the rows are those with it */
} plb_outer_pair;

/* Threes with a line on which top stones of them lie, and a stone of an outer column makes a group:
 * any of these may have been the last. There are no bytes between the members. */
typedef struct plb_outer_line {
    plb_outer_rows rows[PLB_OUTER_SIDES]; /* with that of the line */
    uint32_t before[PLB_OUTER_BETWEEN];   /* [tops] classes without one of the tops on the line */
    int16_t row[PLB_OUTER_SIDES];         /* where a stone makes the only group, or -1 */
    uint16_t tops;                        /* of the three that are on the line */
    uint16_t x;                           /* colour of the line */
} plb_outer_line;

_Static_assert(sizeof(plb_outer_line) == 28, "lines are compared as bytes");

/* How often a line is to be counted for some sums, below PLB_OUTER_MOST_TIMES. */
typedef struct plb_outer_use {
    plb_pair_sums *sums;
    uint32_t times;
    uint32_t next; /* use of the line + 1; 0: none */
} plb_outer_use;

/* Threes of one class; those of pairs have all as many stones and full columns. */
typedef struct plb_outer_batch {
    uint32_t class;
    int balance;            /* x less o of the three */
    plb_pair_sums *sums;    /* of pairs: to be added to .. */
    plb_pair_sums *more[2]; /* .. and by threes with a stone more: it fills its column, or not */
    const plb_outer_rows *rows;  /* [row_count] */
    const plb_outer_pair *pairs; /* [pair_count] */
    const plb_outer_line *lines; /* [line_count] */
    const uint32_t *line_uses;   /* [line_count] the first one + 1 */
    const plb_outer_use *uses;
    uint32_t row_count, pair_count, line_count;
    uint32_t first_row; /* whose counts are not known yet */
    uint16_t *counts;   /* [row_count][steps of the class][PLB_OUTER_COUNTS], to be written */
    bool open_only;     /* ends are not wanted */
} plb_outer_batch;

/* Groups of a class are gone through two at a time, those with even balances and then those with
 * odd ones. What is counted for some rows and such a step, for each lane and group:
 *
 *     members, even partners, odd partners, even and odd ones whose top may be the last stone */
enum { PLB_OUTER_COUNTS = 5 * PLB_OUTER_LANES * 2 };

/* Steps of a class. */
size_t plb_outer_steps(const plb_outer_columns *outer, uint32_t class);

/* vectors: that the processor has. */
void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_outer_batch *batch,
                           plb_vectors vectors);

/* The same, for a processor with AVX2. */
void plb_outer_pairs_count_avx2(const plb_outer_columns *outer, const plb_outer_batch *batch);

#endif
