/* SPDX-License-Identifier: MIT
 *
 * The bottom row of a board, from left to right, for the player to move, and the strategies that
 * use only the bottom row. Each returns the columns that its rule allows, as a bit mask: several if
 * the rule leaves a choice, 0 if it has no answer.
 *
 * Source: R. Steele and D. B. Larremore, Misere Connect Four is Solved. Must not know: games,
 * positions.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BOTTOM_ROW_WIDTH = 64 };

typedef enum row_cell { CELL_EMPTY, CELL_OWN, CELL_OTHER } row_cell;

typedef struct bottom_row {
    int width;
    row_cell cells[BOTTOM_ROW_WIDTH]; /* [width] */
} bottom_row;

int bottom_row_empty(const bottom_row *row); /* cells without a stone */

/* Take-other and rightmost (Theorem 3): pair the columns from the left, 1-2, 3-4 ..; take the other
 * column of a pair in which the opponent has a stone, else the rightmost empty column. */
uint64_t take_other_moves(const bottom_row *row);

/* Canonical boards (Lemmas 3 and 4, Theorem 5), k = 3. The opponent's stones and the ends of the
 * row divide it into parts. The player's own stones at the ends of the empty cells give the kind:
 *
 *     A |....|   B |x...|   C |x..x|   D |xx..|   E |xx.x|
 *
 * Odd and even are numbers of empty cells. If the row is odd, the player moves in an odd A or B.
 * Otherwise he moves in an even D, else in any A or an odd B, else in an even B or C. He puts his
 * stone at an end of the empty cells, in B and D at the end without a stone of his. */
uint64_t canonical_board_moves(const bottom_row *row);

/* ---- the tally, k = 2 ---- */

/* The kinds of moves, and how each changes the tally: the numbers of moves in the templates that
 * the mover and the other player have left (Table II). */
typedef enum template_play {
    PLAY_NONE,        /* puts two own stones side by side, or the row has no stone yet */
    PLAY_IN_TEMPLATE, /* (-1,  0) agrees with a stone beside the gap */
    PLAY_DOUBLE,      /* (-2, -1) contradicts the stones on both sides */
    PLAY_OFFENSIVE,   /* (-1, -1) contradicts the stone on one side, towards a wall that was the
                                  other player's */
    PLAY_IMMOLATION,  /* (-2,  0) the same, but the wall was the mover's own */
} template_play;

/* The kind of a move of the player to move in an empty column. */
template_play bottom_row_play(const bottom_row *row, int column);

/* The second player's rule (Lemmas 1 and 2). His first move is an offensive one at a wall, else one
 * in the template at a wall. A later move is a double contradiction if there is one, the width is
 * even, both walls are taken and no stones contradict each other; else any move in a template. */
uint64_t tally_moves(const bottom_row *row);
