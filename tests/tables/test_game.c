/* SPDX-License-Identifier: MIT
 *
 * Games: specs, groups, cell numbers.
 */
#include "tables/games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/games/game_spec.h"
#include "tests/support/support.h"

/* ---- specs ---- */

static void assert_round_trip(const char *spec) {
    plb_game game = support_game(spec);
    char text[PLB_SPEC_TEXT];
    plb_game_format(&game, text);
    assert_string_equal(text, spec);
}

static void spec_parse_inverts_format(void **state) {
    (void)state;
    static const char *const boards[] = {"connect-7x6-k4",  "connect-1x1-k1",  "connect-64x1-k64",
                                         "connect-1x64-k4", "connect-8x8-k10", "mnk-3x3-k3",
                                         "mnk-2x32-k2",     "mnk-8x8-k64"};
    static const char *const suffixes[] = {"", "-misere", "-cylinder", "-misere-cylinder"};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++)
        for (size_t s = 0; s < sizeof suffixes / sizeof suffixes[0]; s++) {
            char spec[PLB_SPEC_TEXT];
            snprintf(spec, sizeof spec, "%s%s", boards[b], suffixes[s]);
            assert_round_trip(spec);
        }
    assert_round_trip("square-4x3");
    assert_round_trip("square-8x8-misere");
    assert_round_trip("square-1x64");
}

static void spec_says_what_the_game_is(void **state) {
    (void)state;
    plb_game game = support_game("connect-6x5-k3-misere-cylinder");
    assert_string_equal(game.family->name, "connect");
    assert_int_equal(game.width, 6);
    assert_int_equal(game.height, 5);
    assert_int_equal(game.k, 3);
    assert_int_equal(game.cells, 30);
    assert_true(game.misere && game.cylinder && game.gravity);
    assert_int_equal(game.board, (1ULL << 30) - 1);
    assert_int_equal(plb_popcount(game.bottom), 6);
    game = support_game("square-3x2");
    assert_int_equal(game.k, 4);
    assert_false(game.misere || game.cylinder || game.gravity);
}

static void assert_refused(const char *spec) {
    plb_game game, before;
    plb_message why = {.text = ""};
    memset(&game, 0x5A, sizeof game);
    memcpy(&before, &game, sizeof game);
    support_expect(plb_game_parse(spec, &game, &why), PLB_ESPEC, spec, NULL);
    assert_true(strlen(why.text) > 0);
    assert_memory_equal(&game, &before, sizeof game);
    assert_int_equal(plb_game_parse(spec, &game, NULL), PLB_ESPEC);
}

static void bad_specs_are_refused(void **state) {
    (void)state;
    static const char *const specs[] = {
        /* not a family */
        "", "-", "connect", "connect-", "mnk-", "square-", "chess-8x8", "Connect-7x6-k4",
        "CONNECT-7x6-K4", " connect-7x6-k4", "connect7x6-k4", "connect_7x6_k4", "numeric-3x4",
        "connec-7x6-k4", "7x6-k4", "square", "mnkk-3x3-k3",
        /* not a board */
        "connect-7-k4", "connect-7x-k4", "connect-x6-k4", "connect-x", "connect-7X6-k4",
        "connect-7*6-k4", "connect--7x6-k4", "connect-+7x6-k4", "connect-7x-6-k4",
        "connect- 7x6-k4", "connect-7 x6-k4", "connect-7x6x5-k4", "connect-7.0x6-k4",
        /* zeros */
        "connect-0x6-k4", "connect-7x0-k4", "connect-0x0-k0", "connect-07x6-k4", "connect-7x06-k4",
        "connect-7x6-k0", "connect-7x6-k04", "square-0x3", "square-03x3", "mnk-3x3-k00",
        /* k is missing, or not allowed */
        "connect-7x6", "connect-7x6-", "connect-7x6-k", "connect-7x6-4", "connect-7x6k4",
        "connect-7x6-K4", "connect-7x6-k-4", "connect-7x6-misere", "mnk-3x3", "square-3x3-k4",
        /* sizes */
        "connect-65x1-k4", "connect-1x65-k4", "connect-9x8-k4", "connect-8x9-k4", "mnk-33x2-k3",
        "connect-7x6-k65", "connect-65536x65536-k4", "connect-46341x46341-k4",
        "connect-4294967297x1-k4", "connect-1x4294967297-k4", "connect-7x6-k4294967297",
        "connect-18446744073709551617x1-k4", "connect-99999999999999999999999999x1-k4",
        "mnk-3x3-k99999999999999999999999999", "square-9x9",
        /* suffixes and trailing text */
        "connect-7x6-k4-", "connect-7x6-k4 ", "connect-7x6-k4\n", "connect-7x6-k4x",
        "connect-7x6-k4.plb", "connect-7x6-k4-Misere", "connect-7x6-k4-mis", "connect-7x6-k4misere",
        "connect-7x6-k4-miserex", "connect-7x6-k4-misere-", "connect-7x6-k4-misere-misere",
        "connect-7x6-k4-cylinder-cylinder", "connect-7x6-k4-misere-cylinder-misere",
        "connect-7x6-k4-cylinderx", "connect-7x6-k4-torus", "square-3x3-cylinder",
        "square-3x3-misere-cylinder", "square-3x3x", "mnk-3x3-k3-gravity"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) assert_refused(specs[s]);
}

static void suffixes_come_in_any_order(void **state) {
    (void)state;
    char text[PLB_SPEC_TEXT];
    plb_game game = support_game("connect-5x4-k3-cylinder-misere");
    assert_true(game.misere && game.cylinder);
    plb_game_format(&game, text);
    assert_string_equal(text, "connect-5x4-k3-misere-cylinder");
}

static void long_specs_are_refused(void **state) {
    (void)state;
    enum { LENGTH = 10000 };
    static char spec[LENGTH + 1];
    memset(spec, 'x', LENGTH);
    assert_refused(spec);
    memcpy(spec, "connect-7x6-k4-", 15);
    assert_refused(spec);
    memset(spec + 8, '7', LENGTH - 8);
    assert_refused(spec);
}

static void every_family_has_help(void **state) {
    (void)state;
    static const char *const names[] = {"connect-", "mnk-", "square-", "numeric-"};
    for (int line = 0; line < 4; line++) {
        const plb_family *family = plb_family_at(line);
        assert_non_null(family);
        const char *form = family->form;
        assert_ptr_equal(strstr(form, names[line]), form);
        assert_null(strchr(form, ' ')); /* it is also used in sentences */
        assert_non_null(family->help);
    }
    assert_null(plb_family_at(4));
    assert_null(plb_family_at(-1));
}

/* ---- groups ---- */

static int room_for(int size, int k) {
    return size >= k ? size - k + 1 : 0;
}

static int count_plane_lines(int w, int h, int k) {
    if (k == 1) return w * h;
    return room_for(w, k) * h + w * room_for(h, k) + 2 * room_for(w, k) * room_for(h, k);
}

/* On a cylinder rows and diagonals wrap; on a narrow one several groups are the same set. */
static int count_cylinder_lines(int w, int h, int k) {
    if (k == 1) return w * h;
    int rows = k < w ? w * h : k == w ? h : 0, columns = w * room_for(h, k);
    int directions = w == 1 ? 0 : w == 2 ? 1 : 2;
    return rows + columns + directions * w * room_for(h, k);
}

static void assert_group_count(const char *spec, int expected, int stones) {
    plb_game game = support_game(spec);
    if (game.group_count != expected)
        fail_msg("%s has %d groups, not %d", spec, game.group_count, expected);
    for (int g = 0; g < game.group_count; g++) {
        assert_int_equal(plb_popcount(game.groups[g]), stones);
        assert_int_equal(game.groups[g] & ~game.board, 0);
        if (g) assert_true(game.groups[g - 1] < game.groups[g]);
    }
}

static void lines_are_as_many_as_counted_by_hand(void **state) {
    (void)state;
    for (int w = 1; w <= 8; w++)
        for (int h = 1; h <= 8; h++)
            for (int k = 1; k <= 9; k++) {
                char spec[PLB_SPEC_TEXT];
                snprintf(spec, sizeof spec, "connect-%dx%d-k%d", w, h, k);
                assert_group_count(spec, count_plane_lines(w, h, k), k);
                snprintf(spec, sizeof spec, "mnk-%dx%d-k%d-misere-cylinder", w, h, k);
                assert_group_count(spec, count_cylinder_lines(w, h, k), k);
            }
    assert_group_count("connect-7x6-k4", 69, 4);
    assert_group_count("mnk-3x3-k3", 8, 3);
    assert_group_count("mnk-3x3-k3-cylinder", 12, 3);
    assert_group_count("connect-7x6-k4-cylinder", 105, 4);
}

static void squares_are_as_many_as_counted_by_hand(void **state) {
    (void)state;
    assert_group_count("square-1x5", 0, 4);
    assert_group_count("square-2x2", 1, 4);
    assert_group_count("square-3x3", 5, 4);
    assert_group_count("square-4x3", 8, 4);
    assert_group_count("square-3x4", 8, 4);
    assert_group_count("square-4x4-misere", 14, 4);
    assert_group_count("square-5x5", 30, 4);
    assert_group_count("square-8x8", 140, 4);
}

static uint64_t cells_at(const plb_game *game, const int places[][2], int count) {
    uint64_t cells = 0;
    for (int p = 0; p < count; p++)
        cells |= 1ULL << plb_game_cell(game, places[p][0], places[p][1]);
    return cells;
}

static void cylinder_wraps_rows_and_diagonals(void **state) {
    (void)state;
    static const int lines[][3][2] = {{{4, 0}, {0, 0}, {1, 0}},
                                      {{3, 2}, {4, 2}, {0, 2}},
                                      {{3, 0}, {4, 1}, {0, 2}},
                                      {{4, 1}, {0, 2}, {1, 3}},
                                      {{1, 0}, {0, 1}, {4, 2}}};
    plb_game flat = support_game("connect-5x4-k3"), round = support_game("connect-5x4-k3-cylinder");
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        assert_true(plb_game_has_group(&round, cells_at(&round, lines[l], 3)));
        assert_false(plb_game_has_group(&flat, cells_at(&flat, lines[l], 3)));
        assert_false(plb_game_has_group(&round, cells_at(&round, lines[l], 2)));
    }
}

static void square_means_four_vertices(void **state) {
    (void)state;
    static const int big[4][2] = {{0, 0}, {2, 0}, {0, 2}, {2, 2}};
    static const int oblong[4][2] = {{0, 0}, {2, 0}, {0, 1}, {2, 1}};
    static const int tilted[4][2] = {{1, 0}, {0, 1}, {2, 1}, {1, 2}};
    plb_game game = support_game("square-3x3");
    assert_true(plb_game_has_group(&game, cells_at(&game, big, 4)));
    assert_false(plb_game_has_group(&game, cells_at(&game, big, 3)));
    assert_false(plb_game_has_group(&game, cells_at(&game, oblong, 4)));
    assert_false(plb_game_has_group(&game, cells_at(&game, tilted, 4)));
}

/* ---- cells ---- */

static const char *const boards[] = {
    "connect-7x6-k4", "connect-1x1-k1", "connect-1x64-k4", "mnk-64x1-k4",
    "mnk-8x8-k4",     "connect-3x2-k2", "square-2x32",     "connect-6x5-k4-cylinder"};
enum { BOARDS = sizeof boards / sizeof boards[0] };

static void cell_numbers_are_those_of_the_picture(void **state) {
    (void)state;
    plb_game game = support_game("connect-3x2-k2");
    static const int picture[2][3] = {{0, 4, 2}, {1, 5, 3}}; /* [row][column] */
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            assert_int_equal(plb_game_cell(&game, column, row), picture[row][column]);
}

static void cells_invert_columns_and_rows(void **state) {
    (void)state;
    for (int b = 0; b < BOARDS; b++) {
        plb_game game = support_game(boards[b]);
        for (int cell = 0; cell < game.cells; cell++) {
            int column = plb_game_column(&game, cell), row = plb_game_row(&game, cell);
            assert_in_range(column, 0, game.width - 1);
            assert_in_range(row, 0, game.height - 1);
            assert_int_equal(plb_game_cell(&game, column, row), cell);
            assert_int_equal(game.bottom >> cell & 1, row == 0);
        }
    }
}

static void mirror_columns_are_neighbouring_slots(void **state) {
    (void)state;
    plb_game game = support_game("connect-7x6-k4");
    for (int column = 0; column < 7; column++) {
        int slot = plb_game_cell(&game, column, 0) / 6;
        int mirrored = plb_game_cell(&game, 6 - column, 0) / 6;
        assert_int_equal(slot ^ mirrored, column == 3 ? 0 : 1);
    }
}

static void bitboards_invert_cells(void **state) {
    (void)state;
    uint64_t random = support_seed("bitboards", 20240601);
    for (int b = 0; b < BOARDS; b++) {
        plb_game game = support_game(boards[b]);
        for (int cell = 0; cell < game.cells; cell++) {
            int bit = plb_game_column(&game, cell) * game.height + plb_game_row(&game, cell);
            assert_int_equal(plb_game_cells_of_bits(&game, 1ULL << bit), 1ULL << cell);
        }
        for (int trial = 0; trial < 1000; trial++) {
            uint64_t bits = support_random(&random) & game.board;
            uint64_t cells = plb_game_cells_of_bits(&game, bits);
            assert_int_equal(plb_popcount(cells), plb_popcount(bits));
            assert_int_equal(plb_game_bits_of_cells(&game, cells), bits);
        }
    }
}

/* ---- placing and taking back ---- */

static bool has_stone(const plb_game *game, uint64_t occupied, int column, int row) {
    return row >= 0 && row < game->height && occupied >> plb_game_cell(game, column, row) & 1;
}

static void assert_moves_of_set(const plb_game *game, uint64_t occupied) {
    uint64_t playable = 0, removable = 0;
    for (int column = 0; column < game->width; column++)
        for (int row = 0; row < game->height; row++) {
            uint64_t cell = 1ULL << plb_game_cell(game, column, row);
            bool stone = has_stone(game, occupied, column, row);
            bool stands = !game->gravity || row == 0 || has_stone(game, occupied, column, row - 1);
            bool carries = game->gravity && has_stone(game, occupied, column, row + 1);
            if (!stone && stands) playable |= cell;
            if (stone && !carries) removable |= cell;
        }
    assert_int_equal(plb_game_playable(game, occupied), playable);
    assert_int_equal(plb_game_removable(game, occupied), removable);
}

/* A random set of occupied cells; with gravity no stone floats. */
static uint64_t random_set(const plb_game *game, uint64_t *random) {
    if (!game->gravity) return support_random(random) & game->board;
    uint64_t occupied = 0;
    for (int column = 0; column < game->width; column++) {
        int height = (int)support_random_below(random, game->height + 1);
        occupied |= plb_low_bits(height) << plb_game_cell(game, column, 0);
    }
    return occupied;
}

static void moves_rest_on_stones_only_with_gravity(void **state) {
    (void)state;
    uint64_t random = support_seed("sets of cells", 20240602);
    for (int b = 0; b < BOARDS; b++) {
        plb_game game = support_game(boards[b]);
        assert_moves_of_set(&game, 0);
        assert_moves_of_set(&game, game.board);
        for (int trial = 0; trial < 1000; trial++)
            assert_moves_of_set(&game, random_set(&game, &random));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spec_parse_inverts_format),
        cmocka_unit_test(spec_says_what_the_game_is),
        cmocka_unit_test(bad_specs_are_refused),
        cmocka_unit_test(suffixes_come_in_any_order),
        cmocka_unit_test(long_specs_are_refused),
        cmocka_unit_test(every_family_has_help),
        cmocka_unit_test(lines_are_as_many_as_counted_by_hand),
        cmocka_unit_test(squares_are_as_many_as_counted_by_hand),
        cmocka_unit_test(cylinder_wraps_rows_and_diagonals),
        cmocka_unit_test(square_means_four_vertices),
        cmocka_unit_test(cell_numbers_are_those_of_the_picture),
        cmocka_unit_test(cells_invert_columns_and_rows),
        cmocka_unit_test(mirror_columns_are_neighbouring_slots),
        cmocka_unit_test(bitboards_invert_cells),
        cmocka_unit_test(moves_rest_on_stones_only_with_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
