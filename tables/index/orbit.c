/* SPDX-License-Identifier: MIT
 *
 * Images of positions; and their numbers, a choice in mixed radix, the occupied cells first.
 */
#include "tables/index/orbit.h"

#include "tables/bits.h"
#include "tables/games/number_rules.h"

plb_position plb_orbit_least(const plb_game *game, const plb_symmetry *symmetry,
                             plb_position position) {
    plb_position least = position;
    for (int e = 1; e < symmetry->order; e++) {
        plb_position image = plb_orbit(game, symmetry, e, position);
        if (plb_position_is_less(image, least)) least = image;
    }
    return least;
}

int plb_orbit_count(const plb_game *game, const plb_symmetry *symmetry, plb_position position) {
    int keeping = 1; /* the identity, which comes first */
    for (int e = 1; e < symmetry->order; e++)
        keeping += plb_position_is_same(plb_orbit(game, symmetry, e, position), position);
    return symmetry->order / keeping;
}

/* Images of a position without symmetry of its own, which nearly all are, need not be compared. */
int plb_orbit_list(const plb_game *game, const plb_symmetry *symmetry, plb_position position,
                   plb_orbit_row images[PLB_MAX_SYMMETRIES]) {
    int keeping = 1, count = 1; /* by the identity, which comes first */
    images[0] = (plb_orbit_row){position, 0};
    for (int e = 1; e < symmetry->order; e++) {
        images[e] = (plb_orbit_row){plb_orbit(game, symmetry, e, position), e};
        keeping += plb_position_is_same(images[e].position, position);
    }
    if (keeping == 1) return symmetry->order;
    for (int e = 1; e < symmetry->order; e++) {
        int i = 0;
        while (i < count && !plb_position_is_same(images[i].position, images[e].position)) i++;
        if (i == count) images[count++] = images[e];
    }
    return count;
}

/* ---- positions as numbers ---- */

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
