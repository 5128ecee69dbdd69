/* SPDX-License-Identifier: MIT
 *
 * The store: all records that were put are read back, however often the map had to grow. A missing
 * ply, a truncated file, a damaged record and a file of another kind are distinguished.
 */
#include "tables/store/store.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/store/store_writer.h"
#include "tests/support/support.h"

enum { PLIES = 5, SEGMENTS = 40, TINY_MAP = 1 << 16, LONG_RECORD = 300001 };
static const char DESCRIPTION[] = "a table like no other\n";

/* ---- a store with generated content ---- */

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

static plb_store_writer *create(const char *path, size_t map_bytes) {
    plb_store_writer *store = NULL;
    plb_message why;
    support_expect(plb_store_create(path, DESCRIPTION, map_bytes, &store, &why), PLB_OK, path,
                   &why);
    return store;
}

static void put_segments(plb_store_writer *store, int ply, int segments) {
    static uint8_t bytes[1 << 18];
    for (int segment = 0; segment < segments; segment++) {
        fill_segment(ply, segment, bytes);
        assert_int_equal(plb_store_put_segment(store, ply, segment * 64ULL, bytes,
                                               size_of_segment(ply, segment), NULL),
                         PLB_OK);
    }
}

static void end_ply(plb_store_writer *store, int ply) {
    plb_ply_stats stats = stats_of(ply);
    assert_int_equal(plb_store_put_stats(store, ply, &stats, NULL), PLB_OK);
}

static void put_ply(plb_store_writer *store, int ply) {
    put_segments(store, ply, SEGMENTS);
    end_ply(store, ply);
}

static void put_text(plb_store_writer *store, const char *name, const char *text) {
    assert_int_equal(plb_store_put_record(store, name, text, strlen(text), NULL), PLB_OK);
}

static const uint8_t *long_record(void) {
    static uint8_t bytes[LONG_RECORD];
    uint64_t random = 20261123;
    for (size_t at = 0; at < sizeof bytes; at++) bytes[at] = (uint8_t)support_random(&random);
    return bytes;
}

static void put_records(plb_store_writer *store) {
    put_text(store, "spec", "mnk-3x3-k3");
    put_text(store, "empty", "");
    assert_int_equal(plb_store_put_record(store, "long", long_record(), LONG_RECORD, NULL), PLB_OK);
}

static void make_store(const char *path, size_t map_bytes, int plies) {
    plb_store_writer *store = create(path, map_bytes);
    put_records(store);
    for (int ply = 0; ply < plies; ply++) put_ply(store, ply);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

static void assert_record(const plb_store *store, const char *name, const void *expected,
                          size_t expected_size) {
    uint8_t *bytes = NULL;
    size_t size;
    assert_true(plb_store_has_record(store, name));
    assert_int_equal(plb_store_get_record(store, name, &bytes, &size, NULL), PLB_OK);
    assert_int_equal(size, expected_size);
    assert_memory_equal(bytes, expected, size);
    assert_int_equal(bytes[size], 0);
    free(bytes);
}

static void assert_ply(const plb_store *store, int ply) {
    static uint8_t expected[1 << 18];
    plb_ply_stats stats, right = stats_of(ply);
    assert_int_equal(plb_store_get_stats(store, ply, &stats, NULL), PLB_OK);
    assert_memory_equal(&stats, &right, sizeof stats);
    for (int segment = 0; segment < SEGMENTS; segment++) {
        uint8_t *bytes = NULL;
        size_t size;
        fill_segment(ply, segment, expected);
        assert_int_equal(plb_store_get_segment(store, ply, segment * 64ULL, &bytes, &size, NULL),
                         PLB_OK);
        assert_int_equal(size, size_of_segment(ply, segment));
        assert_memory_equal(bytes, expected, size);
        free(bytes);
    }
}

/* The directory has the same segments, in order, and parts of them can be read. */
static void assert_directory(const plb_store *store, int plies) {
    static uint8_t expected[1 << 18], part[7];
    uint64_t count;
    const plb_stored_segment *segments = plb_store_segments(store, &count);
    assert_int_equal(count, plies * SEGMENTS);
    for (uint64_t s = 0; s < count; s++) {
        int ply = (int)(s / SEGMENTS), segment = (int)(s % SEGMENTS);
        assert_int_equal(segments[s].ply, ply);
        assert_int_equal(segments[s].first_block, segment * 64);
        assert_int_equal(segments[s].size, size_of_segment(ply, segment));
        if (segments[s].size < 40) continue;
        fill_segment(ply, segment, expected);
        assert_int_equal(plb_store_read(store, &segments[s], 33, part, sizeof part, NULL), PLB_OK);
        assert_memory_equal(part, expected + 33, sizeof part);
    }
}

/* ---- records are read back ---- */

static void assert_whole(const char *path) {
    plb_store *store = support_open_store(path);
    assert_string_equal(plb_store_description(store), DESCRIPTION);
    assert_string_equal(plb_store_path(store), path);
    assert_record(store, "spec", "mnk-3x3-k3", 10);
    assert_record(store, "empty", "", 0);
    assert_record(store, "long", long_record(), LONG_RECORD);
    assert_false(plb_store_has_record(store, "none"));
    for (int ply = 0; ply < PLIES; ply++) assert_ply(store, ply);
    assert_int_equal(plb_store_plies(store), PLIES);
    assert_directory(store, PLIES);
    assert_int_equal(plb_store_find_extra(store, NULL, NULL), PLB_OK);
    size_t size;
    free(support_read_file(path, &size));
    assert_int_equal(plb_store_size_bytes(store), size);
    plb_store_close(store);
}

static void what_was_put_is_there(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, PLIES);
    assert_whole(path);
    assert_int_equal(support_count_files(state), 1); /* neither a lock file nor a temporary one */
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

/* Put some plies and segments of the next one, and abandon the file. Returns the complete plies. */
static int begin_store(const char *path, int plies, int segments) {
    plb_store_writer *store = create(path, TINY_MAP);
    put_records(store);
    for (int ply = 0; ply < plies; ply++) put_ply(store, ply);
    if (plies < PLIES) put_segments(store, plies, segments);
    int kept = plb_store_kept_plies(store);
    plb_store_abandon(store);
    return kept;
}

/* Resume the file and put plies up to `plies`; of complete ones only the end is put. */
static plb_store_writer *go_on(const char *path, int kept, int plies) {
    plb_store_writer *store = NULL;
    plb_message why;
    support_expect(plb_store_resume(path, DESCRIPTION, &store, &why), PLB_OK, path, &why);
    put_records(store);
    for (int ply = 0; ply < plies; ply++) {
        if (ply >= kept) put_segments(store, ply, SEGMENTS);
        end_ply(store, ply);
        if (ply < kept) assert_int_equal(plb_store_kept_plies(store), ply + 1);
    }
    return store;
}

static void a_file_that_is_gone_on_with_has_the_same_bytes(void **state) {
    const char *whole = support_path(state, "whole"), *path = support_path(state, "table");
    int max_kept = 0;
    make_store(whole, TINY_MAP, PLIES);
    for (int plies = 0; plies <= PLIES; plies++)
        for (int segments = 0; segments < SEGMENTS; segments += 7) {
            int kept = begin_store(path, plies, segments);
            assert_true(kept <= plies);
            max_kept = kept > max_kept ? kept : max_kept;
            plb_store_abandon(go_on(path, kept, (plies + PLIES) / 2));
            assert_int_equal(plb_store_finish(go_on(path, kept, PLIES), NULL), PLB_OK);
            support_assert_same_files(path, whole);
            assert_int_equal(plb_store_finish(go_on(path, PLIES, PLIES), NULL), PLB_OK);
            support_assert_same_files(path, whole);
            assert_int_equal(unlink(path), 0);
        }
    assert_in_range(max_kept, 2, PLIES); /* some complete plies were kept */
}

static void a_file_that_cannot_be_gone_on_with_is_refused(void **state) {
    const char *path = support_path(state, "table");
    plb_store_writer *store = NULL;
    plb_message why;
    assert_int_equal(plb_store_resume(path, DESCRIPTION, &store, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, "is missing"));
    support_write_file(path, "not a table at all", 18);
    assert_int_equal(plb_store_resume(path, DESCRIPTION, &store, &why), PLB_ECORRUPT);
    assert_int_equal(unlink(path), 0);
    begin_store(path, PLIES, 0);
    assert_int_equal(truncate(path, 3 * 4096), 0);
    assert_int_equal(plb_store_resume(path, DESCRIPTION, &store, &why), PLB_ECORRUPT);
    assert_null(store);
}

static void readers_leave_no_trace(void **state) {
    const char *path = support_path(state, "table"), *copy = support_path(state, "copy");
    size_t size;
    make_store(path, 0, 2);
    uint8_t *bytes = support_read_file(path, &size);
    support_write_file(copy, bytes, size);
    free(bytes);
    plb_store *first = support_open_store(path), *second = support_open_store(path);
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

static void records_are_named_in_order(void **state) {
    static const char *const names[] = {"contents", "description", "empty", "long", "spec"};
    const char *path = support_path(state, "table"), *name;
    size_t count = 0;
    make_store(path, 0, 1);
    plb_store *store = support_open_store(path);
    for (; (name = plb_store_record_name(store, count)); count++) {
        assert_string_equal(name, names[count]);
        assert_int_equal(plb_store_is_own_record(name), count < 2);
    }
    assert_int_equal(count, sizeof names / sizeof *names);
    plb_store_close(store);
}

/* The list of names is separated by blanks, so that a name must not have any. */
static void an_impossible_name_is_refused(void **state) {
    static const char *const names[] = {"", "two words", "line\nend", "caf\xc3\xa9",
                                        ("a-name-of-more-bytes-than-may-be-"
                                         "which-is-sixty-four-with-the-zero")};
    plb_store_writer *store = create(support_path(state, "table"), 0);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        assert_int_equal(plb_store_put_record(store, names[n], "x", 1, NULL), PLB_EARGUMENT);
    plb_store_abandon(store);
    plb_store_abandon(NULL);
}

/* ---- missing records ---- */

static void a_missing_ply_means_unfinished(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, 3);
    plb_store *store = support_open_store(path);
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
    uint8_t *bytes = NULL;
    size_t size;
    make_store(path, 0, 3);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_get_segment(store, 1, 63, &bytes, &size, NULL), PLB_ECORRUPT);
    assert_int_equal(plb_store_get_segment(store, 3, 0, &bytes, &size, NULL), PLB_ECORRUPT);
    assert_null(bytes);
    plb_store_close(store);
}

static void a_missing_record_means_damage(void **state) {
    const char *path = support_path(state, "table");
    uint8_t *bytes = NULL;
    size_t size;
    plb_message why = {.text = ""};
    make_store(path, 0, 1);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_get_record(store, "none", &bytes, &size, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, "'none' is missing"));
    assert_null(bytes);
    plb_store_close(store);
}

static void what_is_not_finished_is_lost(void **state) {
    const char *path = support_path(state, "table");
    plb_store_writer *writer = create(path, 0);
    plb_store *store = NULL;
    put_ply(writer, 0);
    plb_store_abandon(writer);
    assert_int_not_equal(plb_store_open(path, &store, NULL), PLB_OK);
    assert_null(store);
}

/* ---- files that are not tables, or not complete ---- */

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

/* The file exists: "no such file" would be wrong. */
static void an_empty_file_is_no_table(void **state) {
    const char *path = support_path(state, "empty");
    support_write_file(path, "", 0);
    assert_refused(path, PLB_ENOTTABLE);
}

static void a_missing_file_is_not_found(void **state) {
    assert_refused(support_path(state, "none"), PLB_ENOTFOUND);
    assert_refused(support_path(state, "none/none"), PLB_ENOTFOUND);
}

/* A valid LMDB file of another program, with or without named databases. */
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
    uint8_t *bytes = NULL;
    size_t size;
    plb_message why = {.text = ""};
    make_store(path, 0, 1);
    assert_true(damage_text(path, "mnk-3x3-k3", 10) > 0);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_get_record(store, "spec", &bytes, &size, &why), PLB_ECORRUPT);
    assert_null(bytes);
    assert_non_null(strstr(why.text, "spec"));
    plb_store_close(store);
}

/* All checksums depend on the description, its own too. */
static void a_changed_description_is_damage(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, 0, 1);
    assert_true(damage_text(path, DESCRIPTION, strlen(DESCRIPTION)) > 0);
    assert_refused(path, PLB_ECORRUPT);
}

static void changed_counts_are_damage(void **state) {
    const char *path = support_path(state, "table");
    static const uint8_t total[8] = {0, 0, 6 * 2, 0, 0, 0, 0, 0}; /* of ply 1, big-endian */
    plb_ply_stats stats;
    plb_message why = {.text = ""};
    make_store(path, 0, 2);
    assert_true(damage_text(path, total, sizeof total) > 0);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_get_stats(store, 0, &stats, NULL), PLB_OK);
    assert_int_equal(plb_store_get_stats(store, 1, &stats, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, "ply 1"));
    plb_store_close(store);
}

static void a_store_cannot_be_made_in_no_folder(void **state) {
    plb_store_writer *store = NULL;
    plb_message why = {.text = ""};
    const char *path = support_path(state, "none/table");
    assert_int_equal(plb_store_create(path, DESCRIPTION, 0, &store, &why), PLB_ENOTFOUND);
    assert_null(store);
    assert_non_null(strstr(why.text, path));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(what_was_put_is_there),
        SUPPORT_IN_FOLDER(a_full_map_grows_by_itself),
        SUPPORT_IN_FOLDER(the_same_content_gives_the_same_bytes),
        SUPPORT_IN_FOLDER(a_file_that_is_gone_on_with_has_the_same_bytes),
        SUPPORT_IN_FOLDER(a_file_that_cannot_be_gone_on_with_is_refused),
        SUPPORT_IN_FOLDER(readers_leave_no_trace),
        SUPPORT_IN_FOLDER(a_file_without_write_permission_can_be_read),
        SUPPORT_IN_FOLDER(records_are_named_in_order),
        SUPPORT_IN_FOLDER(an_impossible_name_is_refused),
        SUPPORT_IN_FOLDER(a_missing_ply_means_unfinished),
        SUPPORT_IN_FOLDER(a_missing_segment_means_damage),
        SUPPORT_IN_FOLDER(a_missing_record_means_damage),
        SUPPORT_IN_FOLDER(what_is_not_finished_is_lost),
        SUPPORT_IN_FOLDER(a_file_cut_short_is_damaged),
        SUPPORT_IN_FOLDER(a_file_of_another_kind_is_no_table),
        SUPPORT_IN_FOLDER(an_empty_file_is_no_table),
        SUPPORT_IN_FOLDER(a_missing_file_is_not_found),
        SUPPORT_IN_FOLDER(an_lmdb_file_of_somebody_else_is_no_table),
        SUPPORT_IN_FOLDER(a_changed_text_is_damage),
        SUPPORT_IN_FOLDER(changed_counts_are_damage),
        SUPPORT_IN_FOLDER(a_changed_description_is_damage),
        SUPPORT_IN_FOLDER(a_store_cannot_be_made_in_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
