/* SPDX-License-Identifier: MIT
 *
 * The families: how their groups lie on the board, and a row for each.
 */
#include "tables/games/families.h"

#include "tables/games/number_rules.h"
#include "tables/games/stone_rules.h"

/* ---- lines ---- */

/* The set of cells at a start and `count` further steps, or 0 where it leaves the board or meets
 * a cell twice. */
static uint64_t line_of_cells(const plb_game *game, int column, int row, int dx, int dy) {
    uint64_t line = 0;
    for (int step = 0; step < game->k; step++) {
        int c = column + step * dx, r = row + step * dy;
        if (game->cylinder) c = ((c % game->width) + game->width) % game->width;
        if (c < 0 || c >= game->width || r < 0 || r >= game->height) return 0;
        uint64_t cell = 1ULL << plb_game_cell(game, c, r);
        if (line & cell) return 0;
        line |= cell;
    }
    return line;
}

/* In the four directions that are not each other's reverse. */
static void add_lines(plb_game *game, int column, int row) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++)
        plb_game_add_group(game,
                           line_of_cells(game, column, row, directions[d][0], directions[d][1]));
}

/* Those that go across the whole of a square board. */
static void add_long_lines(plb_game *game, int column, int row) {
    if (row == 0) plb_game_add_group(game, line_of_cells(game, column, row, 0, 1));
    if (column == 0) plb_game_add_group(game, line_of_cells(game, column, row, 1, 0));
    if (column == 0 && row == 0) plb_game_add_group(game, line_of_cells(game, 0, 0, 1, 1));
    if (column == 0 && row == game->height - 1)
        plb_game_add_group(game, line_of_cells(game, column, row, 1, -1));
}

/* ---- squares ---- */

/* The vertices of an axis-parallel square with a lower left one, or 0 where it leaves the board. */
static uint64_t square_of_cells(const plb_game *game, int column, int row, int side) {
    if (column + side >= game->width || row + side >= game->height) return 0;
    return 1ULL << plb_game_cell(game, column, row) |
           1ULL << plb_game_cell(game, column + side, row) |
           1ULL << plb_game_cell(game, column, row + side) |
           1ULL << plb_game_cell(game, column + side, row + side);
}

static void add_squares(plb_game *game, int column, int row) {
    for (int side = 1; side < game->width; side++)
        plb_game_add_group(game, square_of_cells(game, column, row, side));
}

/* ---- the rows ---- */

static const plb_family families[] = {
    {.name = "connect",
     .gravity = true,
     .takes_cylinder = true,
     .add_groups = add_lines,
     .rules = &plb_rules_of_stones,
     .form = "connect-WxH-kK[-misere][-cylinder]",
     .help = "W columns, H rows, gravity; K in a row",
     .goal = "in a row"},
    {.name = "mnk",
     .takes_cylinder = true,
     .add_groups = add_lines,
     .rules = &plb_rules_of_stones,
     .form = "mnk-WxH-kK[-misere][-cylinder]",
     .help = "any empty cell; K in a row",
     .goal = "in a row"},
    {.name = "square",
     .group_stones = 4,
     .add_groups = add_squares,
     .rules = &plb_rules_of_stones,
     .form = "square-WxH[-misere]",
     .help = "any empty cell; the four vertices of an axis-parallel square",
     .goal = "a square"},
    {.name = "numeric",
     .add_groups = add_long_lines,
     .rules = &plb_rules_of_numbers,
     .read_rest = plb_numbers_read_rest,
     .format_rest = plb_numbers_format_rest,
     .form = "numeric-NxN[-firstDIGITS|-each]",
     .help = "numbers on any empty cell, odd ones of x; a line with the right sum",
     .goal = "a line with the right sum"},
};

const plb_family *plb_family_at(int number) {
    enum { FAMILIES = sizeof families / sizeof families[0] };
    return number >= 0 && number < FAMILIES ? &families[number] : NULL;
}
