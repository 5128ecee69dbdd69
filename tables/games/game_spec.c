/* SPDX-License-Identifier: MIT
 *
 * Reading and writing of specs, by what families say of theirs.
 */
#include "tables/games/game_spec.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/games/families.h"

/* Read `prefix` and leave *text after it. */
static bool skip_text(const char **text, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) return false;
    *text += length;
    return true;
}

/* Read a decimal number without sign or leading zero; huge ones are held at 9999, and never named
 * by that. */
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

static const plb_family *find_family(const char **text) {
    const plb_family *family;
    for (int f = 0; (family = plb_family_at(f)); f++)
        if (skip_text(text, family->name) && skip_text(text, "-")) return family;
    return NULL;
}

/* Read suffixes, each at most once, in any order. */
static void read_suffixes(const char **text, plb_game *game) {
    for (;;) {
        if (!game->misere && skip_text(text, "-misere"))
            game->misere = true;
        else if (!game->cylinder && skip_text(text, "-cylinder"))
            game->cylinder = true;
        else
            return;
    }
}

static int read_rest_of_stones(const char *spec, const char *rest, plb_game *game,
                               plb_message *message) {
    game->k = game->family->group_stones;
    if (!game->k && !(skip_text(&rest, "-k") && read_number(&rest, &game->k)))
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': after the board comes -kK, the stones in a row, as in -k4", spec);
    read_suffixes(&rest, game);
    if (!*rest) return PLB_OK;
    return plb_fail(message, PLB_ESPEC, "'%.80s': cannot read '%.80s'; the form is %s", spec, rest,
                    game->family->form);
}

/* A game from what was read of its spec. */
static int make_game(const char *spec, plb_game *made, plb_message *message) {
    const plb_family *family = made->family;
    int width = made->width, height = made->height;
    if (width > PLB_MAX_CELLS || height > PLB_MAX_CELLS || width * height > PLB_MAX_CELLS)
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': width and height are at least 1 and a board has at most %d cells",
                        spec, PLB_MAX_CELLS);
    if (made->k > PLB_MAX_CELLS)
        return plb_fail(message, PLB_ESPEC, "'%.80s': K is from 1 to %d", spec, PLB_MAX_CELLS);
    if (made->cylinder && !family->takes_cylinder)
        return plb_fail(message, PLB_ESPEC, "the %s family has no cylinder form", family->name);
    plb_binomial_fill();
    made->rules = family->rules;
    made->gravity = family->gravity;
    made->cells = width * height;
    made->board = plb_low_bits(made->cells);
    for (int slot = 0; slot < width; slot++) made->bottom |= 1ULL << (slot * height);
    if (plb_game_make_groups(made, family->add_groups))
        return plb_fail(message, PLB_ENOMEM, "out of memory for a game");
    return PLB_OK;
}

int plb_game_parse(const char *spec, plb_game *game, plb_message *message) {
    const char *rest = spec;
    plb_game read = {.family = find_family(&rest)};
    if (!read.family) {
        /* No family has this name; say which there are: "a-, b- or c-". */
        char names[96] = "";
        const plb_family *family;
        for (int f = 0; (family = plb_family_at(f)); f++) {
            size_t length = strlen(names);
            const char *before = f == 0 ? "" : plb_family_at(f + 1) ? ", " : " or ";
            snprintf(names + length, sizeof names - length, "%s%s-", before, family->name);
        }
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s' is not a game: it must begin with %s, as in connect-7x6-k4", spec,
                        names);
    }
    if (!read_size(&rest, &read.width, &read.height))
        return plb_fail(message, PLB_ESPEC,
                        "'%.80s': after '%s-' comes the board as WIDTHxHEIGHT, both from 1, as in "
                        "7x6",
                        spec, read.family->name);
    int error = read.family->read_rest ? read.family->read_rest(rest, &read, message)
                                       : read_rest_of_stones(spec, rest, &read, message);
    if (!error) error = make_game(spec, &read, message);
    if (!error) *game = read;
    return error;
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
