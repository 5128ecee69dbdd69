/* SPDX-License-Identifier: MIT
 *
 * What a table thinks of a game: the moves that it would play, and all moves compared. Where the
 * table has no distances they are searched for, within a number of positions that takes about a
 * second at most; so the advice is the same on every machine. Uses the public header alone.
 */
#ifndef PLB_TOOLS_PLAY_GAME_ADVICE_H
#define PLB_TOOLS_PLAY_GAME_ADVICE_H

#include "tools/play/game_session.h"

/* The best moves of the side to move. Errors: those of plb_find_best. */
int advice_best(const game_session *session, plb_best *best, plb_message *message);

/* Every move, best first as in plb_moves, with its distance where that could be found; a distance
 * that could not counts as longer than those that could. Errors: those of plb_find_best. */
int advice_moves(const game_session *session, plb_move moves[PLB_MAX_MOVES], int *count,
                 plb_message *message);

#endif
