/* SPDX-License-Identifier: MIT
 *
 * Counting the pairs of outer columns that go with the columns between them (outer_columns.h).
 * Where there is no left column, it is the empty one. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_PAIRS_H
#define PLB_TABLES_COUNT_OUTER_PAIRS_H

#include "tables/count/outer_columns.h"

/* ---- lines ----
 *
 * Lines through neighbouring columns that have stones of one colour in each of them, for groups of
 * four: a field of 16 bits for each direction (falls, is level, rises, as columns go to the right),
 * with a bit for the row of the line in one of the columns. Boards of up to 13 rows. */

enum { PLB_LINE_ROWS = 16 };

typedef uint64_t plb_lines;

/* The same rows in each direction; rows of one. */
static const plb_lines plb_each_direction = 0x000100010001, plb_falling = 0xFFFF;
static const plb_lines plb_level = plb_falling << PLB_LINE_ROWS,
                       plb_rising = plb_falling << 2 * PLB_LINE_ROWS;

/* All lines through these rows of a column, by rows of another one so many columns to the right. */
static inline plb_lines plb_lines_through(uint32_t rows, int columns) {
    plb_lines r = rows;
    return r >> columns | r << PLB_LINE_ROWS | r << columns << 2 * PLB_LINE_ROWS;
}

/* Rows that lines go through, in any direction. */
static inline uint32_t plb_lines_rows(plb_lines lines) {
    return (lines | lines >> PLB_LINE_ROWS | lines >> 2 * PLB_LINE_ROWS) & plb_falling;
}

/* Lines of a column by rows of the next one. */
static inline plb_lines plb_lines_next(plb_lines lines) {
    return (lines & plb_falling) >> 1 | (lines & plb_level) | (lines & plb_rising) << 1;
}

/* Lines of a third column by rows of the one before the first. */
static inline plb_lines plb_lines_before(plb_lines lines) {
    return (lines & plb_falling) << 3 | (lines & plb_level) |
           ((lines & plb_rising) >> 3 & plb_rising);
}

/* Those that meet no other one in the column whose rows they have. */
static inline plb_lines plb_lines_alone(plb_lines lines) {
    plb_lines of_next = lines >> PLB_LINE_ROWS | lines << 2 * PLB_LINE_ROWS;
    plb_lines of_last = lines >> 2 * PLB_LINE_ROWS | lines << PLB_LINE_ROWS;
    return lines & ~(of_next | of_last);
}

/* ---- pairs ---- */

enum { PLB_MAX_BETWEEN = 3 };

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
    uint32_t before[PLB_MAX_BETWEEN]; /* class without the top stone of one */
    uint8_t x[PLB_MAX_BETWEEN];       /* colour of that stone */
    int balance;                      /* x less o */
    plb_lines lines[2]; /* with a stone of a colour in each of them, by rows of the last one */
    plb_lines top[PLB_MAX_BETWEEN]; /* through the top stone of each, likewise */
    plb_pair_sums *sums;            /* to be added to */
} plb_between;

/* Count the pairs of each of these, not of the dead class. vectors: that the processor has. */
void plb_outer_pairs_count(const plb_outer_columns *outer, const plb_between *between, int count,
                           plb_vectors vectors);

#endif
