/* SPDX-License-Identifier: MIT
 *
 * Counting in the sets of fourth columns (fourth_column_sets.h). What is counted for three columns
 * are a few blocks, some nanoseconds each; how many nobody can foresee, and a branch that was
 * foreseen wrongly takes longer than a block. So this work is gathered, and done by its shape. Must
 * not know: games, lines.
 */
#ifndef PLB_TABLES_COUNT_FOURTH_COLUMN_KERNELS_H
#define PLB_TABLES_COUNT_FOURTH_COLUMN_KERNELS_H

#include <stdbool.h>

#include "tables/count/fourth_column_sets.h"

enum {
    PLB_FOURTH_BLOCKS = 6, /* of even, or of odd columns: 13 rows have 1,716 columns of 6 x, and
                           less of fewer stones */
    PLB_FOURTH_SIZES = (PLB_FOURTH_BLOCKS + 1) * (PLB_FOURTH_BLOCKS + 1), /* even, odd blocks */
    PLB_FOURTH_SHAPES = PLB_FOURTH_SIZES * 8, /* and which tops of the three are x */
    PLB_FOURTH_MOST_RUNS = 512,               /* that wait */
};

/* Sums of a block, for each of its words. */
typedef struct plb_block_sums {
    uint64_t open[PLB_FOURTH_LANES];    /* open positions */
    uint64_t lasts[PLB_FOURTH_LANES];   /* their stones that may have been the last */
    uint64_t repeats[PLB_FOURTH_LANES]; /* of terminal positions: stones that complete the group,
                                           less one */
} plb_block_sums;

/* The fourth columns of three columns. */
typedef struct plb_open_run {
    const uint64_t *set;
    const uint64_t *before[3]; /* sets without the top of one of the three, from the first block on
                                  with which that was the last stone; or all empty */
    const uint64_t *lacks;
    plb_block_sums *sums;
    uint32_t rows[2]; /* where a stone o, or x, makes a group */
    int odd;          /* the first block of odd columns */
    uint16_t next;    /* run of its shape + 1; 0: none */
} plb_open_run;

/* The fourth columns of three with one line. Pointers are to what belongs to their first block. */
typedef struct plb_repeat_run {
    const uint64_t *set, *growing;
    const uint64_t *before[3]; /* sets without a top on the line, or empty ones */
    const uint64_t *lacks, *stones;
    plb_block_sums *sums;
    uint32_t rows[2]; /* where a stone makes a group besides */
    int x, row;       /* of the line */
    bool is_on_top;   /* the stone in this row must be the top */
    uint16_t next;
} plb_repeat_run;

/* Runs that wait. One thread. */
typedef struct plb_fourth_runs {
    const plb_fourth_columns *fourth;
    bool open_only;
    plb_vectors vectors;
    int open_count, repeat_count;
    uint16_t open_first[PLB_FOURTH_SHAPES], repeat_first[PLB_FOURTH_BLOCKS + 1];
    plb_open_run open[PLB_FOURTH_MOST_RUNS];
    plb_repeat_run repeats[PLB_FOURTH_MOST_RUNS];
} plb_fourth_runs;

/* open_only: `lasts` are not wanted. vectors: that the processor has. */
void plb_fourth_runs_begin(plb_fourth_runs *runs, const plb_fourth_columns *fourth, bool open_only,
                           plb_vectors vectors);

/* Count those that wait. */
void plb_fourth_runs_flush(plb_fourth_runs *runs);

/* Only count them, on a processor with AVX2. */
void plb_fourth_runs_count_avx2(const plb_fourth_runs *runs);

/* The next run is written there, and then added. */
static inline plb_open_run *plb_open_run_next(plb_fourth_runs *runs) {
    if (runs->open_count == PLB_FOURTH_MOST_RUNS) plb_fourth_runs_flush(runs);
    return &runs->open[runs->open_count];
}

/* even, odd: blocks of each. tops: bit c: the top of column c is x. */
static inline void plb_open_run_add(plb_fourth_runs *runs, int even, int odd, int tops) {
    uint16_t *first = &runs->open_first[(even * (PLB_FOURTH_BLOCKS + 1) + odd) * 8 + tops];
    runs->open[runs->open_count].next = *first;
    *first = (uint16_t)++runs->open_count;
}

static inline plb_repeat_run *plb_repeat_run_next(plb_fourth_runs *runs) {
    if (runs->repeat_count == PLB_FOURTH_MOST_RUNS) plb_fourth_runs_flush(runs);
    return &runs->repeats[runs->repeat_count];
}

static inline void plb_repeat_run_add(plb_fourth_runs *runs, int blocks) {
    uint16_t *first = &runs->repeat_first[blocks];
    runs->repeats[runs->repeat_count].next = *first;
    *first = (uint16_t)++runs->repeat_count;
}

#endif
