/* SPDX-License-Identifier: MIT
 *
 * A game, move by move: what each move was worth, and what it cost. Threads: any number. Uses the
 * public header alone.
 */
#ifndef PLB_TOOLS_ANSWERS_ANNOTATED_GAME_H
#define PLB_TOOLS_ANSWERS_ANNOTATED_GAME_H

#include "tools/answers/asked_position.h"

/* A move of a game; values are for the player who makes it. */
typedef struct annotated_move {
    const played_move *played;
    char player;         /* 'x' or 'o' */
    int ply;             /* after the move */
    plb_analysis before; /* of the position in which it was made */
    plb_value value;     /* of the move, */
    int dtm;             /* and the distance after it, or PLB_NO_DTM */
    bool is_mistake;     /* it changes the value */
    int plies_lost;      /* later to win or sooner to lose than by the best move; 0 of a mistake */
} annotated_move;

/* What move m of a game was. Errors: those of plb_analyse. */
int annotate_move(const plb_table *table, const asked_position *game, int m, annotated_move *move,
                  plb_message *message);

/* Write the members of an annotated game: the position after it as of put_position, its moves in
 * `played`, and how many are `mistakes` of x and of o. Errors: those of plb_analyse, and the object
 * is then of no use. */
int put_game(json_writer *to, const plb_table *table, const asked_position *game,
             plb_message *message);
asked_finder find_asked_game;

#endif
