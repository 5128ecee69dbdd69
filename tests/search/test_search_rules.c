/* SPDX-License-Identifier: MIT
 *
 * The independent rules of searches: they agree with those of tables on every kind of board, they
 * refuse games with wrong groups or wrong ends, and they have all symmetries.
 */
#include "tools/search/search_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/games/symmetry.h"
#include "tests/support/support.h"
#include "tools/search/plain_game.h"

static const char *const suffixes[] = {"", "-misere", "-cylinder", "-misere-cylinder"};

static int make(const plb_game *game, plb_message *why) {
    search_rules rules;
    return search_rules_make(game, &rules, why);
}

/* ---- the rules of every game ---- */

static void the_two_statements_of_the_rules_agree(void **state) {
    (void)state;
    int games = 0;
    for (int width = 1; width <= 9; width++)
        for (int height = 1; height <= 7; height++)
            for (int k = 1; k <= 6; k++)
                for (int s = 0; s < 12; s++) {
                    static const char *const families[] = {"connect", "mnk", "square"};
                    char spec[PLB_SPEC_TEXT], in_a_row[8] = "";
                    plb_message why;
                    if (s >= 8 && (k > 1 || s >= 10)) continue; /* no k, no cylinder */
                    if (s < 8) snprintf(in_a_row, sizeof in_a_row, "-k%d", k);
                    snprintf(spec, sizeof spec, "%s-%dx%d%s%s", families[s / 4], width, height,
                             in_a_row, suffixes[s % 4]);
                    plb_game game = support_game(spec);
                    support_expect(make(&game, &why), PLB_OK, spec, &why);
                    games++;
                }
    assert_int_equal(games, 9 * 7 * (6 * 8 + 2));
}

static void they_agree_on_boards_of_64_cells(void **state) {
    (void)state;
    static const char *const boards[] = {
        "connect-8x8-k5", "connect-64x1-k7", "connect-1x64-k4", "connect-16x4-k5-cylinder",
        "mnk-8x8-k5",     "mnk-64x1-k64",    "mnk-4x16-k4",     "mnk-32x2-k33-cylinder",
        "square-8x8",     "square-16x4",     "square-4x16",     "mnk-64x1-k64-cylinder"};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++) {
        plb_game game = support_game(boards[b]);
        plb_message why;
        support_expect(make(&game, &why), PLB_OK, boards[b], &why);
    }
}

/* ---- wrong rules ---- */

static void expect_difference(const plb_game *game, const char *named) {
    plb_message why;
    support_expect(make(game, &why), PLB_ECORRUPT, "wrong rules", &why);
    if (!strstr(why.text, named)) fail_msg("'%s' does not say '%s'", why.text, named);
}

static void drop_group(plb_game *game, int g) {
    memmove(&game->groups[g], &game->groups[g + 1],
            (game->group_count - g - 1) * sizeof *game->groups);
    game->group_count--;
}

static void a_missing_group_is_found(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-5x4-k4-cylinder", "mnk-4x3-k3", "square-4x4",
                                        "connect-4x3-k3-misere"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        plb_game game = support_game(specs[s]);
        int groups = game.group_count;
        for (int g = 0; g < groups; g++) {
            game = support_game(specs[s]);
            drop_group(&game, g);
            expect_difference(&game, "a group that is missing");
        }
    }
}

/* A mistake in the rules that makes the groups of another game. */
static void expect_groups_refused(const char *spec, const char *groups_of) {
    plb_game game = support_game(spec), other = support_game(groups_of);
    plb_game wrong = game;
    memcpy(wrong.groups, other.groups, sizeof wrong.groups);
    wrong.group_count = other.group_count;
    expect_difference(&wrong, "group");
}

static void groups_of_another_game_are_found(void **state) {
    (void)state;
    expect_groups_refused("connect-5x4-k4-cylinder", "connect-5x4-k4");
    expect_groups_refused("connect-5x4-k4", "connect-5x4-k4-cylinder");
    expect_groups_refused("connect-4x4-k4-misere-cylinder", "connect-4x4-k3-misere-cylinder");
    expect_groups_refused("mnk-4x4-k4", "square-4x4");
}

static void a_wrong_end_is_found(void **state) {
    (void)state;
    plb_game game = support_game("connect-4x4-k4");
    plb_game floating = game, low = game;
    floating.gravity = false;
    expect_difference(&floating, "gravity");
    low.bottom = 1;
    expect_difference(&low, "moves");
}

/* ---- symmetries ---- */

static void symmetries_are_all_there_are(void **state) {
    (void)state;
    static const char *const specs[] = {
        "connect-5x4-k4",          "mnk-3x3-k3", "mnk-4x3-k3",          "square-4x4",
        "connect-4x4-k4-cylinder", "square-3x5", "mnk-3x3-k2-cylinder", "connect-1x4-k2"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        plb_game game = support_game(specs[s]);
        plb_symmetry first;
        search_rules second;
        assert_int_equal(plb_symmetry_init(&game, &first), PLB_OK);
        assert_int_equal(search_rules_make(&game, &second, NULL), PLB_OK);
        assert_int_equal(second.symmetries,
                         first.order < SEARCH_SYMMETRIES ? first.order : SEARCH_SYMMETRIES);
        for (int cell = 0; cell < game.cells; cell++) assert_int_equal(second.image[0][cell], cell);
        plb_symmetry_free(&first);
    }
}

/* ---- the independent rules ---- */

static void a_run_round_a_narrow_cylinder_meets_no_cell_twice(void **state) {
    (void)state;
    const plain_position full = {1 | 1 << 2 | 1 << 4, 1 << 1 | 1 << 3}; /* the row of x */
    const plain_position mixed = {1 | 1 << 4, 1 << 1 | 1 << 2};
    plain_game game;
    assert_true(plain_read("mnk-3x2-k4-cylinder", &game));
    assert_int_equal(plain_result(&game, full), PLAIN_OPEN);
    assert_true(plain_read("mnk-3x2-k3-cylinder", &game));
    assert_int_equal(plain_result(&game, full), PLAIN_FIRST);
    assert_int_equal(plain_result(&game, mixed), PLAIN_OPEN);
}

static void what_is_no_spec_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",          "connect",    "connect-4x4",
                                      "go-4x4-k4", "mnk-0x4-k4", "square-9x9"};
    plain_game game;
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) assert_false(plain_read(bad[b], &game));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_statements_of_the_rules_agree),
        cmocka_unit_test(they_agree_on_boards_of_64_cells),
        cmocka_unit_test(a_missing_group_is_found),
        cmocka_unit_test(groups_of_another_game_are_found),
        cmocka_unit_test(a_wrong_end_is_found),
        cmocka_unit_test(symmetries_are_all_there_are),
        cmocka_unit_test(a_run_round_a_narrow_cylinder_meets_no_cell_twice),
        cmocka_unit_test(what_is_no_spec_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
