/* SPDX-License-Identifier: MIT
 *
 * The symmetry group of a game: permutations of its cells that map groups to groups and, with
 * gravity, keep every row. The candidates are the mirror images of the rectangle, the transposed
 * ones of a square board and, on a cylinder, the rotations; each is checked against the groups.
 * A game of numbers proposes its own (number_rules.h), which may exchange numbers as well.
 *
 * A set of cells is canonical when it is the least of its orbit.
 */
#ifndef PLB_TABLES_GAMES_SYMMETRY_H
#define PLB_TABLES_GAMES_SYMMETRY_H

#include "tables/games/game.h"

/* Elements of any group: those of a cylinder of one row. A rectangle without one has 8 at most. */
enum { PLB_MAX_SYMMETRIES = 4 * PLB_MAX_CELLS };

typedef struct plb_symmetry {
    int order;      /* elements, at most PLB_MAX_SYMMETRIES; element 0 is the identity */
    int bytes;      /* of a set of cells */
    uint64_t *maps; /* [order][bytes][256]: image of the cells of one byte of a set */
    int inverse[PLB_MAX_SYMMETRIES];
    uint8_t image[PLB_MAX_SYMMETRIES][PLB_MAX_CELLS]; /* [order][cell] where a cell goes */
    uint8_t tiles[PLB_MAX_SYMMETRIES][PLB_MAX_TILES]; /* [order][tile] where a number goes; no
                                                           matter for stones */
} plb_symmetry;

/* Errors: PLB_ENOMEM. The caller frees it with plb_symmetry_free. */
int plb_symmetry_init(const plb_game *game, plb_symmetry *symmetry);
void plb_symmetry_free(plb_symmetry *symmetry);

/* While a symmetry is made: add an element, the identity first, unless it is there already or does
 * not map groups to groups. All that are added must be a group; tiles NULL: every number stays. */
void plb_symmetry_add(const plb_game *game, plb_symmetry *symmetry, const uint8_t image[64],
                      const uint8_t tiles[PLB_MAX_TILES]);

/* Image of a set of cells under an element. */
static inline uint64_t plb_symmetry_map(const plb_symmetry *symmetry, int element, uint64_t cells) {
    const uint64_t *map = symmetry->maps + (uint64_t)element * symmetry->bytes * 256;
    uint64_t image = 0;
    for (int byte = 0; byte < symmetry->bytes; byte++, map += 256, cells >>= 8)
        image |= map[cells & 255];
    return image;
}

/* An element that takes a set of cells to the canonical one of its orbit, which *canonical gets;
 * NULL is not allowed. */
int plb_symmetry_canonical(const plb_symmetry *symmetry, uint64_t cells, uint64_t *canonical);

/* Is no image of the set less than the set itself? */
bool plb_symmetry_is_canonical(const plb_symmetry *symmetry, uint64_t cells);

/* Number of distinct images of a set of cells. */
int plb_symmetry_orbit_size(const plb_symmetry *symmetry, uint64_t cells);

#endif
