/* SPDX-License-Identifier: MIT */
#include "tables/index/orbit.h"

#include "tables/bits.h"
#include "tables/games/number_rules.h"

void plb_orbit_choose(const plb_symmetry *symmetry, uint64_t o, plb_orbit_choice *choice) {
    choice->word = choice->least = o;
    choice->elements[0] = 0;
    choice->count = 1;
    for (int e = 1; e < symmetry->order; e++) {
        uint64_t image = plb_symmetry_map(symmetry, e, o);
        if (image > choice->least) continue;
        if (image < choice->least) choice->count = 0;
        choice->least = image;
        choice->elements[choice->count++] = (uint8_t)e;
    }
}

int plb_orbit_count_of(const plb_game *game, const plb_symmetry *symmetry,
                       const plb_orbit_choice *choice, plb_position canonical) {
    int keeping = 1; /* the identity, which comes first */
    for (int i = 1; i < choice->count; i++)
        keeping += game->rules->map(symmetry, choice->elements[i], canonical).x == canonical.x;
    return symmetry->order / keeping;
}

plb_position plb_orbit_least(const plb_game *game, const plb_symmetry *symmetry,
                             plb_position position) {
    plb_orbit_choice choice;
    plb_orbit_choose(symmetry, position.o, &choice);
    return plb_orbit_least_of(game, symmetry, &choice, position);
}

int plb_orbit_count(const plb_game *game, const plb_symmetry *symmetry, plb_position position) {
    int keeping = 1; /* the identity, which comes first */
    for (int e = 1; e < symmetry->order; e++)
        keeping += plb_position_is_same(game->rules->map(symmetry, e, position), position);
    return symmetry->order / keeping;
}

/* The images of a position that only the identity maps to itself are distinct. Nearly all positions
 * are so, and their images need not be compared. */
int plb_orbit_list(const plb_game *game, const plb_symmetry *symmetry, plb_position position,
                   plb_orbit_row images[PLB_MAX_SYMMETRIES]) {
    int keeping = 1, count = 1; /* the identity, which comes first */
    images[0] = (plb_orbit_row){position, 0};
    for (int e = 1; e < symmetry->order; e++) {
        images[e] = (plb_orbit_row){game->rules->map(symmetry, e, position), e};
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

/* The digit of a tile is its place among the tiles that are left. */
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
    if (game->rules == &plb_rules_of_numbers) return code_numbers(game, position);
    uint64_t occupied = position.x | position.o, slot = plb_low_bits(game->height);
    plb_code code = game->gravity ? 0 : occupied;
    for (int s = 0; s < game->width && game->gravity; s++)
        code = code * (game->height + 1) + plb_popcount(occupied >> (s * game->height) & slot);
    return code << plb_popcount(occupied) | plb_gather_bits(position.x, occupied);
}

/* ---- and back ---- */

/* False: the code is not a set of cells of the board. The caller compares the number of cells. */
static bool decode_cells(const plb_game *game, plb_code code, uint64_t *occupied) {
    if (code >> 64) return false;
    uint64_t left = (uint64_t)code, digits = (uint64_t)game->height + 1;
    *occupied = left;
    if (!game->gravity) return (left & ~game->board) == 0;
    *occupied = 0;
    for (int s = game->width - 1; s >= 0; s--, left /= digits)
        *occupied |= plb_low_bits((int)(left % digits)) << (s * game->height);
    return left == 0;
}

/* The digits come out last first; digit i has cells - i values, as many as tiles are left then. */
static bool decode_numbers(const plb_game *game, int ply, plb_code number, plb_position *p) {
    uint64_t code = (uint64_t)number, left = plb_low_bits(game->cells), of_x = game->tiles[0];
    int places[PLB_MAX_TILES];
    if (number >> 64) return false;
    for (int i = ply - 1; i >= 0; i--) {
        places[i] = (int)(code % (uint64_t)(game->cells - i));
        code /= (uint64_t)(game->cells - i);
    }
    if (code & ~game->board || plb_popcount(code) != ply) return false;
    *p = (plb_position){0, 0};
    for (int i = 0; i < ply; i++, code &= code - 1) {
        int tile = plb_lowest(plb_scatter_bits(1ULL << places[i], left));
        *p = plb_numbers_put(*p, tile, plb_lowest(code));
        left &= ~(1ULL << tile);
    }
    return plb_popcount(plb_numbers_played(*p) & of_x) == plb_ply_ones(ply);
}

bool plb_position_of_number(const plb_game *game, int ply, plb_code number,
                            plb_position *position) {
    plb_position found = {0, 0};
    if (game->rules == &plb_rules_of_numbers) {
        if (!decode_numbers(game, ply, number, &found)) return false;
    } else {
        uint64_t word = (uint64_t)number & plb_low_bits(ply), occupied;
        if (!decode_cells(game, number >> ply, &occupied) || plb_popcount(occupied) != ply ||
            plb_popcount(word) != plb_ply_ones(ply))
            return false;
        found.x = plb_scatter_bits(word, occupied);
        found.o = occupied & ~found.x;
    }
    *position = found;
    return true;
}
