/* SPDX-License-Identifier: MIT
 *
 * Symmetries of games of numbers (number_rules.h), found by backtracking.
 */
#include <string.h>

#include "tables/games/number_rules.h"
#include "tables/games/symmetry.h"

typedef struct symmetry_search {
    const plb_game *game;
    plb_line_symmetry *found;
    int count;
    uint8_t to[PLB_MAX_TILES]; /* [cell] image of a cell */
} symmetry_search;

static uint64_t image_of(const symmetry_search *s, uint64_t cells) {
    uint64_t image = 0;
    for (; cells; cells &= cells - 1) image |= 1ULL << s->to[plb_lowest(cells)];
    return image;
}

/* A line that contains these cells; -1: there is none. */
static int line_with(const plb_game *game, uint64_t cells) {
    for (int l = 0; l < game->group_count; l++)
        if ((cells & ~game->groups[l]) == 0) return l;
    return -1;
}

/* Is the image of every line, for the cells up to `last`, contained in a line? */
static bool keeps_lines(const symmetry_search *s, int last) {
    for (int l = 0; l < s->game->group_count; l++)
        if (line_with(s->game, image_of(s, s->game->groups[l] & plb_low_bits(last + 1))) < 0)
            return false;
    return true;
}

static void extend(symmetry_search *s, int cell, uint32_t used) {
    if (cell == s->game->cells) {
        plb_line_symmetry *one = &s->found[s->count++];
        memcpy(one->cells, s->to, sizeof one->cells);
        for (int l = 0; l < s->game->group_count; l++)
            one->lines[l] = (uint8_t)line_with(s->game, image_of(s, s->game->groups[l]));
        return;
    }
    for (int to = 0; to < s->game->cells; to++) {
        s->to[cell] = (uint8_t)to;
        if (!(used >> to & 1) && keeps_lines(s, cell)) extend(s, cell + 1, used | 1u << to);
    }
}

int plb_numbers_symmetries(const plb_game *game,
                           plb_line_symmetry symmetries[PLB_MAX_LINE_SYMMETRIES]) {
    symmetry_search s = {.game = game, .found = symmetries};
    memset(symmetries, 0, PLB_MAX_LINE_SYMMETRIES * sizeof *symmetries);
    extend(&s, 0, 0);
    return s.count;
}

/* For each owner, exchange v for largest + 1 - v. False if that changes owners or the target. */
static bool exchange_numbers(const plb_game *game, uint8_t tiles[PLB_MAX_TILES]) {
    int largest = game->each ? game->cells / 2 : game->cells;
    bool keeps = 2 * game->target == game->k * (largest + 1);
    for (int tile = 0; tile < PLB_MAX_TILES; tile++) {
        tiles[tile] = (uint8_t)tile;
        if (tile >= game->cells) continue;
        int first = tile < largest ? 0 : largest; /* with -each, the owner's first tile */
        tiles[tile] = (uint8_t)(first + largest - 1 - (tile - first));
        keeps &= (game->tiles[0] >> tile & 1) == (game->tiles[0] >> tiles[tile] & 1);
    }
    return keeps;
}

void plb_numbers_add_symmetries(const plb_game *game, plb_symmetry *symmetry) {
    plb_line_symmetry lines[PLB_MAX_LINE_SYMMETRIES];
    uint8_t exchanged[PLB_MAX_TILES];
    int count = plb_numbers_symmetries(game, lines);
    int ways = exchange_numbers(game, exchanged) ? 2 : 1;
    for (int way = 0; way < ways; way++)
        for (int l = 0; l < count; l++) {
            uint8_t image[64] = {0};
            memcpy(image, lines[l].cells, sizeof lines[l].cells);
            plb_symmetry_add(game, symmetry, image, way ? exchanged : NULL);
        }
}
