/* SPDX-License-Identifier: MIT */
#include "tables/games/game.h"

#include <assert.h>
#include <stdlib.h>

#include "tables/bits.h"

static int column_of_slot(const plb_game *game, int slot) {
    return slot % 2 == 0 ? slot / 2 : game->width - 1 - slot / 2;
}

int plb_game_cell(const plb_game *game, int column, int row) {
    int mirrored = game->width - 1 - column;
    int slot = column <= mirrored ? 2 * column : 2 * mirrored + 1;
    return slot * game->height + row;
}

int plb_game_column(const plb_game *game, int cell) {
    return column_of_slot(game, cell / game->height);
}

int plb_game_row(const plb_game *game, int cell) {
    return cell % game->height;
}

/* Two slots at a time: the next column from the left, and the next from the right. */
uint64_t plb_game_cells_of_bits(const plb_game *game, uint64_t bits) {
    int height = game->height, left = 0, right = game->cells - height;
    uint64_t column = plb_low_bits(height), cells = 0;
    for (; left <= right; left += height, right -= height) {
        cells |= (bits >> left & column) << (2 * left);
        if (left < right) cells |= (bits >> right & column) << (2 * left + height);
    }
    return cells;
}

uint64_t plb_game_bits_of_cells(const plb_game *game, uint64_t cells) {
    uint64_t column_mask = plb_low_bits(game->height), bits = 0;
    for (int slot = 0; slot < game->width; slot++)
        bits |= ((cells >> (slot * game->height)) & column_mask)
                << (column_of_slot(game, slot) * game->height);
    return bits;
}

void plb_game_add_group(plb_game *game, uint64_t group) {
    assert(game->group_count < PLB_MAX_GROUPS);
    if (group) game->groups[game->group_count++] = group;
}

static int compare_sets(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void plb_game_make_groups(plb_game *game, plb_group_lister *list) {
    for (int column = 0; column < game->width; column++)
        for (int row = 0; row < game->height; row++) list(game, column, row);
    qsort(game->groups, game->group_count, sizeof *game->groups, compare_sets);
    int distinct = 0;
    for (int g = 0; g < game->group_count; g++)
        if (distinct == 0 || game->groups[g] != game->groups[distinct - 1])
            game->groups[distinct++] = game->groups[g];
    game->group_count = distinct;
    for (int g = 0; g < game->group_count; g++) {
        int stones = plb_popcount(game->groups[g]);
        if (g == 0 || stones < game->min_group) game->min_group = stones;
        game->supports[g] = game->gravity
                                ? plb_fill_below(game->groups[g], game->bottom, game->height)
                                : game->groups[g];
    }
}
