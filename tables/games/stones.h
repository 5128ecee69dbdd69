/* SPDX-License-Identifier: MIT
 *
 * Stones: what a position of connect, mnk and square is. Two sets of cells: the stones of the first
 * player, x, who has as many as o or one more, and those of o.
 */
#ifndef PLB_TABLES_GAMES_STONES_H
#define PLB_TABLES_GAMES_STONES_H

#include "tables/bits.h"
#include "tables/games/rules.h"

static inline uint64_t plb_stones_occupied(plb_position p) {
    return p.x | p.o;
}
static inline int plb_stones_ply(plb_position p) {
    return plb_popcount(p.x | p.o);
}
static inline bool plb_stones_x_to_move(plb_position p) {
    return plb_popcount(p.x) == plb_popcount(p.o);
}

/* Stones of the player to move, and of the one who moved last. */
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

/* Is the game over: has the last mover completed a group, or is the board full? */
static inline bool plb_stones_is_over(const plb_game *game, plb_position position) {
    return plb_stones_occupied(position) == game->board ||
           plb_game_has_group(game, plb_stones_last(position));
}

#endif
