/* SPDX-License-Identifier: MIT
 *
 * The symmetry group of a game: permutations of its cells that map groups to groups and, with
 * gravity, keep every row. Candidates are the reflections of the rectangle, the transpositions of a
 * square board, and the rotations of a cylinder; each is checked against the groups. Games of
 * numbers have their own candidates (number_rules.h), which may also exchange numbers.
 *
 * A set of cells is canonical if it is the smallest of its orbit, as a number.
 */
#pragma once

#include "tables/games/game.h"

/* An upper bound: a cylinder has at most 4 elements for each rotation, a rectangle at most 8. */
enum { PLB_MAX_SYMMETRIES = 4 * PLB_MAX_CELLS };

typedef struct plb_symmetry {
    int order;      /* number of elements; element 0 is the identity */
    int bytes;      /* of a set of cells */
    uint64_t *maps; /* [order][bytes][256] image of the cells of one byte of a set */
    int inverse[PLB_MAX_SYMMETRIES];                  /* [order] */
    uint8_t image[PLB_MAX_SYMMETRIES][PLB_MAX_CELLS]; /* [order][cell] image of a cell */
    uint8_t tiles[PLB_MAX_SYMMETRIES][PLB_MAX_TILES]; /* [order][tile] image of a tile; unused in
                                                         games of stones */
} plb_symmetry;

/* Errors: PLB_ENOMEM. The caller frees it with plb_symmetry_free. */
int plb_symmetry_init(const plb_game *game, plb_symmetry *symmetry);
void plb_symmetry_free(plb_symmetry *symmetry);

/* For `add_symmetries` (rules.h): add an element, unless it is there already or no symmetry of the
 * game. Add the identity first; all elements together must form a group. tiles: NULL keeps every
 * tile. */
void plb_symmetry_add(const plb_game *game, plb_symmetry *symmetry, const uint8_t image[64],
                      const uint8_t tiles[PLB_MAX_TILES]);

/* The image of a set of cells under an element. */
static inline uint64_t plb_symmetry_map(const plb_symmetry *symmetry, int element, uint64_t cells) {
    const uint64_t *map = symmetry->maps + (uint64_t)element * symmetry->bytes * 256;
    uint64_t image = 0;
    for (int byte = 0; byte < symmetry->bytes; byte++, map += 256, cells >>= 8)
        image |= map[cells & 255];
    return image;
}

/* Set *canonical to the canonical set of the orbit of `cells`; returns an element that maps `cells`
 * to it. */
int plb_symmetry_canonical(const plb_symmetry *symmetry, uint64_t cells, uint64_t *canonical);

/* Is the set canonical? */
bool plb_symmetry_is_canonical(const plb_symmetry *symmetry, uint64_t cells);

/* The number of distinct images of a set of cells. */
int plb_symmetry_orbit_size(const plb_symmetry *symmetry, uint64_t cells);
