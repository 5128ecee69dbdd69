/* SPDX-License-Identifier: MIT
 *
 * Published results about games, to compare a table with. Must not know: tables, counts.
 */
#pragma once

#include "tables/games/game.h"

/* The value of the empty board for the first player. Returns its source (static storage), or NULL
 * if it is not known here. */
const char *published_value(const plb_game *game, plb_value *value);

/* The number of positions that can arise; 0 if it is not known here. */
uint64_t published_total(const plb_game *game, const char **source);

/* ---- numbers of positions of boards of Connect-4 ---- */

enum { PUBLISHED_MAX = 13 }; /* columns or rows of a board */

#define PUBLISHED_COUNTS_SOURCE "Tromp, John's Connect Four Playground"

/* Of connect-WxH-k4; 0 if it is not known here. Those of 12x4 and 13x4 exceed 2^53; the source
 * rounds them to a double. */
uint64_t published_count(int width, int height);
