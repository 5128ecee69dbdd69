/* SPDX-License-Identifier: MIT
 *
 * Positions and moves as text: sequences of moves of any game; boards and moves of stones.
 *
 *     board   rows from the top, separated by `/`; a cell is `x` or `o`; a number is a run of empty
 *             cells, `.` one empty cell
 *     moves   with gravity a column per move, `1`..`9` then `a`..`z`; otherwise cells such as
 *             `b3`: column letter (`a`..`z`, then `aa`..), row number from the bottom. On boards
 *             with gravity of up to 9 columns a cell is also accepted if the stone falls to it; on
 *             wider boards it is refused if `a1` can be either the columns 10 and 1 or a cell.
 *             Moves may be separated by commas, with or without blanks
 *
 * Capital letters are read as small ones. A byte order mark and blanks before a text are skipped,
 * and so is white space after it. If anything else follows a blank, the text is refused.
 */
#pragma once

#include "tables/games/stone_rules.h"

/* ---- parts of every notation ---- */

/* Skip a byte order mark, if there is one. */
const char *plb_notation_skip_mark(const char *text);

/* Is there only white space up to the end? */
bool plb_notation_is_end(const char *next);

/* Report a second field, after white space at `next`, where only one is allowed. */
int plb_notation_fail_field(const char *text, const char *next, plb_message *message);

/* Play a sequence of moves from *position; read_moves also returns the moves. After an error
 * *position is unchanged.
 * Errors: PLB_ESYNTAX, PLB_EMOVE (off the board, not playable, after the end of the game). */
int plb_notation_play_moves(const plb_game *game, const char *text, plb_position *position,
                            plb_message *message);
int plb_notation_read_moves(const plb_game *game, const char *text, plb_position *position,
                            int moves[PLB_MAX_CELLS], int *count, plb_message *message);

/* ---- stones ---- */

/* Parse a board. Only form and size are checked, not whether the position can arise.
 * Errors: PLB_ESYNTAX, PLB_EBOARD (wrong number of rows or columns). */
int plb_notation_parse_board(const plb_game *game, const char *text, plb_position *position,
                             plb_message *message);

/* Write a board; inverse of plb_notation_parse_board. */
void plb_notation_format_board(const plb_game *game, plb_position position,
                               char text[PLB_BOARD_TEXT]);

/* `read_move` of the rules of stones (rules.h). */
int plb_notation_read_move(const plb_game *game, plb_position position, const char *text,
                           const char **next, int *move, plb_message *message);

/* Write the move that places a stone on a cell. */
void plb_notation_format_move(const plb_game *game, int cell, char text[PLB_MOVE_TEXT]);
