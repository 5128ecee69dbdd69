/* SPDX-License-Identifier: MIT
 *
 * The forward search against an oracle that shares no code with it: boards of characters, lines
 * and squares read off by coordinates, plain minimax over every reachable position.
 */
#include "tools/forward_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the oracle ----
 *
 * board[column][row] is 'x', 'o' or 0. values[code] is 0 for a position not yet seen, else 2 + its
 * value; code is the board as a number to the base 3. Without values (NULL) every position is
 * searched anew, and none is visited. */

typedef struct oracle {
    int width, height, k;
    bool square, gravity, misere, cylinder;
    char board[16][16];
    int8_t *values;
} oracle;

static char at(const oracle *o, int column, int row) {
    if (o->cylinder) column = (column + o->width) % o->width;
    if (column < 0 || column >= o->width || row < 0 || row >= o->height) return 0;
    return o->board[column][row];
}

static bool line_from(const oracle *o, char who, int column, int row, int dx, int dy) {
    if (o->cylinder && dy == 0 && o->k > o->width) return false;
    for (int i = 0; i < o->k; i++)
        if (at(o, (column + i * dx) % o->width, row + i * dy) != who ||
            (!o->cylinder && column + i * dx >= o->width))
            return false;
    return true;
}

static bool square_from(const oracle *o, char who, int column, int row) {
    for (int side = 1; column + side < o->width && row + side < o->height; side++)
        if (at(o, column, row) == who && at(o, column + side, row) == who &&
            at(o, column, row + side) == who && at(o, column + side, row + side) == who)
            return true;
    return false;
}

static bool has_won(const oracle *o, char who) {
    for (int c = 0; c < o->width; c++)
        for (int r = 0; r < o->height; r++) {
            if (o->square ? square_from(o, who, c, r)
                          : line_from(o, who, c, r, 1, 0) || line_from(o, who, c, r, 0, 1) ||
                                line_from(o, who, c, r, 1, 1) || line_from(o, who, c, r, 1, -1))
                return true;
        }
    return false;
}

static uint32_t code_of(const oracle *o) {
    uint32_t code = 0;
    for (int c = 0; c < o->width; c++)
        for (int r = 0; r < o->height; r++)
            code = 3 * code + (o->board[c][r] == 'x' ? 1 : o->board[c][r] == 'o' ? 2 : 0);
    return code;
}

typedef void visit(void *context, const oracle *o, int value);

static int minimax(oracle *o, int ply, visit *each, void *context) {
    char mover = ply % 2 ? 'o' : 'x', last = ply % 2 ? 'x' : 'o';
    uint32_t code = o->values ? code_of(o) : 0;
    if (o->values && o->values[code]) return o->values[code] - 2;
    int best = -1;
    if (has_won(o, last)) {
        best = o->misere ? 1 : -1;
    } else if (ply == o->width * o->height) {
        best = 0;
    } else {
        for (int c = 0; c < o->width; c++)
            for (int r = 0; r < o->height; r++) {
                if (o->board[c][r] || (o->gravity && r > 0 && !o->board[c][r - 1])) continue;
                o->board[c][r] = mover;
                int value = -minimax(o, ply + 1, each, context);
                o->board[c][r] = 0;
                if (value > best) best = value;
            }
    }
    if (!o->values) return best;
    o->values[code] = best + 2;
    each(context, o, best);
    return best;
}

/* ---- the comparison ---- */

typedef struct comparison {
    const char *spec;
    plb_game game;
    plb_search *search;
    uint64_t positions;
} comparison;

static plb_position position_of(const plb_game *game, const oracle *o) {
    plb_position position = {0, 0};
    for (int c = 0; c < o->width; c++)
        for (int r = 0; r < o->height; r++) {
            uint64_t cell = 1ULL << plb_game_cell(game, c, r);
            if (o->board[c][r] == 'x') position.x |= cell;
            if (o->board[c][r] == 'o') position.o |= cell;
        }
    return position;
}

static void compare_with(const comparison *c, plb_search *search, const oracle *o, int value) {
    plb_position position = position_of(&c->game, o);
    plb_search_result result;
    assert_int_equal(plb_search_solve(search, position, 0, NULL, &result), PLB_OK);
    if (!result.proved || (int)result.value != value)
        fail_msg("%s: x %#llx, o %#llx: searched %d, oracle %d", c->spec,
                 (unsigned long long)position.x, (unsigned long long)position.o, result.value,
                 value);
}

/* With a search that has seen all that was compared before, and now and then with a new one. */
static void compare(void *context, const oracle *o, int value) {
    comparison *c = context;
    plb_search *fresh;
    compare_with(c, c->search, o, value);
    if (c->positions++ % 64) return;
    assert_int_equal(plb_search_open(&c->game, 0, &fresh), PLB_OK);
    compare_with(c, fresh, o, value);
    plb_search_close(fresh);
}

static oracle oracle_of(const plb_game *game) {
    oracle o = {.width = game->width,
                .height = game->height,
                .k = game->k,
                .square = game->family == PLB_SQUARE,
                .gravity = game->family == PLB_CONNECT,
                .misere = game->misere,
                .cylinder = game->cylinder};
    return o;
}

static void remember_values(oracle *o) {
    uint32_t codes = 1;
    for (int cell = 0; cell < o->width * o->height; cell++) codes *= 3;
    o->values = calloc(codes, 1);
    assert_non_null(o->values);
}

static uint64_t compare_game(const char *spec) {
    comparison c = {.spec = spec};
    plb_message message;
    if (plb_game_parse(spec, &c.game, &message)) fail_msg("%s", message.text);
    assert_int_equal(plb_search_open(&c.game, 0, &c.search), PLB_OK);
    oracle o = oracle_of(&c.game);
    remember_values(&o);
    minimax(&o, 0, compare, &c);
    free(o.values);
    plb_search_close(c.search);
    plb_game_free(&c.game);
    return c.positions;
}

static void every_small_game_agrees_with_minimax(void **state) {
    (void)state;
    static const char *const boards[] = {
        "connect-1x1-k1", "connect-1x5-k3", "connect-5x1-k2", "connect-6x1-k3", "connect-2x6-k2",
        "connect-3x3-k2", "connect-3x3-k3", "connect-3x4-k3", "connect-4x3-k2", "connect-4x3-k3",
        "connect-3x4-k4", "connect-4x3-k4", "connect-6x2-k3", "connect-2x5-k6", "connect-5x2-k2",
        "mnk-1x1-k1",     "mnk-3x3-k2",     "mnk-3x3-k3",     "mnk-4x2-k3",     "mnk-2x4-k2",
        "mnk-5x2-k3",     "mnk-9x1-k3",     "mnk-1x9-k4",     "mnk-3x3-k4",
    };
    static const char *const suffixes[] = {"", "-misere", "-cylinder", "-misere-cylinder"};
    char spec[PLB_SPEC_TEXT];
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++)
        for (int s = 0; s < 4; s++) {
            snprintf(spec, sizeof spec, "%s%s", boards[b], suffixes[s]);
            compare_game(spec);
        }
}

static void every_small_square_game_agrees_with_minimax(void **state) {
    (void)state;
    static const char *const specs[] = {
        "square-1x1", "square-2x2",        "square-3x3",        "square-2x5",
        "square-5x2", "square-2x2-misere", "square-3x3-misere", "square-2x5-misere"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) compare_game(specs[i]);
}

static void twelve_cells_of_free_placement_agree_with_minimax(void **state) {
    (void)state;
    static const char *const specs[] = {"mnk-4x3-k3", "mnk-4x3-k3-misere", "square-4x3",
                                        "square-3x4-misere", "mnk-4x3-k3-misere-cylinder"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) compare_game(specs[i]);
}

static void all_161029_positions_of_4x4_agree_with_minimax(void **state) {
    (void)state;
    assert_int_equal(compare_game("connect-4x4-k4"), 161029);
    assert_true(compare_game("connect-4x4-k4-misere") > 100000);
    assert_true(compare_game("connect-4x4-k3-misere-cylinder") > 10000);
}

/* ---- late positions of large boards ---- */

static unsigned draw_number(uint64_t *seed, unsigned below) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (*seed >> 33) % below;
}

/* Random moves until so many cells are empty; false if the game is over. */
static bool play_randomly(oracle *o, int empty, uint64_t *seed) {
    memset(o->board, 0, sizeof o->board);
    int plies = o->width * o->height - empty;
    for (int ply = 0; ply < plies;) {
        int c = draw_number(seed, o->width), r = draw_number(seed, o->height);
        if (o->board[c][r] || (o->gravity && r > 0 && !o->board[c][r - 1])) continue;
        o->board[c][r] = ply++ % 2 ? 'o' : 'x';
        if (has_won(o, o->board[c][r])) return false;
    }
    return true;
}

static void compare_late_positions(const char *spec, int empty) {
    comparison c = {.spec = spec};
    uint64_t seed = 1;
    assert_int_equal(plb_game_parse(spec, &c.game, NULL), PLB_OK);
    assert_int_equal(plb_search_open(&c.game, 0, &c.search), PLB_OK);
    oracle o = oracle_of(&c.game);
    for (int tries = 0; tries < 100000 && c.positions < 30; tries++) {
        if (!play_randomly(&o, empty, &seed)) continue;
        compare_with(&c, c.search, &o, minimax(&o, c.game.cells - empty, NULL, NULL));
        c.positions++;
    }
    assert_int_equal(c.positions, 30);
    plb_search_close(c.search);
    plb_game_free(&c.game);
}

static void late_positions_of_large_boards_agree_with_minimax(void **state) {
    (void)state;
    compare_late_positions("connect-7x6-k4", 10);
    compare_late_positions("connect-7x6-k4-misere", 10);
    compare_late_positions("connect-8x8-k5", 9); /* keys of 72 bits from here on */
    compare_late_positions("connect-8x8-k5-misere-cylinder", 9);
    compare_late_positions("connect-16x4-k5", 8);
    compare_late_positions("mnk-7x6-k5", 6);
    compare_late_positions("mnk-8x8-k6-misere", 6);
    compare_late_positions("mnk-8x8-k7-cylinder", 6);
    compare_late_positions("square-5x5", 7);
    compare_late_positions("square-5x5-misere", 7);
}

/* ---- whole boards ---- */

static plb_search_result solve(const char *spec, uint64_t budget,
                               const volatile sig_atomic_t *stop) {
    plb_game game;
    plb_search *search;
    plb_search_result result;
    assert_int_equal(plb_game_parse(spec, &game, NULL), PLB_OK);
    assert_int_equal(plb_search_open(&game, 16 << 20, &search), PLB_OK);
    assert_int_equal(plb_search_solve(search, (plb_position){0, 0}, budget, stop, &result), PLB_OK);
    plb_search_close(search);
    plb_game_free(&game);
    return result;
}

static void empty_boards_have_their_known_values(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        plb_value value;
    } known[] = {
        {"mnk-3x3-k3", PLB_DRAW},
        {"mnk-4x4-k4", PLB_DRAW},
        {"mnk-5x5-k4", PLB_DRAW},
        {"square-3x3", PLB_DRAW},
        {"square-4x4", PLB_DRAW},
        {"square-5x5", PLB_WIN},
        {"connect-5x5-k4", PLB_DRAW},
        {"connect-3x5-k4-misere", PLB_DRAW}, /* w < k */
        {"connect-4x1-k4-misere", PLB_DRAW}, /* h = 1 */
        {"connect-5x4-k4-misere", PLB_LOSS}, /* h even */
        {"connect-4x5-k4-misere", PLB_LOSS}, /* h odd, w even */
        {"connect-5x5-k4-misere", PLB_WIN},  /* h odd, w odd */
        {"connect-9x7-k12", PLB_DRAW},       /* no group fits: keys of 72 bits */
        {"mnk-8x8-k64", PLB_DRAW},           /* 64 cells: keys of 102 bits */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        plb_search_result result = solve(known[i].spec, 0, NULL);
        if (!result.proved || result.value != known[i].value)
            fail_msg("%s: %d, known %d", known[i].spec, result.value, known[i].value);
    }
}

/* ---- giving up ---- */

static void a_spent_budget_is_not_a_proof(void **state) {
    (void)state;
    plb_search_result whole = solve("connect-4x4-k4", 0, NULL);
    assert_true(whole.proved);
    plb_search_result cut = solve("connect-4x4-k4", whole.nodes - 1, NULL);
    assert_false(cut.proved);
    assert_int_equal(cut.nodes, whole.nodes - 1);
    assert_true(solve("connect-4x4-k4", whole.nodes, NULL).proved);
}

static void what_a_cut_search_has_learned_is_true(void **state) {
    (void)state;
    plb_game game;
    plb_search *search;
    plb_search_result result = {.proved = false};
    assert_int_equal(plb_game_parse("connect-5x4-k4", &game, NULL), PLB_OK);
    assert_int_equal(plb_search_open(&game, 0, &search), PLB_OK);
    int calls = 0;
    for (; !result.proved && calls < 10000; calls++)
        plb_search_solve(search, (plb_position){0, 0}, 1000, NULL, &result);
    assert_true(calls > 2);
    assert_true(result.proved);
    assert_int_equal(result.value, solve("connect-5x4-k4", 0, NULL).value);
    plb_search_close(search);
    plb_game_free(&game);
}

static void a_raised_flag_stops_the_search(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 1;
    plb_search_result result = solve("connect-7x6-k4", 0, &stop);
    assert_false(result.proved);
    assert_int_equal(result.nodes, 0);
}

static void the_same_calls_take_the_same_nodes(void **state) {
    (void)state;
    assert_int_equal(solve("connect-5x4-k4", 0, NULL).nodes,
                     solve("connect-5x4-k4", 0, NULL).nodes);
}

static void impossible_stones_are_refused(void **state) {
    (void)state;
    static const plb_position bad[] = {{1 << 9, 0}, {1, 1}, {3, 0}, {0, 1}};
    plb_game game;
    plb_search *search;
    plb_search_result result;
    assert_int_equal(plb_game_parse("mnk-3x3-k3", &game, NULL), PLB_OK);
    assert_int_equal(plb_search_open(&game, 0, &search), PLB_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(plb_search_solve(search, bad[i], 0, NULL, &result), PLB_EARGUMENT);
    plb_search_close(search);
    plb_search_close(NULL);
    plb_game_free(&game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_game_agrees_with_minimax),
        cmocka_unit_test(every_small_square_game_agrees_with_minimax),
        cmocka_unit_test(twelve_cells_of_free_placement_agree_with_minimax),
        cmocka_unit_test(all_161029_positions_of_4x4_agree_with_minimax),
        cmocka_unit_test(late_positions_of_large_boards_agree_with_minimax),
        cmocka_unit_test(empty_boards_have_their_known_values),
        cmocka_unit_test(a_spent_budget_is_not_a_proof),
        cmocka_unit_test(what_a_cut_search_has_learned_is_true),
        cmocka_unit_test(a_raised_flag_stops_the_search),
        cmocka_unit_test(the_same_calls_take_the_same_nodes),
        cmocka_unit_test(impossible_stones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
