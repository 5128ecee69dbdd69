/* SPDX-License-Identifier: MIT
 *
 * Counts the pairs of outer columns that have an order, and make no group, with a filling of the
 * columns between them (outer_columns.h). Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_PAIRS_H
#define PLB_TABLES_COUNT_OUTER_PAIRS_H

#include "tables/count/outer_columns.h"

/* ---- lines ----
 *
 * Sets of lines through neighbouring columns, for groups of four: 16 bits for each direction
 * (falls, is level, rises, to the right), with a bit for the row where a line meets a given column.
 */

enum { PLB_LINE_ROWS = 16 };

typedef uint64_t plb_lines;

/* All rows of one direction. */
static const plb_lines plb_falling = 0xFFFF, plb_level = plb_falling << PLB_LINE_ROWS,
                       plb_rising = plb_falling << 2 * PLB_LINE_ROWS;

/* All lines through these rows of a column, by their rows in the column `columns` to the right. */
static inline plb_lines plb_lines_through(uint32_t rows, int columns) {
    plb_lines r = rows;
    return r >> columns | r << PLB_LINE_ROWS | r << columns << 2 * PLB_LINE_ROWS;
}

/* The rows of lines in any direction. */
static inline uint32_t plb_lines_rows(plb_lines lines) {
    return (lines | lines >> PLB_LINE_ROWS | lines >> 2 * PLB_LINE_ROWS) & plb_falling;
}

/* Move lines from the rows of a column to those of the next one to the right. */
static inline plb_lines plb_lines_next(plb_lines lines) {
    return (lines & plb_falling) >> 1 | (lines & plb_level) | (lines & plb_rising) << 1;
}

/* Move lines from the rows of a column to those of the third column to the left. */
static inline plb_lines plb_lines_before(plb_lines lines) {
    return (lines & plb_falling) << 3 | (lines & plb_level) |
           ((lines & plb_rising) >> 3 & plb_rising);
}

/* The lines that meet no other line of the set in this column. */
static inline plb_lines plb_lines_alone(plb_lines lines) {
    plb_lines of_next = lines >> PLB_LINE_ROWS | lines << 2 * PLB_LINE_ROWS;
    plb_lines of_last = lines >> 2 * PLB_LINE_ROWS | lines << PLB_LINE_ROWS;
    return lines & ~(of_next | of_last);
}

/* ---- pairs ---- */

enum { PLB_MAX_BETWEEN = 3 };

/* Sums by the lanes of both outer columns, in any order: it does not matter which is which. */
typedef uint64_t plb_lane_sums[PLB_OUTER_LANES][PLB_OUTER_LANES];

/* [odd number of stones of one outer column][of the other] */
typedef struct plb_pair_sums {
    plb_lane_sums open[2][2]; /* number of open positions */
    plb_lane_sums ends[2][2]; /* number of top stones of open positions that may be the last, plus
                                 the repeats (few_columns.c) */
} plb_pair_sums;

/* A filling of the columns between. Fields of absent columns are PLB_DEAD_CLASS or 0. */
typedef struct plb_between {
    uint32_t class;                   /* of the filling; not PLB_DEAD_CLASS */
    uint32_t before[PLB_MAX_BETWEEN]; /* class without the top stone of a column */
    uint8_t x[PLB_MAX_BETWEEN];       /* is this stone x? */
    int balance;                      /* number of x less number of o */
    plb_lines lines[2]; /* [x] with this colour in every column; by rows of the last column */
    plb_lines top[PLB_MAX_BETWEEN]; /* through the top stone of a column; likewise */
    plb_pair_sums *sums;            /* to add to */
} plb_between;

/* Add the pairs of each filling to its sums. vectors: supported by the processor. */
void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_between *between, int count,
                           plb_vectors vectors);

#endif
