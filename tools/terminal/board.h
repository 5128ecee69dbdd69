/* SPDX-License-Identifier: MIT
 *
 * Boards, players and distances for people. Uses only the public header.
 */
#pragma once

#include <stddef.h>

#include "probe/plybase.h"

/* Print a board with labels of its columns and, without gravity, its rows. */
void draw_board(const plb_table *table, uint64_t x, uint64_t o, bool colour);

/* The player to move, 'x' or 'o', in a position that can arise. */
char side_to_move(const plb_table *table, uint64_t x, uint64_t o);

/* The number of stones or numbers on the board, which is the ply. */
int stones_on_board(const plb_table *table, uint64_t x, uint64_t o);

/* Like plb_format_outcome, for bounds of a distance, as in `win in 13 to 21 plies`. */
char *format_bounded(plb_value value, const plb_bounds *bounds, char text[64]);

/* ---- boards of a game that is played at a terminal ----
 *
 * Discs in a frame, the last move in parentheses, complete groups in brackets, and the value of
 * every move at its cell or column. Colours only repeat what the characters say.
 *
 *       ┌─────────────────────┐       ( )  the stone placed last
 *       │  ·   ·   ●   ·   ·  │       [ ]  a complete group
 *       │  ·   ·  (○)  ·   ·  │       + win, = draw, - loss for who makes the move,
 *       └─────────────────────┘       then plies to the end of the game
 *          1   2   3   4   5
 *         -17  =  +20  =  -17 */

typedef struct frame_style {
    bool unicode; /* draw discs and box lines; otherwise letters, `+`, `-` and `|` */
    bool colour;
} frame_style;

/* The disc of a player, 'x' or 'o', as it is drawn. Static storage. */
const char *player_disc(char player, frame_style style);

typedef struct board_picture {
    const plb_table_info *info;
    const plb_cell *cells; /* [info->cells], from plb_read_cells */
    uint64_t last;         /* the cell of the last move, as a bit; 0: none */
    uint64_t groups;       /* the cells of complete groups, as a bit mask */
    const plb_move *moves; /* [count], moves whose values are drawn, best first */
    int count;
} board_picture;

/* Print a picture to stdout. */
void draw_framed_board(const board_picture *picture, frame_style style);
