/* SPDX-License-Identifier: MIT
 *
 * Positions as numbers, for lists of them: positions of a ply have distinct numbers.
 *
 *     stones    [occupied cells] [colours]    a bit for each stone, in the order of cells: 1 = x
 *     numbers   [occupied cells] [tiles]      n tiles of t are one of t * (t - 1) * .. choices
 *
 * Occupied cells are a set, as a number; with gravity they are the heights of the slots, each a
 * digit of base height + 1, slot 0 the highest one. Must not know: files.
 */
#ifndef PLB_TABLES_INDEX_POSITION_NUMBER_H
#define PLB_TABLES_INDEX_POSITION_NUMBER_H

#include "tables/games/rules.h"

typedef unsigned __int128 plb_code;

/* The number of a position among those of its ply. Threads: safe. */
plb_code plb_position_number(const plb_game *game, plb_position position);

#endif
