/* SPDX-License-Identifier: MIT
 *
 * The public library: files that cannot be opened and positions that cannot be probed, many
 * positions and many threads at once, and damaged tables, which never give a wrong value.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/format/meta.h"
#include "tables/store/store_writer.h"
#include "tables/threads.h"
#include "tests/support/open_table.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

static const oracle_game small_game = {ORACLE_CONNECT, 4, 3, 3, false, false};
static const char small_spec[] = "connect-4x3-k3";

static plb_table *open_built(void **state, const char *spec) {
    const char *path = support_path(state, spec);
    support_build(spec, path, NULL, 1);
    return support_open_table(path);
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

static void a_missing_file_is_not_found(void **state) {
    assert_not_opened(support_path(state, "none.plb"), PLB_ENOTFOUND);
    assert_not_opened("", PLB_ENOTFOUND);
}

static void other_files_are_not_opened(void **state) {
    const char *path = support_path(state, "other.plb");
    support_write_file(path, "a text", 6);
    assert_not_opened(path, PLB_ENOTTABLE);
    assert_not_opened(*state, PLB_ENOTTABLE);
}

static void stop_at_once(void *context, const plb_progress *progress) {
    if (progress->phase == PLB_BACKWARD) *(volatile sig_atomic_t *)context = 1;
}

static void an_unfinished_build_has_its_own_error(void **state) {
    const char *path = support_path(state, "table.plb");
    volatile sig_atomic_t stop = 0;
    plb_build_options options = support_build_options(path, NULL, 1);
    options.stop = &stop;
    options.report = stop_at_once;
    options.context = (void *)&stop;
    assert_int_equal(support_run_build(small_spec, &options, NULL, NULL), PLB_EINTERRUPTED);
    assert_not_opened(path, PLB_EUNFINISHED);
}

/* A store with a given description and no plies. */
static void forge(const char *path, const plb_meta *meta) {
    plb_store_writer *store = NULL;
    unlink(path);
    assert_int_equal(plb_meta_create(meta, path, false, &store, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

static void an_inconsistent_table_is_damaged(void **state) {
    const char *path = support_path(state, "forged.plb");
    const plb_meta right = {.format = PLB_FORMAT_VERSION,
                            .spec = "connect-4x3-k3",
                            .values = PLB_WDL,
                            .level = 3,
                            .builder = "test",
                            .symmetries = 2,
                            .block_entries = 16384};
    plb_meta forged = right;
    forge(path, &forged);
    assert_not_opened(path, PLB_EUNFINISHED); /* it has no plies */
    forged.symmetries = 1;
    forge(path, &forged);
    assert_not_opened(path, PLB_ECORRUPT);
    static const int sizes[] = {0, -64, 63, 100, (1 << 20) + 64, 1 << 25};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        forged = right;
        forged.block_entries = sizes[s];
        forge(path, &forged);
        assert_not_opened(path, PLB_ECORRUPT);
    }
}

/* plb_open does not return PLB_ESPEC: a spec in a file is not a mistake of the user. */
static void a_table_of_an_unknown_game_is_damaged(void **state) {
    const char *path = support_path(state, "forged.plb");
    static const char *const specs[] = {"chess-8x8", "numeric-3x3"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        plb_meta forged = {.format = PLB_FORMAT_VERSION,
                           .values = PLB_WDL,
                           .level = 3,
                           .builder = "test",
                           .symmetries = 1,
                           .block_entries = 16384};
        strcpy(forged.spec, specs[i]);
        forge(path, &forged);
        assert_not_opened(path, PLB_ECORRUPT);
    }
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

/* Columns of all positions of a game, two of them invalid, and buffers for the answers. */
static plb_columns make_columns(const plb_query *queries, size_t count) {
    uint64_t *x = calloc(count, sizeof *x), *o = calloc(count, sizeof *o);
    plb_columns made = {.x = x, .o = o};
    made.values = malloc(count);
    made.dtms = malloc(count * sizeof *made.dtms);
    made.errors = malloc(count);
    assert_true(x && o && made.values && made.dtms && made.errors);
    for (size_t q = 0; q < count; q++) {
        x[q] = q == 5 ? queries[q].x | 1ULL << 40 : queries[q].x;
        o[q] = q == 9 ? x[q] : queries[q].o;
    }
    return made;
}

static void assert_columns(const plb_columns *c, const oracle *solved) {
    for (size_t p = 0; p < solved->count; p++) {
        bool bad = p == 5 || p == 9;
        assert_int_equal(c->errors[p], p == 5 ? PLB_EBOARD : p == 9 ? PLB_ECOUNTS : PLB_OK);
        assert_int_equal(c->values[p], bad ? 0 : solved->positions[p].value);
        assert_int_equal(c->dtms[p], bad ? PLB_NO_DTM : solved->positions[p].dtm);
    }
}

static void columns_are_answered_like_each_alone(void **state) {
    const oracle_game game = {ORACLE_CONNECT, 4, 4, 4, false, false};
    oracle solved;
    assert_true(oracle_solve(&game, &solved));
    const char *path = support_path(state, "dtm");
    support_build_values("connect-4x4-k4", PLB_DTM, path, NULL, 1);
    plb_table *table = support_open_table(path);
    plb_query *queries = make_queries(&solved);
    plb_columns c = make_columns(queries, solved.count);
    for (c.threads = -2; c.threads < 6; c.threads += 2) {
        memset(c.values, 77, solved.count);
        memset(c.errors, 77, solved.count);
        assert_int_equal(plb_probe_columns(table, &c, solved.count), PLB_OK);
        assert_columns(&c, &solved);
    }
    plb_columns without = c;
    without.dtms = NULL;
    assert_int_equal(plb_probe_columns(table, &without, solved.count), PLB_OK);
    assert_int_equal(plb_probe_columns(table, &without, 0), PLB_OK);
    void *const buffers[] = {(void *)c.x, (void *)c.o, c.values, c.dtms, c.errors, queries};
    for (size_t r = 0; r < sizeof buffers / sizeof buffers[0]; r++) free(buffers[r]);
    plb_close(table);
    oracle_free(&solved);
}

typedef struct shared_table {
    const oracle *solved;
    const plb_table *table;
    const plb_query *queries; /* of all positions */
} shared_table;

static int probe_one(void *context, size_t p) {
    const shared_table *s = context;
    plb_answer answer;
    int error = plb_probe(s->table, s->queries[p].x, s->queries[p].o, &answer, NULL);
    return error ? error : (int)answer.value != s->solved->positions[p].value;
}

static void threads_may_probe_one_table_at_once(void **state) {
    const oracle_game game = {ORACLE_CONNECT, 4, 4, 4, false, false};
    oracle solved;
    assert_true(oracle_solve(&game, &solved));
    plb_table *table = open_built(state, "connect-4x4-k4");
    plb_query *queries = make_queries(&solved);
    shared_table shared = {&solved, table, queries};
    plb_threads threads;
    assert_int_equal(plb_threads_open(4, &threads), PLB_OK);
    assert_int_equal(plb_threads_share(&threads, solved.count, probe_one, &shared), 0);
    plb_threads_close(&threads);
    free(queries);
    plb_close(table);
    oracle_free(&solved);
}

/* ---- one file, several handles ---- */

/* Probe every position of the small game. Returns the number of wrong answers. */
static int count_wrong(const plb_table *table, const oracle *solved) {
    int wrong = 0;
    for (size_t p = 0; p < solved->count; p++) {
        uint64_t x, o;
        plb_answer answer;
        positions_bits(&solved->game, solved->positions[p].board, &x, &o);
        wrong += plb_probe(table, x, o, &answer, NULL) != PLB_OK ||
                 (int)answer.value != solved->positions[p].value;
    }
    return wrong;
}

static void a_file_may_be_opened_twice(void **state) {
    oracle solved;
    assert_true(oracle_solve(&small_game, &solved));
    plb_table *first = open_built(state, small_spec);
    plb_table *second = support_open_table(support_path(state, small_spec));
    assert_int_equal(count_wrong(first, &solved), 0);
    plb_close(first);
    assert_int_equal(count_wrong(second, &solved), 0);
    plb_close(second);
    oracle_free(&solved);
}

static void a_forked_child_may_probe_and_close_a_table(void **state) {
    oracle solved;
    int status = 1;
    assert_true(oracle_solve(&small_game, &solved));
    plb_table *table = open_built(state, small_spec);
    assert_int_equal(count_wrong(table, &solved), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int wrong = count_wrong(table, &solved);
        plb_close(table);
        _exit(wrong != 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_wrong(table, &solved), 0);
    plb_close(table);
    oracle_free(&solved);
}

/* ---- damage ---- */

/* Probe every position of a table that may be damaged: each answer is right or PLB_ECORRUPT.
 * Returns the number of errors. */
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

/* Open and probe a file. Returns whether there was an error. */
static bool is_detected(const char *path, const oracle *solved, const plb_query *queries) {
    plb_table *table = NULL;
    plb_message why = {.text = ""};
    int error = plb_open(path, &table, &why);
    if (error) {
        if (error != PLB_ECORRUPT && error != PLB_ENOTTABLE && error != PLB_EVERSION &&
            error != PLB_EUNFINISHED)
            fail_msg("error %d: %s", error, why.text);
        return true;
    }
    bool detected = count_refused(table, solved, queries) > 0;
    for (int ply = 0; ply <= solved->cells; ply++) {
        plb_ply_stats stats;
        assert_int_equal(plb_stats(table, ply, &stats), PLB_OK);
        assert_int_equal(stats.total, solved->plies[ply].total);
    }
    plb_close(table);
    return detected;
}

static void a_damaged_table_never_gives_a_wrong_value(void **state) {
    uint64_t random = support_seed("damage", 20240931);
    const char *path = support_path(state, "whole"), *damaged = support_path(state, "damaged");
    oracle solved;
    size_t size;
    int detected = 0;
    support_build(small_spec, path, NULL, 1);
    assert_true(oracle_solve(&small_game, &solved));
    plb_query *queries = make_queries(&solved);
    uint8_t *bytes = support_read_file(path, &size);
    assert_false(is_detected(path, &solved, queries));
    for (size_t at = 0; at < size; at += 1 + support_random_below(&random, 40)) {
        uint8_t before = bytes[at];
        bytes[at] ^= 1 << support_random_below(&random, 8);
        support_write_file(damaged, bytes, size);
        detected += is_detected(damaged, &solved, queries);
        bytes[at] = before;
    }
    assert_true(detected > 50);
    free(bytes);
    free(queries);
    oracle_free(&solved);
}

/* Change a byte near the end of every page, where blocks are; messages name the ply. */
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

/* ---- segments of another table ---- */

/* Copy the stored segments, as they are: those of one ply from `of_ply`, all others from `rest`. */
static void copy_segments(const plb_store *rest, const plb_store *of_ply, int ply,
                          plb_store_writer *to) {
    uint64_t count;
    const plb_stored_segment *segments = plb_store_segments(rest, &count);
    for (uint64_t s = 0; s < count; s++) {
        const plb_store *from = segments[s].ply == ply ? of_ply : rest;
        uint8_t *bytes = NULL;
        size_t size;
        plb_message why;
        support_expect(plb_store_get_segment(from, segments[s].ply, segments[s].first_block, &bytes,
                                             &size, &why),
                       PLB_OK, "segment", &why);
        assert_int_equal(
            plb_store_put_segment(to, segments[s].ply, segments[s].first_block, bytes, size, NULL),
            PLB_OK);
        free(bytes);
    }
}

/* Copy a table, with the segments of one ply from another game. */
static void transplant(const char *path, const char *other_path, int ply, const char *made) {
    plb_store *store = support_open_store(path), *other = support_open_store(other_path);
    plb_store_writer *writer = NULL;
    plb_meta meta;
    plb_space space;
    assert_int_equal(plb_meta_read(store, &meta, &space, NULL), PLB_OK);
    plb_space_close(&space);
    assert_int_equal(plb_meta_create(&meta, made, false, &writer, NULL), PLB_OK);
    copy_segments(store, other, ply, writer);
    for (int p = 0; p < plb_store_plies(store); p++) {
        plb_ply_stats stats;
        assert_int_equal(plb_store_get_stats(store, p, &stats, NULL), PLB_OK);
        assert_int_equal(plb_store_put_stats(writer, p, &stats, NULL), PLB_OK);
    }
    assert_int_equal(plb_store_finish(writer, NULL), PLB_OK);
    plb_store_close(store);
    plb_store_close(other);
}

static void segments_of_another_game_are_refused(void **state) {
    const oracle_game other_game = {ORACLE_CONNECT, 4, 3, 3, true, false};
    char other_spec[ORACLE_TEXT];
    const char *path = support_path(state, "table"), *other = support_path(state, "other");
    const char *made = support_path(state, "made");
    oracle solved;
    size_t refused = 0;
    assert_true(oracle_solve(&small_game, &solved));
    oracle_spec_text(&other_game, other_spec);
    support_build(small_spec, path, NULL, 1);
    support_build(other_spec, other, NULL, 1);
    transplant(path, other, 4, made);
    plb_table *table = support_open_table(made);
    for (size_t p = 0; p < solved.count; p++) {
        uint64_t x, o;
        plb_answer answer;
        positions_bits(&small_game, solved.positions[p].board, &x, &o);
        int error = plb_probe(table, x, o, &answer, NULL);
        assert_true(error == PLB_ECORRUPT || answer.value == solved.positions[p].value);
        refused += error == PLB_ECORRUPT;
    }
    assert_true(refused > 0);
    plb_close(table);
    oracle_free(&solved);
}

/* ---- memory ---- */

static void cached_blocks_are_counted_and_freed(void **state) {
    oracle solved;
    plb_table *table = open_built(state, small_spec);
    plb_usage before, full, after;
    assert_true(oracle_solve(&small_game, &solved));
    assert_int_equal(plb_find_usage(table, &before), PLB_OK);
    assert_true(before.cached_bytes == 0 && before.blocks_read == 0 && before.held_bytes > 0);
    for (int round = 0; round < 2; round++) {
        for (size_t p = 0; p < solved.count; p++) {
            uint64_t x, o;
            plb_answer answer;
            positions_bits(&small_game, solved.positions[p].board, &x, &o);
            assert_int_equal(plb_probe(table, x, o, &answer, NULL), PLB_OK);
            assert_int_equal(answer.value, solved.positions[p].value);
        }
        plb_find_usage(table, &full);
        assert_true(full.cached_bytes > 0 && full.blocks_read > before.blocks_read);
        plb_trim(table);
        plb_find_usage(table, &after);
        assert_true(after.cached_bytes == 0 && after.blocks_read == full.blocks_read);
        before = after;
    }
    assert_int_equal(plb_find_usage(NULL, &after), PLB_EARGUMENT);
    plb_trim(NULL);
    plb_close(table);
    oracle_free(&solved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_missing_file_is_not_found),
        SUPPORT_IN_FOLDER(other_files_are_not_opened),
        SUPPORT_IN_FOLDER(an_unfinished_build_has_its_own_error),
        SUPPORT_IN_FOLDER(an_inconsistent_table_is_damaged),
        SUPPORT_IN_FOLDER(a_table_of_an_unknown_game_is_damaged),
        cmocka_unit_test(closing_nothing_is_allowed),
        SUPPORT_IN_FOLDER(bad_bitboards_are_refused),
        SUPPORT_IN_FOLDER(counts_of_another_ply_are_refused),
        cmocka_unit_test(errors_and_values_have_texts),
        SUPPORT_IN_FOLDER(many_positions_are_answered_like_each_alone),
        SUPPORT_IN_FOLDER(columns_are_answered_like_each_alone),
        SUPPORT_IN_FOLDER(a_file_may_be_opened_twice),
        SUPPORT_IN_FOLDER(a_forked_child_may_probe_and_close_a_table),
        SUPPORT_IN_FOLDER(threads_may_probe_one_table_at_once),
        SUPPORT_IN_FOLDER(a_damaged_table_never_gives_a_wrong_value),
        SUPPORT_IN_FOLDER(a_damaged_block_is_named),
        SUPPORT_IN_FOLDER(segments_of_another_game_are_refused),
        SUPPORT_IN_FOLDER(cached_blocks_are_counted_and_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
