/* SPDX-License-Identifier: MIT
 *
 * What others have published about games: facts to compare a table with. Only
 * constants and a published rule; must not know: tables, counts.
 */
#ifndef PLB_TOOLS_VERIFY_PUBLISHED_H
#define PLB_TOOLS_VERIFY_PUBLISHED_H

#include "tables/games/game.h"

/* Value of the empty board for the first player. Returns where it is published, NULL if it is
 * not known here. Static storage. */
const char *published_value(const plb_game *game, plb_value *value);

/* Number of positions that can arise; 0 if it is not known here. */
uint64_t published_total(const plb_game *game, const char **source);

/* ---- numbers of positions of boards of Connect-4 ---- */

enum { PUBLISHED_MAX = 13 }; /* columns or rows of a board */

#define PUBLISHED_COUNTS_SOURCE "Tromp, John's Connect Four Playground"

/* Of connect-WxH-k4; 0: none is known here. Two of them, of 12x4 and 13x4, exceed 2^53 and are
 * given there as the nearest number that a double can hold. */
uint64_t published_count(int width, int height);

#endif
