/* SPDX-License-Identifier: MIT
 *
 * All ways to probe a position give the same answer: alone, with a context, as text, with its
 * moves, among others as queries or as columns. This holds for both kinds of index, for distances,
 * for strategies, and for damaged files, even with valid checksums.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/flaw.h"
#include "tests/support/strategies.h"

enum { MAX = 20000, INVALID = 5 };

/* ---- the files ---- */

typedef struct sample {
    const char *spec;
    plb_value_kind values;
    int player;   /* of a strategy; -1: a table */
    int step;     /* one in so many positions is probed */
    int tampered; /* the ply whose model is replaced by one without counts; -1: none */
    bool damaged; /* bytes in the middle of the file are changed */
} sample;

static const sample samples[] = {
    {"connect-5x4-k4", PLB_WDL, -1, 401, -1, false},
    {"connect-5x4-k4", PLB_DTM, -1, 401, -1, false},
    {"connect-4x3-k3-misere-cylinder", PLB_WDL, -1, 3, -1, false},
    {"numeric-3x3", PLB_WDL, -1, 4000, -1, false},
    {"connect-4x4-k4", PLB_WDL, 1, 40, -1, false},
    {"mnk-3x3-k3", PLB_WDL, 0, 1, -1, false},
    {"connect-5x4-k4", PLB_WDL, -1, 401, 14, false},
    {"connect-5x4-k4", PLB_DTM, -1, 401, 14, false},
    {"connect-5x4-k4", PLB_WDL, -1, 401, -1, true},
    {"connect-5x4-k4", PLB_DTM, -1, 401, -1, true},
};

static void damage(const char *path) {
    size_t size;
    uint8_t *bytes = support_read_file(path, &size);
    memset(bytes + size / 2, 0x5a, 100);
    support_write_file(path, bytes, size);
    free(bytes);
}

static void tamper(const char *path, const sample *s) {
    char from[SUPPORT_PATH];
    snprintf(from, sizeof from, "%s-whole", path);
    assert_int_equal(rename(path, from), 0);
    plb_table_file file;
    static const plb_block_counts nothing;
    uint8_t model[PLB_MODEL_BYTES];
    char name[PLB_RECORD_NAME];
    size_t bytes = plb_block_model_make(&nothing, 1, model);
    plb_meta_name_model(s->tampered, name);
    const flaw f = {.change = ADD_RECORD, .record = name, .bytes = model, .size = bytes};
    open_table_file(from, &file);
    copy_table(&file, path, &f);
    plb_table_file_close(&file);
}

/* ---- the positions ---- */

typedef struct positions {
    uint64_t x[MAX], o[MAX];
    plb_answer answers[MAX]; /* of each position alone */
    int errors[MAX];
    size_t count;
} positions;

/* Positions of all plies, and some invalid ones after them. */
static void list_positions(const char *path, int step, positions *p) {
    plb_table *table = support_open_table(path);
    const plb_table_info *info = plb_info(table);
    uint64_t x[256], o[256], seen = 0;
    for (plb_listing at = {0}; at.ply <= info->cells; at = (plb_listing){.ply = at.ply + 1})
        while (!at.done) {
            size_t count = 0;
            assert_int_equal(plb_list_positions(table, &at, 256, x, o, &count), PLB_OK);
            for (size_t i = 0; i < count; i++) {
                if (seen++ % step) continue;
                assert_true(p->count + INVALID < MAX);
                p->x[p->count] = x[i];
                p->o[p->count++] = o[i];
            }
        }
    const uint64_t invalid[INVALID][2] = {{1, 1}, {7, 0}, {1ULL << 63, 0}, {~0ULL, ~0ULL}, {0, 1}};
    for (int s = 0; s < INVALID; s++, p->count++) {
        p->x[p->count] = invalid[s][0];
        p->o[p->count] = invalid[s][1];
    }
    plb_close(table);
}

/* ---- probing ---- */

/* Compare with the answer of the position alone. */
static void expect(const positions *p, size_t number, int error, const plb_answer *answer,
                   const char *way) {
    const plb_answer *alone = &p->answers[number];
    if (error != p->errors[number])
        fail_msg("%s: position %zu: %s, alone: %s", way, number, plb_error_text(error),
                 plb_error_text(p->errors[number]));
    if (!error && (answer->value != alone->value || answer->dtm != alone->dtm ||
                   answer->over != alone->over || answer->bound != alone->bound))
        fail_msg(
            "%s: position %zu: %d in %d, over %d, bound %d; alone: %d in %d, over %d, bound %d",
            way, number, answer->value, answer->dtm, answer->over, answer->bound, alone->value,
            alone->dtm, alone->over, alone->bound);
}

/* Probe each position with an empty cache. */
static void probe_alone(const char *path, positions *p) {
    plb_table *table = support_open_table(path);
    for (size_t i = 0; i < p->count; i++) {
        plb_trim(table);
        p->errors[i] = plb_probe(table, p->x[i], p->o[i], &p->answers[i], NULL);
    }
    plb_close(table);
}

/* Forwards and then backwards, so that each is cached the second time. */
static void probe_with_context(const plb_table *table, const positions *p) {
    plb_context *context;
    assert_int_equal(plb_context_open(table, &context), PLB_OK);
    for (size_t turn = 0; turn < 2 * p->count; turn++) {
        size_t i = turn < p->count ? turn : 2 * p->count - 1 - turn;
        plb_answer answer = {0};
        int error = plb_context_probe(context, p->x[i], p->o[i], &answer, NULL);
        expect(p, i, error, &answer, "context");
    }
    plb_context_close(context);
}

static void probe_many(const plb_table *table, const positions *p) {
    plb_query *queries = calloc(p->count, sizeof *queries);
    for (size_t i = 0; i < p->count; i++) queries[i] = (plb_query){.x = p->x[i], .o = p->o[i]};
    assert_int_equal(plb_probe_many(table, queries, p->count), PLB_OK);
    for (size_t i = 0; i < p->count; i++) {
        expect(p, i, queries[i].error, &queries[i].answer, "many");
        assert_true(queries[i].x == p->x[i] && queries[i].o == p->o[i]);
    }
    free(queries);
}

/* all: with distances and bounds. */
static void probe_columns(const plb_table *table, const positions *p, int threads, bool all) {
    int8_t values[MAX], errors[MAX], bounds[MAX];
    int16_t dtms[MAX];
    const plb_columns columns = {
        p->x, p->o, values, all ? dtms : NULL, errors, threads, {0}, all ? bounds : NULL, 0};
    memset(values, 77, sizeof values);
    assert_int_equal(plb_probe_columns(table, &columns, p->count), PLB_OK);
    for (size_t i = 0; i < p->count; i++) {
        plb_answer answer = p->answers[i];
        answer.value = values[i];
        if (all) answer.dtm = dtms[i];
        if (all) answer.bound = bounds[i];
        expect(p, i, errors[i], &answer, "columns");
        if (!errors[i]) continue;
        assert_int_equal(values[i], 0);
        assert_true(!all || (dtms[i] == PLB_NO_DTM && bounds[i] == 0));
    }
}

/* Some invalid positions have no text. */
static void probe_text(const plb_table *table, const positions *p) {
    for (size_t i = 0; i < p->count; i++) {
        char text[PLB_BOARD_TEXT];
        plb_answer answer = {0};
        if (plb_format_board(table, p->x[i], p->o[i], text) != PLB_OK) continue;
        int error = plb_probe_text(table, text, &answer, NULL);
        expect(p, i, error, &answer, "text");
    }
}

/* A strategy may know a position by its rules, and not the positions after it. */
static bool has_unknown_moves(const plb_table *table, const positions *p, size_t number,
                              int error) {
    return plb_info(table)->player && error == PLB_EUNKNOWN && !p->errors[number] &&
           !p->answers[number].bound;
}

/* Moves read other blocks than the position, so their errors differ in damaged files. */
static void list_moves(const plb_table *table, const positions *p) {
    static plb_analysis a;
    for (size_t i = 0; i < p->count; i++) {
        plb_move moves[PLB_MAX_MOVES];
        int count = 0, error = plb_analyse(table, p->x[i], p->o[i], &a, NULL);
        if (!has_unknown_moves(table, p, i, error)) expect(p, i, error, &a.answer, "analysis");
        assert_int_equal(plb_moves(table, p->x[i], p->o[i], moves, &count, NULL), error);
        if (error) continue;
        assert_true(count == a.count && plb_count_best(moves, count) == a.best);
        assert_true(p->answers[i].over == (count == 0));
        for (int m = 0; m < count; m++) {
            uint64_t x = p->x[i], o = p->o[i];
            plb_answer after;
            assert_true(moves[m].value == a.moves[m].value && moves[m].dtm == a.moves[m].dtm);
            assert_string_equal(moves[m].text, a.moves[m].text);
            assert_int_equal(plb_play(table, &moves[m], &x, &o, NULL), PLB_OK);
            assert_int_equal(plb_probe(table, x, o, &after, NULL), PLB_OK);
            assert_true(moves[m].value == -after.value && moves[m].dtm == after.dtm);
        }
    }
}

static void find_best(const plb_table *table, const positions *p) {
    static plb_best best;
    for (size_t i = 0; i < p->count; i += 1 + p->count / 500) {
        int error = plb_find_best(table, p->x[i], p->o[i], NULL, &best, NULL);
        assert_true(error == p->errors[i] || has_unknown_moves(table, p, i, error));
        if (error) continue;
        if (!plb_info(table)->player || p->answers[i].over)
            assert_int_equal(best.value, p->answers[i].value);
        else
            assert_int_equal(best.value, best.moves[0].value); /* of the move of the strategy */
        assert_int_equal(best.count == 0, p->answers[i].over);
        bool has_distance = p->answers[i].dtm != PLB_NO_DTM && best.value != PLB_DRAW;
        if (has_distance) assert_int_equal(best.bounds.least, p->answers[i].dtm);
    }
}

/* No positions, or more than fit in memory. */
static void probe_odd_counts(const plb_table *table) {
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, 1ULL << 60, 1ULL << 59, 1ULL << 48};
    plb_query query = {.error = 77};
    uint64_t word = 0;
    int8_t value = 77, error = 77;
    const plb_columns columns = {.x = &word, .o = &word, .values = &value, .errors = &error};
    const plb_columns none = {0};
    assert_int_equal(plb_probe_many(table, NULL, 0), PLB_OK);
    assert_int_equal(plb_probe_columns(table, &none, 0), PLB_OK);
    assert_int_equal(plb_probe_many(table, NULL, 1), PLB_EARGUMENT);
    assert_int_equal(plb_probe_columns(table, &none, 1), PLB_EARGUMENT);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        assert_int_equal(plb_probe_many(table, &query, counts[c]), PLB_ENOMEM);
        assert_int_equal(plb_probe_columns(table, &columns, counts[c]), PLB_ENOMEM);
    }
    assert_true(query.error == 77 && value == 77 && error == 77);
}

static void probe_all(const sample *s, const char *path, positions *p) {
    bool is_whole = s->tampered < 0 && !s->damaged;
    probe_alone(path, p);
    plb_table *table = support_open_table(path);
    probe_with_context(table, p);
    plb_trim(table);
    probe_many(table, p);
    plb_trim(table);
    for (int threads = 0; threads < 4; threads += 3) {
        probe_columns(table, p, threads, true);
        probe_columns(table, p, threads, false);
    }
    probe_text(table, p);
    if (is_whole) list_moves(table, p);
    if (is_whole) find_best(table, p);
    probe_odd_counts(table);
    plb_close(table);
}

static void every_way_gives_the_same_answer(void **state) {
    positions *p = malloc(sizeof *p);
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        if (!support_has_turn(s, 2)) continue;
        char name[32];
        snprintf(name, sizeof name, "%zu.plb", s);
        const char *path = support_path(state, name);
        support_build_values(samples[s].spec, samples[s].values, path, NULL, 1);
        p->count = 0;
        list_positions(path, samples[s].step * support_step(3), p);
        if (samples[s].player >= 0) {
            const plb_strategy_claim u = {samples[s].player, PLB_DRAW, 1};
            made_strategy m;
            extract_strategy(samples[s].spec, path, u, CHOOSE_FIRST, &m);
            path = support_path(state, "strategy.plb");
            write_strategy(&m, path);
            discard_strategy(&m);
        }
        if (samples[s].tampered >= 0) tamper(path, &samples[s]);
        if (samples[s].damaged) damage(path);
        probe_all(&samples[s], path, p);
        size_t refused = 0, bounds = 0;
        for (size_t i = 0; i < p->count; i++) {
            refused += p->errors[i] == PLB_ECORRUPT;
            bounds += !p->errors[i] && p->answers[i].bound;
        }
        print_message("%s: %zu positions, %zu in damage, %zu bounds\n", samples[s].spec, p->count,
                      refused, bounds);
        assert_int_equal(refused > 0, samples[s].damaged);
        assert_int_equal(bounds > 0, samples[s].player >= 0);
    }
    free(p);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(every_way_gives_the_same_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
