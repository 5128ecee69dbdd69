/* SPDX-License-Identifier: MIT
 *
 * Positions that were added many times are gathered once, from memory and from a file. The values
 * of keys survive a round trip through a scratch file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builder/keys/key_codes.h"
#include "builder/keys/key_runs.h"
#include "tables/bits.h"
#include "tests/support/support.h"

/* Position number n, from 1 on. (A slot of zeros is empty.) */
static plb_position position(uint64_t n) {
    return (plb_position){n, n % 7};
}

static void add(plb_position_set *set, uint64_t first, uint64_t last) {
    for (uint64_t n = first; n < last; n++)
        assert_int_equal(plb_position_set_add(set, position(n), plb_position_hash(position(n))),
                         PLB_OK);
}

/* Check that every position of the set is one of [1, count] and is in the bucket. Returns their
 * number. */
static uint64_t assert_bucket(const plb_position_set *set, uint64_t bucket, uint64_t buckets,
                              uint64_t count) {
    uint64_t found = 0;
    for (uint64_t at = 0; at < set->capacity; at++) {
        plb_position p = set->slots[at];
        if (!(p.x | p.o)) continue;
        assert_true(p.x >= 1 && p.x <= count && p.o == p.x % 7);
        assert_int_equal(plb_key_bucket(plb_position_hash(p), buckets), bucket);
        found++;
    }
    assert_int_equal(found, set->count);
    return found;
}

static void a_set_holds_each_position_once(void **state) {
    (void)state;
    plb_position_set set;
    plb_position_set_begin(&set, 5000);
    add(&set, 1, 4001);
    add(&set, 1, 5000);
    assert_int_equal(set.count, 4999);
    assert_false(plb_position_set_is_full(&set));
    add(&set, 5000, 5001);
    assert_true(plb_position_set_is_full(&set));
    assert_int_equal(assert_bucket(&set, 0, 1, 5000), 5000);
    plb_position_set_clear(&set);
    assert_int_equal(assert_bucket(&set, 0, 1, 5000), 0);
    plb_position_set_free(&set);
}

/* Three runs that overlap. spilled: bit mask of the runs that go to a file. */
static void gather_overlapping_runs(void **state, unsigned spilled, uint64_t buckets) {
    static const uint64_t bounds[][2] = {{1, 20001}, {10000, 30001}, {5, 40001}};
    plb_key_runs runs;
    plb_position_set set;
    uint64_t all = 0;
    plb_message why;
    plb_key_runs_open(&runs, *state);
    for (int r = 0; r < 3; r++) {
        plb_position_set_begin(&set, 1 << 20);
        add(&set, bounds[r][0], bounds[r][1]);
        assert_int_equal(plb_key_runs_add(&runs, &set, spilled >> r & 1, &why), PLB_OK);
        plb_position_set_free(&set);
    }
    assert_int_equal(runs.positions, 20000 + 20001 + 39996);
    for (uint64_t b = 0; b < buckets; b++) {
        plb_position_set_begin(&set, plb_key_runs_count(&runs, b, buckets));
        assert_int_equal(plb_key_runs_gather(&runs, b, buckets, &set, &why), PLB_OK);
        all += assert_bucket(&set, b, buckets, 40000);
        plb_position_set_free(&set);
    }
    assert_int_equal(all, 40000);
    assert_int_equal(support_count_files(state), 0); /* the file has no name */
    plb_key_runs_close(&runs);
}

static void overlapping_runs_are_gathered_once(void **state) {
    static const uint64_t buckets[] = {1, 2, 64, PLB_GRID};
    for (unsigned spilled = 0; spilled < 8; spilled++)
        for (int b = 0; b < 4; b++) gather_overlapping_runs(state, spilled, buckets[b]);
}

static void a_changed_file_is_detected(void **state) {
    plb_key_runs runs;
    plb_position_set set;
    plb_message why;
    plb_key_runs_open(&runs, *state);
    plb_position_set_begin(&set, 1 << 20);
    add(&set, 1, 1001);
    assert_int_equal(plb_key_runs_add(&runs, &set, true, &why), PLB_OK);
    assert_int_equal(pwrite(runs.file, "!", 1, 4321), 1);
    assert_int_equal(plb_key_runs_gather(&runs, 0, 1, &set, &why), PLB_EIO);
    assert_non_null(strstr(why.text, "have changed"));
    plb_position_set_free(&set);
    plb_key_runs_close(&runs);
}

static void a_missing_folder_is_reported(void **state) {
    plb_key_runs runs;
    plb_position_set set;
    plb_message why;
    plb_key_runs_open(&runs, support_path(state, "nowhere"));
    plb_position_set_begin(&set, 10);
    add(&set, 1, 5);
    assert_int_equal(plb_key_runs_add(&runs, &set, true, &why), PLB_ENOTFOUND);
    assert_non_null(strstr(why.text, "nowhere"));
    plb_position_set_free(&set);
    plb_key_runs_close(&runs);
}

/* ---- values ---- */

enum { BUCKETS = 4, KEYS = 1000 };

/* Key number n of a bucket has the code n % 200. */
static void fill(plb_key_values *values, uint64_t bucket) {
    plb_position keys[KEYS];
    uint8_t codes[KEYS];
    uint64_t count = 0;
    for (uint64_t n = 1; n <= KEYS; n++) {
        if (plb_key_bucket(plb_position_hash(position(n)), BUCKETS) != bucket) continue;
        keys[count] = position(n);
        codes[count++] = (uint8_t)(n % 200);
    }
    assert_int_equal(plb_key_values_fill(values, bucket, keys, codes, count), PLB_OK);
}

static void assert_codes(const plb_key_values *values) {
    for (uint64_t n = 1; n <= KEYS; n++)
        assert_int_equal(plb_key_values_code(values, plb_position_hash(position(n))), n % 200);
}

static void values_survive_a_round_trip(void **state) {
    plb_key_values values, again;
    plb_scratch *scratch = NULL;
    const char *path = support_path(state, "values");
    assert_int_equal(plb_key_values_begin(&values, BUCKETS), PLB_OK);
    for (uint64_t b = 0; b < BUCKETS; b++) fill(&values, b);
    assert_codes(&values);
    assert_int_equal(
        plb_scratch_create(path, "test", plb_key_values_records(&values), &scratch, NULL), PLB_OK);
    assert_int_equal(plb_key_values_write(&values, scratch, NULL), PLB_OK);
    assert_int_equal(plb_scratch_commit(scratch, NULL, 0, NULL), PLB_OK);
    assert_int_equal(plb_key_values_read(scratch, &again, NULL), PLB_OK);
    assert_codes(&again);
    plb_key_values_free(&again);
    plb_key_values_free(&values);
    plb_scratch_close(scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_holds_each_position_once),
        SUPPORT_IN_FOLDER(overlapping_runs_are_gathered_once),
        SUPPORT_IN_FOLDER(a_changed_file_is_detected),
        SUPPORT_IN_FOLDER(a_missing_folder_is_reported),
        SUPPORT_IN_FOLDER(values_survive_a_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
