/* SPDX-License-Identifier: MIT
 *
 * Frontiers: what columns to the right have to know of columns that were filled from the left, so
 * that no group crosses unnoticed. It is, for each cell of the last column and each of the three
 * directions that leave it to the right, how many equal stones in a row end there; stones that no
 * group on the board can contain any more are forgotten, with their colour.
 *
 *     direction 0 falls, 1 is level, 2 rises           . . . 2
 *     (the row changes by direction - 1                . x x 1      a run of two, level
 *     with every column)                               . . . 0
 *
 * A column is filled in three steps: plb_frontier_begin_column moves the runs to the rows where
 * they would go on, plb_frontier_end_column ends those above the column, plb_frontier_put replaces
 * those of one row by those that end in a stone there. Meanwhile frontiers that differ only in what
 * has been replaced are the same, so that fewer are counted.
 *
 * On a board where all groups share a line, a frontier may except the run on that line from what is
 * forbidden: then it is marked, as plane_count.c describes. Of two level lines that are mirror
 * images the one to the right counts for both, and the other one is forbidden, too; of a rising and
 * a falling one the rising one. Must not know: games, positions.
 */
#ifndef PLB_TABLES_COUNT_FRONTIER_H
#define PLB_TABLES_COUNT_FRONTIER_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/tuple_set.h"

enum { PLB_DIRECTIONS = 3, PLB_MAX_RUN = 7, PLB_FRONTIER_ROWS = 31 };

/* The line that all complete groups share, while its run goes on. */
typedef struct plb_marked_line {
    uint8_t is_there;
    uint8_t direction, x; /* x: the colour of its stones */
    uint8_t row;          /* of its stone in the last column; pending: where it may go on */
    uint8_t before;       /* stones of the run to the left of the first mark, at most k - 2 */
    uint8_t after;        /* stones from there to the last column, the first mark not counted */
    uint8_t marks;        /* 1, or 2 for more */
    uint8_t pending;      /* the column that is being filled has no stone in `row` yet */
} plb_marked_line;

typedef struct plb_frontier {
    plb_marked_line line;
    uint32_t x[PLB_DIRECTIONS];                 /* rows where the run ends in an x */
    uint32_t runs[PLB_DIRECTIONS][PLB_MAX_RUN]; /* [direction][n]: rows where n + 1 or more equal
                                                    stones end; n below k - 1 */
} plb_frontier;

/* A column of a board: how it may be filled, and what may go on from it. */
typedef struct plb_board_column {
    int least, most; /* stones */
    uint32_t may[2]; /* rows where an o, where an x may lie */
    uint8_t ahead[PLB_DIRECTIONS][2][PLB_FRONTIER_ROWS];
    /* [direction][x][row] how many equal stones may at most go on, in columns to the right, a run
     * that ends in a stone of this row; in the last column: how many do */
} plb_board_column;

/* A board: at most PLB_FRONTIER_ROWS rows, groups of k stones in a row, k at most PLB_MAX_RUN + 1.
 */
typedef struct plb_frontier_board {
    int width, height, k;
    plb_board_column *columns; /* [width] */
} plb_frontier_board;

/* Let columns be filled in any way, and runs end at the edges of the board. */
void plb_frontier_board_clear(const plb_frontier_board *board);

/* What may go on from each column but the last one, by that of the last and by `may`. */
void plb_frontier_board_look_ahead(const plb_frontier_board *board);

/* The frontier of nothing is all zeros. Each function changes a frontier for the better or says
 * false: no column that goes on like this counts, since it would complete a group other than on the
 * marked line, or the marked line ends without a group, with one mark only, or level in the left
 * half.
 *
 * Begin a column; say how many stones it has; put one in each of these rows, in any order, the
 * column being numbered from the left. */
bool plb_frontier_begin_column(const plb_frontier_board *board, plb_frontier *frontier);
bool plb_frontier_end_column(const plb_frontier_board *board, int column, int stones,
                             plb_frontier *frontier);
bool plb_frontier_put(const plb_frontier_board *board, int column, int row, bool x,
                      plb_frontier *frontier);

/* Of a frontier without a marked line, after a column that ends with a stone in a row: that stone
 * is the first mark of a line in a direction. False where no group with a further mark can come to
 * be, or a level one only in the left half. */
bool plb_frontier_begin_line(const plb_frontier_board *board, int column, int row, bool x,
                             int direction, plb_frontier *frontier);

/* How often a frontier with a line counts, after a column in which this line begins; or how many
 * times as often as before, after one in which it goes on. */
int plb_frontier_line_times(const plb_frontier_board *board, int column, bool begins,
                            const plb_marked_line *line);

/* Where both colours count alike, of a frontier and the same with x for o and o for x one is
 * enough: that whose first run is of x. Is this the other one? */
bool plb_frontier_is_exchanged(const plb_frontier *frontier);
/* x for o and o for x. */
void plb_frontier_exchange(plb_frontier *frontier);

/* May the top stone, in a row, of the last column be a further mark of the line? */
bool plb_frontier_may_mark(const plb_frontier_board *board, const plb_frontier *frontier, int row);

/* Can columns after the last one hold a further mark? */
bool plb_frontier_wants_marks(const plb_frontier_board *board, const plb_frontier *frontier);

/* Does the run on the line make a group? */
bool plb_frontier_has_group(const plb_frontier_board *board, const plb_marked_line *line);

/* ---- distinct frontiers, by number ----
 *
 * There are millions of them, so each is kept in as few words as the board allows: a bit for each
 * row of what a frontier holds by rows, one row more than the board has, since a run that rises may
 * be on its way out of it.
 *
 *     marked line | x, 3 directions | runs of 1 or more, 3 directions | ... | runs of k - 1
 *      18 bits    |  3 (rows + 1)   |          3 (rows + 1)           |     |
 *
 * Two words where k is 4 and there are up to 8 rows. */

typedef struct plb_frontier_table {
    int rows, k;       /* of the board */
    plb_tuple_set set; /* packed */
} plb_frontier_table;

/* An empty list for frontiers of a board. */
plb_frontier_table plb_frontier_table_of(const plb_frontier_board *board);

/* The numbers of up to PLB_ADDED_TOGETHER frontiers, of which those that are new are added.
 * Errors: PLB_ENOMEM. */
int plb_frontier_table_find(plb_frontier_table *list, const plb_frontier *frontiers, int count,
                            uint32_t *numbers);

void plb_frontier_table_get(const plb_frontier_table *list, uint32_t number,
                            plb_frontier *frontier);

#endif
