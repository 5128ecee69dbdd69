/* SPDX-License-Identifier: MIT
 *
 * The bottom row of a board from left to right, as the player to move sees it, and the strategies
 * that look at nothing else. Each gives the columns to which its rule allows to move, as a set, bit
 * i for column i; where a rule leaves a choice there are several, where it has no answer none.
 *
 * Source: R. Steele and D. B. Larremore, Misere Connect Four is Solved. Must not know: games,
 * positions.
 */
#ifndef PLB_TOOLS_STRATEGY_BOTTOM_ROW_H
#define PLB_TOOLS_STRATEGY_BOTTOM_ROW_H

#include <stdbool.h>
#include <stdint.h>

enum { BOTTOM_ROW_WIDTH = 64 };

typedef enum row_cell { CELL_EMPTY, CELL_OWN, CELL_OTHER } row_cell;

typedef struct bottom_row {
    int width;
    row_cell cells[BOTTOM_ROW_WIDTH]; /* [width] */
} bottom_row;

int bottom_row_empty(const bottom_row *row); /* cells without a stone */

/* Take-other and rightmost (Theorem 3): the columns are paired from the left, 1-2, 3-4 ..; the
 * other half of a pair that the opponent has begun, else the rightmost empty column. */
uint64_t take_other_moves(const bottom_row *row);

/* Canonical boards (Lemmas 3 and 4, Theorem 5), k = 3: the stretches between the opponent's stones
 * and the ends of the row, by the player's own stones at the ends of their empty cells,
 *
 *     A |....|   B |x...|   C |x..x|   D |xx..|   E |xx.x|
 *
 * With an odd number of empty cells in the row the player moves in an A or B that has an odd number
 * of them; otherwise in an even D, else in any A or an odd B, else in an even B or C. He puts his
 * stone at the end of the empty cells, in B and D at the end that has no stone of his. */
uint64_t canonical_board_moves(const bottom_row *row);

/* ---- the tally, k = 2 ---- */

/* What a move does to the tally of the moves that comply with the templates (Table II), if it does
 * not lose at once. */
typedef enum template_play {
    PLAY_NONE,        /* it puts two stones side by side, or the row has no stone yet */
    PLAY_IN_TEMPLATE, /* (-1,  0) for who moves and the other */
    PLAY_DOUBLE,      /* (-2, -1) contradicts the stones on both sides */
    PLAY_OFFENSIVE,   /* (-1, -1) contradicts the stone on one side, towards a wall that was the
                                  other player's */
    PLAY_IMMOLATION,  /* (-2,  0) the same, the wall was the player's own */
} template_play;

/* The play of the player to move in an empty column. */
template_play bottom_row_play(const bottom_row *row, int column);

/* The second player's rule (Lemmas 1 and 2). His first move is an offensive one at a wall, else one
 * in the template at a wall. Later, if the width is even, both walls are taken and nothing
 * contradicts yet, it is a double contradiction; if there is none, and always after that, any move
 * in a template. */
uint64_t tally_moves(const bottom_row *row);

#endif
