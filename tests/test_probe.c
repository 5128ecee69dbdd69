/* SPDX-License-Identifier: MIT
 *
 * The public library beyond right values: what cannot be opened or probed and why, many positions
 * and many threads at once, and that a damaged table never gives a wrong value.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/meta.h"
#include "tests/positions.h"
#include "tests/support.h"

static const oracle_game small_game = {ORACLE_CONNECT, 4, 3, 3, false, false};
static const char small_spec[] = "connect-4x3-k3";

static plb_table *open_table(const char *path) {
    plb_table *table = NULL;
    plb_message why;
    support_expect(plb_open(path, &table, &why), PLB_OK, path, &why);
    return table;
}

static plb_table *open_built(void **state, const char *spec) {
    const char *path = support_path(state, spec);
    support_build(spec, path, NULL, 1);
    return open_table(path);
}

/* ---- opening ---- */

static void assert_not_opened(const char *path, int expected) {
    plb_table *table = NULL;
    plb_message why = {.text = ""};
    support_expect(plb_open(path, &table, &why), expected, path, &why);
    assert_null(table);
    assert_true(strlen(why.text) > 0);
    assert_int_equal(plb_open(path, &table, NULL), expected);
}

static void what_is_not_there_is_not_found(void **state) {
    assert_not_opened(support_path(state, "none.plb"), PLB_ENOTFOUND);
    assert_not_opened("", PLB_ENOTFOUND);
}

static void what_is_no_table_is_not_opened(void **state) {
    const char *path = support_path(state, "other.plb");
    support_write_file(path, "a text", 6);
    assert_not_opened(path, PLB_ENOTTABLE);
    assert_not_opened(*state, PLB_ENOTTABLE);
}

static void stop_at_once(void *context, const plb_progress *progress) {
    if (progress->phase == PLB_BACKWARD) *(volatile sig_atomic_t *)context = 1;
}

static void an_unfinished_build_is_told_from_none(void **state) {
    const char *path = support_path(state, "table.plb");
    volatile sig_atomic_t stop = 0;
    plb_build_options options = support_build_options(path, NULL, 1);
    options.stop = &stop;
    options.report = stop_at_once;
    options.context = (void *)&stop;
    plb_game game = support_game(small_spec);
    bool existed;
    assert_int_equal(plb_build(&game, &options, &existed, NULL), PLB_EINTERRUPTED);
    assert_not_opened(path, PLB_EUNFINISHED);
    plb_game_free(&game);
}

/* A store with given meta records and no plies. */
static void forge(const char *path, const plb_meta *meta) {
    plb_store *store = NULL;
    unlink(path);
    assert_int_equal(plb_store_create(path, 0, &store, NULL), PLB_OK);
    assert_int_equal(plb_meta_write(meta, store, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

static void a_table_that_contradicts_itself_is_damaged(void **state) {
    const char *path = support_path(state, "forged.plb");
    const plb_meta right = {.spec = "connect-4x3-k3",
                            .values = "wdl",
                            .compression = "zstd-3",
                            .builder = "test",
                            .symmetries = 2,
                            .block_positions = 16384};
    plb_meta forged = right;
    forge(path, &forged);
    assert_not_opened(path, PLB_EUNFINISHED); /* it has no plies */
    forged.symmetries = 1;
    forge(path, &forged);
    assert_not_opened(path, PLB_ECORRUPT);
    static const int sizes[] = {0, -64, 63, 100, 1 << 25};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        forged = right;
        forged.block_positions = sizes[s];
        forge(path, &forged);
        assert_not_opened(path, PLB_ECORRUPT);
    }
}

/* plb_open does not promise PLB_ESPEC: a spec in a table is no user's mistake. */
static void a_table_of_an_unknown_game_is_damaged(void **state) {
    const char *path = support_path(state, "forged.plb");
    const plb_meta forged = {.spec = "chess-8x8",
                             .values = "wdl",
                             .compression = "zstd-3",
                             .builder = "test",
                             .symmetries = 1,
                             .block_positions = 16384};
    forge(path, &forged);
    assert_not_opened(path, PLB_ECORRUPT);
}

static void closing_nothing_is_allowed(void **state) {
    (void)state;
    plb_close(NULL);
}

/* ---- refusals ---- */

/* Bit column * 3 + row of a board of 4 columns and 3 rows. */
static void bad_bitboards_are_refused(void **state) {
    static const struct {
        uint64_t x, o;
        int error;
    } rows[] = {{1ULL << 12, 0, PLB_EBOARD}, {0, 1ULL << 63, PLB_EBOARD},
                {~0ULL, ~0ULL, PLB_EBOARD},  {1, 1, PLB_ECOUNTS},
                {0, 1, PLB_ECOUNTS},         {011, 0, PLB_ECOUNTS},
                {2, 0, PLB_EFLOATING},       {1, 4, PLB_EFLOATING},
                {0111, 0222, PLB_EOVER},     {07, 01110, PLB_EOVER}};
    plb_table *table = open_built(state, small_spec);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        plb_answer answer = {.dtm = 77};
        plb_move moves[PLB_MAX_MOVES];
        plb_message why = {.text = ""};
        int count = 77;
        support_expect(plb_probe(table, rows[r].x, rows[r].o, &answer, &why), rows[r].error,
                       "plb_probe", &why);
        assert_true(strlen(why.text) > 0);
        assert_int_equal(plb_probe(table, rows[r].x, rows[r].o, &answer, NULL), rows[r].error);
        assert_int_equal(plb_moves(table, rows[r].x, rows[r].o, moves, &count, NULL),
                         rows[r].error);
        assert_true(answer.dtm == 77 && count == 77);
    }
    plb_close(table);
}

static void counts_of_another_ply_are_refused(void **state) {
    plb_table *table = open_built(state, small_spec);
    plb_ply_stats stats = {.total = 77};
    assert_int_equal(plb_stats(table, -1, &stats), PLB_EARGUMENT);
    assert_int_equal(plb_stats(table, 13, &stats), PLB_EARGUMENT);
    assert_int_equal(stats.total, 77);
    assert_int_equal(plb_stats(table, 12, &stats), PLB_OK);
    plb_close(table);
}

static void errors_and_values_have_texts(void **state) {
    (void)state;
    assert_string_equal(plb_error_text(PLB_OK), "no error");
    assert_string_equal(plb_error_text(PLB_ECORRUPT), "the table is damaged");
    assert_non_null(plb_error_text(-9999));
    assert_non_null(plb_error_text(1));
    assert_string_equal(plb_value_text(PLB_WIN), "win");
    assert_string_equal(plb_value_text(PLB_DRAW), "draw");
    assert_string_equal(plb_value_text(PLB_LOSS), "loss");
}

/* The numbers are pinned: other programs have them. */
static void error_numbers_stay_what_they_are(void **state) {
    (void)state;
    static const int numbers[][2] = {{PLB_OK, 0},
                                     {PLB_EARGUMENT, -1},
                                     {PLB_ENOMEM, -2},
                                     {PLB_EIO, -3},
                                     {PLB_ENOTFOUND, -4},
                                     {PLB_EPERMISSION, -5},
                                     {PLB_ENOSPACE, -6},
                                     {PLB_ENOTTABLE, -7},
                                     {PLB_EVERSION, -8},
                                     {PLB_EUNFINISHED, -9},
                                     {PLB_ECORRUPT, -10},
                                     {PLB_ESPEC, -11},
                                     {PLB_EOTHERGAME, -12},
                                     {PLB_ETOOBIG, -13},
                                     {PLB_EINTERRUPTED, -14},
                                     {PLB_EBUSY, -15},
                                     {PLB_ESYNTAX, -20},
                                     {PLB_EBOARD, -21},
                                     {PLB_ECOUNTS, -22},
                                     {PLB_EFLOATING, -23},
                                     {PLB_EOVER, -24},
                                     {PLB_EUNREACHABLE, -25},
                                     {PLB_EMOVE, -26}};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        assert_int_equal(numbers[n][0], numbers[n][1]);
}

/* ---- many at once ---- */

static plb_query *make_queries(const oracle *solved) {
    plb_query *queries = calloc(solved->count, sizeof *queries);
    assert_non_null(queries);
    for (size_t p = 0; p < solved->count; p++)
        positions_bits(&solved->game, solved->positions[p].board, &queries[p].x, &queries[p].o);
    return queries;
}

static void many_positions_are_answered_like_each_alone(void **state) {
    oracle solved;
    assert_true(oracle_solve(&small_game, &solved));
    plb_table *table = open_built(state, small_spec);
    plb_query *queries = make_queries(&solved);
    queries[5].x |= 1ULL << 40;
    queries[9].o = queries[9].x;
    assert_int_equal(plb_probe_many(table, queries, solved.count), PLB_OK);
    for (size_t p = 0; p < solved.count; p++) {
        plb_answer answer;
        int error = plb_probe(table, queries[p].x, queries[p].o, &answer, NULL);
        assert_int_equal(queries[p].error, error);
        assert_int_equal(error != PLB_OK, p == 5 || p == 9);
        if (error) continue;
        assert_int_equal(queries[p].answer.value, answer.value);
        assert_int_equal(queries[p].answer.value, solved.positions[p].value);
        assert_int_equal(queries[p].answer.over, solved.positions[p].over);
    }
    assert_int_equal(plb_probe_many(table, NULL, 0), PLB_OK);
    free(queries);
    plb_close(table);
    oracle_free(&solved);
}

static void threads_may_probe_one_table_at_once(void **state) {
    const oracle_game game = {ORACLE_CONNECT, 4, 4, 4, false, false};
    oracle solved;
    size_t wrong = 0;
    assert_true(oracle_solve(&game, &solved));
    plb_table *table = open_built(state, "connect-4x4-k4");
    plb_query *queries = make_queries(&solved);
#pragma omp parallel for schedule(static, 1) num_threads(4) reduction(+ : wrong)
    for (size_t p = 0; p < solved.count; p++) {
        plb_answer answer;
        int error = plb_probe(table, queries[p].x, queries[p].o, &answer, NULL);
        wrong += error || (int)answer.value != solved.positions[p].value;
    }
    assert_int_equal(wrong, 0);
    free(queries);
    plb_close(table);
    oracle_free(&solved);
}

/* ---- damage ---- */

/* Probe every position of a table that may be damaged: right, or PLB_ECORRUPT. How many were
 * refused. */
static size_t count_refused(const plb_table *table, const oracle *solved,
                            const plb_query *queries) {
    size_t refused = 0;
    for (size_t p = 0; p < solved->count; p++) {
        plb_answer answer;
        plb_message why = {.text = ""};
        int error = plb_probe(table, queries[p].x, queries[p].o, &answer, &why);
        if (error) {
            assert_int_equal(error, PLB_ECORRUPT);
            assert_non_null(strstr(why.text, "ply"));
            refused++;
        } else if ((int)answer.value != solved->positions[p].value) {
            fail_msg("%s has a wrong value", solved->positions[p].board);
        }
    }
    return refused;
}

/* Open and probe a file: is the damage noticed? */
static bool is_noticed(const char *path, const oracle *solved, const plb_query *queries) {
    plb_table *table = NULL;
    plb_message why = {.text = ""};
    int error = plb_open(path, &table, &why);
    if (error) {
        if (error != PLB_ECORRUPT && error != PLB_ENOTTABLE && error != PLB_EVERSION &&
            error != PLB_EUNFINISHED)
            fail_msg("error %d: %s", error, why.text);
        return true;
    }
    bool noticed = count_refused(table, solved, queries) > 0;
    for (int ply = 0; ply <= solved->cells; ply++) {
        plb_ply_stats stats;
        assert_int_equal(plb_stats(table, ply, &stats), PLB_OK);
        assert_int_equal(stats.total, solved->plies[ply].total);
    }
    plb_close(table);
    return noticed;
}

static void a_damaged_table_never_gives_a_wrong_value(void **state) {
    uint64_t random = support_seed("damage", 20240931);
    const char *path = support_path(state, "whole"), *damaged = support_path(state, "damaged");
    oracle solved;
    size_t size;
    int noticed = 0;
    support_build(small_spec, path, NULL, 1);
    assert_true(oracle_solve(&small_game, &solved));
    plb_query *queries = make_queries(&solved);
    uint8_t *bytes = support_read_file(path, &size);
    assert_false(is_noticed(path, &solved, queries));
    for (size_t at = 0; at < size; at += 1 + support_random_below(&random, 40)) {
        uint8_t before = bytes[at];
        bytes[at] ^= 1 << support_random_below(&random, 8);
        support_write_file(damaged, bytes, size);
        noticed += is_noticed(damaged, &solved, queries);
        bytes[at] = before;
    }
    assert_true(noticed > 50);
    free(bytes);
    free(queries);
    oracle_free(&solved);
}

/* Change a byte near the end of every page in turn, where blocks are; the message says where. */
static void a_damaged_block_is_named(void **state) {
    const char *path = support_path(state, "whole"), *damaged = support_path(state, "damaged");
    const oracle_game game = {ORACLE_CONNECT, 4, 4, 4, false, false};
    oracle solved;
    size_t size, refused = 0;
    support_build("connect-4x4-k4", path, NULL, 1);
    assert_true(oracle_solve(&game, &solved));
    plb_query *queries = make_queries(&solved);
    uint8_t *bytes = support_read_file(path, &size);
    for (size_t page = 4096; page <= size; page += 4096) {
        plb_table *table = NULL;
        bytes[page - 9] ^= 0x40;
        support_write_file(damaged, bytes, size);
        bytes[page - 9] ^= 0x40;
        if (plb_open(damaged, &table, NULL) == PLB_OK)
            refused += count_refused(table, &solved, queries);
        plb_close(table);
    }
    assert_true(refused > 0);
    free(bytes);
    free(queries);
    oracle_free(&solved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(what_is_not_there_is_not_found),
        SUPPORT_IN_FOLDER(what_is_no_table_is_not_opened),
        SUPPORT_IN_FOLDER(an_unfinished_build_is_told_from_none),
        SUPPORT_IN_FOLDER(a_table_that_contradicts_itself_is_damaged),
        SUPPORT_IN_FOLDER(a_table_of_an_unknown_game_is_damaged),
        cmocka_unit_test(closing_nothing_is_allowed),
        SUPPORT_IN_FOLDER(bad_bitboards_are_refused),
        SUPPORT_IN_FOLDER(counts_of_another_ply_are_refused),
        cmocka_unit_test(errors_and_values_have_texts),
        cmocka_unit_test(error_numbers_stay_what_they_are),
        SUPPORT_IN_FOLDER(many_positions_are_answered_like_each_alone),
        SUPPORT_IN_FOLDER(threads_may_probe_one_table_at_once),
        SUPPORT_IN_FOLDER(a_damaged_table_never_gives_a_wrong_value),
        SUPPORT_IN_FOLDER(a_damaged_block_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
