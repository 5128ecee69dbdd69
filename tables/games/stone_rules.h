/* SPDX-License-Identifier: MIT
 *
 * Rules of stones: connect, mnk and square, as a table of functions. A position is two sets of
 * cells (stones.h), a move the cell on which a stone is placed. The builder has the same rules on
 * bit planes (builder/slabs/), and a test makes the two agree.
 */
#ifndef PLB_TABLES_GAMES_STONE_RULES_H
#define PLB_TABLES_GAMES_STONE_RULES_H

#include "tables/games/stones.h"

/* check takes one step per group; with gravity also a question of column_automaton.h, if the game
 * has its columns, else of alternating_order.h, or as many as there are stones that can have
 * completed all groups. All others take a step per group or less. */
extern const plb_rules plb_rules_of_stones;

#endif
