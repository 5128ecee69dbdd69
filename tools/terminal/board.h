/* SPDX-License-Identifier: MIT
 *
 * Boards, players and distances for people. Uses the public header alone.
 */
#ifndef PLB_TOOLS_TERMINAL_BOARD_H
#define PLB_TOOLS_TERMINAL_BOARD_H

#include <stddef.h>

#include "probe/plybase.h"

/* Print a board with the labels by which moves are named, to stdout; in colour if asked to. */
void draw_board(const plb_table *table, uint64_t x, uint64_t o, bool colour);

/* Write the text of a board as a field of CSV, in quotes where it has commas, as boards of numbers
 * do. Returns its length. */
enum { CSV_BOARD_TEXT = PLB_BOARD_TEXT + 2 };
size_t format_csv_board(const plb_table *table, uint64_t x, uint64_t o, char text[CSV_BOARD_TEXT]);

/* The player to move, 'x' or 'o', in a position that can arise. */
char side_to_move(const plb_table *table, uint64_t x, uint64_t o);

/* How many stones or numbers a position has, which is its ply. */
int stones_on_board(const plb_table *table, uint64_t x, uint64_t o);

/* How sure a value is (plb_answer.bound): "", "at least a " or "at most a ". Static storage. */
const char *bound_words(int bound);

/* plb_format_outcome of a distance of which bounds are proven, as in `win in 13 to 21 plies`. */
char *format_bounded(plb_value value, const plb_bounds *bounds, char text[64]);

/* ---- boards of a game that is played at a terminal ----
 *
 * Discs in a frame, the last move in parentheses, complete groups in brackets, and the value of
 * every move where it would be played. Nothing is shown by colour alone.
 *
 *       ┌─────────────────────┐       ( )  the stone placed last
 *       │  ·   ·   ●   ·   ·  │       [ ]  a complete group
 *       │  ·   ·  (○)  ·   ·  │       + win, = draw, - loss for who makes the move,
 *       └─────────────────────┘       then plies to the end of the game
 *          1   2   3   4   5
 *         -17  =  +20  =  -17 */

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
