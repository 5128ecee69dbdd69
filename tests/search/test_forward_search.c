/* SPDX-License-Identifier: MIT
 *
 * The forward search is compared with an oracle that shares no code with it: boards of characters,
 * lines and squares by coordinates, and plain minimax over all reachable positions.
 */
#include "probe/plybase.h"
#include "tools/search/forward_search.h"
#include "tools/search/search_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tables/games/game_spec.h"
#include "tables/games/notation.h"
#include "tests/support/support.h"

static int open_search(const plb_game *game, size_t bytes, forward_search **search) {
    search_rules rules;
    int error = search_rules_make(game, &rules, NULL);
    return error ? error : forward_search_open(&rules, bytes, search, NULL);
}

/* A search of a position, for its value or its distance too. */
static int ask(forward_search *search, plb_position position, bool distance, uint64_t node_budget,
               const volatile sig_atomic_t *stop, forward_search_result *result) {
    search_request request = {.position = position, .distance = distance, .stop = stop};
    request.node_budget = node_budget;
    return forward_search_solve(search, &request, result);
}

/* ---- the oracle ----
 *
 * board[column][row] is 'x', 'o' or 0. outcomes[code] has the value UNSEEN until the position is
 * solved; code is the board as a number in base 3. If outcomes is NULL, every position is searched
 * anew, and the visitor is not called. */

enum { UNSEEN = 0, LOST = 1, DRAWN = 2, WON = 3 };

/* For the player to move. dtm: plies to the end, unless it is a draw. */
typedef struct outcome {
    int8_t value, dtm;
} outcome;

typedef struct oracle {
    int width, height, k;
    bool square, gravity, misere, cylinder;
    char board[64][16];
    outcome *outcomes;
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

typedef void visit(void *context, const oracle *o, outcome found);

static outcome before(outcome after) {
    static const int8_t values[] = {[LOST] = WON, [DRAWN] = DRAWN, [WON] = LOST};
    return (outcome){values[after.value], after.dtm + (after.value != DRAWN)};
}

static bool is_better(outcome a, outcome b) {
    if (a.value != b.value) return a.value > b.value;
    return a.value == WON ? a.dtm < b.dtm : a.dtm > b.dtm;
}

static outcome minimax(oracle *o, int ply, visit *each, void *context) {
    char mover = ply % 2 ? 'o' : 'x', last = ply % 2 ? 'x' : 'o';
    uint32_t code = o->outcomes ? code_of(o) : 0;
    if (o->outcomes && o->outcomes[code].value != UNSEEN) return o->outcomes[code];
    outcome best = {UNSEEN, 0};
    if (has_won(o, last)) {
        best.value = o->misere ? WON : LOST;
    } else if (ply == o->width * o->height) {
        best.value = DRAWN;
    } else {
        for (int c = 0; c < o->width; c++)
            for (int r = 0; r < o->height; r++) {
                if (o->board[c][r] || (o->gravity && r > 0 && !o->board[c][r - 1])) continue;
                o->board[c][r] = mover;
                outcome by_move = before(minimax(o, ply + 1, each, context));
                o->board[c][r] = 0;
                if (is_better(by_move, best)) best = by_move;
            }
    }
    if (!o->outcomes) return best;
    o->outcomes[code] = best;
    each(context, o, best);
    return best;
}

/* ---- comparison ---- */

typedef struct comparison {
    const char *spec;
    plb_game game;
    forward_search *values, *distances;
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

static void open_comparison(const char *spec, comparison *c) {
    plb_message message;
    *c = (comparison){.spec = spec};
    if (plb_game_parse(spec, &c->game, &message)) fail_msg("%s", message.text);
    assert_int_equal(open_search(&c->game, 0, &c->values), PLB_OK);
    assert_int_equal(open_search(&c->game, 0, &c->distances), PLB_OK);
}

static void close_comparison(comparison *c) {
    forward_search_close(c->values);
    forward_search_close(c->distances);
}

static void expect_outcome(const comparison *c, plb_position position, outcome expected,
                           const forward_search_result *found, bool distance) {
    int dtm = distance && expected.value != DRAWN ? expected.dtm : PLB_NO_DTM;
    if (!found->proved || !found->value_proved || (int)found->value != expected.value - DRAWN ||
        found->dtm != dtm)
        fail_msg("%s: x %#llx, o %#llx: searched %d in %d, oracle %d in %d", c->spec,
                 (unsigned long long)position.x, (unsigned long long)position.o, found->value,
                 found->dtm, expected.value - DRAWN, dtm);
}

static void compare_with(const comparison *c, forward_search *values, forward_search *distances,
                         const oracle *o, outcome expected) {
    plb_position position = position_of(&c->game, o);
    forward_search_result found;
    assert_int_equal(ask(values, position, false, 0, NULL, &found), PLB_OK);
    expect_outcome(c, position, expected, &found, false);
    assert_int_equal(ask(distances, position, true, 0, NULL, &found), PLB_OK);
    expect_outcome(c, position, expected, &found, true);
}

/* Compare searches that keep their tables from position to position; for one position in 256 also a
 * new search, which finds the value and then the distance. */
static void compare(void *context, const oracle *o, outcome expected) {
    comparison *c = context;
    forward_search *fresh;
    compare_with(c, c->values, c->distances, o, expected);
    if (c->positions++ % 256) return;
    assert_int_equal(open_search(&c->game, 0, &fresh), PLB_OK);
    compare_with(c, fresh, fresh, o, expected);
    forward_search_close(fresh);
}

static oracle oracle_of(const plb_game *game) {
    oracle o = {.width = game->width,
                .height = game->height,
                .k = game->k,
                .square = game->family->group_stones == 4,
                .gravity = game->gravity,
                .misere = game->misere,
                .cylinder = game->cylinder};
    return o;
}

static void remember_outcomes(oracle *o) {
    uint32_t codes = 1;
    for (int cell = 0; cell < o->width * o->height; cell++) codes *= 3;
    o->outcomes = calloc(codes, sizeof *o->outcomes);
    assert_non_null(o->outcomes);
}

static uint64_t compare_game(const char *spec) {
    comparison c;
    open_comparison(spec, &c);
    oracle o = oracle_of(&c.game);
    remember_outcomes(&o);
    minimax(&o, 0, compare, &c);
    free(o.outcomes);
    close_comparison(&c);
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

/* Random moves until this many cells are empty; false if the game is over. */
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
    comparison c;
    uint64_t seed = 1;
    open_comparison(spec, &c);
    oracle o = oracle_of(&c.game);
    for (int tries = 0; tries < 100000 && c.positions < 30; tries++) {
        if (!play_randomly(&o, empty, &seed)) continue;
        compare_with(&c, c.values, c.distances, &o, minimax(&o, c.game.cells - empty, NULL, NULL));
        c.positions++;
    }
    assert_int_equal(c.positions, 30);
    close_comparison(&c);
}

static void late_positions_of_large_boards_agree_with_minimax(void **state) {
    (void)state;
    compare_late_positions("connect-7x6-k4", 10);
    compare_late_positions("connect-7x6-k4-misere", 10);
    compare_late_positions("connect-8x8-k5", 9); /* keys of 72 bits from here on */
    compare_late_positions("connect-8x8-k5-misere-cylinder", 9);
    compare_late_positions("connect-16x4-k5", 8);
    compare_late_positions("connect-64x1-k7-misere", 6); /* columns of one cell */
    compare_late_positions("mnk-7x6-k5", 6);
    compare_late_positions("mnk-8x8-k6-misere", 6);
    compare_late_positions("mnk-8x8-k7-cylinder", 6);
    compare_late_positions("square-5x5", 7);
    compare_late_positions("square-5x5-misere", 7);
}

/* ---- whole boards ---- */

static forward_search_result solve_empty(bool distance, const char *spec, uint64_t budget,
                                         const volatile sig_atomic_t *stop) {
    plb_game game;
    forward_search *search;
    forward_search_result result;
    assert_int_equal(plb_game_parse(spec, &game, NULL), PLB_OK);
    assert_int_equal(open_search(&game, 16 << 20, &search), PLB_OK);
    assert_int_equal(ask(search, (plb_position){0, 0}, distance, budget, stop, &result), PLB_OK);
    forward_search_close(search);
    return result;
}

static forward_search_result solve(const char *spec, uint64_t budget,
                                   const volatile sig_atomic_t *stop) {
    return solve_empty(false, spec, budget, stop);
}

static forward_search_result solve_distance(const char *spec, uint64_t budget,
                                            const volatile sig_atomic_t *stop) {
    return solve_empty(true, spec, budget, stop);
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
        forward_search_result result = solve(known[i].spec, 0, NULL);
        if (!result.proved || result.value != known[i].value)
            fail_msg("%s: %d, known %d", known[i].spec, result.value, known[i].value);
    }
}

/* Boards that pairs of cells decide, but not the weights of open groups: without pairs the first
 * took 1.0 million nodes, the last 3.6 million, and the others more than 20 million. */
static void drawn_empty_boards_take_few_nodes(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t nodes;
    } most[] = {{"mnk-6x6-k5", 500},
                {"mnk-7x6-k5", 2000},
                {"mnk-8x8-k6", 500},
                {"mnk-7x7-k5", 100000},
                {"mnk-5x4-k4-misere", 1000000}};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        forward_search_result result = solve(most[i].spec, most[i].nodes, NULL);
        if (!result.proved || result.value != PLB_DRAW)
            fail_msg("%s: no draw within %d nodes", most[i].spec, (int)most[i].nodes);
    }
}

/* ---- tables with distances ---- */

/* A few positions of a ply, drawn by random moves. */
static void compare_ply_with_table(const plb_table *table, const plb_game *game,
                                   forward_search *search, int empty, int count, uint64_t *seed) {
    oracle o = oracle_of(game);
    for (int n = 0; n < count; n++) {
        plb_answer answer;
        forward_search_result found;
        while (!play_randomly(&o, empty, seed)) continue;
        plb_position p = position_of(game, &o);
        assert_int_equal(plb_probe(table, plb_game_bits_of_cells(game, p.x),
                                   plb_game_bits_of_cells(game, p.o), &answer, NULL),
                         PLB_OK);
        assert_int_equal(ask(search, p, true, 200000, NULL, &found), PLB_OK);
        assert_true(found.proved);
        assert_int_equal(found.value, answer.value);
        assert_int_equal(found.dtm, answer.dtm);
    }
}

static void compare_with_table(void **state, const char *spec) {
    const char *path = support_path(state, spec);
    plb_game game = support_game(spec);
    uint64_t seed = support_seed(spec, 7);
    plb_table *table;
    forward_search *search;
    support_build_values(spec, PLB_DTM, path, NULL, 2);
    support_expect(plb_open(path, &table, NULL), PLB_OK, path, NULL);
    assert_int_equal(open_search(&game, 4 << 20, &search), PLB_OK);
    for (int empty = 0; empty <= game.cells; empty += empty < 16 ? 1 : 3)
        compare_ply_with_table(table, &game, search, empty, empty < 16 ? 100 : 8, &seed);
    forward_search_close(search);
    plb_close(table);
}

static void distances_are_those_of_tables(void **state) {
    compare_with_table(state, "connect-5x4-k4");
    compare_with_table(state, "connect-5x4-k4-misere");
    compare_with_table(state, "connect-5x5-k4");
    compare_with_table(state, "connect-5x4-k4-cylinder");
    compare_with_table(state, "mnk-4x4-k4");
    compare_with_table(state, "mnk-4x4-k4-misere");
    compare_with_table(state, "mnk-4x4-k4-cylinder");
    compare_with_table(state, "square-4x4");
    compare_with_table(state, "square-4x4-misere");
}

/* Does the search prove the value of a row of `plybase export`? It must not prove another one. */
static bool proves_row(const plb_game *game, forward_search *search, const char *row) {
    char board[PLB_BOARD_TEXT], value[8];
    plb_position position;
    forward_search_result found;
    assert_int_equal(sscanf(row, "%99[^,],%*d,%*c,%7[^,]", board, value), 2);
    assert_int_equal(plb_notation_parse_board(game, board, &position, NULL), PLB_OK);
    assert_int_equal(ask(search, position, false, 200000, NULL, &found), PLB_OK);
    if (found.proved && strcmp(plb_value_text(found.value), value) != 0)
        fail_msg("%s: the table has %s, the search %s", board, value, plb_value_text(found.value));
    return found.proved;
}

/* Compare with rows of a table that takes long to build: `plybase export FILE --sample 500 --seed
 * 1`.
 */
static void compare_sample(const char *spec) {
    char name[200], row[200];
    plb_game game = support_game(spec);
    int rows = 0, proved = 0;
    forward_search *search;
    snprintf(name, sizeof name, "%s/%s-sample.csv", TEST_DATA, spec);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(row, sizeof row, file));
    assert_int_equal(open_search(&game, 16 << 20, &search), PLB_OK);
    for (; fgets(row, sizeof row, file); rows++) proved += proves_row(&game, search, row);
    printf("%s: %d of %d proved\n", spec, proved, rows);
    assert_true(rows == 500 && proved > 400);
    forward_search_close(search);
    fclose(file);
}

static void values_of_big_tables_are_proved(void **state) {
    (void)state;
    compare_sample("connect-7x6-k4");
    compare_sample("connect-6x7-k4");
}

static void empty_boards_have_their_known_distances(void **state) {
    (void)state;
    forward_search_result result = solve_distance("mnk-8x8-k64", 0, NULL);
    assert_true(result.proved && result.value == PLB_DRAW && result.dtm == PLB_NO_DTM);
    /* A stone in the middle, a second one with two open ends, a third. */
    result = solve_distance("mnk-7x7-k3", 0, NULL);
    assert_true(result.proved && result.value == PLB_WIN && result.dtm == 5);
}

/* ---- budgets and interruption ---- */

static void a_spent_budget_is_not_a_proof(void **state) {
    (void)state;
    forward_search_result whole = solve("connect-4x4-k4", 0, NULL);
    assert_true(whole.proved);
    forward_search_result cut = solve("connect-4x4-k4", whole.nodes - 1, NULL);
    assert_false(cut.proved);
    assert_int_equal(cut.nodes, whole.nodes - 1);
    assert_true(solve("connect-4x4-k4", whole.nodes, NULL).proved);
}

static void a_value_may_be_proved_without_its_distance(void **state) {
    (void)state;
    const char *spec = "connect-5x4-k4-misere";
    forward_search_result value = solve(spec, 0, NULL), whole = solve_distance(spec, 0, NULL);
    assert_int_equal(value.dtm, PLB_NO_DTM);
    assert_true(whole.proved && whole.value_proved && whole.dtm > 0);
    assert_true(value.nodes < whole.nodes);
    forward_search_result half = solve_distance(spec, whole.nodes - 1, NULL);
    assert_false(half.proved);
    assert_true(half.value_proved);
    assert_int_equal(half.nodes, whole.nodes - 1);
    assert_int_equal(half.value, value.value);
    assert_int_equal(half.dtm, PLB_NO_DTM);
    forward_search_result none = solve_distance(spec, 1, NULL);
    assert_false(none.proved || none.value_proved);
    assert_int_equal(none.nodes, 1);
    assert_true(solve_distance(spec, whole.nodes, NULL).proved);
}

static void solve_by_pieces(const char *spec, bool distance, int budget) {
    plb_game game = support_game(spec);
    forward_search *search;
    forward_search_result result = {.proved = false};
    assert_int_equal(open_search(&game, 0, &search), PLB_OK);
    int calls = 0;
    for (; !result.proved && calls < 10000; calls++)
        ask(search, (plb_position){0, 0}, distance, budget, NULL, &result);
    forward_search_result whole = solve_empty(distance, spec, 0, NULL);
    assert_true(calls > 2);
    assert_true(result.proved);
    assert_int_equal(result.value, whole.value);
    assert_int_equal(result.dtm, whole.dtm);
    forward_search_close(search);
}

static void what_a_cut_search_has_learned_is_true(void **state) {
    (void)state;
    solve_by_pieces("connect-5x4-k4", false, 1000);
    solve_by_pieces("connect-5x4-k4", true, 1000);
    solve_by_pieces("connect-5x4-k4-misere", true, 200);
}

static void a_raised_flag_stops_the_search(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 1;
    forward_search_result result = solve("connect-7x6-k4", 0, &stop);
    assert_false(result.proved || result.value_proved);
    assert_int_equal(result.nodes, 0);
    result = solve_distance("connect-7x6-k4", 0, &stop);
    assert_false(result.proved || result.value_proved);
    assert_int_equal(result.nodes, 0);
}

static void the_same_calls_take_the_same_nodes(void **state) {
    (void)state;
    assert_int_equal(solve("connect-5x4-k4", 0, NULL).nodes,
                     solve("connect-5x4-k4", 0, NULL).nodes);
    assert_int_equal(solve_distance("connect-5x4-k4-misere", 0, NULL).nodes,
                     solve_distance("connect-5x4-k4-misere", 0, NULL).nodes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_game_agrees_with_minimax),
        cmocka_unit_test(every_small_square_game_agrees_with_minimax),
        cmocka_unit_test(twelve_cells_of_free_placement_agree_with_minimax),
        cmocka_unit_test(all_161029_positions_of_4x4_agree_with_minimax),
        cmocka_unit_test(late_positions_of_large_boards_agree_with_minimax),
        cmocka_unit_test(empty_boards_have_their_known_values),
        cmocka_unit_test(drawn_empty_boards_take_few_nodes),
        SUPPORT_IN_FOLDER(distances_are_those_of_tables),
        cmocka_unit_test(values_of_big_tables_are_proved),
        cmocka_unit_test(empty_boards_have_their_known_distances),
        cmocka_unit_test(a_spent_budget_is_not_a_proof),
        cmocka_unit_test(a_value_may_be_proved_without_its_distance),
        cmocka_unit_test(what_a_cut_search_has_learned_is_true),
        cmocka_unit_test(a_raised_flag_stops_the_search),
        cmocka_unit_test(the_same_calls_take_the_same_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
