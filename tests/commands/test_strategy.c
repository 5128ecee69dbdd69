/* SPDX-License-Identifier: MIT
 *
 * Strategies: numbers of positions, the rules that replace stored moves, the file, extraction from
 * tables and by search, and the checker, which finds wrong and missing moves. The oracle
 * here plays every line without symmetry, with the public library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/index/orbit.h"
#include "tests/support/strategies.h"

/* Play every reply, without symmetry. Returns the plies of the longest game. */
static int play_all(const plb_table *table, uint64_t x, uint64_t o) {
    const plb_table_info *info = plb_info(table);
    char own = strcmp(info->player, "first") == 0 ? 'x' : 'o';
    plb_state state;
    plb_move moves[PLB_MAX_MOVES];
    int count = 0, longest = 0;
    assert_int_equal(plb_find_state(table, x, o, &state, NULL), PLB_OK);
    if (state.over) {
        assert_true(state.winner == own || (!state.winner && strcmp(info->claim, "draw") == 0));
        return state.ply;
    }
    if (state.to_move == own) {
        assert_int_equal(plb_strategy_move(table, x, o, &moves[count++], NULL), PLB_OK);
    } else {
        for (int column = 0; column < info->width; column++)
            for (int row = 0; row < info->height; row++)
                for (int number = 0; number <= info->cells; number++) {
                    plb_move move = {.column = column, .row = row, .number = number};
                    uint64_t next_x = x, next_o = o;
                    bool numbers = strncmp(info->spec, "numeric", 7) == 0;
                    if (numbers == (number == 0)) continue;
                    if (plb_play(table, &move, &next_x, &next_o, NULL)) continue;
                    int plies = play_all(table, next_x, next_o);
                    if (plies > longest) longest = plies;
                }
        return longest;
    }
    assert_int_equal(plb_play(table, &moves[0], &x, &o, NULL), PLB_OK);
    return play_all(table, x, o);
}

/* ---- parts ---- */

static void codes_of_a_ply_are_distinct(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-4x3-k3", "mnk-3x3-k3", "numeric-2x2"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        plb_game game = support_game(specs[s]);
        plb_position layer[4096] = {{0, 0}}, next[4096];
        int count = 1;
        for (int ply = 0; ply < 5 && ply < game.cells; ply++) {
            int found = 0;
            for (int i = 0; i < count; i++) {
                int moves[PLB_MAX_MOVES], n = plb_rules_moves(&game, layer[i], moves);
                for (int m = 0; m < n; m++) {
                    plb_position p = plb_rules_play(&game, layer[i], moves[m]);
                    bool is_new = true;
                    for (int k = 0; k < found && is_new; k++) {
                        bool same = plb_position_is_same(next[k], p);
                        assert_true(same == (plb_position_number(&game, next[k]) ==
                                             plb_position_number(&game, p)));
                        is_new = !same;
                    }
                    plb_position back;
                    assert_true(plb_position_of_number(&game, ply + 1,
                                                       plb_position_number(&game, p), &back));
                    assert_true(plb_position_is_same(back, p));
                    if (is_new) next[found++] = p;
                    assert_true(found < 4096);
                }
            }
            memcpy(layer, next, found * sizeof *next);
            count = found;
        }
    }
}

/* Among all numbers up to a bound, exactly the numbers of positions have a position. */
static void only_numbers_of_positions_decode(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        int ply, positions; /* positions with the right number of stones of each player */
    } rows[] = {{"connect-2x2-k2", 3, 2 * 3},
                {"mnk-3x3-k3", 2, 72},
                {"mnk-3x3-k3", 9, 126},
                {"numeric-2x2", 2, 4 * 3 * 4},
                {"numeric-2x2-each", 4, 24 * 4 / 4},
                {"connect-3x2-k3", 0, 1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        plb_game game = support_game(rows[r].spec);
        int found = 0;
        for (plb_code number = 0; number < 1 << 20; number++) {
            plb_position p;
            if (!plb_position_of_number(&game, rows[r].ply, number, &p)) continue;
            assert_true(plb_position_number(&game, p) == number);
            found++;
        }
        print_message("%s ply %d: %d\n", rows[r].spec, rows[r].ply, found);
        assert_int_equal(found, rows[r].positions);
        for (int bit = 40; bit < 128; bit++) {
            plb_position p;
            assert_false(plb_position_of_number(&game, rows[r].ply, (plb_code)1 << bit, &p));
        }
    }
}

/* Play the moves of the rule against all replies, until the claim is reached. */
static bool rule_reaches(const plb_game *game, const plb_strategy_claim *u, plb_position p,
                         int left) {
    int move, replies[PLB_MAX_MOVES];
    if (left < 1 || plb_strategy_find_rule(game, u, p, &move) != PLB_RULE_CLAIM) return false;
    plb_position after = plb_rules_play(game, p, move);
    if (plb_rules_is_over(game, after)) return -plb_rules_final_value(game, after) >= u->value;
    int count = plb_rules_moves(game, after, replies);
    for (int r = 0; r < count; r++) {
        plb_position next = plb_rules_play(game, after, replies[r]);
        if (plb_rules_is_over(game, next) ? plb_rules_final_value(game, next) < u->value
                                          : !rule_reaches(game, u, next, left - 2))
            return false;
    }
    return true;
}

/* The rule claims a win exactly if the table has a win within so many plies. */
static void look_ahead_finds_wins_within_its_depth(void **state) {
    static const char *const specs[] = {"connect-4x4-k3", "mnk-4x3-k3", "mnk-3x3-k3-misere"};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        const char *path = support_path(state, "distances.plb");
        remove(path);
        support_build_values(specs[s], PLB_DTM, path, NULL, 1);
        plb_game game = support_game(specs[s]);
        plb_table *table = support_open_table(path);
        int seen = 0;
        for (int ply = 0; ply < game.cells; ply++) {
            plb_listing listing = {.ply = ply};
            while (!listing.done) {
                uint64_t x[64], o[64];
                size_t count;
                assert_int_equal(plb_list_positions(table, &listing, 64, x, o, &count), PLB_OK);
                for (size_t i = 0; i < count; i++) {
                    plb_position p;
                    plb_answer answer;
                    int move;
                    assert_int_equal(game.rules->from_words(&game, x[i], o[i], &p, NULL), PLB_OK);
                    assert_int_equal(plb_probe(table, x[i], o[i], &answer, NULL), PLB_OK);
                    if (answer.over) continue;
                    plb_strategy_claim u = {ply % 2, PLB_WIN, 2 * (ply % 3) + 1};
                    bool near = answer.value == PLB_WIN && answer.dtm <= u.look_ahead;
                    bool found = plb_strategy_find_rule(&game, &u, p, &move) == PLB_RULE_CLAIM;
                    assert_int_equal(found, near);
                    if (near) assert_true(rule_reaches(&game, &u, p, u.look_ahead));
                    seen += near;
                }
            }
        }
        assert_true(seen > 50);
        plb_close(table);
    }
}

/* ---- strategies ---- */

typedef struct row {
    const char *spec;
    int player;
    plb_value claim;
    bool searched;
} row;

static const row rows[] = {
    {"connect-4x4-k3", 0, PLB_WIN, false},
    {"connect-4x4-k3-misere", 1, PLB_WIN, false},
    {"connect-4x3-k3-cylinder", 0, PLB_WIN, false},
    {"mnk-3x3-k3", 0, PLB_DRAW, false},
    {"mnk-3x3-k3", 1, PLB_DRAW, false},
    {"mnk-3x3-k3-misere", 1, PLB_DRAW, false},
    {"square-3x3", 1, PLB_DRAW, false},
    {"connect-5x3-k4", 1, PLB_DRAW, false},
    {"connect-4x4-k4", 0, PLB_DRAW, false},
    {"connect-4x4-k4", 1, PLB_DRAW, false},
    {"numeric-3x3", 0, PLB_WIN, true},
    {"numeric-2x2-each", 1, PLB_WIN, true},
};

/* Every choice of moves, with every look-ahead, gives a strategy that holds; the checker finds the
 * same as plain play. */
static void strategies_hold(void **state) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *table = rows[r].searched ? NULL : support_path(state, "table.plb");
        if (table) {
            remove(table);
            support_build(rows[r].spec, table, NULL, 1);
        }
        for (int way = CHOOSE_FIRST; way <= CHOOSE_FEWEST; way++) {
            made_strategy m;
            strategy_report one, two;
            const char *path = support_path(state, "strategy.plb");
            extract_strategy(rows[r].spec, table,
                             (plb_strategy_claim){rows[r].player, rows[r].claim, 2 * way + 1}, way,
                             &m);
            write_strategy(&m, path);
            print_message("%s %d: %llu\n", rows[r].spec, way,
                          (unsigned long long)m.strategy.positions);
            assert_int_equal(check_strategy(path, 1, &one), PLB_OK);
            assert_int_equal(check_strategy(path, 2, &two), PLB_OK);
            assert_true(one.holds && one.positions == two.positions);
            assert_true(one.replies == two.replies && one.longest == two.longest);
            plb_table *strategy = support_open_table(path);
            assert_int_equal(play_all(strategy, 0, 0), one.longest);
            plb_close(strategy);
            discard_strategy(&m);
        }
    }
}

/* A strategy that is read from a file is the one that was written. */
static void a_strategy_survives_a_round_trip_by_file(void **state) {
    const char *table = support_path(state, "table.plb");
    const char *path = support_path(state, "strategy.plb");
    plb_strategy_meta meta;
    plb_space space;
    plb_strategy read;
    plb_store *store;
    plb_message why;
    made_strategy m;
    support_build("connect-5x4-k4", table, NULL, 1);
    extract_strategy("connect-5x4-k4", table, (plb_strategy_claim){1, PLB_DRAW, 1}, CHOOSE_FIRST,
                     &m);
    write_strategy(&m, path);
    support_expect(plb_store_open(path, &store, &why), PLB_OK, path, &why);
    assert_true(plb_meta_is_strategy(store));
    support_expect(plb_strategy_read_meta(store, &meta, &space, &why), PLB_OK, path, &why);
    assert_string_equal(meta.spec, "connect-5x4-k4");
    assert_int_equal(meta.claim.value, PLB_DRAW);
    support_expect(plb_strategy_read(store, &meta, &space.game, &space.symmetry, &read, &why),
                   PLB_OK, path, &why);
    assert_true(read.positions == m.strategy.positions && read.positions > 1000);
    for (int ply = 0; ply <= 20; ply++) {
        const plb_strategy_ply *a = &read.ply[ply], *b = &m.strategy.ply[ply];
        assert_true(a->count == b->count);
        assert_memory_equal(a->codes, b->codes, a->count * sizeof *a->codes);
        assert_memory_equal(a->moves, b->moves, a->count);
        for (uint64_t i = 0; i < a->count; i++)
            assert_int_equal(plb_strategy_find(&read, ply, a->codes[i]), i);
        assert_int_equal(plb_strategy_find(&read, ply, ~(plb_code)0), -1);
    }
    plb_strategy_free(&read);
    plb_space_close(&space);
    plb_store_close(store);
    discard_strategy(&m);
}

/* ---- wrong strategies ---- */

/* Check that the line leads to a position in which the strategy fails: it can be played, and then
 * the player has no move, or the game is over and the claim missed. */
static void expect_fault(const char *path, const strategy_report *report) {
    plb_table *table = support_open_table(path);
    uint64_t x = 0, o = 0;
    plb_state state;
    plb_move move;
    plb_message why;
    support_expect(plb_play_text(table, report->line, &x, &o, &why), PLB_OK, report->line, &why);
    assert_int_equal(plb_find_state(table, x, o, &state, NULL), PLB_OK);
    if (state.over)
        assert_true(state.winner != (strcmp(report->player, "first") == 0 ? 'x' : 'o'));
    else
        assert_int_equal(plb_strategy_move(table, x, o, &move, NULL), PLB_EUNKNOWN);
    plb_close(table);
}

/* The number of a move that gives the claim away. */
static bool spoil(const made_strategy *m, plb_position p, uint8_t *move) {
    int moves[PLB_MAX_MOVES], count = plb_rules_moves(&m->space.game, p, moves);
    for (int n = 0; n < count; n++) {
        uint64_t x, o;
        plb_answer answer;
        plb_rules_to_words(&m->space.game, plb_rules_play(&m->space.game, p, moves[n]), &x, &o);
        assert_int_equal(plb_probe(m->table, x, o, &answer, NULL), PLB_OK);
        if (-answer.value >= m->meta.claim.value) continue;
        *move = (uint8_t)n;
        return true;
    }
    return false;
}

/* Find the boards of the stored positions of a ply, from the numbers of all positions that can
 * arise. */
static bool find_board(const made_strategy *m, int ply, plb_code code, plb_position *p) {
    plb_listing listing = {.ply = ply};
    while (!listing.done) {
        uint64_t x[64], o[64];
        size_t count;
        assert_int_equal(plb_list_positions(m->table, &listing, 64, x, o, &count), PLB_OK);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(m->space.game.rules->from_words(&m->space.game, x[i], o[i], p, NULL),
                             PLB_OK);
            *p = plb_orbit_least(&m->space.game, &m->space.symmetry, *p);
            if (plb_position_number(&m->space.game, *p) == code) return true;
        }
    }
    return false;
}

static void wrong_and_missing_moves_are_found(void **state) {
    static const struct {
        const char *spec;
        plb_strategy_claim u;
    } games[] = {{"connect-4x4-k4", {1, PLB_DRAW, 1}}, {"connect-4x4-k3-misere", {1, PLB_WIN, 1}}};
    for (size_t g = 0; g < 2; g++) {
        const char *table = support_path(state, "table.plb");
        const char *path = support_path(state, "strategy.plb");
        strategy_report report;
        int wrong = 0, missing = 0;
        made_strategy m;
        remove(table);
        support_build(games[g].spec, table, NULL, 1);
        extract_strategy(games[g].spec, table, games[g].u, CHOOSE_FORCING, &m);
        for (int ply = 0; ply < m.space.game.cells; ply++)
            for (uint64_t i = 0; i < m.strategy.ply[ply].count; i += 7) {
                plb_strategy_ply *of = &m.strategy.ply[ply];
                plb_position p;
                uint8_t move = of->moves[i];
                assert_true(find_board(&m, ply, of->codes[i], &p));
                if (spoil(&m, p, &of->moves[i])) {
                    write_strategy(&m, path);
                    assert_int_equal(check_strategy(path, 2, &report), PLB_ECORRUPT);
                    assert_false(report.holds);
                    expect_fault(path, &report);
                    wrong++;
                }
                of->moves[i] = move;
                plb_code last = of->codes[of->count - 1];
                uint8_t last_move = of->moves[of->count - 1];
                of->count--; /* the last one is missing */
                write_strategy(&m, path);
                assert_int_equal(check_strategy(path, 2, &report), PLB_ECORRUPT);
                assert_non_null(strstr(report.fault.text, "no move"));
                expect_fault(path, &report);
                missing++;
                of->codes[of->count] = last;
                of->moves[of->count++] = last_move;
            }
        print_message("%s: %d wrong, %d missing\n", games[g].spec, wrong, missing);
        assert_true(wrong > 5 && missing > 5);
        discard_strategy(&m);
    }
}

static void a_move_number_out_of_range_is_refused(void **state) {
    const char *table = support_path(state, "table.plb");
    const char *path = support_path(state, "strategy.plb");
    strategy_report report;
    made_strategy m;
    support_build("connect-4x4-k4", table, NULL, 1);
    extract_strategy("connect-4x4-k4", table, (plb_strategy_claim){1, PLB_DRAW, 1}, CHOOSE_FIRST,
                     &m);
    m.strategy.ply[1].moves[0] = 77;
    write_strategy(&m, path);
    assert_int_equal(check_strategy(path, 1, &report), PLB_ECORRUPT);
    expect_fault(path, &report);
    discard_strategy(&m);
}

/* ---- answers ---- */

/* For every position: a value agrees with the table, and a bound holds; a strategy for a
 * draw does not know all positions. */
static void answers_agree_with_the_table(void **state) {
    static const struct {
        const char *spec;
        plb_strategy_claim u;
    } games[] = {{"connect-4x4-k4", {1, PLB_DRAW, 3}}, {"connect-4x4-k3", {0, PLB_WIN, 3}}};
    for (size_t g = 0; g < 2; g++) {
        const char *table = support_path(state, "table.plb");
        const char *path = support_path(state, "strategy.plb");
        int known = 0, unknown = 0;
        made_strategy m;
        remove(table);
        support_build(games[g].spec, table, NULL, 1);
        extract_strategy(games[g].spec, table, games[g].u, CHOOSE_FEWEST, &m);
        write_strategy(&m, path);
        plb_table *strategy = support_open_table(path);
        for (int ply = 0; ply < 8; ply++) {
            plb_listing listing = {.ply = ply};
            while (!listing.done) {
                uint64_t x[64], o[64];
                size_t count;
                assert_int_equal(plb_list_positions(m.table, &listing, 64, x, o, &count), PLB_OK);
                for (size_t i = 0; i < count; i++) {
                    plb_answer told, truth;
                    plb_analysis all;
                    int error = plb_probe(strategy, x[i], o[i], &told, NULL);
                    assert_int_equal(plb_probe(m.table, x[i], o[i], &truth, NULL), PLB_OK);
                    unknown += error == PLB_EUNKNOWN;
                    if (error == PLB_EUNKNOWN) continue;
                    assert_int_equal(error, PLB_OK);
                    assert_true(told.bound > 0   ? truth.value >= told.value
                                : told.bound < 0 ? truth.value <= told.value
                                                 : truth.value == told.value);
                    known++;
                    error = plb_analyse(strategy, x[i], o[i], &all, NULL);
                    assert_true(error == PLB_OK || error == PLB_EUNKNOWN);
                }
            }
        }
        print_message("%s: %d known, %d unknown\n", games[g].spec, known, unknown);
        assert_true(known > 20 && unknown > 20);
        plb_close(strategy);
        discard_strategy(&m);
    }
}

static void unsupported_queries_are_refused(void **state) {
    const char *table = support_path(state, "table.plb");
    const char *path = support_path(state, "strategy.plb");
    uint64_t x[4], o[4];
    size_t count;
    plb_ply_stats stats;
    plb_listing listing = {.ply = 1};
    plb_line line;
    plb_move move;
    plb_query query = {.x = 0, .o = 0};
    made_strategy m;
    support_build("mnk-3x3-k3", table, NULL, 1);
    extract_strategy("mnk-3x3-k3", table, (plb_strategy_claim){1, PLB_DRAW, 5}, CHOOSE_FEWEST, &m);
    write_strategy(&m, path);
    plb_table *strategy = support_open_table(path);
    assert_string_equal(plb_info(strategy)->player, "second");
    assert_null(plb_info(m.table)->player);
    assert_int_equal(plb_stats(strategy, 1, &stats), PLB_EUNKNOWN);
    assert_int_equal(plb_list_positions(strategy, &listing, 4, x, o, &count), PLB_EUNKNOWN);
    assert_int_equal(plb_find_line(strategy, 0, 0, NULL, &line, NULL), PLB_EUNKNOWN);
    assert_int_equal(plb_strategy_move(strategy, 0, 0, &move, NULL), PLB_EUNKNOWN);
    assert_int_equal(plb_strategy_move(m.table, 1, 0, &move, NULL), PLB_EUNKNOWN);
    assert_int_equal(plb_strategy_move(strategy, 1, 0, &move, NULL), PLB_OK);
    assert_int_equal(plb_probe_many(strategy, &query, 1), PLB_OK);
    assert_int_equal(query.error, PLB_OK);
    assert_int_equal(query.answer.bound, 0 - 1);
    plb_close(strategy);
    discard_strategy(&m);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_a_ply_are_distinct),
        cmocka_unit_test(only_numbers_of_positions_decode),
        SUPPORT_IN_FOLDER(look_ahead_finds_wins_within_its_depth),
        SUPPORT_IN_FOLDER(strategies_hold),
        SUPPORT_IN_FOLDER(a_strategy_survives_a_round_trip_by_file),
        SUPPORT_IN_FOLDER(wrong_and_missing_moves_are_found),
        SUPPORT_IN_FOLDER(a_move_number_out_of_range_is_refused),
        SUPPORT_IN_FOLDER(answers_agree_with_the_table),
        SUPPORT_IN_FOLDER(unsupported_queries_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
