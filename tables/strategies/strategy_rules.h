/* SPDX-License-Identifier: MIT
 *
 * The rules that give the move of a strategy where its file has none:
 *
 *     look-ahead   a move reaches the claim within some plies, whatever the opponent does
 *     no danger    (claim: draw) after this move the opponent can no longer win
 *     forced       all moves but one lose at once
 *
 * After a move by the first two rules no stored move is ever needed; after a forced move one may
 * be. The shortest look-ahead that finds a move is used, so every move brings a win nearer. With 1
 * ply it finds a move that completes a group, with 3 plies one that makes two threats. A draw is
 * reached only on the full board: the look-ahead searches for it if few plies are left; before,
 * only for two threats and "no danger". Must not know: files, what is stored.
 */
#pragma once

#include "tables/games/rules.h"

enum { PLB_MAX_LOOK_AHEAD = 9 }; /* plies */

/* What a strategy claims: its player reaches at least a value. */
typedef struct plb_strategy_claim {
    int player;      /* 0, the first, or 1 */
    plb_value value; /* PLB_WIN or PLB_DRAW */
    int look_ahead;  /* plies, odd, at most PLB_MAX_LOOK_AHEAD */
} plb_strategy_claim;

typedef enum plb_strategy_rule {
    PLB_RULE_NONE,   /* a stored move is needed, or the claim does not hold */
    PLB_RULE_CLAIM,  /* from here on, rules alone reach the claim */
    PLB_RULE_FORCED, /* the only move that does not lose at once; proves nothing about the claim */
} plb_strategy_rule;

/* Find the rule for a position that can arise; the player is to move, and the game is not over.
 *
 * move  [out]  written unless the result is PLB_RULE_NONE
 *
 * Cost: with a look-ahead of 5, up to some milliseconds for a game of numbers; with 1, that of a
 * static value. Threads: safe. */
plb_strategy_rule plb_strategy_find_rule(const plb_game *game, const plb_strategy_claim *claim,
                                         plb_position position, int *move);
