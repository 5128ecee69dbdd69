/* SPDX-License-Identifier: MIT
 *
 * The named strategies of misere Connect-k: rules that a person can follow, each with a theorem
 * that says on which boards it wins or draws. strategy_walk.h checks them against every sequence of
 * replies.
 *
 * Source: R. Steele and D. B. Larremore, Misere Connect Four is Solved; for cylinders see the .c.
 * Must not know: files, tables of values.
 */
#pragma once

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
    plb_value reaches;   /* PLB_WIN, or PLB_DRAW: at least a draw */
    int most_plies;      /* upper bound of the length of a game */
    const char *theorem; /* static storage */
} strategy_terms;

typedef struct named_strategy {
    const char *name;
    bool refuted;     /* it fails on some boards of its theorem; lists leave it out */
    bool is_immune;   /* it holds even if the opponent may complete groups without losing */
    const char *rule; /* what it does, in one clause */

    /* Does the theorem apply to this board and player? If not, *terms is the claim on other boards,
     * with the theorem "none", and *why has the reason. */
    bool (*applies)(const plb_game *game, int player, strategy_terms *terms, plb_message *why);

    /* The playable cells that the rule allows, as a bit mask; 0: the rule has no answer. */
    uint64_t (*moves)(const strategy_turn *turn);

    /* Why the rule moves there: a clause such as `it is on top of your last stone`. Static. */
    const char *(*reason)(const strategy_turn *turn, int cell);
} named_strategy;

/* All strategies, then a row with the name NULL. */
extern const named_strategy named_strategies[];

/* Find a strategy by its name. NULL: there is none. */
const named_strategy *named_strategy_find(const char *name);

/* Are there strategies for this kind of game: misere, with gravity, k in a row? */
bool named_strategy_knows(const plb_game *game);
