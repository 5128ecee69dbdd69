/* SPDX-License-Identifier: MIT
 *
 * Plays a named strategy against every sequence of replies, with all moves that its rule allows.
 * Positions of a ply, each once, are kept in memory, those with the opponent to move of two plies
 * at a time. Must not know: files, values from elsewhere.
 */
#ifndef PLB_TOOLS_STRATEGY_STRATEGY_WALK_H
#define PLB_TOOLS_STRATEGY_STRATEGY_WALK_H

#include <signal.h>

#include "tables/index/position_set.h"
#include "tools/strategy/named_strategy.h"

enum { RULE_WALK_LINE = 256 };

typedef struct rule_walk_options {
    const plb_game *game;
    const named_strategy *strategy;
    int player;
    plb_value claim;     /* what has to be reached, at least */
    bool is_immune;      /* the opponent may complete groups without losing */
    double memory_bytes; /* of positions; again so many of those that are kept */
    /* Out, or NULL: the positions in which the strategy keeps its claim, all that arise with the
     * opponent to move, but for the empty board, up to this symmetry. That a position and its
     * images have the same value makes one of them do for all, though a rule may tell left from
     * right. It is written in any case, to be freed with plb_position_set_free. */
    plb_position_set *kept;
    const plb_symmetry *symmetry;      /* NULL if none are kept */
    const volatile sig_atomic_t *stop; /* raised: PLB_EINTERRUPTED soon; or NULL */
    /* Now and then, and when a ply is done: of so many positions; or NULL. */
    void (*report)(void *context, int ply, uint64_t done, uint64_t positions);
    void *context;
} rule_walk_options;

typedef struct rule_walk_result {
    bool holds;
    uint64_t positions; /* distinct, with the opponent to move, the game not over; the empty board
                           if he begins */
    int longest;        /* plies of the longest game */
    /* Where it does not hold: the moves after which it fails, as --moves has them, one of the
     * shortest such lines; and why. */
    char line[RULE_WALK_LINE];
    plb_message why;
} rule_walk_result;

/* Errors: PLB_ETOOBIG: memory_bytes do not suffice; PLB_ENOMEM, PLB_EINTERRUPTED. A
 * strategy that does not hold is no error. Cost: a microsecond or two for each move of a position.
 */
int rule_walk(const rule_walk_options *options, rule_walk_result *result, plb_message *message);

#endif
