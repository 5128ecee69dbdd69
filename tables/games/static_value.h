/* SPDX-License-Identifier: MIT
 *
 * What is stored and what is derived. The value of a position is decided by the rules alone when
 *
 *     the game is over;
 *     normal play:  the mover completes a group immediately (a win), or no move keeps the opponent
 *                   from completing one (a loss); if one move alone does, it is forced;
 *     misere play:  every move completes a group of the mover (a loss); if all but one do, that
 *                   one is forced.
 *
 * Distances follow likewise: a forced move loses more slowly than the others and so is the best
 * one, whatever it leads to. Everything else is quiet. A table stores the outcomes of quiet
 * positions on stored plies; what a block holds for others is any code.
 * builder/planes/quiet_planes.h says the same on bit planes.
 */
#ifndef PLB_TABLES_GAMES_STATIC_VALUE_H
#define PLB_TABLES_GAMES_STATIC_VALUE_H

#include "tables/games/stone_rules.h"

/* For games of stones; position must be one that can arise. Cost: a step per group. */
plb_static_result plb_static_value(const plb_game *game, plb_position position);

/* Are the quiet positions of a ply stored? Of those that are not, every child either is decided
 * or lies on a stored ply, possibly after forced moves. */
static inline bool plb_static_value_is_stored_ply(int ply) {
    return ply % 2 == 0;
}

#endif
