/* SPDX-License-Identifier: MIT
 *
 * Searches with a table give the same answers as without, with fewer nodes; a damaged table gives
 * an error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probe/plybase.h"
#include "tests/support/support.h"
#include "tools/search/position_search.h"

typedef struct asked_table {
    const plb_game *game;
    plb_table *table;
    int errors;
} asked_table;

static int ask(void *context, plb_position position, plb_value *value, int *dtm) {
    asked_table *asked = context;
    plb_answer answer;
    int error = plb_probe(asked->table, plb_game_bits_of_cells(asked->game, position.x),
                          plb_game_bits_of_cells(asked->game, position.o), &answer, NULL);
    if (error) __atomic_fetch_add(&asked->errors, 1, __ATOMIC_RELAXED);
    if (error) return error;
    *value = answer.value;
    *dtm = answer.dtm;
    return PLB_OK;
}

/* Play random moves from the empty board, fewer if the game ends before. */
static plb_position play_randomly(const plb_game *game, int plies, uint64_t *seed) {
    plb_position position = {0, 0};
    while (plies-- && !plb_rules_is_over(game, position)) {
        int moves[PLB_MAX_MOVES], count = plb_rules_moves(game, position, moves);
        position = plb_rules_play(game, position, moves[support_random_below(seed, count)]);
    }
    return position;
}

static forward_search_result search_for(position_search *search, plb_position position,
                                        bool distance, const search_table *table) {
    forward_search_result found;
    search_request request = {.position = position, .distance = distance, .table = table};
    assert_int_equal(position_search_solve(search, &request, &found), PLB_OK);
    assert_true(found.proved && found.value_proved);
    assert_true(found.lower == found.value && found.upper == found.value);
    return found;
}

/* Search random positions with a table and without, each with a new search. */
static void compare(void **state, const char *spec, plb_value_kind values, int threads) {
    enum { ROUNDS = 60 };
    const char *path = support_path(state, values == PLB_DTM ? "dtm" : "wdl");
    plb_game game = support_game(spec);
    asked_table asked = {.game = &game};
    uint64_t seed = support_seed(spec, 5), nodes = 0, nodes_alone = 0;
    support_build_values(spec, values, path, NULL, 2);
    support_expect(plb_open(path, &asked.table, NULL), PLB_OK, path, NULL);
    for (int n = 0; n < ROUNDS; n++) {
        plb_position position = play_randomly(&game, 1 + n % (game.cells - 4), &seed);
        bool distance = n % 3 != 0;
        position_search alone, with;
        assert_int_equal(position_search_open(&game, 1 << 20, threads, &alone, NULL), PLB_OK);
        assert_int_equal(position_search_open(&game, 1 << 20, threads, &with, NULL), PLB_OK);
        const search_table table = {ask, &asked};
        forward_search_result expected = search_for(&alone, position, distance, NULL);
        forward_search_result found = search_for(&with, position, distance, &table);
        assert_int_equal(found.value, expected.value);
        assert_int_equal(found.dtm, expected.dtm);
        if (!distance || values == PLB_DTM) assert_int_equal(found.nodes, 0);
        nodes_alone += expected.nodes;
        nodes += found.nodes;
        position_search_close(&alone);
        position_search_close(&with);
    }
    printf("%s: %llu nodes, %llu without a table\n", spec, (unsigned long long)nodes,
           (unsigned long long)nodes_alone);
    assert_true(nodes < nodes_alone);
    plb_close(asked.table);
}

static void answers_are_the_same_from_fewer_positions(void **state) {
    static const char *const specs[] = {"connect-5x5-k4",          "square-4x4",
                                        "connect-5x4-k4-cylinder", "mnk-4x4-k4-misere",
                                        "square-4x4-misere",       "connect-5x4-k4-misere",
                                        "mnk-4x4-k4-cylinder",     "mnk-4x4-k4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i += support_step(3)) {
        if (!support_has_turn(i / support_step(3), 2)) continue;
        compare(state, specs[i], PLB_WDL, 1);
        compare(state, specs[i], PLB_DTM, 1);
        remove(support_path(state, "wdl"));
        remove(support_path(state, "dtm"));
    }
}

static void threads_share_a_table(void **state) {
    compare(state, "connect-6x4-k4", PLB_WDL, 3);
}

/* One byte of 512 is changed: each answer is right or an error, and some are errors. */
static void a_damaged_table_is_an_error(void **state, const char *spec, int threads) {
    enum { ROUNDS = 100 };
    const char *good = support_path(state, spec), *bad = support_path(state, "bad");
    plb_game game = support_game(spec);
    asked_table asked = {.game = &game};
    uint64_t seed = support_seed(spec, 9);
    size_t size;
    support_build(spec, good, NULL, 2);
    uint8_t *bytes = support_read_file(good, &size);
    support_write_file(bad, bytes, size);
    support_expect(plb_open(bad, &asked.table, NULL), PLB_OK, bad, NULL);
    for (size_t at = 300; at < size; at += 512) bytes[at] ^= 1;
    support_write_file(bad, bytes, size);
    for (int n = 0, fewest = 6; n < ROUNDS; n++) {
        plb_position position = play_randomly(&game, fewest + n % (game.cells / 2), &seed);
        position_search alone, with;
        forward_search_result found = {.proved = false};
        const search_table table = {ask, &asked};
        search_request request = {.position = position, .distance = true, .table = &table};
        assert_int_equal(position_search_open(&game, 1 << 20, threads, &alone, NULL), PLB_OK);
        assert_int_equal(position_search_open(&game, 1 << 20, threads, &with, NULL), PLB_OK);
        int errors = asked.errors, error = position_search_solve(&with, &request, &found);
        forward_search_result expected = search_for(&alone, position, true, NULL);
        assert_int_equal(error, asked.errors > errors ? PLB_ECORRUPT : PLB_OK);
        if (!error) assert_true(found.proved && found.value == expected.value);
        if (!error) assert_int_equal(found.dtm, expected.dtm);
        position_search_close(&alone);
        position_search_close(&with);
    }
    printf("%s: %d errors\n", spec, asked.errors);
    assert_true(asked.errors > 0);
    free(bytes);
    plb_close(asked.table);
}

static void damage_is_met_by_each_search(void **state) {
    a_damaged_table_is_an_error(state, "connect-5x5-k4", 1);
    a_damaged_table_is_an_error(state, "connect-6x4-k4", 2);
    a_damaged_table_is_an_error(state, "connect-5x4-k4-misere", 1);
    a_damaged_table_is_an_error(state, "mnk-4x4-k4", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(answers_are_the_same_from_fewer_positions),
        SUPPORT_IN_FOLDER(threads_share_a_table),
        SUPPORT_IN_FOLDER(damage_is_met_by_each_search),
    };
    support_use_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
