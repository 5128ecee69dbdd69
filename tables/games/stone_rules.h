/* SPDX-License-Identifier: MIT
 *
 * Rules of stones: connect, mnk and square. A position is two sets of cells: the stones of x, the
 * first player, and the stones of o. A move is the cell on which a stone is placed. The builder has
 * the same rules on bit planes (builder/slabs/), and a test compares both.
 */
#pragma once

#include "tables/bits.h"
#include "tables/games/rules.h"

/* Cost: all functions take one step per group or less. With gravity `check` also asks the automaton
 * (column_automaton.h), else alternating_order.h: once, or once for each stone that can have
 * completed all groups. */
extern const plb_rules plb_rules_of_stones;

static inline uint64_t plb_stones_occupied(plb_position p) {
    return p.x | p.o;
}
static inline int plb_stones_ply(plb_position p) {
    return plb_popcount(p.x | p.o);
}
static inline bool plb_stones_x_to_move(plb_position p) {
    return plb_popcount(p.x) == plb_popcount(p.o);
}

/* The stones of the player to move, and of the player who moved last. */
static inline uint64_t plb_stones_mover(plb_position p) {
    return plb_stones_x_to_move(p) ? p.x : p.o;
}
static inline uint64_t plb_stones_last(plb_position p) {
    return plb_stones_x_to_move(p) ? p.o : p.x;
}

/* The position after the player to move has placed a stone on an empty cell. */
static inline plb_position plb_stones_play(plb_position p, int cell) {
    if (plb_stones_x_to_move(p))
        p.x |= 1ULL << cell;
    else
        p.o |= 1ULL << cell;
    return p;
}

/* Has the last mover completed a group, or is the board full? */
static inline bool plb_stones_is_over(const plb_game *game, plb_position position) {
    return plb_stones_occupied(position) == game->board ||
           plb_game_has_group(game, plb_stones_last(position));
}
