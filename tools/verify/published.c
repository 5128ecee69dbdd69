/* SPDX-License-Identifier: MIT
 *
 * Published outcomes.
 */
#include "tools/verify/published.h"

#include <stdio.h>
#include <string.h>

#include "tables/games/game_spec.h"
#include "tools/verify/published_counts.h"

/* Does a game have this name? */
static bool is_called(const plb_game *game, const char *name) {
    char spec[PLB_SPEC_TEXT];
    plb_game_format(game, spec);
    return strcmp(spec, name) == 0;
}

/* Steele and Larremore, Misere Connect Four is Solved, Table I. */
static bool find_misere_connect(const plb_game *game, plb_value *value) {
    int width = game->width, height = game->height;
    char name[PLB_SPEC_TEXT];
    snprintf(name, sizeof name, "connect-%dx%d-k%d-misere", width, height, game->k);
    if (game->k < 2 || !is_called(game, name)) return false;
    if (width < game->k)
        *value = PLB_DRAW;
    else if (game->k == 2)
        *value = height == 1 && width % 2 == 0 && width <= 6 ? PLB_DRAW : PLB_LOSS;
    else if (height == 1)
        *value = PLB_DRAW;
    else
        *value = height % 2 == 0 || width % 2 == 0 ? PLB_LOSS : PLB_WIN;
    return true;
}

const char *published_value(const plb_game *game, plb_value *value) {
    static const struct {
        const char *spec;
        plb_value value;
        const char *source;
    } outcomes[] = {
        {"connect-7x6-k4", PLB_WIN, "Allen 1988 and Allis 1988"},
        {"mnk-3x3-k3", PLB_DRAW, "known to every child"},
        {"mnk-4x4-k4", PLB_DRAW, "Uiterwijk, Set Matching"},
        {"mnk-5x5-k4", PLB_DRAW, "known by search"},
        {"square-3x3", PLB_DRAW, "Jenrich, SQRGAME2, 2012"},
        {"square-4x4", PLB_DRAW, "Jenrich, SQRGAME2, 2012"},
        {"square-5x5", PLB_WIN, "Jenrich, SQRGAME2, 2012"},
        {"numeric-3x3", PLB_WIN, "Markowsky, Numerical tic-tac-toe, 1990"},
        {"numeric-4x4", PLB_LOSS, "Sandlund, Staley, Dixon and Butler"},
    };
    for (size_t o = 0; o < sizeof outcomes / sizeof outcomes[0]; o++) {
        if (!is_called(game, outcomes[o].spec)) continue;
        *value = outcomes[o].value;
        return outcomes[o].source;
    }
    return find_misere_connect(game, value) ? "Steele and Larremore, Misere Connect Four is Solved"
                                            : NULL;
}

uint64_t published_total(const plb_game *game, const char **source) {
    char name[PLB_SPEC_TEXT];
    snprintf(name, sizeof name, "connect-%dx%d-k4", game->width, game->height);
    if (!is_called(game, name)) return 0;
    *source = PUBLISHED_COUNTS_SOURCE;
    uint64_t count = published_count(game->width, game->height);
    return count < 1ULL << 53 ? count : 0; /* the others are rounded */
}
