/* SPDX-License-Identifier: MIT
 *
 * Plays a named strategy against every sequence of replies, with all moves that its rule allows. It
 * walks breadth first, and keeps only positions with the opponent to move in memory, those of two
 * plies at a time. Must not know: files, values from elsewhere.
 */
#pragma once

#include <signal.h>

#include "tables/index/position_set.h"
#include "tools/strategy/named_strategy.h"

enum { RULE_WALK_LINE = 256 };

typedef struct rule_walk_options {
    const plb_game *game;
    const named_strategy *strategy;
    int player;
    plb_value claim;     /* PLB_WIN, or PLB_DRAW: at least a draw */
    bool is_immune;      /* the opponent may complete groups without losing */
    double memory_bytes; /* for positions of the walk, and as much again for `kept` */
    /* Out, or NULL: all positions that arise with the opponent to move, except the empty board, up
     * to symmetry. The claim holds in them. One of several images is enough, because they have the
     * same value, even if a rule distinguishes left and right. It is written in any case; free it
     * with plb_position_set_free. */
    plb_position_set *kept;
    const plb_symmetry *symmetry;      /* NULL if kept is NULL */
    const volatile sig_atomic_t *stop; /* nonzero: PLB_EINTERRUPTED soon; or NULL */
    /* Progress within a ply, also at its end; or NULL. */
    void (*report)(void *context, int ply, uint64_t done, uint64_t positions);
    void *context;
} rule_walk_options;

typedef struct rule_walk_result {
    bool holds;
    uint64_t positions; /* distinct, with the opponent to move and the game not over; with the empty
                           board if he begins */
    int longest;        /* plies of the longest game */
    /* If it does not hold: moves after which it fails, as --moves reads them, one of the shortest
     * such lines; and the reason. */
    char line[RULE_WALK_LINE];
    plb_message why;
} rule_walk_result;

/* Walk a strategy. It is not an error if it does not hold. Errors: PLB_ETOOBIG: memory_bytes are
 * too few; PLB_ENOMEM, PLB_EINTERRUPTED. Cost: 1 or 2 microseconds for each move of a position. */
int rule_walk(const rule_walk_options *options, rule_walk_result *result, plb_message *message);
