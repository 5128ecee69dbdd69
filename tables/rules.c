/* SPDX-License-Identifier: MIT
 *
 * The rules on single positions.
 */
#include "tables/rules.h"

#include "tables/alternation.h"

bool plb_rules_is_over(const plb_game *game, plb_position position) {
    return plb_position_occupied(position) == game->board ||
           plb_game_has_group(game, plb_position_last(position));
}

uint64_t plb_rules_moves(const plb_game *game, plb_position position) {
    if (plb_rules_is_over(game, position)) return 0;
    return plb_game_playable(game, plb_position_occupied(position));
}

plb_value plb_rules_final_value(const plb_game *game, plb_position position) {
    if (!plb_game_has_group(game, plb_position_last(position))) return PLB_DRAW;
    return game->misere ? PLB_WIN : PLB_LOSS;
}

/* ---- refusals ---- */

static int check_stones(const plb_game *game, plb_position p, plb_message *message) {
    int x = plb_popcount(p.x), o = plb_popcount(p.o);
    if ((p.x | p.o) & ~game->board)
        return plb_fail(message, PLB_EBOARD, "a stone lies beyond the %dx%d board", game->width,
                        game->height);
    if (p.x & p.o)
        return plb_fail(message, PLB_ECOUNTS,
                        "impossible piece counts: %d cells hold both an x "
                        "and an o",
                        plb_popcount(p.x & p.o));
    if (x != o && x != o + 1)
        return plb_fail(message, PLB_ECOUNTS,
                        "impossible piece counts: %d x and %d o; x moves first, so x has as many "
                        "stones as o or one more",
                        x, o);
    uint64_t occupied = p.x | p.o;
    if (game->gravity && (occupied & ~((occupied << 1) | game->bottom))) {
        int cell = plb_lowest(occupied & ~((occupied << 1) | game->bottom));
        return plb_fail(message, PLB_EFLOATING,
                        "a stone floats in the air: column %d, row %d has nothing below it",
                        plb_game_column(game, cell) + 1, plb_game_row(game, cell) + 1);
    }
    return PLB_OK;
}

/* The stones that every complete group of a colour shares; all bits where there is no group. */
static uint64_t stones_in_every_group(const plb_game *game, uint64_t stones) {
    uint64_t shared = ~0ULL;
    for (int g = 0; g < game->group_count; g++)
        if ((game->groups[g] & ~stones) == 0) shared &= game->groups[g];
    return shared;
}

static plb_position take_back(plb_position p, uint64_t stone) {
    return (plb_position){p.x & ~stone, p.o & ~stone};
}

static plb_alternation find_order(const plb_game *game, plb_position p) {
    return plb_alternation_find(p.x, plb_position_occupied(p), game->width, game->height,
                                PLB_ALTERNATION_STEPS, NULL);
}

/* Is there an order of moves, the last of which places one of the completing stones if there are
 * any? */
static plb_alternation find_order_before(const plb_game *game, plb_position position,
                                         uint64_t completing) {
    plb_alternation answer = PLB_ALTERNATION_NONE;
    if (!game->gravity) return PLB_ALTERNATION_EXISTS;
    if (!completing) return find_order(game, position);
    for (; completing && answer != PLB_ALTERNATION_EXISTS; completing &= completing - 1) {
        plb_alternation one = find_order(game, take_back(position, completing & -completing));
        if (one != PLB_ALTERNATION_NONE) answer = one;
    }
    return answer;
}

static int fail_unreachable(plb_alternation order, plb_message *message) {
    if (order == PLB_ALTERNATION_UNDECIDED)
        return plb_fail(message, PLB_EUNKNOWN,
                        "whether the position can be reached was not found out within %d steps",
                        PLB_ALTERNATION_STEPS);
    return plb_fail(message, PLB_EUNREACHABLE,
                    "the position cannot be reached: no order of moves in which x and o alternate "
                    "gives these columns");
}

int plb_rules_check(const plb_game *game, plb_position position, plb_message *message) {
    int error = check_stones(game, position, message);
    if (error) return error;
    const char *mover = plb_position_x_to_move(position) ? "x" : "o";
    const char *last = plb_position_x_to_move(position) ? "o" : "x";
    if (plb_game_has_group(game, plb_position_mover(position)))
        return plb_fail(message, PLB_EOVER,
                        "the position goes on after the game's end: %s has a complete group, yet "
                        "%s moved after it",
                        mover, last);
    uint64_t shared = stones_in_every_group(game, plb_position_last(position));
    bool complete = shared != ~0ULL;
    uint64_t removable = plb_game_removable(game, plb_position_occupied(position));
    uint64_t completing = shared & removable & plb_position_last(position);
    if (complete && !completing)
        return plb_fail(message, PLB_EOVER,
                        "the position goes on after the game's end: no last move of %s completes "
                        "every group it has",
                        last);
    plb_alternation order = find_order_before(game, position, complete ? completing : 0);
    return order == PLB_ALTERNATION_EXISTS ? PLB_OK : fail_unreachable(order, message);
}
