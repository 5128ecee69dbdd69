/* SPDX-License-Identifier: MIT
 *
 * Valid LMDB files with contents that no writer of a table makes: exchanged, deleted and added
 * records.
 */
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/store/store_writer.h"
#include "tests/support/support.h"

enum { PLIES = 3 };
static const char DESCRIPTION[] = "a table like no other\n";

static void put_text(plb_store_writer *store, const char *name, const char *text) {
    assert_int_equal(plb_store_put_record(store, name, text, strlen(text), NULL), PLB_OK);
}

static void make_store(const char *path, const char *description, int plies) {
    plb_store_writer *store = NULL;
    assert_int_equal(plb_store_create(path, description, 0, &store, NULL), PLB_OK);
    put_text(store, "spec", "mnk-3x3-k3");
    put_text(store, "empty", "");
    for (int ply = 0; ply < plies; ply++) {
        plb_ply_stats stats = {.total = 10 + ply, .won = 10 + ply};
        assert_int_equal(plb_store_put_segment(store, ply, 0, "bytes", 5, NULL), PLB_OK);
        assert_int_equal(plb_store_put_stats(store, ply, &stats, NULL), PLB_OK);
    }
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

static void assert_refused(const char *path, int error) {
    plb_store *store = NULL;
    plb_message why = {.text = ""};
    support_expect(plb_store_open(path, &store, &why), error, path, &why);
    assert_null(store);
    assert_non_null(strstr(why.text, path));
}

/* Open a database of a finished file for writing; it is created if it does not exist. */
static MDB_txn *begin_edit(const char *path, const char *name, MDB_env **env, MDB_dbi *database) {
    MDB_txn *txn;
    assert_int_equal(mdb_env_create(env), 0);
    assert_int_equal(mdb_env_set_maxdbs(*env, 4), 0);
    assert_int_equal(mdb_env_set_mapsize(*env, 64 << 20), 0);
    assert_int_equal(mdb_env_open(*env, path, MDB_NOSUBDIR | MDB_NOLOCK, 0644), 0);
    assert_int_equal(mdb_txn_begin(*env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, name, MDB_CREATE, database), 0);
    return txn;
}

static void end_edit(MDB_env *env, MDB_txn *txn) {
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
}

static void put_value(const char *path, const char *database, const void *key, size_t key_size,
                      const void *value, size_t size) {
    MDB_env *env;
    MDB_dbi in;
    MDB_txn *txn = begin_edit(path, database, &env, &in);
    MDB_val k = {key_size, (void *)key}, v = {size, (void *)value};
    assert_int_equal(mdb_put(txn, in, &k, &v, 0), 0);
    end_edit(env, txn);
}

static void delete_value(const char *path, const char *database, const char *key) {
    MDB_env *env;
    MDB_dbi in;
    MDB_txn *txn = begin_edit(path, database, &env, &in);
    MDB_val k = {strlen(key), (void *)key};
    assert_int_equal(mdb_del(txn, in, &k, NULL), 0);
    end_edit(env, txn);
}

/* A value as it is in the file, with its checksum; the caller frees. */
static void *get_value(const char *path, const char *database, const void *key, size_t key_size,
                       size_t *size) {
    MDB_env *env;
    MDB_dbi in;
    MDB_txn *txn = begin_edit(path, database, &env, &in);
    MDB_val k = {key_size, (void *)key}, v;
    assert_int_equal(mdb_get(txn, in, &k, &v), 0);
    void *copy = malloc(v.mv_size);
    assert_non_null(copy);
    memcpy(copy, v.mv_data, *size = v.mv_size);
    mdb_txn_abort(txn);
    mdb_env_close(env);
    return copy;
}

static void a_deleted_record_is_noticed(void **state) {
    static const char *const names[] = {"spec", "empty", "contents"};
    for (size_t n = 0; n < 3; n++) {
        const char *path = support_path(state, names[n]);
        make_store(path, DESCRIPTION, 1);
        delete_value(path, "meta", names[n]);
        assert_refused(path, PLB_ECORRUPT);
    }
    const char *path = support_path(state, "table");
    make_store(path, DESCRIPTION, 1);
    delete_value(path, "meta", "description");
    assert_refused(path, PLB_ENOTTABLE);
}

static void an_added_record_is_noticed(void **state) {
    const char *path = support_path(state, "table");
    make_store(path, DESCRIPTION, 1);
    put_value(path, "meta", "more", 4, "12345678more", 12);
    assert_refused(path, PLB_ECORRUPT);
}

/* The same counts of the same ply, with the checksum for a table with another description. */
static void counts_of_another_table_are_damage(void **state) {
    static const uint8_t ply_1[] = {0, 1};
    const char *path = support_path(state, "table"), *other = support_path(state, "other");
    plb_ply_stats stats;
    size_t size;
    make_store(path, DESCRIPTION, 2);
    make_store(other, "another table\n", 2);
    void *counts = get_value(other, "stats", ply_1, sizeof ply_1, &size);
    put_value(path, "stats", ply_1, sizeof ply_1, counts, size);
    free(counts);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_get_stats(store, 0, &stats, NULL), PLB_OK);
    assert_int_equal(plb_store_get_stats(store, 1, &stats, NULL), PLB_ECORRUPT);
    plb_store_close(store);
}

/* Counts of one ply under the key of another. */
static void counts_of_another_ply_are_damage(void **state) {
    static const uint8_t ply_0[] = {0, 0}, ply_1[] = {0, 1};
    const char *path = support_path(state, "table");
    plb_ply_stats stats;
    size_t size;
    make_store(path, DESCRIPTION, 2);
    void *counts = get_value(path, "stats", ply_0, sizeof ply_0, &size);
    put_value(path, "stats", ply_1, sizeof ply_1, counts, size);
    free(counts);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_get_stats(store, 1, &stats, NULL), PLB_ECORRUPT);
    plb_store_close(store);
}

static void strange_keys_and_databases_are_refused(void **state) {
    static const struct {
        const char *database, *key;
        size_t key_size, size;
        int error;
    } rows[] = {{"stats", "123", 3, 48, PLB_ECORRUPT},  {"stats", "\1\1", 2, 48, PLB_ECORRUPT},
                {"stats", "\0\7", 2, 47, PLB_ECORRUPT}, {"blocks", "123456789", 9, 1, PLB_ECORRUPT},
                {"meta", "\33[2J", 4, 9, PLB_ECORRUPT}, {"meta", "short", 5, 7, PLB_ECORRUPT},
                {"more", "key", 3, 1, PLB_ENOTTABLE}};
    static const uint8_t value[48];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *path = support_path(state, "table");
        unlink(path);
        make_store(path, DESCRIPTION, 1);
        put_value(path, rows[r].database, rows[r].key, rows[r].key_size, value, rows[r].size);
        assert_refused(path, rows[r].error);
    }
}

static void bytes_after_the_last_page_are_found(void **state) {
    const char *path = support_path(state, "table");
    plb_message why = {.text = ""};
    make_store(path, DESCRIPTION, 2);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_int_equal(fputs("more", file) < 0, 0);
    assert_int_equal(fclose(file), 0);
    plb_store *store = support_open_store(path);
    assert_int_equal(plb_store_find_extra(store, NULL, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, path));
    plb_store_close(store);
}

/* Are the segments where they are in another store? */
static bool has_segments_of(const plb_store *store, const plb_store *other) {
    uint64_t count, other_count;
    const plb_stored_segment *s = plb_store_segments(store, &count);
    const plb_stored_segment *t = plb_store_segments(other, &other_count);
    bool same = count == other_count;
    for (uint64_t n = 0; n < count && same; n++)
        same = s[n].ply == t[n].ply && s[n].first_block == t[n].first_block &&
               s[n].offset == t[n].offset && s[n].size == t[n].size;
    return same;
}

/* Reads all records; the store may be damaged. */
static bool is_all_right(const plb_store *store, const plb_store *undamaged) {
    const char *name;
    bool right = has_segments_of(store, undamaged) &&
                 plb_store_find_extra(store, NULL, NULL) == PLB_OK &&
                 plb_store_plies(store) == PLIES;
    for (size_t n = 0; (name = plb_store_record_name(store, n)); n++) {
        uint8_t *bytes = NULL;
        size_t size;
        right = right && plb_store_get_record(store, name, &bytes, &size, NULL) == PLB_OK;
        free(bytes);
    }
    for (int ply = 0; ply < PLIES; ply++) {
        plb_ply_stats stats;
        right = right && plb_store_get_stats(store, ply, &stats, NULL) == PLB_OK;
    }
    return right;
}

/* A table with values in overflow pages, and with free pages of earlier transactions. */
static void make_long_store(const char *path) {
    static uint8_t bytes[5000];
    plb_store_writer *store = NULL;
    assert_int_equal(plb_store_create(path, DESCRIPTION, 1 << 16, &store, NULL), PLB_OK);
    put_text(store, "spec", "mnk-3x3-k3");
    assert_int_equal(plb_store_put_record(store, "long", bytes, sizeof bytes, NULL), PLB_OK);
    for (int ply = 0; ply < PLIES; ply++) {
        plb_ply_stats stats = {.total = 10 + ply, .won = 10 + ply};
        for (int s = 0; s < 20; s++)
            assert_int_equal(plb_store_put_segment(store, ply, s, bytes, 1000 * (s % 4) + 7, NULL),
                             PLB_OK);
        assert_int_equal(plb_store_put_stats(store, ply, &stats, NULL), PLB_OK);
    }
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

/* Mark the bytes of segments, which have their own checksums. */
static bool *mark_segments(const char *path, size_t size) {
    bool *marks = calloc(size, sizeof *marks);
    uint64_t count;
    plb_store *store = support_open_store(path);
    const plb_stored_segment *segments = plb_store_segments(store, &count);
    assert_true(marks && count == 20 * PLIES);
    for (uint64_t s = 0; s < count; s++) memset(marks + segments[s].offset, true, segments[s].size);
    plb_store_close(store);
    return marks;
}

/* Free space, of which fewer bytes are tried. */
static bool is_among_zeros(const uint8_t *bytes, size_t at) {
    return at >= 8 && at % 16 && memcmp(bytes + at - 8, "\0\0\0\0\0\0\0\0", 9) == 0;
}

/* Change a bit of each byte in turn: this is detected when the file is opened or read, or by the
 * search for bytes that belong to no record. */
static void every_byte_outside_segments_is_accounted_for(void **state) {
    const char *path = support_path(state, "table");
    size_t size, tried = 0;
    make_long_store(path);
    uint8_t *bytes = support_read_file(path, &size);
    bool *is_segment = mark_segments(path, size);
    plb_store *undamaged = support_open_store(path);
    int file = open(path, O_WRONLY);
    for (size_t at = 0; at < size; at++) {
        if (is_segment[at] || is_among_zeros(bytes, at)) continue;
        uint8_t changed = bytes[at] ^ (uint8_t)(1 << at % 8);
        plb_store *store = NULL;
        assert_int_equal(pwrite(file, &changed, 1, at), 1);
        if (plb_store_open(path, &store, NULL) == PLB_OK && is_all_right(store, undamaged))
            fail_msg("byte %zu of page %zu", at % 4096, at / 4096);
        plb_store_close(store);
        assert_int_equal(pwrite(file, &bytes[at], 1, at), 1);
        tried++;
    }
    print_message("%zu bytes\n", tried);
    assert_true(tried > 3000);
    close(file);
    plb_store_close(undamaged);
    free(is_segment);
    free(bytes);
}

/* Format 1 had a record for each line, and no description. */
static void a_file_of_format_1_is_to_be_rebuilt(void **state) {
    const char *path = support_path(state, "old");
    plb_store *store = NULL;
    plb_message why = {.text = ""};
    put_value(path, "meta", "format", 6, "1seal678", 9);
    put_value(path, "meta", "spec", 4, "mnk-3x3-k3seal678", 18);
    assert_int_equal(plb_store_open(path, &store, &why), PLB_EVERSION);
    assert_null(store);
    assert_non_null(strstr(why.text, "rebuild it"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_deleted_record_is_noticed),
        SUPPORT_IN_FOLDER(an_added_record_is_noticed),
        SUPPORT_IN_FOLDER(counts_of_another_table_are_damage),
        SUPPORT_IN_FOLDER(counts_of_another_ply_are_damage),
        SUPPORT_IN_FOLDER(strange_keys_and_databases_are_refused),
        SUPPORT_IN_FOLDER(bytes_after_the_last_page_are_found),
        SUPPORT_IN_FOLDER(every_byte_outside_segments_is_accounted_for),
        SUPPORT_IN_FOLDER(a_file_of_format_1_is_to_be_rebuilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
