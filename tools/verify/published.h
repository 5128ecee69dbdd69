/* SPDX-License-Identifier: MIT
 *
 * What others have published about games: facts to compare a table with. Only
 * constants and a published rule; must not know tables.
 */
#ifndef PLB_TOOLS_VERIFY_PUBLISHED_H
#define PLB_TOOLS_VERIFY_PUBLISHED_H

#include "tables/games/game.h"

/* Value of the empty board for the first player. Returns where it is published, NULL if it is
 * not known here. Static storage. */
const char *published_value(const plb_game *game, plb_value *value);

/* Number of positions that can arise; 0 if it is not known here. */
uint64_t published_total(const plb_game *game, const char **source);

#endif
