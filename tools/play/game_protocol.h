/* SPDX-License-Identifier: MIT
 *
 * A protocol for programs: each line is a command, with one line as its answer. It does not read
 * lines: command_play does.
 */
#pragma once

#include "tools/play/game_session.h"

/* The commands, for the help. */
#define PROTOCOL_HELP                                                                             \
    "game: the answer is `game SPEC WIDTH HEIGHT`, with --level followed by `level N`.\n"         \
    "position start|BOARD [moves MOVE...]: go to this position; start is the position where the " \
    "game began, and moves have blanks or commas between them. The answer is `position BOARD` "   \
    "and the player to move, x or o, or after the end of the game `over x`, `over o` or `over "   \
    "draw`.\nvalue: `value win|draw|loss DISTANCE`, for the player to move; a strategy may add "  \
    "`at least` or `at most`.\nbest: `best win|draw|loss DISTANCE MOVE,MOVE...`, all best "       \
    "moves, those that resist most first. If the table has no distances, a short search looks "   \
    "for them; proven bounds are written as in 13-21.\ngo: `go MOVE`, the move that the table "   \
    "makes; the position stays the same.\nquit: `quit`, and the program ends. It also ends, "     \
    "without an answer, at the end of the input."

/* Answer a line on stdout; the line is changed. False: quit. */
bool protocol_answer(game_session *session, char *line);
