/* SPDX-License-Identifier: MIT */
#include "tables/games/symmetry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/games/rules.h"

static uint64_t map_slowly(const uint8_t image[64], uint64_t cells) {
    uint64_t result = 0;
    for (; cells; cells &= cells - 1) result |= 1ULL << image[plb_lowest(cells)];
    return result;
}

/* Does a permutation of the cells map groups to groups and, with gravity, keep rows? */
static bool keeps_the_game(const plb_game *game, const uint8_t image[64]) {
    if (game->gravity)
        for (int cell = 0; cell < game->cells; cell++)
            if (plb_game_row(game, image[cell]) != plb_game_row(game, cell)) return false;
    for (int g = 0; g < game->group_count; g++) {
        uint64_t mapped = map_slowly(image, game->groups[g]);
        int other = 0;
        while (other < game->group_count && game->groups[other] != mapped) other++;
        if (other == game->group_count) return false;
    }
    return true;
}

/* The number of an element; -1: there is none. */
static int find_element(const plb_game *game, const plb_symmetry *symmetry, const uint8_t image[64],
                        const uint8_t tiles[PLB_MAX_TILES]) {
    for (int e = 0; e < symmetry->order; e++)
        if (memcmp(symmetry->image[e], image, game->cells) == 0 &&
            memcmp(symmetry->tiles[e], tiles, PLB_MAX_TILES) == 0)
            return e;
    return -1;
}

void plb_symmetry_add(const plb_game *game, plb_symmetry *symmetry, const uint8_t image[64],
                      const uint8_t tiles[PLB_MAX_TILES]) {
    static const uint8_t same[PLB_MAX_TILES] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
    if (!tiles) tiles = same;
    if (!keeps_the_game(game, image) || find_element(game, symmetry, image, tiles) >= 0) return;
    assert(symmetry->order < PLB_MAX_SYMMETRIES);
    memcpy(symmetry->image[symmetry->order], image, sizeof *symmetry->image);
    memcpy(symmetry->tiles[symmetry->order++], tiles, sizeof *symmetry->tiles);
}

/* Candidates: transpose, then flip columns, flip rows, and turn the cylinder. */
static void add_rectangle(const plb_game *game, plb_symmetry *symmetry) {
    int turns = game->cylinder ? game->width : 1;
    /* A cylinder is never transposed: transpositions and turns together are no group. */
    int shapes = game->width == game->height && !game->cylinder ? 8 : 4;
    for (int turn = 0; turn < turns; turn++)
        for (int shape = 0; shape < shapes; shape++) {
            bool transpose = shape & 4, flip_columns = shape & 1, flip_rows = shape & 2;
            uint8_t image[64] = {0};
            for (int cell = 0; cell < game->cells; cell++) {
                int column = plb_game_column(game, cell), row = plb_game_row(game, cell);
                if (transpose) {
                    int swap = column;
                    column = row;
                    row = swap;
                }
                if (flip_columns) column = game->width - 1 - column;
                if (flip_rows) row = game->height - 1 - row;
                image[cell] = plb_game_cell(game, (column + turn) % game->width, row);
            }
            plb_symmetry_add(game, symmetry, image, NULL);
        }
}

int plb_symmetry_init(const plb_game *game, plb_symmetry *symmetry) {
    memset(symmetry, 0, sizeof *symmetry);
    symmetry->bytes = (game->cells + 7) / 8;
    (game->rules->add_symmetries ? game->rules->add_symmetries : add_rectangle)(game, symmetry);
    symmetry->maps = calloc((size_t)symmetry->order * symmetry->bytes * 256, sizeof(uint64_t));
    if (!symmetry->maps) return PLB_ENOMEM;
    for (int e = 0; e < symmetry->order; e++) {
        uint8_t inverse[64] = {0}, tiles[PLB_MAX_TILES];
        for (int cell = 0; cell < game->cells; cell++) inverse[symmetry->image[e][cell]] = cell;
        for (int tile = 0; tile < PLB_MAX_TILES; tile++) tiles[symmetry->tiles[e][tile]] = tile;
        symmetry->inverse[e] = find_element(game, symmetry, inverse, tiles);
    }
    for (int e = 0; e < symmetry->order; e++)
        for (int byte = 0; byte < symmetry->bytes; byte++)
            for (uint64_t value = 0; value < 256; value++)
                symmetry->maps[((uint64_t)e * symmetry->bytes + byte) * 256 + value] =
                    map_slowly(symmetry->image[e], (value << (8 * byte)) & game->board);
    return PLB_OK;
}

void plb_symmetry_free(plb_symmetry *symmetry) {
    free(symmetry->maps);
    symmetry->maps = NULL;
}

int plb_symmetry_canonical(const plb_symmetry *symmetry, uint64_t cells, uint64_t *canonical) {
    int best = 0;
    *canonical = cells;
    for (int e = 1; e < symmetry->order; e++) {
        uint64_t image = plb_symmetry_map(symmetry, e, cells);
        if (image < *canonical) {
            *canonical = image;
            best = e;
        }
    }
    return best;
}

bool plb_symmetry_is_canonical(const plb_symmetry *symmetry, uint64_t cells) {
    for (int e = 1; e < symmetry->order; e++)
        if (plb_symmetry_map(symmetry, e, cells) < cells) return false;
    return true;
}

int plb_symmetry_orbit_size(const plb_symmetry *symmetry, uint64_t cells) {
    int fixing = 1; /* the identity, which comes first */
    for (int e = 1; e < symmetry->order; e++)
        fixing += plb_symmetry_map(symmetry, e, cells) == cells;
    return symmetry->order / fixing;
}
