/* SPDX-License-Identifier: MIT
 *
 * Spools: items come back as they were put, from any thread and in any order; what is not
 * complete is not there; what is damaged is refused.
 */
#include "builder/spool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support.h"

static const char notes[] = "what the writer has to say", identity[] = "items of a test";

/* Bytes of an item: a size of its own and a content that its number gives. Some are empty, some
 * larger than the buffer of a spool. */
static size_t size_of_item(uint64_t item) {
    if (item % 7 == 3) return 0;
    return item % 50 == 49 ? 300000 + item : item * 37 % 3000;
}

static uint8_t *make_item(uint64_t item) {
    size_t size = size_of_item(item);
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    uint64_t random = item;
    for (size_t at = 0; at < size; at++) bytes[at] = (uint8_t)support_random(&random);
    return bytes;
}

static plb_spool *create(const char *path, uint64_t items) {
    plb_spool *spool = NULL;
    plb_message why;
    support_expect(plb_spool_create(path, identity, items, &spool, &why), PLB_OK, path, &why);
    return spool;
}

static int put_item(plb_spool *spool, uint64_t item) {
    uint8_t *bytes = make_item(item);
    int error = plb_spool_put(spool, item, bytes, size_of_item(item), NULL);
    free(bytes);
    return error;
}

static void commit(plb_spool *spool) {
    plb_message why;
    support_expect(plb_spool_commit(spool, notes, sizeof notes, &why), PLB_OK, "commit", &why);
}

static plb_spool *open_spool(const char *path, uint64_t items) {
    plb_spool *spool = NULL;
    plb_message why;
    support_expect(plb_spool_open(path, identity, items, &spool, &why), PLB_OK, path, &why);
    return spool;
}

static void assert_item(const plb_spool *spool, uint64_t item) {
    uint8_t *expected = make_item(item);
    assert_int_equal(plb_spool_size_bytes(spool, item), size_of_item(item));
    uint8_t *found = malloc(size_of_item(item) + 1);
    assert_non_null(found);
    assert_int_equal(plb_spool_get(spool, item, found, NULL), PLB_OK);
    assert_memory_equal(found, expected, size_of_item(item));
    free(expected);
    free(found);
}

static void assert_content(const plb_spool *spool, uint64_t items) {
    size_t size;
    assert_memory_equal(plb_spool_notes(spool, &size), notes, sizeof notes);
    assert_int_equal(size, sizeof notes);
    for (uint64_t item = 0; item < items; item++) assert_item(spool, item);
}

/* ---- what was put comes back ---- */

static void items_come_back_as_they_were_put(void **state) {
    enum { ITEMS = 300 };
    const char *path = support_path(state, "spool");
    plb_spool *spool = create(path, ITEMS);
    for (uint64_t item = ITEMS; item-- > 0;) assert_int_equal(put_item(spool, item), PLB_OK);
    commit(spool);
    assert_content(spool, ITEMS); /* it stays open for reading */
    plb_spool_close(spool);
    spool = open_spool(path, ITEMS);
    assert_content(spool, ITEMS);
    plb_spool_close(spool);
}

static void threads_may_put_at_once(void **state) {
    enum { ITEMS = 400 };
    const char *path = support_path(state, "spool");
    plb_spool *spool = create(path, ITEMS);
    int failed = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(4) reduction(+ : failed)
    for (uint64_t item = 0; item < ITEMS; item++) failed += put_item(spool, item) != PLB_OK;
    assert_int_equal(failed, 0);
    commit(spool);
    plb_spool_close(spool);
    spool = open_spool(path, ITEMS);
    assert_content(spool, ITEMS);
    plb_spool_close(spool);
}

static void a_spool_may_have_no_items(void **state) {
    const char *path = support_path(state, "spool");
    plb_spool *spool = create(path, 0);
    commit(spool);
    plb_spool_close(spool);
    spool = open_spool(path, 0);
    assert_content(spool, 0);
    plb_spool_close(spool);
    plb_spool_close(NULL);
}

static void there_may_be_no_notes(void **state) {
    const char *path = support_path(state, "spool");
    plb_spool *spool = create(path, 3);
    assert_int_equal(plb_spool_commit(spool, NULL, 0, NULL), PLB_OK);
    plb_spool_close(spool);
    spool = open_spool(path, 3);
    size_t size = 1;
    plb_spool_notes(spool, &size);
    assert_int_equal(size, 0);
    plb_spool_close(spool);
}

/* ---- what is not complete does not stay ---- */

static void what_is_not_committed_is_deleted(void **state) {
    const char *path = support_path(state, "spool");
    plb_spool *spool = create(path, 60);
    for (uint64_t item = 0; item < 60; item++) assert_int_equal(put_item(spool, item), PLB_OK);
    plb_spool_close(spool);
    assert_false(support_exists(path));
    assert_int_equal(support_count_files(state), 0);
}

static void what_is_committed_stays_alone(void **state) {
    const char *path = support_path(state, "spool");
    plb_spool *spool = create(path, 3);
    for (uint64_t item = 0; item < 3; item++) assert_int_equal(put_item(spool, item), PLB_OK);
    commit(spool);
    plb_spool_close(spool);
    assert_true(support_exists(path));
    assert_int_equal(support_count_files(state), 1);
}

static void an_uncommitted_rest_is_no_obstacle(void **state) {
    const char *path = support_path(state, "spool");
    support_write_file(path, "as after a crash", 16);
    plb_spool *spool = create(path, 5);
    for (uint64_t item = 0; item < 5; item++) assert_int_equal(put_item(spool, item), PLB_OK);
    commit(spool);
    plb_spool_close(spool);
    spool = open_spool(path, 5);
    assert_content(spool, 5);
    plb_spool_close(spool);
}

/* What a link leads to is not ours to overwrite. */
static void a_link_is_not_followed(void **state) {
    const char *path = support_path(state, "spool"), *target = support_path(state, "thesis");
    plb_spool *spool = NULL;
    support_write_file(target, "mine", 4);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(plb_spool_create(path, identity, 1, &spool, NULL), PLB_EIO);
    assert_null(spool);
    size_t size;
    uint8_t *bytes = support_read_file(target, &size);
    assert_int_equal(size, 4);
    free(bytes);
}

/* ---- failures ---- */

static void a_missing_spool_is_not_found(void **state) {
    plb_spool *spool = NULL;
    plb_message why = {.text = ""};
    const char *path = support_path(state, "none");
    assert_int_equal(plb_spool_open(path, identity, 1, &spool, &why), PLB_ENOTFOUND);
    assert_non_null(strstr(why.text, path));
    assert_null(spool);
    path = support_path(state, "none/spool");
    assert_int_equal(plb_spool_create(path, identity, 1, &spool, &why), PLB_ENOTFOUND);
    assert_null(spool);
}

enum { SMALL = 6 };

static const char *make_small(void **state) {
    const char *path = support_path(state, "whole");
    plb_spool *spool = create(path, SMALL);
    for (uint64_t item = 0; item < SMALL; item++) assert_int_equal(put_item(spool, item), PLB_OK);
    commit(spool);
    plb_spool_close(spool);
    return path;
}

/* A spool is not taken for another one: that of another build, kind or ply, or another number. */
static void another_spool_is_refused(void **state) {
    static const char *const others[] = {"items of a tesT", "items of a test ", "items of a tes",
                                         ""};
    const char *path = make_small(state);
    plb_spool *spool = NULL;
    plb_message why = {.text = ""};
    for (size_t o = 0; o < sizeof others / sizeof others[0]; o++) {
        assert_int_equal(plb_spool_open(path, others[o], SMALL, &spool, &why), PLB_ECORRUPT);
        assert_non_null(strstr(why.text, path));
        assert_non_null(strstr(why.text, identity));
    }
    for (uint64_t items = 0; items < 2 * SMALL; items++) {
        if (items == SMALL) continue;
        assert_int_equal(plb_spool_open(path, identity, items, &spool, &why), PLB_ECORRUPT);
        assert_non_null(strstr(why.text, path));
    }
    assert_null(spool);
}

/* A small spool as bytes. */
static uint8_t *small_spool(void **state, size_t *size) {
    const char *path = make_small(state);
    return support_read_file(path, size);
}

/* Open and read all; the first error. What reads well must be right. */
static int read_all(const char *path) {
    plb_spool *spool = NULL;
    plb_message why = {.text = ""};
    int error = plb_spool_open(path, identity, SMALL, &spool, &why);
    for (uint64_t item = 0; !error && item < SMALL; item++) {
        uint8_t *bytes = malloc(plb_spool_size_bytes(spool, item) + 1);
        assert_non_null(bytes);
        error = plb_spool_get(spool, item, bytes, &why);
        free(bytes);
        if (!error) assert_item(spool, item);
    }
    plb_spool_close(spool);
    if (error) assert_non_null(strstr(why.text, path));
    return error;
}

static void every_changed_byte_is_noticed(void **state) {
    size_t size;
    uint8_t *bytes = small_spool(state, &size);
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

static void a_spool_cut_short_is_noticed(void **state) {
    size_t size;
    uint8_t *bytes = small_spool(state, &size);
    const char *path = support_path(state, "short");
    for (size_t length = 0; length < size; length++) {
        support_write_file(path, bytes, length);
        assert_int_equal(read_all(path), PLB_ECORRUPT);
    }
    free(bytes);
}

static void bytes_at_the_end_are_noticed(void **state) {
    size_t size;
    uint8_t *bytes = small_spool(state, &size);
    bytes[size] = 0;
    const char *path = support_path(state, "long");
    support_write_file(path, bytes, size + 1);
    assert_int_equal(read_all(path), PLB_ECORRUPT);
    free(bytes);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(items_come_back_as_they_were_put),
        SUPPORT_IN_FOLDER(threads_may_put_at_once),
        SUPPORT_IN_FOLDER(a_spool_may_have_no_items),
        SUPPORT_IN_FOLDER(there_may_be_no_notes),
        SUPPORT_IN_FOLDER(what_is_not_committed_is_deleted),
        SUPPORT_IN_FOLDER(what_is_committed_stays_alone),
        SUPPORT_IN_FOLDER(an_uncommitted_rest_is_no_obstacle),
        SUPPORT_IN_FOLDER(a_link_is_not_followed),
        SUPPORT_IN_FOLDER(a_missing_spool_is_not_found),
        SUPPORT_IN_FOLDER(another_spool_is_refused),
        SUPPORT_IN_FOLDER(every_changed_byte_is_noticed),
        SUPPORT_IN_FOLDER(a_spool_cut_short_is_noticed),
        SUPPORT_IN_FOLDER(bytes_at_the_end_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
