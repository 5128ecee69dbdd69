/* SPDX-License-Identifier: MIT
 *
 * The strategies of misere Connect-k that have names: rules that a person can follow, each with a
 * theorem that says on which boards it reaches what. strategy_walk.h checks them against every
 * sequence of replies.
 *
 * Source: R. Steele and D. B. Larremore, Misere Connect Four is Solved. For boards whose left and
 * right columns are adjacent see "applies" in the .c. Must not know: files, tables of values.
 */
#ifndef PLB_TOOLS_STRATEGY_NAMED_STRATEGY_H
#define PLB_TOOLS_STRATEGY_NAMED_STRATEGY_H

#include "tables/games/rules.h"

/* A position in which the strategy's player is to move. */
typedef struct strategy_turn {
    const plb_game *game;
    plb_position position;
    int player; /* 0, the first, or 1 */
    int last;   /* cell of the opponent's last move; -1: there is none */
} strategy_turn;

/* What a strategy reaches on a board, for one player. */
typedef struct strategy_terms {
    plb_value reaches;   /* PLB_WIN, or PLB_DRAW: at least */
    int most_plies;      /* of a game, whatever the opponent does */
    const char *theorem; /* static */
} strategy_terms;

typedef struct named_strategy {
    const char *name;
    bool refuted;     /* as published it does not hold everywhere; it is not listed */
    bool is_immune;   /* it also holds where the opponent may complete groups without losing */
    const char *rule; /* what it does, in one clause */

    /* Does the theorem speak of this board and player? Otherwise *terms is what the strategy claims
     * elsewhere, with a theorem of "none", and why says why it does not here. */
    bool (*applies)(const plb_game *game, int player, strategy_terms *terms, plb_message *why);

    /* The cells to which the rule allows to move: all are playable; 0: the rule has no answer. */
    uint64_t (*moves)(const strategy_turn *turn);

    /* Why the rule moves there, a clause such as `it is on top of your last stone`. Static. */
    const char *(*reason)(const strategy_turn *turn, int cell);
} named_strategy;

/* All strategies; the name of the last one is NULL. */
extern const named_strategy named_strategies[];

/* NULL: there is none of this name. */
const named_strategy *named_strategy_find(const char *name);

/* Is a game one of those of which the theory speaks: misere, with gravity, k in a row? */
bool named_strategy_knows(const plb_game *game);

#endif
