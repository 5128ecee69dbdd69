/* SPDX-License-Identifier: MIT
 *
 * A board for a person at a terminal: discs in a frame, the last move in parentheses, complete
 * groups in brackets, and the value of every move where it would be played.
 *
 *       ┌─────────────────────┐       ( )  the stone placed last
 *       │  ·   ·   ●   ·   ·  │       [ ]  a complete group
 *       │  ·   ·  (○)  ·   ·  │       + win, = draw, - loss for who makes the move,
 *       └─────────────────────┘       then plies to the end of the game
 *          1   2   3   4   5
 *         -17  =  +20  =  -17
 *
 * Nothing is shown by colour alone. Uses the public header alone.
 */
#ifndef PLB_TOOLS_TERMINAL_FRAMED_BOARD_H
#define PLB_TOOLS_TERMINAL_FRAMED_BOARD_H

#include "probe/plybase.h"

/* How boards are drawn on a terminal. */
typedef struct frame_style {
    bool unicode; /* discs and lines of a box; else letters, `+`, `-` and `|` */
    bool colour;
} frame_style;

/* The disc of a player, 'x' or 'o', as it is drawn. Static storage. */
const char *player_disc(char player, frame_style style);

/* What is drawn. */
typedef struct board_picture {
    const plb_table_info *info;
    const plb_cell *cells; /* [info->cells], as plb_read_cells gives them */
    uint64_t last;         /* the cell of the last move; 0: none is marked */
    uint64_t groups;       /* the cells of complete groups */
    const plb_move *moves; /* [count], with values to be shown, best first */
    int count;             /* 0: none */
} board_picture;

/* Print a picture to stdout. */
void draw_framed_board(const board_picture *picture, frame_style style);

#endif
