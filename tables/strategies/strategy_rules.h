/* SPDX-License-Identifier: MIT
 *
 * The rules that give the move of a strategy if its file has none. After none of these moves,
 * except a forced one, a stored move is needed:
 *
 *     look ahead   some moves reach the claim within a number of plies, whatever the opponent does
 *     no danger    (claim: draw) the opponent cannot win any more: any move
 *     forced       all moves but one lose at once
 *
 * Looking 1 and 3 plies ahead finds a move that completes a group or makes two threats. The
 * shortest look-ahead that finds a move is used, so a win comes nearer with every move. A draw is
 * reached on the full board: it is looked for when few plies are left; before that only two threats
 * and "no danger" are. Must not know: files, what is stored.
 */
#ifndef PLB_TABLES_STRATEGIES_STRATEGY_RULES_H
#define PLB_TABLES_STRATEGIES_STRATEGY_RULES_H

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
    PLB_RULE_CLAIM,  /* the claim is reached by rules from here on */
    PLB_RULE_FORCED, /* this move is the only one; what follows must be looked at */
} plb_strategy_rule;

/* The rule for a position that can arise, in which the player is to move and the game is not over.
 *
 * move  [out]  written unless the rule is PLB_RULE_NONE
 *
 * Cost: with 5 plies up to some milliseconds for a game of numbers; with 1 that of a static value.
 * Threads: safe. */
plb_strategy_rule plb_strategy_find_rule(const plb_game *game, const plb_strategy_claim *claim,
                                         plb_position position, int *move);

#endif
