/* SPDX-License-Identifier: MIT
 *
 * Positions and moves as text: sequences of moves of any game, and those of stones.
 *
 *     board   rows from the top, `/` between them; `x`, `o`, a number for a run of empty cells, or
 *             `.` for one
 *     moves   with gravity a column per move, `1`..`9` then `a`..`z`; otherwise cells such as
 *             `b3`: column letter (`a`..`z`, then `aa`..), row number from the bottom. On boards
 *             with gravity of up to 9 columns a cell is read as well, if the stone falls to it; on
 *             wider ones, where `a1` may also be the columns 10 and 1, it is refused.
 *             Nothing stands between moves, or commas, with blanks or without
 *
 * Capital letters are read as small ones. A byte order mark and blanks before a text are skipped,
 * and white space after it; where anything else follows a blank, the text is refused.
 */
#ifndef PLB_TABLES_GAMES_NOTATION_H
#define PLB_TABLES_GAMES_NOTATION_H

#include "tables/games/stone_rules.h"

/* ---- parts of every notation ---- */

/* The text after its byte order mark, if it has one. */
const char *plb_notation_skip_mark(const char *text);

/* Does nothing but white space follow? */
bool plb_notation_is_end(const char *next);

/* The error for text after white space: two fields where one is read. */
int plb_notation_fail_field(const char *text, const char *next, plb_message *message);

/* Play moves from a position, which is as it was after an error; and tell which ones they are.
 * Errors: PLB_ESYNTAX, PLB_EMOVE (off the board, not playable, after the game's end). */
int plb_notation_play_moves(const plb_game *game, const char *text, plb_position *position,
                            plb_message *message);
int plb_notation_read_moves(const plb_game *game, const char *text, plb_position *position,
                            int moves[PLB_MAX_CELLS], int *count, plb_message *message);

/* ---- stones ---- */

/* Read a board. Only its form and size are checked, not whether it can arise.
 * Errors: PLB_ESYNTAX, PLB_EBOARD (another number of rows or columns). */
int plb_notation_parse_board(const plb_game *game, const char *text, plb_position *position,
                             plb_message *message);

/* Write a board; inverse of the above. */
void plb_notation_format_board(const plb_game *game, plb_position position,
                               char text[PLB_BOARD_TEXT]);

/* The `read_move` of stones (rules.h). */
int plb_notation_read_move(const plb_game *game, plb_position position, const char *text,
                           const char **next, int *move, plb_message *message);

/* Write the move that places a stone on a cell. */
void plb_notation_format_move(const plb_game *game, int cell, char text[PLB_MOVE_TEXT]);

#endif
