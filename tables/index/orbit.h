/* SPDX-License-Identifier: MIT
 *
 * Positions as keys: their images under the symmetries of the game, their order, hash and number.
 * Positions are ordered by their second word (o), then by the first (x). The canonical position is
 * the least image.
 */
#pragma once

#include "tables/games/rules.h"
#include "tables/games/symmetry.h"
#include "tables/index/perfect_hash.h"

static inline bool plb_position_is_same(plb_position p, plb_position q) {
    return p.x == q.x && p.o == q.o;
}
static inline bool plb_position_is_less(plb_position p, plb_position q) {
    return p.o != q.o ? p.o < q.o : p.x < q.x;
}

/* The hash of a canonical position in sets of keys. */
static inline plb_key_hash plb_position_hash(plb_position p) {
    return plb_key_hash_make(p.x, p.o);
}

/* The least image: the canonical position. */
plb_position plb_orbit_least(const plb_game *game, const plb_symmetry *symmetry,
                             plb_position position);

/* The symmetries that map a second word to its least image. Only these can give the least image of
 * a position, because second words are compared first. They need to be found only once for all
 * positions with the same second word. */
typedef struct plb_orbit_choice {
    uint64_t word, least; /* the second word and its least image */
    int count;
    uint8_t elements[PLB_MAX_SYMMETRIES];
} plb_orbit_choice;

void plb_orbit_choose(const plb_symmetry *symmetry, uint64_t o, plb_orbit_choice *choice);

/* The least image of a position whose second word is that of the choice. */
static inline plb_position plb_orbit_least_of(const plb_game *game, const plb_symmetry *symmetry,
                                              const plb_orbit_choice *choice,
                                              plb_position position) {
    return game->rules->min_image(symmetry, choice->elements, choice->count, position);
}

/* The number of distinct images of a canonical position whose second word is that of the choice. */
int plb_orbit_count_of(const plb_game *game, const plb_symmetry *symmetry,
                       const plb_orbit_choice *choice, plb_position canonical);

/* The number of distinct images of a position. */
int plb_orbit_count(const plb_game *game, const plb_symmetry *symmetry, plb_position position);

typedef struct plb_orbit_row {
    plb_position position;
    int element; /* the first one that gives this image */
} plb_orbit_row;

/* The distinct images in the order of elements, the position itself first. Returns their number. */
int plb_orbit_list(const plb_game *game, const plb_symmetry *symmetry, plb_position position,
                   plb_orbit_row images[PLB_MAX_SYMMETRIES]);

/* ---- positions as numbers ----
 *
 * Positions of a ply have distinct numbers, so that a position can be stored as its number.
 *
 *     stones    [occupied cells] [colours]    a bit for each stone, in the order of cells: 1 = x
 *     numbers   [occupied cells] [tiles]      in mixed radix: t choices of the first of t tiles,
 *                                             t - 1 of the second ..
 *
 * Occupied cells are a set, as a number; with gravity they are the heights of the slots, each a
 * digit of base height + 1, slot 0 the highest one. */

typedef unsigned __int128 plb_code;

/* The number of a position among those of its ply. Threads: safe. */
plb_code plb_position_number(const plb_game *game, plb_position position);

/* The inverse. False: no position of the ply has the number, and *position is not written. Whether
 * the position can arise is not checked. Threads: safe. */
bool plb_position_of_number(const plb_game *game, int ply, plb_code number, plb_position *position);
