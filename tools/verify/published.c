/* SPDX-License-Identifier: MIT
 *
 * Published outcomes.
 */
#include "tools/verify/published.h"

#include <stdio.h>
#include <string.h>

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
    static const struct {
        int width, height;
        uint64_t positions;
    } totals[] = {
        {4, 4, 161029},        {5, 4, 3945711},       {6, 4, 94910577},     {7, 4, 2265792710},
        {8, 4, 54233186631},   {4, 5, 1706255},       {5, 5, 69763700},     {6, 5, 2818972642},
        {7, 5, 112829665923},  {8, 5, 4499431376127}, {4, 6, 15835683},     {5, 6, 1044334437},
        {6, 6, 69173028785},   {7, 6, 4531985219092}, {4, 7, 135385909},    {5, 7, 14171315454},
        {6, 7, 1523281696228}, {4, 8, 1104642469},    {5, 8, 182795971462},
    };
    char name[PLB_SPEC_TEXT];
    snprintf(name, sizeof name, "connect-%dx%d-k4", game->width, game->height);
    if (!is_called(game, name)) return 0;
    *source = "Tromp, John's Connect Four Playground";
    for (size_t t = 0; t < sizeof totals / sizeof totals[0]; t++)
        if (totals[t].width == game->width && totals[t].height == game->height)
            return totals[t].positions;
    return 0;
}
