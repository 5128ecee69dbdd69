/* SPDX-License-Identifier: MIT
 *
 * Positions as keys: their images under the symmetries of the game, of which the least is the
 * canonical one, their order, hash and number. Positions are in the order of their second words,
 * then of their first ones.
 */
#ifndef PLB_TABLES_INDEX_ORBIT_H
#define PLB_TABLES_INDEX_ORBIT_H

#include "tables/games/rules.h"
#include "tables/games/symmetry.h"
#include "tables/index/perfect_hash.h"

static inline bool plb_position_is_same(plb_position p, plb_position q) {
    return p.x == q.x && p.o == q.o;
}
static inline bool plb_position_is_less(plb_position p, plb_position q) {
    return p.o != q.o ? p.o < q.o : p.x < q.x;
}

/* The hash of a position, by which sets of canonical positions know it. */
static inline plb_key_hash plb_position_hash(plb_position p) {
    return plb_key_hash_make(p.x, p.o);
}

/* Image of a position under an element of the symmetry group. */
static inline plb_position plb_orbit(const plb_game *game, const plb_symmetry *symmetry,
                                     int element, plb_position position) {
    return game->rules->map(symmetry, element, position);
}

/* The least image: the canonical position. */
plb_position plb_orbit_least(const plb_game *game, const plb_symmetry *symmetry,
                             plb_position position);

/* Second words are compared first, so few elements can give the least image: those that make this
 * word least. Of positions with the same one they need to be found but once. */
typedef struct plb_orbit_choice {
    uint64_t of, least; /* the word and its least image */
    int count;
    uint8_t elements[PLB_MAX_SYMMETRIES];
} plb_orbit_choice;

void plb_orbit_choose(const plb_symmetry *symmetry, uint64_t o, plb_orbit_choice *choice);

/* The least image of a position whose second word is that of the choice. */
static inline plb_position plb_orbit_least_of(const plb_game *game, const plb_symmetry *symmetry,
                                              const plb_orbit_choice *choice,
                                              plb_position position) {
    return game->rules->least(symmetry, choice->elements, choice->count, position);
}

/* How many distinct images a canonical position has, whose second word is that of the choice. */
int plb_orbit_count_of(const plb_game *game, const plb_symmetry *symmetry,
                       const plb_orbit_choice *choice, plb_position canonical);

/* How many distinct images a position has. */
int plb_orbit_count(const plb_game *game, const plb_symmetry *symmetry, plb_position position);

typedef struct plb_orbit_row {
    plb_position position;
    int element; /* the first one that gives it */
} plb_orbit_row;

/* The distinct images, the position itself first, in the order of elements. Returns how many. */
int plb_orbit_list(const plb_game *game, const plb_symmetry *symmetry, plb_position position,
                   plb_orbit_row images[PLB_MAX_SYMMETRIES]);

/* ---- positions as numbers ----
 *
 * Positions as numbers, for lists of them: positions of a ply have distinct numbers.
 *
 *     stones    [occupied cells] [colours]    a bit for each stone, in the order of cells: 1 = x
 *     numbers   [occupied cells] [tiles]      n tiles of t are one of t * (t - 1) * .. choices
 *
 * Occupied cells are a set, as a number; with gravity they are the heights of the slots, each a
 * digit of base height + 1, slot 0 the highest one. */

typedef unsigned __int128 plb_code;

/* The number of a position among those of its ply. Threads: safe. */
plb_code plb_position_number(const plb_game *game, plb_position position);

/* The inverse. False: no position of the ply has the number; *position is written where one has.
 * Whether it can arise is not looked at. Threads: safe. */
bool plb_position_of_number(const plb_game *game, int ply, plb_code number, plb_position *position);

#endif
