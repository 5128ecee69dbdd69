/* SPDX-License-Identifier: MIT
 *
 * Positions and the rules that speak of them: whose turn it is, when a game is over, which
 * positions can arise. Everything here looks at one position; the builder has the same rules on
 * bit planes (builder/), and a test makes the two agree.
 */
#ifndef PLB_TABLES_RULES_H
#define PLB_TABLES_RULES_H

#include "tables/bits.h"
#include "tables/game.h"

/* Stones by cell numbers (game.h). The first player, x, has as many stones as o or one more. */
typedef struct plb_position {
    uint64_t x, o;
} plb_position;

static inline uint64_t plb_position_occupied(plb_position p) {
    return p.x | p.o;
}
static inline int plb_position_ply(plb_position p) {
    return plb_popcount(p.x | p.o);
}
static inline bool plb_position_x_to_move(plb_position p) {
    return plb_popcount(p.x) == plb_popcount(p.o);
}

/* Stones of the player to move, and of the one who moved last. */
static inline uint64_t plb_position_mover(plb_position p) {
    return plb_position_x_to_move(p) ? p.x : p.o;
}
static inline uint64_t plb_position_last(plb_position p) {
    return plb_position_x_to_move(p) ? p.o : p.x;
}

/* The position after the player to move has placed a stone on an empty cell. */
static inline plb_position plb_position_play(plb_position p, int cell) {
    if (plb_position_x_to_move(p))
        p.x |= 1ULL << cell;
    else
        p.o |= 1ULL << cell;
    return p;
}

/* Is the game over: has the last mover completed a group, or is the board full? */
bool plb_rules_is_over(const plb_game *game, plb_position position);

/* The cells where the player to move may place a stone; none when the game is over. */
uint64_t plb_rules_moves(const plb_game *game, plb_position position);

/* Value, for the player to move, of a position in which the game is over. */
plb_value plb_rules_final_value(const plb_game *game, plb_position position);

/* Can the position arise by legal moves from the empty board?
 *
 * Errors:  PLB_EBOARD (a stone beyond the board), PLB_ECOUNTS (two stones on a cell, or counts
 *          that no alternation gives), PLB_EFLOATING, PLB_EOVER (a group was complete before the
 *          last move), PLB_EUNREACHABLE (with gravity: no order of moves alternates),
 *          PLB_EUNKNOWN (whether one does was not found out in PLB_ALTERNATION_STEPS; no board is
 *          known for which that is so).
 * Cost:    one step per group; with gravity also a question of tables/alternation.h, or as many as
 *          there are stones that can have completed all groups.  */
int plb_rules_check(const plb_game *game, plb_position position, plb_message *message);

#endif
