/* SPDX-License-Identifier: MIT
 *
 * A named strategy that plays a game: the guide of a session (game_session.h). The table of the
 * session has only the rules of the game.
 */
#ifndef PLB_TOOLS_PLAY_RULE_PLAYER_H
#define PLB_TOOLS_PLAY_RULE_PLAYER_H

#include "tools/play/game_session.h"
#include "tools/strategy/named_strategy.h"

typedef struct rule_player {
    const plb_game *game;
    const named_strategy *strategy;
    int player; /* 0 or 1 */
    char introduction[512];
    session_guide guide; /* of the session; points to this struct */
    plb_table *table;    /* of the session */
} rule_player;

/* Open a player, for a board on which the strategy applies.
 *
 * game    [in]   must outlive the player
 * opened  [out]  must not be moved; the caller closes its table with plb_close, also after an error
 *
 * Errors: PLB_ENOMEM. */
int rule_player_open(const plb_game *game, const named_strategy *strategy, int player,
                     const strategy_terms *terms, rule_player *opened, plb_message *message);

#endif
