/* SPDX-License-Identifier: MIT
 *
 * Specs: the names of games, such as `connect-7x6-k4-misere-cylinder`. What comes after the board
 * is the family's to say (families.h).
 */
#ifndef PLB_TABLES_GAMES_GAME_SPEC_H
#define PLB_TABLES_GAMES_GAME_SPEC_H

#include "tables/games/game.h"

enum {
    PLB_SPEC_TEXT = 64, /* bytes for any spec, with the final zero */
    PLB_GOAL_TEXT = 32, /* the same for what a player completes */
};

/* A game from its spec; the suffixes may come in any order.
 * Errors: PLB_ESPEC with what was read and what would be right, PLB_ENOMEM.
 * The caller owns *game and frees it with plb_game_free. */
int plb_game_parse(const char *spec, plb_game *game, plb_message *message);

/* The canonical spec, in which misere comes before cylinder: inverse of plb_game_parse. */
void plb_game_format(const plb_game *game, char text[PLB_SPEC_TEXT]);

/* What a player completes, for people: `4 in a row`, `a square`. */
void plb_game_format_goal(const plb_game *game, char text[PLB_GOAL_TEXT]);

#endif
