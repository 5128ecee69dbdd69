/* SPDX-License-Identifier: MIT
 *
 * Positions and moves of stones as text.
 *
 *     board   rows from the top, `/` between them; `x`, `o`, a number for a run of empty cells
 *     moves   with gravity a column per move, `1`..`9` then `a`..`z`; otherwise cells such as
 *             `b3`: column letter (`a`..`z`, then `aa`..), row number from the bottom; capital
 *             letters are read as small ones
 */
#ifndef PLB_TABLES_GAMES_NOTATION_H
#define PLB_TABLES_GAMES_NOTATION_H

#include "tables/games/stones.h"

/* Read a board. Only its form and size are checked, not whether it can arise.
 * Errors: PLB_ESYNTAX, PLB_EBOARD (another number of rows or columns). */
int plb_notation_parse_board(const plb_game *game, const char *text, plb_position *position,
                             plb_message *message);

/* Write a board; inverse of the above. */
void plb_notation_format_board(const plb_game *game, plb_position position,
                               char text[PLB_BOARD_TEXT]);

/* Play moves from a position, which is as it was after an error. Blanks and commas are skipped.
 * Errors: PLB_ESYNTAX, PLB_EMOVE (off the board, not playable, after the game's end). */
int plb_notation_play_moves(const plb_game *game, const char *text, plb_position *position,
                            plb_message *message);

/* Write the move that places a stone on a cell. */
void plb_notation_format_move(const plb_game *game, int cell, char text[PLB_MOVE_TEXT]);

#endif
