/* SPDX-License-Identifier: MIT
 *
 * Games: spec strings, groups, cell numbers.
 */
#include "tables/game.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

typedef struct family_rules {
    const char *name;
    bool has_k, gravity, may_be_cylinder;
    const char *form, *rules; /* for people */
} family_rules;

static const family_rules families[] = {
    [PLB_CONNECT] = {"connect", true, true, true, "connect-WxH-kK[-misere][-cylinder]",
                     "W columns, H rows, gravity; K in a row"},
    [PLB_MNK] = {"mnk", true, false, true, "mnk-WxH-kK[-misere][-cylinder]",
                 "any empty cell; K in a row"},
    [PLB_SQUARE] = {"square", false, false, false, "square-WxH[-misere]",
                    "any empty cell; the four vertices of an axis-parallel square"},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

const char *plb_game_family_form(int family) {
    return family >= 0 && family < FAMILIES ? families[family].form : NULL;
}

const char *plb_game_family_rules(int family) {
    return family >= 0 && family < FAMILIES ? families[family].rules : NULL;
}

/* Slots: outer columns first, mirror pairs side by side. */
static int slot_of_column(const plb_game *game, int column) {
    int mirrored = game->width - 1 - column;
    return column <= mirrored ? 2 * column : 2 * mirrored + 1;
}

static int column_of_slot(const plb_game *game, int slot) {
    return slot % 2 == 0 ? slot / 2 : game->width - 1 - slot / 2;
}

int plb_game_cell(const plb_game *game, int column, int row) {
    return slot_of_column(game, column) * game->height + row;
}

int plb_game_column(const plb_game *game, int cell) {
    return column_of_slot(game, cell / game->height);
}

int plb_game_row(const plb_game *game, int cell) {
    return cell % game->height;
}

uint64_t plb_game_cells_of_bits(const plb_game *game, uint64_t bits) {
    uint64_t column_mask = plb_low_bits(game->height), cells = 0;
    for (int column = 0; column < game->width; column++)
        cells |= ((bits >> (column * game->height)) & column_mask)
                 << (slot_of_column(game, column) * game->height);
    return cells;
}

uint64_t plb_game_bits_of_cells(const plb_game *game, uint64_t cells) {
    uint64_t column_mask = plb_low_bits(game->height), bits = 0;
    for (int slot = 0; slot < game->width; slot++)
        bits |= ((cells >> (slot * game->height)) & column_mask)
                << (column_of_slot(game, slot) * game->height);
    return bits;
}

/* ---- groups ---- */

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

static uint64_t square_of_cells(const plb_game *game, int column, int row, int side) {
    if (column + side >= game->width || row + side >= game->height) return 0;
    return 1ULL << plb_game_cell(game, column, row) |
           1ULL << plb_game_cell(game, column + side, row) |
           1ULL << plb_game_cell(game, column, row + side) |
           1ULL << plb_game_cell(game, column + side, row + side);
}

static void add_group(plb_game *game, uint64_t group) {
    if (group) game->groups[game->group_count++] = group;
}

static void add_groups_from(plb_game *game, int column, int row) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    if (game->family == PLB_SQUARE) {
        for (int side = 1; side < game->width; side++)
            add_group(game, square_of_cells(game, column, row, side));
    } else {
        for (int d = 0; d < 4; d++)
            add_group(game, line_of_cells(game, column, row, directions[d][0], directions[d][1]));
    }
}

static int compare_sets(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void make_groups(plb_game *game) {
    for (int column = 0; column < game->width; column++)
        for (int row = 0; row < game->height; row++) add_groups_from(game, column, row);
    qsort(game->groups, game->group_count, sizeof *game->groups, compare_sets);
    int distinct = 0;
    for (int g = 0; g < game->group_count; g++)
        if (distinct == 0 || game->groups[g] != game->groups[distinct - 1])
            game->groups[distinct++] = game->groups[g];
    game->group_count = distinct;
}

int plb_game_init(plb_family family, int width, int height, int k, bool misere, bool cylinder,
                  plb_game *game, plb_message *message) {
    if (width < 1 || height < 1 || width > PLB_MAX_CELLS || height > PLB_MAX_CELLS ||
        width * height > PLB_MAX_CELLS)
        return plb_fail(message, PLB_ESPEC,
                        "a board of %dx%d cells: width and height are at least 1 and a board has "
                        "at most %d cells",
                        width, height, PLB_MAX_CELLS);
    if (families[family].has_k && (k < 1 || k > PLB_MAX_CELLS))
        return plb_fail(message, PLB_ESPEC, "k%d: K is from 1 to %d", k, PLB_MAX_CELLS);
    if (cylinder && !families[family].may_be_cylinder)
        return plb_fail(message, PLB_ESPEC, "the %s family has no cylinder form",
                        families[family].name);
    plb_game made = {.family = family,
                     .width = width,
                     .height = height,
                     .k = families[family].has_k ? k : 4,
                     .misere = misere,
                     .cylinder = cylinder,
                     .gravity = families[family].gravity,
                     .cells = width * height};
    made.board = plb_low_bits(made.cells);
    for (int slot = 0; slot < width; slot++) made.bottom |= 1ULL << (slot * height);
    int directions = family == PLB_SQUARE ? width : 4;
    made.groups = calloc((size_t)made.cells * directions, sizeof *made.groups);
    if (!made.groups) return plb_fail(message, PLB_ENOMEM, "out of memory for a game");
    make_groups(&made);
    *game = made;
    return PLB_OK;
}

void plb_game_free(plb_game *game) {
    if (!game) return;
    free(game->groups);
    game->groups = NULL;
}

/* ---- specs ---- */

/* Read `prefix` and leave *text behind it. */
static bool skip_text(const char **text, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) return false;
    *text += length;
    return true;
}

/* Read a decimal number without sign or leading zero; huge ones are held at 9999. */
static bool read_number(const char **text, int *number) {
    if (**text < '1' || **text > '9') return false;
    int value = 0;
    for (; isdigit((unsigned char)**text); ++*text)
        value = value > 999 ? 9999 : value * 10 + (**text - '0');
    *number = value;
    return true;
}

static bool read_size(const char **text, int *width, int *height) {
    return read_number(text, width) && skip_text(text, "x") && read_number(text, height);
}

static int find_family(const char **text) {
    for (int f = 0; f < FAMILIES; f++)
        if (skip_text(text, families[f].name) && skip_text(text, "-")) return f;
    return -1;
}

/* Read suffixes, each at most once, in any order. */
static void read_suffixes(const char **text, bool *misere, bool *cylinder) {
    for (;;) {
        if (!*misere && skip_text(text, "-misere"))
            *misere = true;
        else if (!*cylinder && skip_text(text, "-cylinder"))
            *cylinder = true;
        else
            return;
    }
}

int plb_game_parse(const char *spec, plb_game *game, plb_message *message) {
    const char *rest = spec;
    int width = 0, height = 0, k = 0;
    int family = find_family(&rest);
    if (family < 0)
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s' is not a game: it must begin with connect-, mnk- or square-, as "
                        "in connect-7x6-k4",
                        spec);
    if (!read_size(&rest, &width, &height))
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': after '%s-' comes the board as WIDTHxHEIGHT, both from 1, as in "
                        "7x6",
                        spec, families[family].name);
    if (families[family].has_k && !(skip_text(&rest, "-k") && read_number(&rest, &k)))
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': after the board comes -kK, the stones in a row, as in -k4", spec);
    bool misere = false, cylinder = false;
    read_suffixes(&rest, &misere, &cylinder);
    if (*rest)
        return plb_fail(message, PLB_ESPEC, "'%.80s': cannot read '%.80s'; the form is %s", spec,
                        rest, families[family].form);
    return plb_game_init(family, width, height, k, misere, cylinder, game, message);
}

void plb_game_format(const plb_game *game, char text[PLB_SPEC_TEXT]) {
    char k[8] = "";
    if (families[game->family].has_k) snprintf(k, sizeof k, "-k%d", game->k);
    snprintf(text, PLB_SPEC_TEXT, "%s-%dx%d%s%s%s", families[game->family].name, game->width,
             game->height, k, game->misere ? "-misere" : "", game->cylinder ? "-cylinder" : "");
}
