/* SPDX-License-Identifier: MIT
 *
 * Symmetries: they are groups of the expected orders, they preserve the rules, and canonical sets
 * are the minimum of their orbits.
 */
#include "tables/games/symmetry.h"

#include <string.h>

#include "tables/bits.h"
#include "tests/support/support.h"

/* A game and its group of symmetries. */
typedef struct symmetric_game {
    plb_game game;
    plb_symmetry symmetry;
} symmetric_game;

static symmetric_game open_game(const char *spec) {
    symmetric_game s = {.game = support_game(spec)};
    assert_int_equal(plb_symmetry_init(&s.game, &s.symmetry), PLB_OK);
    return s;
}

static void close_game(symmetric_game *s) {
    plb_symmetry_free(&s->symmetry);
}

/* The expected orders: 2 with gravity; 4 for a rectangle, 8 for a square; for a cylinder the number
 * of its rotations times that of its reflections. */
static const struct {
    const char *spec;
    int order;
} games[] = {
    {"connect-7x6-k4", 2},
    {"connect-4x4-k4-misere", 2},
    {"connect-2x3-k2", 2},
    {"connect-1x5-k3", 1},
    {"connect-1x1-k1", 1},
    {"connect-7x6-k4-cylinder", 14},
    {"connect-4x4-k3-misere-cylinder", 8},
    {"connect-3x3-k3-cylinder", 6},
    {"connect-2x4-k3-cylinder", 2},
    {"connect-1x4-k3-cylinder", 1},
    {"connect-3x3-k4", 2}, /* no group fits */
    {"mnk-3x3-k3", 8},
    {"mnk-5x5-k4-misere", 8},
    {"mnk-4x3-k3", 4},
    {"mnk-8x8-k5", 8},
    {"mnk-1x5-k3", 2},
    {"mnk-5x1-k3", 2},
    {"mnk-1x1-k1", 1},
    {"mnk-2x2-k2", 8},
    {"mnk-4x3-k3-cylinder", 16},
    {"mnk-5x3-k3-misere-cylinder", 20},
    {"mnk-4x4-k3-cylinder", 16},
    {"mnk-2x3-k2-cylinder", 4},
    {"square-3x3", 8},
    {"square-4x3-misere", 4},
    {"square-5x5", 8},
};
enum { GAMES = sizeof games / sizeof games[0] };

/* Cylinders whose transposed board has the same groups. */
static const char *const transposable[] = {
    "mnk-3x3-k3-cylinder", "mnk-4x4-k4-cylinder", "mnk-4x4-k4-misere-cylinder",
    "mnk-3x3-k4-cylinder", "mnk-2x2-k2-cylinder", "mnk-3x3-k1-cylinder",
};
enum { TRANSPOSABLE = sizeof transposable / sizeof transposable[0] };

static void for_every_game(void (*check)(const char *spec, const symmetric_game *s)) {
    for (int g = 0; g < GAMES + TRANSPOSABLE; g++) {
        const char *spec = g < GAMES ? games[g].spec : transposable[g - GAMES];
        symmetric_game s = open_game(spec);
        check(spec, &s);
        close_game(&s);
    }
}

static void orders_are_those_of_geometry(void **state) {
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        symmetric_game s = open_game(games[g].spec);
        if (s.symmetry.order != games[g].order)
            fail_msg("%s has %d symmetries, not %d", games[g].spec, s.symmetry.order,
                     games[g].order);
        close_game(&s);
    }
}

/* ---- group axioms ---- */

static int find_element(const symmetric_game *s, const uint8_t image[64]) {
    for (int e = 0; e < s->symmetry.order; e++)
        if (memcmp(s->symmetry.image[e], image, s->game.cells) == 0) return e;
    return -1;
}

static void check_permutations(const char *spec, const symmetric_game *s) {
    for (int e = 0; e < s->symmetry.order; e++) {
        uint64_t hit = 0;
        for (int cell = 0; cell < s->game.cells; cell++) hit |= 1ULL << s->symmetry.image[e][cell];
        if (hit != s->game.board) fail_msg("%s: element %d is no permutation", spec, e);
        if (find_element(s, s->symmetry.image[e]) != e) fail_msg("%s: element %d twice", spec, e);
    }
    for (int cell = 0; cell < s->game.cells; cell++)
        assert_int_equal(s->symmetry.image[0][cell], cell);
}

static void elements_are_distinct_permutations(void **state) {
    (void)state;
    for_every_game(check_permutations);
}

static void check_closed(const char *spec, const symmetric_game *s) {
    for (int a = 0; a < s->symmetry.order; a++)
        for (int b = 0; b < s->symmetry.order; b++) {
            uint8_t both[64] = {0};
            for (int cell = 0; cell < s->game.cells; cell++)
                both[cell] = s->symmetry.image[b][s->symmetry.image[a][cell]];
            if (find_element(s, both) < 0)
                fail_msg("%s: element %d after element %d is not an element", spec, b, a);
        }
}

static void elements_are_closed_under_composition(void **state) {
    (void)state;
    for_every_game(check_closed);
}

static void check_inverse(const char *spec, const symmetric_game *s) {
    uint64_t random = 20240611;
    for (int e = 0; e < s->symmetry.order; e++) {
        int inverse = s->symmetry.inverse[e];
        if (inverse < 0 || inverse >= s->symmetry.order)
            fail_msg("%s: element %d has no inverse", spec, e);
        for (int trial = 0; trial < 50; trial++) {
            uint64_t cells = support_random(&random) & s->game.board;
            uint64_t image = plb_symmetry_map(&s->symmetry, e, cells);
            assert_int_equal(plb_symmetry_map(&s->symmetry, inverse, image), cells);
        }
    }
}

static void inverse_undoes_image(void **state) {
    (void)state;
    support_seed("sets of cells", 20240611);
    for_every_game(check_inverse);
}

/* ---- symmetries preserve the rules ---- */

static void check_map(const char *spec, const symmetric_game *s) {
    (void)spec;
    uint64_t random = 20240612;
    for (int e = 0; e < s->symmetry.order; e++)
        for (int trial = 0; trial < 50; trial++) {
            uint64_t cells = support_random(&random) & s->game.board, image = 0;
            for (int cell = 0; cell < s->game.cells; cell++)
                if (cells >> cell & 1) image |= 1ULL << s->symmetry.image[e][cell];
            assert_int_equal(plb_symmetry_map(&s->symmetry, e, cells), image);
        }
}

static void sets_are_mapped_cell_by_cell(void **state) {
    (void)state;
    support_seed("sets of cells", 20240612);
    for_every_game(check_map);
}

static bool is_group(const plb_game *game, uint64_t set) {
    for (int g = 0; g < game->group_count; g++)
        if (game->groups[g] == set) return true;
    return false;
}

static void check_rules(const char *spec, const symmetric_game *s) {
    for (int e = 0; e < s->symmetry.order; e++) {
        for (int g = 0; g < s->game.group_count; g++)
            if (!is_group(&s->game, plb_symmetry_map(&s->symmetry, e, s->game.groups[g])))
                fail_msg("%s: element %d maps a group to none", spec, e);
        for (int cell = 0; cell < s->game.cells && s->game.gravity; cell++)
            assert_int_equal(plb_game_row(&s->game, s->symmetry.image[e][cell]),
                             plb_game_row(&s->game, cell));
    }
}

static void groups_and_rows_are_kept(void **state) {
    (void)state;
    for_every_game(check_rules);
}

/* ---- canonical sets ---- */

static void assert_canonical_is_least(const char *spec, const symmetric_game *s, uint64_t cells) {
    uint64_t least = cells, images[256], canonical;
    int distinct = 0;
    for (int e = 0; e < s->symmetry.order; e++) {
        uint64_t image = plb_symmetry_map(&s->symmetry, e, cells);
        int same = 0;
        while (same < distinct && images[same] != image) same++;
        if (same == distinct) images[distinct++] = image;
        if (image < least) least = image;
    }
    int element = plb_symmetry_canonical(&s->symmetry, cells, &canonical);
    if (canonical != least) fail_msg("%s: canonical is not the least of the orbit", spec);
    assert_int_equal(plb_symmetry_map(&s->symmetry, element, cells), canonical);
    assert_int_equal(plb_symmetry_is_canonical(&s->symmetry, cells), cells == least);
    assert_int_equal(plb_symmetry_orbit_size(&s->symmetry, cells), distinct);
}

/* Every image of a set has the same canonical set. */
static void assert_canonical_is_shared(const char *spec, const symmetric_game *s, uint64_t cells) {
    uint64_t canonical, other;
    plb_symmetry_canonical(&s->symmetry, cells, &canonical);
    if (!plb_symmetry_is_canonical(&s->symmetry, canonical))
        fail_msg("%s: the canonical set of %llx is not canonical", spec, (unsigned long long)cells);
    for (int e = 0; e < s->symmetry.order; e++) {
        plb_symmetry_canonical(&s->symmetry, plb_symmetry_map(&s->symmetry, e, cells), &other);
        if (other != canonical)
            fail_msg("%s: two canonical sets in the orbit of %llx", spec,
                     (unsigned long long)cells);
    }
}

static void check_canonical(const char *spec, const symmetric_game *s) {
    uint64_t random = 20240613;
    bool all = s->game.cells <= 12;
    for (uint64_t trial = 0; trial < (all ? 1ULL << s->game.cells : 2000); trial++) {
        uint64_t cells = all ? trial : support_random(&random) & s->game.board;
        assert_canonical_is_least(spec, s, cells);
        assert_canonical_is_shared(spec, s, cells);
    }
}

static void canonical_is_the_least_of_the_orbit(void **state) {
    (void)state;
    support_seed("sets of cells", 20240613);
    for_every_game(check_canonical);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_geometry),
        cmocka_unit_test(elements_are_distinct_permutations),
        cmocka_unit_test(elements_are_closed_under_composition),
        cmocka_unit_test(inverse_undoes_image),
        cmocka_unit_test(sets_are_mapped_cell_by_cell),
        cmocka_unit_test(groups_and_rows_are_kept),
        cmocka_unit_test(canonical_is_the_least_of_the_orbit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
