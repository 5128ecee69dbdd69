/* SPDX-License-Identifier: MIT */
#include "tables/games/game_spec.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/games/number_rules.h"
#include "tables/games/stone_rules.h"

/* The k cells from a start in direction (dx, dy); 0 if the line leaves the board or meets a cell
 * twice. */
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

/* Lines of k cells, in four of the eight directions. */
static void add_lines(plb_game *game, int column, int row) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++)
        plb_game_add_group(game,
                           line_of_cells(game, column, row, directions[d][0], directions[d][1]));
}

/* The rows, columns and main diagonals of a square board. */
static void add_long_lines(plb_game *game, int column, int row) {
    if (row == 0) plb_game_add_group(game, line_of_cells(game, column, row, 0, 1));
    if (column == 0) plb_game_add_group(game, line_of_cells(game, column, row, 1, 0));
    if (column == 0 && row == 0) plb_game_add_group(game, line_of_cells(game, 0, 0, 1, 1));
    if (column == 0 && row == game->height - 1)
        plb_game_add_group(game, line_of_cells(game, column, row, 1, -1));
}

/* The vertices of all axis-parallel squares with this lower left vertex. */
static void add_squares(plb_game *game, int column, int row) {
    for (int side = 1; column + side < game->width && row + side < game->height; side++)
        plb_game_add_group(game, 1ULL << plb_game_cell(game, column, row) |
                                     1ULL << plb_game_cell(game, column + side, row) |
                                     1ULL << plb_game_cell(game, column, row + side) |
                                     1ULL << plb_game_cell(game, column + side, row + side));
}

/* ---- families ---- */

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

/* ---- specs ---- */

/* If *text begins with `prefix`, skip it. */
static bool skip_text(const char **text, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) return false;
    *text += length;
    return true;
}

/* Parse a decimal number without sign or leading zero; of ten digits or more, 999999999. */
static bool read_number(const char **text, int *number) {
    if (**text < '1' || **text > '9') return false;
    int value = 0;
    for (; isdigit((unsigned char)**text); ++*text)
        value = value > 99999999 ? 999999999 : value * 10 + (**text - '0');
    *number = value;
    return true;
}

static int read_rest_of_stones(const char *spec, const char *rest, plb_game *game,
                               plb_message *message) {
    game->k = game->family->group_stones;
    if (!game->k && !(skip_text(&rest, "-k") && read_number(&rest, &game->k)))
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': after the board comes -kK, the stones in a row, as in -k4", spec);
    /* Suffixes, each at most once, in any order. */
    for (;;) {
        if (!game->misere && skip_text(&rest, "-misere"))
            game->misere = true;
        else if (!game->cylinder && skip_text(&rest, "-cylinder"))
            game->cylinder = true;
        else
            break;
    }
    if (!*rest) return PLB_OK;
    return plb_fail(message, PLB_ESPEC, "'%.80s': cannot read '%.80s'; the form is %s", spec, rest,
                    game->family->form);
}

int plb_spec_read(const char *spec, plb_game *game, plb_message *message) {
    const char *rest = spec;
    plb_game read = {0};
    const plb_family *family;
    for (int f = 0; !read.family && (family = plb_family_at(f)); f++)
        if (skip_text(&rest, family->name) && skip_text(&rest, "-")) read.family = family;
    if (!read.family) {
        /* List the names in the message: "a-, b- or c-". */
        char names[96] = "";
        for (int f = 0; (family = plb_family_at(f)); f++) {
            size_t length = strlen(names);
            const char *before = f == 0 ? "" : plb_family_at(f + 1) ? ", " : " or ";
            snprintf(names + length, sizeof names - length, "%s%s-", before, family->name);
        }
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s' is not a game: it must begin with %s, as in connect-7x6-k4", spec,
                        names);
    }
    if (!read_number(&rest, &read.width) || !skip_text(&rest, "x") ||
        !read_number(&rest, &read.height))
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': after '%s-' comes the board as WIDTHxHEIGHT, both from 1, as in "
                        "7x6",
                        spec, read.family->name);
    int error = read.family->read_rest ? read.family->read_rest(rest, &read, message)
                                       : read_rest_of_stones(spec, rest, &read, message);
    if (!error) *game = read;
    return error;
}

int plb_game_parse(const char *spec, plb_game *game, plb_message *message) {
    plb_game made = {0};
    int error = plb_spec_read(spec, &made, message);
    if (error) return error;
    const plb_family *family = made.family;
    int width = made.width, height = made.height;
    if (width > PLB_MAX_CELLS || height > PLB_MAX_CELLS || width * height > PLB_MAX_CELLS)
        return plb_fail(message, PLB_ESPEC, "'%.80s': a board has at most %d cells", spec,
                        PLB_MAX_CELLS);
    if (made.k > PLB_MAX_CELLS)
        return plb_fail(message, PLB_ESPEC, "'%.80s': K is from 1 to %d", spec, PLB_MAX_CELLS);
    if (made.cylinder && !family->takes_cylinder)
        return plb_fail(message, PLB_ESPEC, "'%.80s': a %s game has no -cylinder; the form is %s",
                        spec, family->name, family->form);
    plb_binomial_fill();
    made.rules =
        family->rules; /* NOLINT(clang-analyzer-core.NullDereference): specs have a family */
    made.gravity = family->gravity;
    made.cells = width * height;
    made.board = plb_low_bits(made.cells);
    for (int slot = 0; slot < width; slot++) made.bottom |= 1ULL << (slot * height);
    plb_game_make_groups(&made, family->add_groups);
    *game = made;
    return PLB_OK;
}

static bool takes_k(const plb_family *family) {
    return !family->group_stones && !family->read_rest;
}

void plb_game_format(const plb_game *game, char text[PLB_SPEC_TEXT]) {
    char rest[PLB_SPEC_TEXT], k[8] = "";
    if (takes_k(game->family)) snprintf(k, sizeof k, "-k%d", game->k);
    snprintf(rest, sizeof rest, "%s%s%s", k, game->misere ? "-misere" : "",
             game->cylinder ? "-cylinder" : "");
    if (game->family->format_rest) game->family->format_rest(game, rest);
    snprintf(text, PLB_SPEC_TEXT, "%s-%dx%d%.32s", game->family->name, game->width, game->height,
             rest);
}

void plb_game_format_goal(const plb_game *game, char text[PLB_GOAL_TEXT]) {
    char k[8] = "";
    if (takes_k(game->family)) snprintf(k, sizeof k, "%d ", game->k);
    snprintf(text, PLB_GOAL_TEXT, "%s%s", k, game->family->goal);
}
