/* SPDX-License-Identifier: MIT
 *
 * Which positions are decided by the rules alone, so that a table need not store them. A position
 * is
 *
 *     decided  if the game is over;
 *              normal play: if the mover can complete a group (a win), or no move prevents the
 *              opponent from completing one (a loss);
 *              misere play: if every move completes a group of the mover (a loss);
 *     forced   if all moves but one lose immediately. This one is the best move, whatever it leads
 *              to: if it loses, it loses more slowly;
 *     quiet    otherwise.
 *
 * A table stores the outcomes of quiet positions on stored plies; the entries of other positions
 * may have any value. builder/planes/quiet_planes.h has the same rules on bit planes.
 */
#pragma once

#include "tables/games/stone_rules.h"

/* For games of stones, and positions that can arise. Cost: one step per group. */
plb_static_result plb_static_value(const plb_game *game, plb_position position);

/* Are the quiet positions of this ply stored? If not, their values follow from those of their
 * children, which are on a stored ply: each is stored, decided or forced. */
static inline bool plb_static_value_is_stored_ply(int ply) {
    return ply % 2 == 0;
}
