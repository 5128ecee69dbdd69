/* SPDX-License-Identifier: MIT
 *
 * The value of the position of a session, and the move that the table makes. Prints nothing.
 */
#ifndef PLB_TOOLS_PLAY_MOVE_CHOICE_H
#define PLB_TOOLS_PLAY_MOVE_CHOICE_H

#include "tools/play/game_session.h"

/* At level L it gives up value on purpose, LEVELS - L times in LEVELS. */
enum { LEVELS = 10 };

/* How a move is chosen among those that are as good as each other. */
typedef struct move_choice {
    bool is_random;  /* each is as likely as another; else the one that resists most */
    int level;       /* 1 to LEVELS - 1, and 0: it never errs */
    uint64_t random; /* state of the generator */
} move_choice;

/* What a level below LEVELS means, as a sentence for the opponent. Returns text. */
enum { LEVEL_TEXT = 112 };
char *describe_level(const move_choice *choice, char text[LEVEL_TEXT]);

/* Choose a move for the side to move: of a guide one that it allows. At a level it is, LEVELS -
 * level times in LEVELS where some moves have a lower value than the best ones, one of these, each
 * as likely as another. Errors: those of plb_find_resistance; PLB_EMOVE: the game is over;
 * PLB_EUNKNOWN: a guide has no move. */
int choose_move(const game_session *session, move_choice *choice, plb_move *move,
                plb_message *message);

/* The best moves of the side to move, by resistance of some plies unless the table is a strategy.
 * Errors: those of plb_find_best. */
int advice_best(const game_session *session, int plies, plb_resistance *found,
                plb_message *message);

/* Every move, best first as in plb_moves, with its distance where that could be found; a distance
 * that could not counts as longer than those that could. Errors: those of plb_find_best. */
int advice_moves(const game_session *session, plb_move moves[PLB_MAX_MOVES], int *count,
                 plb_message *message);

#endif
