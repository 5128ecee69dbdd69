/* SPDX-License-Identifier: MIT
 *
 * The best moves in the position of a session, and the move that the table makes. Prints nothing.
 */
#ifndef PLB_TOOLS_PLAY_MOVE_CHOICE_H
#define PLB_TOOLS_PLAY_MOVE_CHOICE_H

#include "tools/play/game_session.h"

/* At level L the table makes a worse move on purpose, LEVELS - L times in LEVELS. */
enum { LEVELS = 10 };

/* How to choose a move. */
typedef struct move_choice {
    bool is_random;  /* a random one of the best moves; else the one that resists most */
    int level;       /* 1 to LEVELS - 1; 0: no mistakes */
    uint64_t random; /* state of the generator */
} move_choice;

/* Explain the level in a sentence. Returns text. */
enum { LEVEL_TEXT = 112 };
char *describe_level(const move_choice *choice, char text[LEVEL_TEXT]);

/* Choose a move for the side to move. With a guide it is a move that the guide allows. With a level
 * it is, LEVELS - level times in LEVELS, a random one of the moves that have a lower value than the
 * best ones, if there are any. Errors: those of plb_find_resistance; PLB_EMOVE: the game is over;
 * PLB_EUNKNOWN: the guide has no move. */
int choose_move(const game_session *session, move_choice *choice, plb_move *move,
                plb_message *message);

/* Find the best moves of the side to move, ordered by the resistance within `plies` (0 if the table
 * is a strategy). Errors: those of plb_find_best. */
int advice_best(const game_session *session, int plies, plb_resistance *found,
                plb_message *message);

/* List all moves, best first as in plb_moves, with their distances if a short search finds them. An
 * unknown distance counts as longer than any other. Errors: those of plb_find_best. */
int advice_moves(const game_session *session, plb_move moves[PLB_MAX_MOVES], int *count,
                 plb_message *message);

#endif
