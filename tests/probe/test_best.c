/* SPDX-License-Identifier: MIT
 *
 * Distances, best moves and lines agree with the oracle, both from a search on tables of values and
 * from tables of distances. The bounds of a search that stops early are true.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/distance.h"
#include "tests/support/open_table.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

#define C ORACLE_CONNECT
#define M ORACLE_MNK
#define S ORACLE_SQUARE

static const oracle_game games[] = {
    {C, 1, 1, 1, false, false},  {C, 1, 1, 1, true, false},   {C, 2, 2, 1, true, false},
    {C, 3, 3, 2, false, false},  {C, 3, 3, 4, false, false},  {C, 4, 4, 3, false, false},
    {C, 4, 4, 4, true, false},   {C, 4, 3, 3, false, true},   {C, 5, 3, 3, true, false},
    {C, 4, 4, 4, true, true},    {C, 2, 10, 4, false, false}, {C, 7, 2, 2, true, false},
    {C, 3, 5, 3, true, true},    {M, 3, 3, 3, false, false},  {M, 3, 3, 3, true, false},
    {M, 3, 3, 2, true, true},    {M, 4, 3, 3, true, false},   {M, 4, 3, 3, false, true},
    {M, 13, 1, 3, false, false}, {M, 4, 4, 2, true, true},    {M, 5, 3, 2, true, false},
    {S, 2, 2, 4, false, false},  {S, 3, 3, 4, false, false},  {S, 3, 3, 4, true, false},
    {S, 4, 3, 4, false, false},  {S, 6, 2, 4, true, false},
};
enum { GAMES = sizeof games / sizeof games[0] };

/* For tests that search each position alone. */
static const oracle_game small_games[] = {
    {C, 4, 3, 3, false, false}, {C, 4, 3, 3, true, true},  {C, 5, 3, 4, true, false},
    {M, 3, 3, 3, false, false}, {M, 3, 3, 3, true, false}, {S, 3, 3, 4, false, false},
    {S, 3, 3, 4, true, false},
};
enum { SMALL_GAMES = sizeof small_games / sizeof small_games[0] };

/* A game, solved by the oracle, and its table. */
typedef struct solved_table {
    oracle solved;
    plb_game game;
    plb_table *table;
    char spec[ORACLE_TEXT];
} solved_table;

static void open_solved(void **state, const oracle_game *game, plb_value_kind values,
                        solved_table *t) {
    const char *path = support_path(state, "table.plb");
    oracle_spec_text(game, t->spec);
    t->game = support_game(t->spec);
    support_build_values(t->spec, values, path, NULL, 1);
    t->table = support_open_table(path);
    assert_int_equal(unlink(path), 0);
    assert_true(oracle_solve(game, &t->solved));
}

static void close_solved(solved_table *t) {
    oracle_free(&t->solved);
    plb_close(t->table);
}

/* ---- distances ---- */

static void assert_distance(plb_distance_search *search, const solved_table *t,
                            const oracle_position *p) {
    plb_known_bounds span = {-1, -1};
    plb_message why;
    support_expect(plb_distance_find(search, positions_of_board(&t->game, p->board),
                                     (plb_value)p->value, &span, &why),
                   PLB_OK, p->board, &why);
    if (span.lower != p->dtm || span.upper != p->dtm)
        fail_msg("%s: %s is over in %d to %d plies, expected %d", t->spec, p->board, span.lower,
                 span.upper, p->dtm);
}

/* Late positions first, so that their cached bounds help with the early ones. */
static void assert_all_distances(const solved_table *t, const plb_limits *limits) {
    plb_distance_search *search = NULL;
    assert_int_equal(plb_distance_open(t->table, limits, &search, NULL), PLB_OK);
    for (size_t p = t->solved.count; p-- > 0;)
        if (t->solved.positions[p].value) assert_distance(search, t, &t->solved.positions[p]);
    plb_distance_close(search);
}

static void distances_agree_with_the_oracle(void **state) {
    for (int g = 0; g < GAMES; g++) {
        solved_table t;
        if (!support_has_turn(g, 2)) continue;
        open_solved(state, &games[g], PLB_WDL, &t);
        printf("%s: %zu positions\n", t.spec, t.solved.count);
        assert_all_distances(&t, NULL);
        close_solved(&t);
    }
}

/* Early positions first, with a cache of a few lines. */
static void distances_need_no_cache(void **state) {
    const plb_limits limits = {.memory_bytes = 1};
    for (int g = 0; g < SMALL_GAMES; g++) {
        solved_table t;
        open_solved(state, &small_games[g], PLB_WDL, &t);
        plb_distance_search *search = NULL;
        assert_int_equal(plb_distance_open(t.table, &limits, &search, NULL), PLB_OK);
        for (size_t p = 0; p < t.solved.count; p++)
            if (t.solved.positions[p].value) assert_distance(search, &t, &t.solved.positions[p]);
        plb_distance_close(search);
        close_solved(&t);
    }
}

/* ---- best moves ---- */

/* List the moves of the oracle that keep value and distance. Returns their number. */
static int find_best_moves(const oracle *solved, const oracle_position *p,
                           oracle_move best[ORACLE_CELLS]) {
    oracle_move moves[ORACLE_CELLS];
    int kept = 0, count = oracle_moves(solved, p, moves);
    for (int m = 0; m < count; m++) {
        const oracle_position *child = moves[m].child;
        if (child->value == -p->value && (p->value == 0 || child->dtm == p->dtm - 1))
            best[kept++] = moves[m];
    }
    return kept;
}

static void assert_best(const solved_table *t, const oracle_position *p, const plb_limits *limits) {
    oracle_move expected[ORACLE_CELLS];
    plb_best best;
    plb_message why;
    uint64_t x, o;
    int count = find_best_moves(&t->solved, p, expected), dtm = p->value ? p->dtm : 0;
    positions_bits(&t->solved.game, p->board, &x, &o);
    support_expect(plb_find_best(t->table, x, o, limits, &best, &why), PLB_OK, p->board, &why);
    if (!best.exact || (int)best.value != p->value || best.bounds.least != dtm ||
        best.bounds.most != dtm || best.count != count)
        fail_msg(
            "%s: %s: exact %d, value %d in %d to %d plies, %d best moves; expected %d in %d, "
            "%d moves",
            t->spec, p->board, best.exact, best.value, best.bounds.least, best.bounds.most,
            best.count, p->value, dtm, count);
    for (int m = 0; m < count; m++) {
        assert_int_equal(best.moves[m].column, expected[m].column);
        assert_int_equal(best.moves[m].row, expected[m].row);
        assert_int_equal(best.moves[m].value, p->value);
        assert_int_equal(best.moves[m].dtm, expected[m].child->dtm);
    }
}

static void best_moves_agree_with_the_oracle(void **state) {
    const plb_limits little = {.memory_bytes = 1 << 16};
    for (int g = 0; g < SMALL_GAMES; g++)
        for (plb_value_kind values = PLB_WDL; values <= PLB_DTM; values++) {
            solved_table t;
            open_solved(state, &small_games[g], values, &t);
            for (size_t p = 0; p < t.solved.count; p++)
                assert_best(&t, &t.solved.positions[p], p ? &little : NULL);
            close_solved(&t);
        }
}

/* ---- lines ---- */

/* The oracle's position after a move, or NULL if it is not legal. */
static const oracle_position *follow(const oracle *solved, const oracle_position *p,
                                     const plb_move *move) {
    oracle_move moves[ORACLE_CELLS];
    int count = oracle_moves(solved, p, moves);
    for (int m = 0; m < count; m++)
        if (moves[m].column == move->column && moves[m].row == move->row) return moves[m].child;
    return NULL;
}

/* Every move keeps the value and reduces the distance by one, down to 0; a draw fills the board. */
static void assert_line(const solved_table *t, const oracle_position *p) {
    const plb_limits little = {.memory_bytes = 1 << 16};
    plb_line line = {.count = -1};
    plb_message why;
    uint64_t x, o;
    int plies = p->value ? p->dtm : t->solved.cells - p->ply;
    positions_bits(&t->solved.game, p->board, &x, &o);
    support_expect(plb_find_line(t->table, x, o, &little, &line, &why), PLB_OK, p->board, &why);
    assert_int_equal(line.count, plies);
    for (int m = 0; m < line.count; m++) {
        const oracle_position *next = follow(&t->solved, p, &line.moves[m]);
        assert_non_null(next);
        assert_int_equal(next->value, -p->value);
        assert_int_equal(next->dtm, p->value ? p->dtm - 1 : ORACLE_NO_DTM);
        assert_int_equal(line.moves[m].value, p->value);
        assert_int_equal(line.moves[m].dtm, next->dtm);
        p = next;
    }
    assert_true(p->over);
}

static void lines_are_optimal_to_the_end(void **state) {
    for (int g = 0; g < SMALL_GAMES; g++)
        for (plb_value_kind values = PLB_WDL; values <= PLB_DTM; values++) {
            solved_table t;
            open_solved(state, &small_games[g], values, &t);
            for (size_t p = 0; p < t.solved.count; p += p < 100 ? 1 : 7)
                assert_line(&t, &t.solved.positions[p]);
            close_solved(&t);
        }
}

/* ---- limits ---- */

static const oracle_game limited_game = {C, 4, 4, 4, true, false};

/* Check the bounds and moves that a limited search has proven. Returns whether it was exact. */
static bool assert_proven(const solved_table *t, const oracle_position *p,
                          const plb_limits *limits) {
    plb_best best;
    uint64_t x, o;
    positions_bits(&t->solved.game, p->board, &x, &o);
    assert_int_equal(plb_find_best(t->table, x, o, limits, &best, NULL), PLB_OK);
    assert_int_equal(best.value, p->value);
    if (p->value) assert_in_range(p->dtm, best.bounds.least, best.bounds.most);
    if (limits->nodes) assert_true(best.bounds.nodes <= limits->nodes);
    assert_true(p->over ? best.count == 0 : best.count > 0);
    for (int m = 0; m < best.count; m++) {
        const oracle_position *child = follow(&t->solved, p, &best.moves[m]);
        assert_int_equal(child->value, -p->value);
        if (best.moves[m].dtm != PLB_NO_DTM) assert_int_equal(best.moves[m].dtm, child->dtm);
    }
    return best.exact;
}

/* A line is complete or unknown. */
static void assert_line_is_whole(const solved_table *t, const oracle_position *p,
                                 const plb_limits *limits) {
    plb_line line = {.count = 77};
    uint64_t x, o;
    int whole = p->value ? p->dtm : t->solved.cells - p->ply;
    positions_bits(&t->solved.game, p->board, &x, &o);
    int error = plb_find_line(t->table, x, o, limits, &line, NULL);
    assert_true(error == PLB_OK || error == PLB_EUNKNOWN);
    assert_int_equal(line.count, error ? 77 : whole);
}

static void bounds_of_a_stopped_search_are_true(void **state) {
    solved_table t;
    open_solved(state, &limited_game, PLB_WDL, &t);
    for (uint64_t nodes = 1; nodes < 1000; nodes *= 3) {
        const plb_limits limits = {.nodes = nodes, .memory_bytes = 1 << 16};
        int all = 0, exact = 0;
        for (size_t p = 0; p < t.solved.count; p += 97, all++) {
            exact += assert_proven(&t, &t.solved.positions[p], &limits);
            assert_line_is_whole(&t, &t.solved.positions[p], &limits);
        }
        printf("%llu nodes: %d of %d exact\n", (unsigned long long)nodes, exact, all);
        assert_true(exact > 0 && exact < all);
    }
    close_solved(&t);
}

/* A nanosecond has passed when the search first reads the clock. */
static void a_search_ends_at_its_time_limit(void **state) {
    solved_table t;
    open_solved(state, &limited_game, PLB_WDL, &t);
    const plb_limits limits = {.seconds = 1e-9};
    assert_false(assert_proven(&t, &t.solved.positions[0], &limits));
    plb_line line;
    assert_int_equal(plb_find_line(t.table, 0, 0, &limits, &line, NULL), PLB_EUNKNOWN);
    close_solved(&t);
}

/* The last reported bounds. The search is stopped at call max_calls. */
typedef struct listener {
    int lower, upper, calls, max_calls;
} listener;

static bool listen(void *context, const plb_bounds *bounds) {
    listener *l = context;
    assert_true(bounds->least >= l->lower && bounds->most <= l->upper);
    assert_true(bounds->least <= bounds->most);
    l->lower = bounds->least;
    l->upper = bounds->most;
    return ++l->calls < l->max_calls;
}

static void reports_narrow_and_may_stop_the_search(void **state) {
    solved_table t;
    open_solved(state, &limited_game, PLB_WDL, &t);
    const oracle_position *p = &t.solved.positions[0];
    assert_int_not_equal(p->value, 0);
    for (int max_calls = 1; max_calls < 4; max_calls++) {
        listener l = {0, t.solved.cells, 0, max_calls};
        const plb_limits limits = {.report = listen, .context = &l};
        assert_false(assert_proven(&t, p, &limits));
        assert_true(l.calls >= max_calls);
    }
    listener l = {0, t.solved.cells, 0, 1 << 30};
    plb_best best;
    const plb_limits limits = {.report = listen, .context = &l};
    assert_int_equal(plb_find_best(t.table, 0, 0, &limits, &best, NULL), PLB_OK);
    assert_true(best.exact && l.calls > 1);
    assert_int_equal(l.lower, p->dtm);
    assert_int_equal(l.upper, p->dtm);
    close_solved(&t);
}

/* ---- refusals ---- */

static void bad_positions_are_refused(void **state) {
    solved_table t;
    open_solved(state, &small_games[0], PLB_WDL, &t);
    static const struct {
        uint64_t x, o;
        int error;
    } rows[] = {{1ULL << 63, 0, PLB_EBOARD}, {1, 1, PLB_ECOUNTS}, {2, 0, PLB_EFLOATING}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        plb_best best = {.count = 77};
        plb_line line = {.count = 77};
        plb_message why = {.text = ""};
        support_expect(plb_find_best(t.table, rows[r].x, rows[r].o, NULL, &best, &why),
                       rows[r].error, "plb_find_best", &why);
        assert_true(strlen(why.text) > 0);
        assert_int_equal(plb_find_line(t.table, rows[r].x, rows[r].o, NULL, &line, NULL),
                         rows[r].error);
        assert_true(best.count == 77 && line.count == 77);
    }
    close_solved(&t);
}

/* ---- a bigger board ---- */

/* Play random moves. Returns the position and its mirror image. */
static void play_randomly(const plb_table *table, uint64_t *random, uint64_t *x, uint64_t *o,
                          uint64_t *mirrored_x, uint64_t *mirrored_o) {
    char moves[32] = "", mirrored[32] = "";
    const plb_table_info *info = plb_info(table);
    int plies = 1 + (int)support_random_below(random, 12);
    *x = *o = *mirrored_x = *mirrored_o = 0;
    for (int ply = 0; ply < plies; ply++) {
        int column = (int)support_random_below(random, info->width);
        moves[ply] = (char)('1' + column);
        mirrored[ply] = (char)('0' + info->width - column);
        if (plb_parse_moves(table, moves, x, o, NULL) != PLB_OK) return;
        assert_int_equal(plb_parse_moves(table, mirrored, mirrored_x, mirrored_o, NULL), PLB_OK);
    }
}

static void mirrored_positions_have_equal_distances(void **state) {
    const char *path = support_path(state, "table.plb");
    uint64_t random = support_seed("mirrored", 20261121);
    plb_table *table = NULL;
    support_build("connect-5x4-k4", path, NULL, 2);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    for (int n = 0, won = 0; won < 200; n++) {
        uint64_t x, o, mirrored_x, mirrored_o;
        plb_best best, mirrored;
        play_randomly(table, &random, &x, &o, &mirrored_x, &mirrored_o);
        assert_int_equal(plb_find_best(table, x, o, NULL, &best, NULL), PLB_OK);
        assert_int_equal(plb_find_best(table, mirrored_x, mirrored_o, NULL, &mirrored, NULL),
                         PLB_OK);
        assert_true(best.exact && mirrored.exact);
        assert_int_equal(best.bounds.least, mirrored.bounds.least);
        assert_int_equal(best.count, mirrored.count);
        won += best.value != PLB_DRAW;
    }
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(distances_agree_with_the_oracle),
        SUPPORT_IN_FOLDER(distances_need_no_cache),
        SUPPORT_IN_FOLDER(best_moves_agree_with_the_oracle),
        SUPPORT_IN_FOLDER(lines_are_optimal_to_the_end),
        SUPPORT_IN_FOLDER(bounds_of_a_stopped_search_are_true),
        SUPPORT_IN_FOLDER(a_search_ends_at_its_time_limit),
        SUPPORT_IN_FOLDER(reports_narrow_and_may_stop_the_search),
        SUPPORT_IN_FOLDER(bad_positions_are_refused),
        SUPPORT_IN_FOLDER(mirrored_positions_have_equal_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
