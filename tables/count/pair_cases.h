/* SPDX-License-Identifier: MIT
 *
 * Cases of pairs of outer columns (outer_columns.h). Each is counted once, and added as often as it
 * was found. It has the rows where each outer column must have no stone of a colour, and a kind:
 * the pairs in order with a class of the columns between, or with several (plb_pair_order). Must
 * not know: lines, games.
 */
#pragma once

#include "tables/count/outer_columns.h"

enum { PLB_MAX_BETWEEN = 3 };

/* Sums by the lanes of both outer columns, in any order: it does not matter which is which. */
typedef uint64_t plb_lane_sums[PLB_OUTER_LANES][PLB_OUTER_LANES];

/* [odd number of stones of one outer column][of the other] */
typedef struct plb_pair_sums {
    plb_lane_sums open[2][2]; /* number of open positions */
    plb_lane_sums ends[2][2]; /* number of top stones of open positions that may be the last, plus
                                 the repeats, less moves between that lead here (few_columns.c) */
} plb_pair_sums;

/* Rows of an outer column: bit masks of the rows without o and without x. */
static inline uint32_t plb_pair_rows(uint32_t o, uint32_t x) {
    return o | x << PLB_FEW_ROWS;
}

/* Those below the top stone, which is in this row; marked, so that they are greater than others. */
static inline uint32_t plb_pair_rows_below(uint32_t rows, int row) {
    uint32_t below = (uint32_t)plb_low_bits(row);
    return (rows & plb_pair_rows(below, below)) | 1U << 31;
}

/* Several stones of a colour that may be the last. Of the pairs with a case are counted
 *
 *     TWO   those in order with at least two classes before
 *     ALL   those in order with all three
 *     TOP   those whose right column has such a stone on top, in a given row, and that are in order
 *           without it, and with at least one class before */
typedef enum plb_pair_lasts { PLB_PAIRS_TWO, PLB_PAIRS_ALL, PLB_PAIRS_TOP } plb_pair_lasts;
typedef struct plb_pair_order {
    uint32_t before[PLB_MAX_BETWEEN]; /* classes of the columns between, each without a stone */
    uint8_t x;                        /* the colour */
    uint8_t lasts;                    /* plb_pair_lasts */
    uint8_t row;                      /* TOP: of the stone on top */
    uint8_t unused;
} plb_pair_order;

typedef struct plb_pair_case {
    uint32_t rows[2]; /* of the outer columns, ascending; TOP: rows[1] are those below the top */
    uint32_t kind;    /* 0: in order with the class of the columns between; else an order */
    uint32_t sums;    /* index of the sums to add to */
    int32_t times;    /* how often: to the open positions, and to their ends on an outer column; of
                         an order, to the ends */
    int32_t next_ends[2]; /* of the class: to the ends of the next sums, [x] if the next stone is x
                           */
    uint32_t number[2];   /* of the rows */
    uint32_t slot, next;  /* next: number of the next case of the same kind + 1; 0: none */
} plb_pair_case;

/* The cases of one class of the columns between. One thread. */
typedef struct plb_pair_cases {
    const plb_outer_columns *outer;
    plb_pair_sums *sums;
    plb_vectors vectors;
    uint32_t class;       /* of the columns between; change it while there are no cases */
    int balance;          /* of this class */
    plb_pair_case *items; /* [max_cases] */
    uint32_t *slots;      /* [2 * max_cases] number of a case + 1; 0: free */
    uint32_t count, max_cases, fillings;
    plb_tuple_set orders;       /* plb_pair_order */
    uint32_t *first;            /* [kinds] number of the first case + 1 */
    struct plb_pair_rows *rows; /* all different */
    uint16_t *row_slots;        /* number of rows + 1; 0: free */
    uint32_t row_count;
    uint64_t *open; /* [rows][balances] the words that a column may hold */
    /* of one kind of cases: */
    struct plb_pair_branch *branches;
    int branch_count, evens; /* those whose members have an even number of stones come first */
    uint64_t *words;         /* members and partners of the branches of an order */
    plb_tuple_set next;      /* classes of these branches */
    plb_lane_counts *counts; /* [rows][members, then sets of partners][branches] */
    uint64_t open_capacity, counts_capacity;
} plb_pair_cases;

/* Begin without cases. Set outer, sums and vectors, which the processor supports, and zero the
 * rest. Call plb_pair_cases_end even after an error. All errors: PLB_ENOMEM. */
int plb_pair_cases_begin(plb_pair_cases *cases);
void plb_pair_cases_end(plb_pair_cases *cases);

/* The kind of cases with an order, or a negative error. */
int64_t plb_pair_cases_order(plb_pair_cases *cases, const plb_pair_order *order);

/* Find or add a case; there is room for it. The result is valid until the cases are counted. */
plb_pair_case *plb_pair_cases_find(plb_pair_cases *cases, const uint32_t rows[2], uint32_t kind,
                                   uint32_t sums);

/* May a filling be added, all its cases once or twice? Else count first. */
bool plb_pair_cases_accept(plb_pair_cases *cases);

/* Count all cases, and forget them and all orders. */
int plb_pair_cases_count(plb_pair_cases *cases);
