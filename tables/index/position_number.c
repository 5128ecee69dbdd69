/* SPDX-License-Identifier: MIT
 *
 * Numbers of positions: a choice in mixed radix, the occupied cells first.
 */
#include "tables/index/position_number.h"

#include "tables/bits.h"
#include "tables/games/number_rules.h"

static plb_code code_cells(const plb_game *game, uint64_t occupied) {
    if (!game->gravity) return occupied;
    uint64_t slot = plb_low_bits(game->height);
    plb_code code = 0;
    for (int s = 0; s < game->width; s++)
        code = code * (game->height + 1) + plb_popcount(occupied >> (s * game->height) & slot);
    return code;
}

static plb_code code_stones(const plb_game *game, plb_position p) {
    uint64_t occupied = p.x | p.o;
    return code_cells(game, occupied) << plb_popcount(occupied) | plb_gather_bits(p.x, occupied);
}

/* Each tile by its place among those that are left. */
static plb_code code_numbers(const plb_game *game, plb_position p) {
    plb_code code = p.o;
    uint64_t left = plb_low_bits(game->cells);
    for (uint64_t cells = p.o; cells; cells &= cells - 1) {
        int tile = plb_numbers_tile(p, plb_lowest(cells));
        code = code * plb_popcount(left) + plb_popcount(left & plb_low_bits(tile));
        left &= ~(1ULL << tile);
    }
    return code;
}

plb_code plb_position_number(const plb_game *game, plb_position position) {
    return game->rules == &plb_rules_of_numbers ? code_numbers(game, position)
                                                : code_stones(game, position);
}
