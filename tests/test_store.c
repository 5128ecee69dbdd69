/* SPDX-License-Identifier: MIT
 *
 * The store: what was put is there, however often the map had to grow; a ply that is missing, a
 * file cut short, a damaged record and a file of another kind are each told apart.
 */
#include "tables/store.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/meta.h"
#include "tests/support.h"

enum { PLIES = 5, SEGMENTS = 40, TINY_MAP = 1 << 16 };

/* ---- a store with content that numbers give ---- */

static size_t size_of_segment(int ply, int segment) {
    if (segment % 13 == 5) return 1;
    if (segment % 11 == 7) return 200000 + 1000 * ply;
    return 50 + (ply * 977 + segment * 131) % 9000;
}

static void fill_segment(int ply, int segment, uint8_t *bytes) {
    uint64_t random = (uint64_t)ply << 32 | (uint64_t)segment;
    size_t size = size_of_segment(ply, segment);
    for (size_t at = 0; at < size; at++) bytes[at] = (uint8_t)support_random(&random);
}

static plb_ply_stats stats_of(int ply) {
    uint64_t n = ply + 1;
    return (plb_ply_stats){.total = 6 * n << 40,
                           .terminal = n,
                           .won = n << 40,
                           .drawn = 2 * n << 40,
                           .lost = 3 * n << 40};
}

static plb_store *create(const char *path, size_t map_bytes) {
    plb_store *store = NULL;
    plb_message why;
    support_expect(plb_store_create(path, map_bytes, &store, &why), PLB_OK, path, &why);
    return store;
}

static void put_ply(plb_store *store, int ply) {
    static uint8_t bytes[1 << 18];
    for (int segment = 0; segment < SEGMENTS; segment++) {
        fill_segment(ply, segment, bytes);
        assert_int_equal(plb_store_put_segment(store, ply, segment * 64ULL, bytes,
                                               size_of_segment(ply, segment), NULL),
                         PLB_OK);
    }
    plb_ply_stats stats = stats_of(ply);
    assert_int_equal(plb_store_put_stats(store, ply, &stats, NULL), PLB_OK);
}

static void make_store(const char *path, size_t map_bytes, int plies) {
    plb_store *store = create(path, map_bytes);
    assert_int_equal(plb_store_put_meta(store, "spec", "mnk-3x3-k3", NULL), PLB_OK);
    assert_int_equal(plb_store_put_meta(store, "empty", "", NULL), PLB_OK);
    for (int ply = 0; ply < plies; ply++) put_ply(store, ply);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

static plb_store *open_store(const char *path) {
    plb_store *store = NULL;
    plb_message why;
    support_expect(plb_store_open(path, &store, &why), PLB_OK, path, &why);
    return store;
}

static void assert_meta(const plb_store *store, const char *key, const char *expected) {
    char text[64];
    assert_int_equal(plb_store_get_meta(store, key, text, sizeof text, NULL), PLB_OK);
    assert_string_equal(text, expected);
}

static void assert_ply(const plb_store *store, int ply) {
    static uint8_t expected[1 << 18];
    plb_ply_stats stats, right = stats_of(ply);
    assert_int_equal(plb_store_get_stats(store, ply, &stats, NULL), PLB_OK);
    assert_memory_equal(&stats, &right, sizeof stats);
    for (int segment = 0; segment < SEGMENTS; segment++) {
        const uint8_t *bytes;
        size_t size;
        fill_segment(ply, segment, expected);
        assert_int_equal(plb_store_get_segment(store, ply, segment * 64ULL, &bytes, &size, NULL),
                         PLB_OK);
        assert_int_equal(size, size_of_segment(ply, segment));
        assert_memory_equal(bytes, expected, size);
    }
}

/* ---- what was put is there ---- */

static void assert_whole(const char *path) {
    plb_store *store = open_store(path);
    assert_meta(store, "spec", "mnk-3x3-k3");
    assert_meta(store, "empty", "");
    for (int ply = 0; ply < PLIES; ply++) assert_ply(store, ply);
    size_t size;
    free(support_read_file(path, &size));
    assert_int_equal(plb_store_size_bytes(store), size);
    plb_store_close(store);
}

static void what_was_put_is_there(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, PLIES);
    assert_whole(path);
    assert_int_equal(support_count_files(state), 1); /* no lock file, no rest */
}

static void a_full_map_grows_by_itself(void **state) {
    const char *tiny = support_path(state, "tiny"), *roomy = support_path(state, "roomy");
    make_store(tiny, TINY_MAP, PLIES);
    make_store(roomy, 64 << 20, PLIES);
    assert_whole(tiny);
    assert_whole(roomy);
}

static void the_same_content_gives_the_same_bytes(void **state) {
    const char *one = support_path(state, "one"), *two = support_path(state, "two");
    make_store(one, 0, PLIES);
    make_store(two, 0, PLIES);
    support_assert_same_files(one, two);
}

static void readers_leave_no_trace(void **state) {
    const char *path = support_path(state, "table"), *copy = support_path(state, "copy");
    size_t size;
    make_store(path, 0, 2);
    uint8_t *bytes = support_read_file(path, &size);
    support_write_file(copy, bytes, size);
    free(bytes);
    plb_store *first = open_store(path), *second = open_store(path);
    assert_ply(first, 1);
    assert_ply(second, 1);
    plb_store_close(first);
    assert_ply(second, 0);
    plb_store_close(second);
    support_assert_same_files(path, copy);
    assert_int_equal(support_count_files(state), 2);
    plb_store_close(NULL);
}

static void a_file_without_write_permission_can_be_read(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, PLIES);
    char command[SUPPORT_PATH + 32];
    snprintf(command, sizeof command, "chmod 444 '%s'", path);
    assert_int_equal(system(command), 0);
    assert_whole(path);
}

static void meta_reads_what_it_wrote(void **state) {
    const char *path = support_path(state, "table");
    plb_store *store = create(path, 0);
    const plb_meta meta = {.spec = "connect-7x6-k4-misere-cylinder",
                           .values = "wdl",
                           .compression = "zstd-3",
                           .builder = "plybase test",
                           .symmetries = 14,
                           .block_positions = 16384};
    plb_meta found;
    assert_int_equal(plb_meta_write(&meta, store, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
    store = open_store(path);
    assert_int_equal(plb_meta_read(store, &found, NULL), PLB_OK);
    assert_memory_equal(&found, &meta, sizeof meta);
    plb_store_close(store);
}

/* ---- what is not there ---- */

static void a_missing_ply_means_unfinished(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, 3);
    plb_store *store = open_store(path);
    plb_ply_stats stats = {.total = 7};
    plb_message why = {.text = ""};
    assert_ply(store, 2);
    assert_int_equal(plb_store_get_stats(store, 3, &stats, &why), PLB_EUNFINISHED);
    assert_int_equal(stats.total, 7);
    assert_non_null(strstr(why.text, path));
    assert_non_null(strstr(why.text, "ply 3"));
    plb_store_close(store);
}

static void a_missing_segment_means_damage(void **state) {
    const char *path = support_path(state, "table");
    const uint8_t *bytes = NULL;
    size_t size;
    make_store(path, 0, 3);
    plb_store *store = open_store(path);
    assert_int_equal(plb_store_get_segment(store, 1, 63, &bytes, &size, NULL), PLB_ECORRUPT);
    assert_int_equal(plb_store_get_segment(store, 3, 0, &bytes, &size, NULL), PLB_ECORRUPT);
    assert_null(bytes);
    plb_store_close(store);
}

static void a_missing_text_means_no_table(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, 1);
    plb_store *store = open_store(path);
    char text[16] = "untouched";
    plb_meta meta;
    assert_int_equal(plb_store_get_meta(store, "builder", text, sizeof text, NULL), PLB_ENOTTABLE);
    assert_string_equal(text, "untouched");
    assert_int_equal(plb_meta_read(store, &meta, NULL), PLB_ENOTTABLE);
    plb_store_close(store);
}

static void another_format_version_is_refused(void **state) {
    const char *path = support_path(state, "table");
    plb_store *store = create(path, 0);
    plb_meta meta;
    assert_int_equal(plb_store_put_meta(store, "format", "99", NULL), PLB_OK);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
    store = open_store(path);
    assert_int_equal(plb_meta_read(store, &meta, NULL), PLB_EVERSION);
    plb_store_close(store);
}

static void what_is_not_finished_is_lost(void **state) {
    const char *path = support_path(state, "table");
    plb_store *store = create(path, 0);
    plb_ply_stats stats;
    put_ply(store, 0);
    plb_store_close(store);
    store = NULL;
    if (plb_store_open(path, &store, NULL) == PLB_OK)
        assert_int_equal(plb_store_get_stats(store, 0, &stats, NULL), PLB_EUNFINISHED);
    plb_store_close(store);
}

/* ---- what is not a table, or not whole ---- */

static void assert_refused(const char *path, int error) {
    plb_store *store = NULL;
    plb_message why = {.text = ""};
    support_expect(plb_store_open(path, &store, &why), error, path, &why);
    assert_null(store);
    assert_non_null(strstr(why.text, path));
}

static void a_file_cut_short_is_damaged(void **state) {
    const char *path = support_path(state, "table"), *cut = support_path(state, "cut");
    size_t size;
    make_store(path, 0, 2);
    uint8_t *bytes = support_read_file(path, &size);
    for (size_t length = 2 * 4096; length < size; length += 4096 * 7 + 555) {
        support_write_file(cut, bytes, length);
        assert_refused(cut, PLB_ECORRUPT);
    }
    support_write_file(cut, bytes, size - 1);
    assert_refused(cut, PLB_ECORRUPT);
    free(bytes);
}

static void a_file_of_another_kind_is_no_table(void **state) {
    const char *path = support_path(state, "other");
    uint8_t noise[40000];
    uint64_t random = support_seed("bytes", 20240901);
    for (size_t at = 0; at < sizeof noise; at++) noise[at] = (uint8_t)support_random(&random);
    static const size_t sizes[] = {1, 15, 100, 4095, 4096, 8191, 8192, 40000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        support_write_file(path, noise, sizes[s]);
        assert_refused(path, PLB_ENOTTABLE);
    }
    memset(noise, 0, sizeof noise);
    support_write_file(path, noise, sizeof noise);
    assert_refused(path, PLB_ENOTTABLE);
    assert_refused(*state, PLB_ENOTTABLE); /* a folder */
}

/* It is there, so "no such file" would be wrong. */
static void an_empty_file_is_no_table(void **state) {
    const char *path = support_path(state, "empty");
    support_write_file(path, "", 0);
    assert_refused(path, PLB_ENOTTABLE);
}

static void a_missing_file_is_not_found(void **state) {
    assert_refused(support_path(state, "none"), PLB_ENOTFOUND);
    assert_refused(support_path(state, "none/none"), PLB_ENOTFOUND);
}

/* A sound LMDB file that somebody else has made, with or without named databases. */
static void make_foreign_file(const char *path, const char *name) {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi database;
    MDB_val key = {3, "key"}, value = {5, "value"};
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, 1), 0);
    assert_int_equal(mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOLOCK, 0644), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, name, MDB_CREATE, &database), 0);
    assert_int_equal(mdb_put(txn, database, &key, &value, 0), 0);
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
}

static void an_lmdb_file_of_somebody_else_is_no_table(void **state) {
    const char *named = support_path(state, "named"), *plain = support_path(state, "plain");
    make_foreign_file(named, "stats");
    assert_refused(named, PLB_ENOTTABLE);
    make_foreign_file(plain, NULL);
    assert_refused(plain, PLB_ENOTTABLE);
}

/* Change one byte of every copy of a text in a file. */
static int damage_text(const char *path, const void *text, size_t length) {
    size_t size;
    int copies = 0;
    uint8_t *bytes = support_read_file(path, &size);
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(bytes + at, text, length) == 0) {
            bytes[at + length / 2] ^= 1;
            copies++;
        }
    support_write_file(path, bytes, size);
    free(bytes);
    return copies;
}

static void a_changed_text_is_damage(void **state) {
    const char *path = support_path(state, "table");
    char text[64] = "untouched";
    plb_message why = {.text = ""};
    make_store(path, 0, 1);
    assert_true(damage_text(path, "mnk-3x3-k3", 10) > 0);
    plb_store *store = open_store(path);
    assert_int_equal(plb_store_get_meta(store, "spec", text, sizeof text, &why), PLB_ECORRUPT);
    assert_string_equal(text, "untouched");
    assert_non_null(strstr(why.text, "spec"));
    plb_store_close(store);
}

static void changed_counts_are_damage(void **state) {
    const char *path = support_path(state, "table");
    static const uint8_t total[8] = {0, 0, 6 * 2, 0, 0, 0, 0, 0}; /* of ply 1, big-endian */
    plb_ply_stats stats;
    plb_message why = {.text = ""};
    make_store(path, 0, 2);
    assert_true(damage_text(path, total, sizeof total) > 0);
    plb_store *store = open_store(path);
    assert_int_equal(plb_store_get_stats(store, 0, &stats, NULL), PLB_OK);
    assert_int_equal(plb_store_get_stats(store, 1, &stats, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, "ply 1"));
    plb_store_close(store);
}

static void a_store_cannot_be_made_in_no_folder(void **state) {
    plb_store *store = NULL;
    plb_message why = {.text = ""};
    const char *path = support_path(state, "none/table");
    assert_int_equal(plb_store_create(path, 0, &store, &why), PLB_ENOTFOUND);
    assert_null(store);
    assert_non_null(strstr(why.text, path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(what_was_put_is_there),
        SUPPORT_IN_FOLDER(a_full_map_grows_by_itself),
        SUPPORT_IN_FOLDER(the_same_content_gives_the_same_bytes),
        SUPPORT_IN_FOLDER(readers_leave_no_trace),
        SUPPORT_IN_FOLDER(a_file_without_write_permission_can_be_read),
        SUPPORT_IN_FOLDER(meta_reads_what_it_wrote),
        SUPPORT_IN_FOLDER(a_missing_ply_means_unfinished),
        SUPPORT_IN_FOLDER(a_missing_segment_means_damage),
        SUPPORT_IN_FOLDER(a_missing_text_means_no_table),
        SUPPORT_IN_FOLDER(another_format_version_is_refused),
        SUPPORT_IN_FOLDER(what_is_not_finished_is_lost),
        SUPPORT_IN_FOLDER(a_file_cut_short_is_damaged),
        SUPPORT_IN_FOLDER(a_file_of_another_kind_is_no_table),
        SUPPORT_IN_FOLDER(an_empty_file_is_no_table),
        SUPPORT_IN_FOLDER(a_missing_file_is_not_found),
        SUPPORT_IN_FOLDER(an_lmdb_file_of_somebody_else_is_no_table),
        SUPPORT_IN_FOLDER(a_changed_text_is_damage),
        SUPPORT_IN_FOLDER(changed_counts_are_damage),
        SUPPORT_IN_FOLDER(a_store_cannot_be_made_in_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
