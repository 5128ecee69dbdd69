/* SPDX-License-Identifier: MIT */
#include "tools/verify/published.h"

#include <stdio.h>
#include <string.h>

#include "tables/games/game_spec.h"

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
    return count < 1ULL << 53 ? count : 0; /* greater ones are rounded */
}

/* ---- numbers of positions ---- */

/* [height - 1][width - 1] */
static const uint64_t counts[PUBLISHED_MAX][PUBLISHED_MAX] = {
    {2, 5, 13, 35, 96, 267, 750, 2118, 6010, 17120, 48930, 140243, 402956},
    {3, 18, 116, 741, 4688, 29737, 189648, 1216721, 7844298, 50780523, 329842064, 2148495091,
     14027829516},
    {4, 58, 869, 12031, 158911, 2087325, 27441956, 362940958, 4816325017, 64137689503, 856653299180,
     11470572730124, 153906772806519},
    {5, 179, 6000, 161029, 3945711, 94910577, 2265792710, 54233186631, 1295362125552,
     30932968221097, 738548749700312, 17631656694578592, 420788402285901824},
    {6, 537, 38310, 1706255, 69763700, 2818972642, 112829665923, 4499431376127, 178942601291926},
    {7, 1571, 235781, 15835683, 1044334437, 69173028785, 4531985219092, 290433534225566},
    {8, 4587, 1417322, 135385909, 14171315454, 1523281696228, 161965120344045},
    {9, 13343, 8424616, 1104642469, 182795971462, 31936554362084},
    {10, 38943, 49867996, 8754703921, 2284654770108},
    {11, 113835, 294664010, 67916896758},
    {12, 333745, 1741288730, 519325538608},
    {13, 980684, 10300852227, 3928940117357},
    {14, 2888780, 61028884959, 29499214177403},
};

uint64_t published_count(int width, int height) {
    if (width < 1 || height < 1 || width > PUBLISHED_MAX || height > PUBLISHED_MAX) return 0;
    return counts[height - 1][width - 1];
}
