/* SPDX-License-Identifier: MIT
 *
 * Scratch files: records survive a round trip, from any thread and in any order. An incomplete file
 * does not stay; a damaged one is refused.
 */
#include "builder/scratch/scratch_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/threads.h"
#include "tests/support/support.h"

static const char notes[] = "notes of the writer", label[] = "records of a test";

/* The number of a record determines its size and its content. Some records are empty, some are
 * larger than the buffer of a scratch file. */
static size_t size_of_record(uint64_t record) {
    if (record % 7 == 3) return 0;
    return record % 50 == 49 ? 300000 + record : record * 37 % 3000;
}

static uint8_t *make_record(uint64_t record) {
    size_t size = size_of_record(record);
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    uint64_t random = record;
    for (size_t at = 0; at < size; at++) bytes[at] = (uint8_t)support_random(&random);
    return bytes;
}

static plb_scratch *create(const char *path, uint64_t records) {
    plb_scratch *scratch = NULL;
    plb_message why;
    support_expect(plb_scratch_create(path, label, records, &scratch, &why), PLB_OK, path, &why);
    return scratch;
}

static int put_record(plb_scratch *scratch, uint64_t record) {
    uint8_t *bytes = make_record(record);
    int error = plb_scratch_put(scratch, record, bytes, size_of_record(record), NULL);
    free(bytes);
    return error;
}

static void commit(plb_scratch *scratch) {
    plb_message why;
    support_expect(plb_scratch_commit(scratch, notes, sizeof notes, &why), PLB_OK, "commit", &why);
}

static plb_scratch *open_scratch(const char *path, uint64_t records) {
    plb_scratch *scratch = NULL;
    plb_message why;
    support_expect(plb_scratch_open(path, label, records, &scratch, &why), PLB_OK, path, &why);
    return scratch;
}

static void assert_record(const plb_scratch *scratch, uint64_t record) {
    uint8_t *expected = make_record(record);
    assert_int_equal(plb_scratch_size_bytes(scratch, record), size_of_record(record));
    uint8_t *found = malloc(size_of_record(record) + 1);
    assert_non_null(found);
    assert_int_equal(plb_scratch_get(scratch, record, found, NULL), PLB_OK);
    assert_memory_equal(found, expected, size_of_record(record));
    free(expected);
    free(found);
}

static void assert_content(const plb_scratch *scratch, uint64_t records) {
    size_t size;
    assert_memory_equal(plb_scratch_notes(scratch, &size), notes, sizeof notes);
    assert_int_equal(size, sizeof notes);
    for (uint64_t record = 0; record < records; record++) assert_record(scratch, record);
}

/* ---- round trips ---- */

static void records_survive_a_round_trip(void **state) {
    enum { RECORDS = 300 };
    const char *path = support_path(state, "scratch");
    plb_scratch *scratch = create(path, RECORDS);
    for (uint64_t record = RECORDS; record-- > 0;)
        assert_int_equal(put_record(scratch, record), PLB_OK);
    commit(scratch);
    assert_content(scratch, RECORDS); /* it stays open for reading */
    plb_scratch_close(scratch);
    scratch = open_scratch(path, RECORDS);
    assert_content(scratch, RECORDS);
    plb_scratch_close(scratch);
}

static int put_record_of_thread(void *scratch, size_t record) {
    return put_record(scratch, record);
}

static void threads_may_put_records_concurrently(void **state) {
    enum { RECORDS = 400 };
    const char *path = support_path(state, "scratch");
    plb_scratch *scratch = create(path, RECORDS);
    plb_threads threads;
    assert_int_equal(plb_threads_open(4, &threads), PLB_OK);
    assert_int_equal(plb_threads_share(&threads, RECORDS, put_record_of_thread, scratch), PLB_OK);
    plb_threads_close(&threads);
    commit(scratch);
    plb_scratch_close(scratch);
    scratch = open_scratch(path, RECORDS);
    assert_content(scratch, RECORDS);
    plb_scratch_close(scratch);
}

static void a_scratch_file_may_have_no_records(void **state) {
    const char *path = support_path(state, "scratch");
    plb_scratch *scratch = create(path, 0);
    commit(scratch);
    plb_scratch_close(scratch);
    scratch = open_scratch(path, 0);
    assert_content(scratch, 0);
    plb_scratch_close(scratch);
    plb_scratch_close(NULL);
}

static void there_may_be_no_notes(void **state) {
    const char *path = support_path(state, "scratch");
    plb_scratch *scratch = create(path, 3);
    assert_int_equal(plb_scratch_commit(scratch, NULL, 0, NULL), PLB_OK);
    plb_scratch_close(scratch);
    scratch = open_scratch(path, 3);
    size_t size = 1;
    plb_scratch_notes(scratch, &size);
    assert_int_equal(size, 0);
    plb_scratch_close(scratch);
}

/* ---- incomplete files ---- */

static void an_uncommitted_file_is_deleted(void **state) {
    const char *path = support_path(state, "scratch");
    plb_scratch *scratch = create(path, 60);
    for (uint64_t record = 0; record < 60; record++)
        assert_int_equal(put_record(scratch, record), PLB_OK);
    plb_scratch_close(scratch);
    assert_false(support_exists(path));
    assert_int_equal(support_count_files(state), 0);
}

static void a_committed_file_stays(void **state) {
    const char *path = support_path(state, "scratch");
    plb_scratch *scratch = create(path, 3);
    for (uint64_t record = 0; record < 3; record++)
        assert_int_equal(put_record(scratch, record), PLB_OK);
    commit(scratch);
    plb_scratch_close(scratch);
    assert_true(support_exists(path));
    assert_int_equal(support_count_files(state), 1);
}

static void an_uncommitted_file_of_a_crash_is_replaced(void **state) {
    const char *path = support_path(state, "scratch");
    support_write_file(path, "as after a crash", 16);
    plb_scratch *scratch = create(path, 5);
    for (uint64_t record = 0; record < 5; record++)
        assert_int_equal(put_record(scratch, record), PLB_OK);
    commit(scratch);
    plb_scratch_close(scratch);
    scratch = open_scratch(path, 5);
    assert_content(scratch, 5);
    plb_scratch_close(scratch);
}

static void a_link_is_not_followed(void **state) {
    const char *path = support_path(state, "scratch"), *target = support_path(state, "thesis");
    plb_scratch *scratch = NULL;
    support_write_file(target, "mine", 4);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(plb_scratch_create(path, label, 1, &scratch, NULL), PLB_EIO);
    assert_null(scratch);
    size_t size;
    uint8_t *bytes = support_read_file(target, &size);
    assert_int_equal(size, 4);
    free(bytes);
}

/* ---- failures ---- */

static void a_missing_scratch_file_is_not_found(void **state) {
    plb_scratch *scratch = NULL;
    plb_message why = {.text = ""};
    const char *path = support_path(state, "none");
    assert_int_equal(plb_scratch_open(path, label, 1, &scratch, &why), PLB_ENOTFOUND);
    assert_non_null(strstr(why.text, path));
    assert_null(scratch);
    path = support_path(state, "none/scratch");
    assert_int_equal(plb_scratch_create(path, label, 1, &scratch, &why), PLB_ENOTFOUND);
    assert_null(scratch);
}

enum { SMALL = 6 };

static const char *make_small(void **state) {
    const char *path = support_path(state, "whole");
    plb_scratch *scratch = create(path, SMALL);
    for (uint64_t record = 0; record < SMALL; record++)
        assert_int_equal(put_record(scratch, record), PLB_OK);
    commit(scratch);
    plb_scratch_close(scratch);
    return path;
}

/* A file of another build, kind or ply has another label, or another number of records. */
static void another_scratch_file_is_refused(void **state) {
    static const char *const others[] = {"records of a tesT", "records of a test ",
                                         "records of a tes", ""};
    const char *path = make_small(state);
    plb_scratch *scratch = NULL;
    plb_message why = {.text = ""};
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        assert_int_equal(plb_scratch_open(path, others[o], SMALL, &scratch, &why), PLB_ECORRUPT);
        assert_non_null(strstr(why.text, path));
        assert_non_null(strstr(why.text, label));
    }
    for (uint64_t records = 0; records < 2 * SMALL; records++) {
        if (records == SMALL) continue;
        assert_int_equal(plb_scratch_open(path, label, records, &scratch, &why), PLB_ECORRUPT);
        assert_non_null(strstr(why.text, path));
    }
    assert_null(scratch);
}

/* Open the file and read all records. Returns the first error. A record that is read must be right.
 */
static int read_all(const char *path) {
    plb_scratch *scratch = NULL;
    plb_message why = {.text = ""};
    int error = plb_scratch_open(path, label, SMALL, &scratch, &why);
    for (uint64_t record = 0; !error && record < SMALL; record++) {
        uint8_t *bytes = malloc(plb_scratch_size_bytes(scratch, record) + 1);
        assert_non_null(bytes);
        error = plb_scratch_get(scratch, record, bytes, &why);
        free(bytes);
        if (!error) assert_record(scratch, record);
    }
    plb_scratch_close(scratch);
    if (error) assert_non_null(strstr(why.text, path));
    return error;
}

static void every_changed_byte_is_detected(void **state) {
    size_t size;
    uint8_t *bytes = support_read_file(make_small(state), &size);
    const char *path = support_path(state, "damaged");
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    for (size_t at = 0; at < size; at++)
        for (size_t c = 0; c < sizeof changes; c++) {
            bytes[at] ^= changes[c];
            support_write_file(path, bytes, size);
            assert_int_equal(read_all(path), PLB_ECORRUPT);
            bytes[at] ^= changes[c];
        }
    support_write_file(path, bytes, size);
    assert_int_equal(read_all(path), PLB_OK);
    free(bytes);
}

static void a_scratch_file_cut_short_is_detected(void **state) {
    size_t size;
    uint8_t *bytes = support_read_file(make_small(state), &size);
    const char *path = support_path(state, "short");
    for (size_t length = 0; length < size; length++) {
        support_write_file(path, bytes, length);
        assert_int_equal(read_all(path), PLB_ECORRUPT);
    }
    free(bytes);
}

static void bytes_at_the_end_are_detected(void **state) {
    size_t size;
    uint8_t *bytes = support_read_file(make_small(state), &size);
    bytes[size] = 0;
    const char *path = support_path(state, "long");
    support_write_file(path, bytes, size + 1);
    assert_int_equal(read_all(path), PLB_ECORRUPT);
    free(bytes);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(records_survive_a_round_trip),
        SUPPORT_IN_FOLDER(threads_may_put_records_concurrently),
        SUPPORT_IN_FOLDER(a_scratch_file_may_have_no_records),
        SUPPORT_IN_FOLDER(there_may_be_no_notes),
        SUPPORT_IN_FOLDER(an_uncommitted_file_is_deleted),
        SUPPORT_IN_FOLDER(a_committed_file_stays),
        SUPPORT_IN_FOLDER(an_uncommitted_file_of_a_crash_is_replaced),
        SUPPORT_IN_FOLDER(a_link_is_not_followed),
        SUPPORT_IN_FOLDER(a_missing_scratch_file_is_not_found),
        SUPPORT_IN_FOLDER(another_scratch_file_is_refused),
        SUPPORT_IN_FOLDER(every_changed_byte_is_detected),
        SUPPORT_IN_FOLDER(a_scratch_file_cut_short_is_detected),
        SUPPORT_IN_FOLDER(bytes_at_the_end_are_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
