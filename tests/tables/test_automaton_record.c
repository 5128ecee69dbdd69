/* SPDX-License-Identifier: MIT
 *
 * The record of the column automaton: decoding inverts encoding, damaged bytes do no harm, and a
 * table with the record refuses the same positions as one without.
 */
#include "tables/format/automaton_record.h"

#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tables/bits.h"
#include "tables/format/meta.h"
#include "tests/support/open_table.h"
#include "tests/support/support.h"

static const uint64_t identity = 0x123456789ABCDEFULL;

static const plb_column_board small = {4, 4, 4};

static plb_column_automaton make_automaton(int width, int height, int k) {
    plb_column_automaton a;
    assert_int_equal(plb_column_automaton_make(width, height, k, NULL, &a), PLB_OK);
    return a;
}

static uint8_t *encode(const plb_column_automaton *a, size_t *size) {
    uint8_t *bytes = NULL;
    assert_int_equal(plb_automaton_record_encode(a, identity, 3, &bytes, size), PLB_OK);
    return bytes;
}

static void a_record_is_read_as_it_was_written(void **state) {
    (void)state;
    static const int boards[][3] = {{1, 1, 2}, {4, 4, 4}, {5, 5, 4}, {2, 13, 3}, {6, 3, 1}};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++) {
        int width = boards[b][0], height = boards[b][1], k = boards[b][2];
        plb_column_automaton a = make_automaton(width, height, k), read;
        size_t size;
        uint8_t *bytes = encode(&a, &size);
        assert_int_equal(plb_automaton_record_decode((plb_column_board){width, height, k}, identity,
                                                     bytes, size, &read),
                         PLB_OK);
        assert_int_equal(read.first, a.first);
        assert_int_equal(read.accepting, a.accepting);
        for (int layer = 0; layer < width; layer++) {
            assert_int_equal(read.layers[layer].states, a.layers[layer].states);
            assert_memory_equal(read.layers[layer].next, a.layers[layer].next,
                                2ULL * a.layers[layer].states * a.words.count);
        }
        free(bytes);
        plb_column_automaton_free(&read);
        plb_column_automaton_free(&a);
    }
}

static void another_table_or_board_is_refused(void **state) {
    (void)state;
    plb_column_automaton a = make_automaton(4, 4, 4), read;
    size_t size;
    uint8_t *bytes = encode(&a, &size);
    static const plb_column_board boards[] = {{5, 4, 4}, {3, 4, 4}, {4, 5, 4}, {4, 4, 3}};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++)
        assert_int_equal(plb_automaton_record_decode(boards[b], identity, bytes, size, &read),
                         PLB_ECORRUPT);
    assert_int_equal(plb_automaton_record_decode(small, identity + 1, bytes, size, &read),
                     PLB_ECORRUPT);
    free(bytes);
    plb_column_automaton_free(&a);
}

/* Change every byte, and cut at every length. An automaton that is accepted answers any query. */
static void damaged_records_do_no_harm(void **state) {
    (void)state;
    plb_column_automaton a = make_automaton(4, 4, 4), read;
    size_t size;
    uint8_t *bytes = encode(&a, &size);
    uint64_t random = support_seed("damage", 20240917);
    int passed = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t *part = malloc(i + 1), right = bytes[i];
        assert_non_null(part);
        memcpy(part, bytes, i);
        assert_int_equal(plb_automaton_record_decode(small, identity, part, i, &read),
                         PLB_ECORRUPT);
        free(part);
        bytes[i] ^= (uint8_t)(1 + support_random_below(&random, 255));
        if (plb_automaton_record_decode(small, identity, bytes, size, &read) == PLB_OK) {
            for (int board = 0; board < 100; board++) {
                uint64_t x = support_random(&random) & 0xFFFF;
                plb_column_automaton_accepts(&read, x, 0xFFFF);
            }
            plb_column_automaton_free(&read);
            passed++;
        }
        bytes[i] = right;
    }
    assert_true(passed < 8); /* the first and the accepting state have no checksum */
    free(bytes);
    plb_column_automaton_free(&a);
}

/* ---- tables ---- */

static plb_table *build_table(const char *spec, const char *path, double count_seconds) {
    plb_space space;
    plb_message why;
    plb_built built;
    plb_build_options options = support_build_options(path, NULL, 1);
    options.count_seconds = count_seconds;
    support_open_space(spec, &space);
    support_expect(plb_build(&space, &options, &built, &why), PLB_OK, spec, &why);
    plb_space_close(&space);
    return support_open_table(path);
}

static bool has_columns(const char *path) {
    plb_store *store;
    assert_int_equal(plb_store_open(path, &store, NULL), PLB_OK);
    bool has = plb_store_has_record(store, PLB_RECORD_COLUMNS);
    plb_store_close(store);
    return has;
}

/* Columns of random heights and colours, with as many x as o or one more. */
static void random_stones(uint64_t *random, int width, int height, uint64_t *x, uint64_t *o) {
    do {
        *x = *o = 0;
        for (int i = 0; i < width; i++) {
            int stones = (int)support_random_below(random, height + 1);
            uint64_t letters = support_random(random) & plb_low_bits(stones);
            *x |= letters << (i * height);
            *o |= (letters ^ plb_low_bits(stones)) << (i * height);
        }
    } while (plb_popcount(*x) - plb_popcount(*o) != 0 && plb_popcount(*x) - plb_popcount(*o) != 1);
}

static void tables_with_and_without_refuse_the_same(void **state) {
    static const struct {
        const char *spec;
        int width, height;
    } games[] = {{"connect-5x4-k4", 5, 4},
                 {"connect-4x5-k3-misere", 4, 5},
                 {"connect-5x3-k3-cylinder", 5, 3},
                 {"connect-2x8-k4", 2, 8}};
    uint64_t random = support_seed("positions", 20240918);
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        const char *spec = games[g].spec;
        plb_table *with = build_table(spec, support_path(state, "with"), 60);
        plb_table *without = build_table(spec, support_path(state, "without"), 0);
        int refused = 0;
        assert_true(has_columns(support_path(state, "with")));
        assert_false(has_columns(support_path(state, "without")));
        for (int p = 0; p < 50000; p++) {
            uint64_t x, o;
            plb_answer answers[2];
            random_stones(&random, games[g].width, games[g].height, &x, &o);
            int error = plb_probe(with, x, o, &answers[0], NULL);
            assert_int_equal(error, plb_probe(without, x, o, &answers[1], NULL));
            if (!error) assert_int_equal(answers[0].value, answers[1].value);
            refused += error == PLB_EUNREACHABLE;
        }
        assert_true(refused > 10);
        plb_close(with);
        plb_close(without);
        support_leave_folder(state);
        support_enter_folder(state);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_read_as_it_was_written),
        cmocka_unit_test(another_table_or_board_is_refused),
        cmocka_unit_test(damaged_records_do_no_harm),
        SUPPORT_IN_FOLDER(tables_with_and_without_refuse_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
