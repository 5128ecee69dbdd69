/* SPDX-License-Identifier: MIT
 *
 * A game by lines for programs: a command in, one answer out. Must not know where lines come from.
 */
#ifndef PLB_TOOLS_PLAY_GAME_PROTOCOL_H
#define PLB_TOOLS_PLAY_GAME_PROTOCOL_H

#include "tools/play/game_session.h"
#include "tools/play/move_choice.h"

/* The commands, for the help. */
#define PROTOCOL_HELP                                                                             \
    "game: `game SPEC WIDTH HEIGHT`, and `level N` after it if it errs on purpose.\n"             \
    "position start|BOARD [moves MOVE...]: goes there; start is where the game began, and moves " \
    "have blanks or commas between them. `position BOARD x`, or o, who is to move, or `over x`, " \
    "`over o`, `over draw`.\n"                                                                    \
    "value: `value win|draw|loss DISTANCE`, for the player to move; of a strategy `at least` or " \
    "`at most` may follow.\n"                                                                     \
    "best: `best win|draw|loss DISTANCE MOVE,MOVE...`, all best moves, those that resist most "   \
    "first. The distance is found by a search if that is short, as 13-21 where only bounds are "  \
    "proven.\n"                                                                                   \
    "go: `go MOVE`, the move to make; the position stays.\n"                                      \
    "quit: `quit`, and the end, as that of the input is without an answer."

/* Answer a line, which is changed, on stdout. False: it was the last one. */
bool protocol_answer(game_session *session, move_choice *choice, char *line);

#endif
