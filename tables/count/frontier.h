/* SPDX-License-Identifier: MIT
 *
 * A frontier is what must be known of the columns filled so far, from the left, to notice every
 * group that continues to the right: for each cell of the last column and each of three directions,
 * the length of the run of equal stones that ends there. Runs that cannot become part of a group
 * are forgotten, with their colour.
 *
 *     direction 0 falls, 1 is level, 2 rises           . . . 2
 *     (the row changes by direction - 1                . x x 1      a run of two, level
 *     with every column)                               . . . 0
 *
 * A column is filled in steps: plb_frontier_begin_column moves the runs to the rows where they
 * would continue, plb_frontier_end_column ends the runs above the column, plb_frontier_put replaces
 * the runs of one row by those that end in a stone there. In between, frontiers that differ only in
 * replaced runs become equal, so there are fewer.
 *
 * A frontier without a marked line allows no group. With a marked line (plane_count.c) the run on
 * this line may be a group, and no other one. Of two level lines that are mirror images only the
 * one to the right is allowed, and counts for both; of a rising and a falling line the rising one.
 * Must not know: games, positions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tables/tuple_set.h"

enum { PLB_DIRECTIONS = 3, PLB_MAX_RUN = 7, PLB_FRONTIER_ROWS = 31 };

/* The line on which all complete groups lie, while its run goes on. */
typedef struct plb_marked_line {
    uint8_t is_there;
    uint8_t direction, x; /* x: the colour of its stones */
    uint8_t row;          /* of its stone in the last column; if pending, of its next cell */
    uint8_t before;       /* stones of the run to the left of the first mark, at most k - 2 */
    uint8_t after;        /* stones of the run to the right of the first mark */
    uint8_t marks;        /* 1, or 2 for two or more */
    uint8_t pending;      /* the next cell is in the current column and not filled yet */
} plb_marked_line;

typedef struct plb_frontier {
    plb_marked_line line;
    uint32_t x[PLB_DIRECTIONS];                 /* bit mask of rows: the run is of x */
    uint32_t runs[PLB_DIRECTIONS][PLB_MAX_RUN]; /* [direction][n] bit mask of rows: the run has
                                                    more than n stones; n < k - 1 */
} plb_frontier;

/* A column of a board: how it may be filled, and how far runs can go on from it. */
typedef struct plb_board_column {
    int min_stones, max_stones;
    uint32_t allowed[2]; /* [x] rows where a stone of this colour may lie */
    uint8_t ahead[PLB_DIRECTIONS][2][PLB_FRONTIER_ROWS];
    /* [direction][x][row] by how many equal stones, in columns to the right, a run that ends in
     * this cell may go on: an upper bound; in the last column, the exact number */
} plb_board_column;

/* A board: at most PLB_FRONTIER_ROWS rows; k, the stones of a group, is at most PLB_MAX_RUN + 1. */
typedef struct plb_frontier_board {
    int width, height, k;
    plb_board_column *columns; /* [width] */
} plb_frontier_board;

/* Allow any filling of the columns, and let runs end at the edges of the board. */
void plb_frontier_board_clear(const plb_frontier_board *board);

/* Compute `ahead` of every column but the last, from that of the last and from `allowed`. */
void plb_frontier_board_look_ahead(const plb_frontier_board *board);

/* Fill one more column. Before the first column a frontier is all zeros. To fill a column, call
 * begin_column, then end_column with its number of stones, then put for each of its rows, in any
 * order. Columns are numbered from the left.
 *
 * Returns false if no position that continues like this is counted: it would have a group that is
 * not on the marked line or lacks the first mark; or the marked line ends without a group, with
 * only one mark, or level in the left half. */
bool plb_frontier_begin_column(const plb_frontier_board *board, plb_frontier *frontier);
bool plb_frontier_end_column(const plb_frontier_board *board, int column, int stones,
                             plb_frontier *frontier);
bool plb_frontier_put(const plb_frontier_board *board, int column, int row, bool x,
                      plb_frontier *frontier);

/* Begin a marked line in a frontier without one: the top stone of the last column, in this row, is
 * its first mark. False if the line cannot get a group with a further mark, or is level and cannot
 * reach the right half. */
bool plb_frontier_begin_line(const plb_frontier_board *board, int column, int row, bool x,
                             int direction, plb_frontier *frontier);

/* Factor for the weights of a frontier after a column in which its marked line begins, or goes on.
 * The product over the columns is 2 if the line counts for its mirror image, too; else 1. */
int plb_frontier_line_times(const plb_frontier_board *board, int column, bool begins,
                            const plb_marked_line *line);

/* Where both colours count alike, a frontier and the same with colours exchanged are stored as one:
 * as the one whose first run is of x. Is this the other one? */
bool plb_frontier_is_exchanged(const plb_frontier *frontier);

/* Replace x by o and o by x. */
void plb_frontier_exchange(plb_frontier *frontier);

/* Can the top stone of the last column, in this row, be a further mark of the line? */
bool plb_frontier_may_mark(const plb_frontier_board *board, const plb_frontier *frontier, int row);

/* Can later columns have a further mark? */
bool plb_frontier_wants_marks(const plb_frontier_board *board, const plb_frontier *frontier);

/* Is the run on the line a group? */
bool plb_frontier_has_group(const plb_frontier_board *board, const plb_marked_line *line);

/* ---- tables of distinct frontiers ----
 *
 * There are millions of frontiers, so they are packed: each bit mask of rows takes one bit more
 * than the board has rows, since a rising run can leave the board by one row.
 *
 *     marked line | x, 3 directions | runs of 1 or more, 3 directions | ... | runs of k - 1
 *      18 bits    |  3 (rows + 1)   |          3 (rows + 1)           |     |
 *
 * A frontier takes two 64-bit words if k is 4 and there are up to 8 rows. */

typedef struct plb_frontier_table {
    int rows, k;       /* of the board */
    plb_tuple_set set; /* of packed frontiers */
} plb_frontier_table;

/* An empty table for frontiers of a board. */
plb_frontier_table plb_frontier_table_of(const plb_frontier_board *board);

/* Find the numbers of up to PLB_ADDED_TOGETHER frontiers; new ones are added.
 * Errors: PLB_ENOMEM. */
int plb_frontier_table_find(plb_frontier_table *list, const plb_frontier *frontiers, int count,
                            uint32_t *numbers);

void plb_frontier_table_get(const plb_frontier_table *list, uint32_t number,
                            plb_frontier *frontier);
