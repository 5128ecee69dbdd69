/* SPDX-License-Identifier: MIT */
#include "tools/strategy/configuration_examples.h"

#include "tables/bits.h"
#include "tables/games/game_spec.h"
#include "tables/games/notation.h"
#include "tables/proofs/pairing.h"

static const configuration_example examples[] = {
    {"Triangle", 5, 3, 1, 167, 17, "mnk-5x5-k4", "ox2x/xo1oo/ox1xo/1oxxo/xxoox"},
    {"Square", 7, 4, 1, 175, 40, "mnk-5x5-k4", "oxo1x/xox1x/1x2o/1oxxo/1ooox"},
    {"C5", 9, 5, 1, 180, 0, "mnk-5x5-k4", "xxxo1/xoo1x/o1x2/o3x/o1xoo"},
    {"C6", 11, 6, 1, 183, 0, "mnk-5x5-k4", "ox2x/2x1o/x2ox/1o2o/1xoox"},
    {"C7", 13, 7, 1, 186, 0, "mnk-6x6-k4", "xox3/x3ox/2xoo1/oxoo2/o3xo/xoxoxx"},
    {"C8", 15, 8, 1, 188, 0, "mnk-8x8-k4",
     "xxoxoxxx/xxo1xxox/oo3o1o/xxoo1xox/1ooxo2o/1x2o1xo/x1oo2xo/oxxoxoox"},
    {"Triangle/Line", 6, 4, 2, 150, 26, "mnk-5x5-k4", "xox1o/xox1x/2x1o/2oxx/oxooo"},
    {"Square/Line", 8, 5, 2, 160, 67, "mnk-5x5-k4", "ox2x/1oxoo/o3x/1x2o/xxoox"},
    {"C5/Line", 10, 6, 2, 167, 0, "mnk-6x6-k4", "xxxoxo/1oxoxo/2o2o/oxxxox/o3ox/o1x1ox"},
    {"C6/Line", 12, 7, 2, 171, 0, "mnk-7x7-k4",
     "xxoxoox/1oxo1xx/oo1xo1o/x2oox1/x2oxo1/oxoxoox/xxo2x1"},
    {"C7/Line", 14, 8, 2, 175, 0, "mnk-7x7-k4",
     "1o2x1o/xo1xoxx/1xoxo1o/2oo2x/ox3ox/oooxxxo/xoxxo1x"},
    {"C8/Line", 16, 9, 2, 178, 0, "mnk-8x8-k4",
     "xxoxxoxx/1xoo1xxo/o2x1oox/xo1oo1oo/o2x1o1x/oxo1ox1x/xxoxxoxo/ooxox3"},
    {"BiTriangle", 8, 5, 2, 160, 25, "mnk-5x5-k4", "1oxoo/o2x1/x1ox1/oxxox/o1x2"},
    {"BiTriangleX", 7, 5, 3, 140, 17, "mnk-5x5-k4", "xooxx/1x2o/x1ooo/3xo/ooxxx"},
    {"FlatStar", 8, 6, 4, 133, 17, "mnk-5x5-k4", "2x1o/x1xo1/3xo/1xoxo/ooxxo"},
    {"BiTriangle/Line", 9, 6, 3, 150, 25, "mnk-5x5-k4", "1xxoo/ox3/xo1xx/ox2o/x1o1o"},
    {"BiTriangle/BiLine", 10, 7, 4, 143, 25, "mnk-5x5-k4", "2xo1/1oo1x/2x1o/x3o/oxoxx"},
    {"BiTriangleX/Line", 8, 6, 4, 133, 51, "mnk-5x5-k4", "1oxxx/3o1/x2ox/1x1xo/oooxo"},
    {"FlatStar/Line", 8, 7, 6, 114, 17, "mnk-5x5-k4", "o1xxo/3xo/x3o/xx1ox/ooox1"},
    {"TriTriangleX", 10, 7, 4, 143, 23, "mnk-5x5-k4", "2oxo/1x2o/o3x/x1xox/oo2x"},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

const configuration_example *configuration_example_at(int number) {
    return number >= 0 && number < EXAMPLES ? &examples[number] : NULL;
}

/* ---- a search with Hales-Jewett pairings ---- */

enum { MAX_GROUPS = PLB_MAX_CELLS * 4 };

typedef struct family {
    uint64_t empty, sets[MAX_GROUPS];
    int count;
} family;

static uint64_t heaviest(const family *f, uint64_t among) {
    uint64_t best = 0;
    double most = -1;
    for (; among; among &= among - 1) {
        /* The number of sets that a stone of o blocks; then those with fewer cells count more. */
        double w = 0;
        for (int i = 0; i < f->count; i++)
            if (f->sets[i] & (among & -among))
                w += 1 + 0.001 / (double)(1ULL << plb_popcount(f->sets[i]));
        if (w <= most) continue;
        most = w;
        best = among & -among;
    }
    return best;
}

static bool holds(const family *f, uint64_t *nodes);

/* x has moved: is there a reply after which x completes nothing? */
static bool has_reply(const family *f, uint64_t *nodes) {
    ++*nodes;
    for (int i = 0; i < f->count; i++)
        if (!f->sets[i]) return false;
    if (!f->empty) return true;
    for (uint64_t left = f->empty; left;) {
        uint64_t reply = heaviest(f, left);
        left &= ~reply;
        family after = {.empty = f->empty & ~reply};
        for (int i = 0; i < f->count; i++)
            if (!(f->sets[i] & reply)) after.sets[after.count++] = f->sets[i];
        if (holds(&after, nodes)) return true;
    }
    return false;
}

/* x is to move: does every move have such a reply? */
static bool holds(const family *f, uint64_t *nodes) {
    uint64_t sets[MAX_GROUPS];
    ++*nodes;
    for (int i = 0; i < f->count; i++) sets[i] = f->sets[i];
    if (plb_pairing_match(sets, plb_pairing_reduce(sets, f->count), NULL)) return true;
    for (uint64_t left = f->empty; left; left &= left - 1) {
        uint64_t cell = left & -left;
        family after = {.empty = f->empty & ~cell, .count = f->count};
        for (int i = 0; i < f->count; i++) after.sets[i] = f->sets[i] & ~cell;
        if (!has_reply(&after, nodes)) return false;
    }
    return true;
}

uint64_t configuration_example_nodes(const configuration_example *example) {
    plb_game game;
    plb_position p = {0, 0};
    if (plb_game_parse(example->spec, &game, NULL) != PLB_OK) return 0;
    uint64_t nodes = 0;
    bool is_held = false;
    if (plb_notation_parse_board(&game, example->board, &p, NULL) == PLB_OK) {
        family f = {.empty = game.board & ~(p.x | p.o)};
        f.count = plb_pairing_open_sets(game.groups, game.group_count, p.x, p.o, f.sets);
        is_held = holds(&f, &nodes);
    }
    return is_held ? nodes : 0;
}
