/* SPDX-License-Identifier: MIT
 *
 * Small files with valid checksums that claim large contents: each is refused with one sentence,
 * and takes little memory.
 *
 * Each file is opened in a process of its own, whose memory is compared with that of one that opens
 * nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/bits.h"
#include "tables/format/automaton_record.h"
#include "tables/format/meta.h"
#include "tables/store/segment_writer.h"
#include "tables/store/store_writer.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"

enum { MAX_KIB = 4 << 10, SECONDS = 20 };

/* ---- queries, in a child process ---- */

/* Open the table and list positions: all that may take memory. */
static int open_and_list(const char *path, plb_message *why) {
    plb_table *table = NULL;
    uint64_t x[64], o[64];
    size_t count;
    int error = plb_open(path, &table, why);
    if (error) return error;
    plb_listing listing = {.ply = plb_info(table)->cells};
    error = plb_list_positions(table, &listing, 64, x, o, &count);
    if (error) strcpy(why->text, "no positions");
    plb_close(table);
    return error;
}

/* The peak memory of a child process that opens the file, in KiB; without a path it opens nothing.
 * why: part of the message with which the file must be refused. */
static long measure(const char *path, const char *why) {
    pid_t child = fork();
    if (child == 0) {
        plb_message message = {""};
        alarm(SECONDS);
        int error = *path ? open_and_list(path, &message) : PLB_ECORRUPT;
        if (error == PLB_ECORRUPT && strstr(message.text, why)) _exit(0);
        print_message("%s: error %d, %s\n", path, error, message.text);
        _exit(1);
    }
    struct rusage usage;
    int status;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    if (status) fail_msg("%s: status %#x", path, status);
    return usage.ru_maxrss;
}

/* The memory is at most the size of the file and a constant. Not checked with sanitizers, which
 * need memory of their own. */
static void expect_refused(const char *path, const char *why) {
    size_t size;
    long more = measure(path, why) - measure("", "");
    free(support_read_file(path, &size));
    print_message("%ld KiB, the file has %zu\n", more, size / 1024);
    if (support_step(2) == 1) assert_true(more <= (long)(size / 1024) + MAX_KIB);
}

/* ---- a good table with one forged record ---- */

static void replace(void **state, const char *spec, const char *record, const void *bytes,
                    size_t size) {
    const char *original = support_path(state, "original.plb");
    plb_table_file file;
    remove(original);
    support_build(spec, original, NULL, 1);
    open_table_file(original, &file);
    copy_table(&file, support_path(state, "forged.plb"),
               &(flaw){.change = ADD_RECORD, .record = record, .bytes = bytes, .size = size});
    plb_table_file_close(&file);
}

static void expect_record_refused(void **state, const char *spec, const char *record,
                                  const void *bytes, size_t size, const char *why) {
    const char *forged = support_path(state, "forged.plb");
    remove(forged);
    replace(state, spec, record, bytes, size);
    print_message("%s: ", record);
    expect_refused(forged, why);
}

/* A set of one key with a long, empty level: the first, the last, or one between them. */
static void empty_levels_of_keys_are_refused(void **state) {
    enum { HEAD = 4, LEVELS = 3, LONG = 1 << 20 };
    for (int empty = 0; empty < LEVELS; empty++) {
        size_t words = LONG + LEVELS - 1;
        size_t size = (HEAD + LEVELS + 1) * sizeof(uint32_t) + words * sizeof(uint64_t) + 2;
        uint8_t *bytes = calloc(1, size);
        assert_non_null(bytes);
        uint32_t head[HEAD + LEVELS] = {1, 0, LEVELS, 1, 1, 1, 1};
        head[HEAD + empty] = LONG;
        memcpy(bytes, head, sizeof head);
        bytes[sizeof head + sizeof(uint32_t) + (empty ? 0 : LONG * sizeof(uint64_t))] = 1;
        expect_record_refused(state, "numeric-2x2", "keys-00-0000", bytes, size,
                              "its record keys-00-0000 is not a set of keys");
        free(bytes);
    }
}

static void keys_where_none_are_stored_are_refused(void **state) {
    plb_key_hash keys[] = {plb_key_hash_make(1, 1), plb_key_hash_make(1, 2)};
    plb_perfect_hash set;
    assert_int_equal(plb_perfect_hash_make(keys, 2, true, &set), PLB_OK);
    expect_record_refused(state, "numeric-2x2", "keys-01-0000", set.bytes, set.size,
                          "ply 1 has keys that its game cannot have");
    expect_record_refused(state, "numeric-2x2", "keys-00-0000", set.bytes, set.size,
                          "ply 0 has keys that its game cannot have");
    plb_perfect_hash_free(&set);
}

/* The maximal number of states, all transitions to the first: a few hundred bytes for 38 MB. */
static void an_automaton_of_many_states_is_refused(void **state) {
    enum { W = 5, WORDS = 29, STATES = 65535, NUMBER = 4 };
    const char *original = support_path(state, "original.plb");
    plb_segment_writer *writer;
    const uint8_t *segment;
    size_t size, count = (size_t)W * STATES * WORDS / 4 + 1, head = (W + 3) * NUMBER;
    plb_store *store;
    support_build("connect-5x4-k4", original, NULL, 1);
    assert_int_equal(plb_store_open(original, &store, NULL), PLB_OK);
    assert_int_equal(plb_segment_writer_open(plb_store_identity(store), 19, &writer), PLB_OK);
    plb_store_close(store);
    uint64_t *arrows = calloc(count, sizeof *arrows);
    assert_true(arrows && !plb_segment_writer_begin(writer, 0, 0, 1));
    assert_int_equal(plb_segment_writer_add(writer, arrows, count), PLB_OK);
    assert_int_equal(plb_segment_writer_end(writer, &segment, &size), PLB_OK);
    uint8_t *bytes = calloc(1, head + size), *at = bytes;
    assert_non_null(bytes);
    for (int layer = 0; layer <= W; layer++) at = plb_put_number(at, STATES, NUMBER);
    memcpy(bytes + head, segment, size);
    plb_segment_writer_close(writer);
    free(arrows);
    print_message("%zu bytes\n", head + size);
    expect_record_refused(state, "connect-5x4-k4", PLB_RECORD_COLUMNS, bytes, head + size,
                          "its record columns is not an automaton");
    free(bytes);
}

/* ---- a table with statistics only ---- */

/* A table of numbers without keys, whose statistics have 2^60 positions. Enumerating those of 4x4
 * would fill any memory. */
static void positions_without_keys_are_not_enumerated(void **state) {
    const char *path = support_path(state, "forged.plb");
    plb_space space;
    plb_store_writer *store;
    plb_message why;
    plb_meta meta = {.format = PLB_FORMAT_VERSION,
                     .spec = "numeric-4x4",
                     .values = PLB_WDL,
                     .level = 3,
                     .index = PLB_KEYS,
                     .block_entries = 8192,
                     .builder = "test"};
    support_expect(plb_space_begin(meta.spec, &space, &why), PLB_OK, "space", &why);
    meta.symmetries = space.symmetry.order;
    support_expect(plb_meta_create(&meta, path, false, &store, &why), PLB_OK, path, &why);
    const plb_ply_stats most = {.total = 1ULL << 60, .drawn = 1ULL << 60};
    for (int ply = 0; ply <= space.game.cells; ply++)
        support_expect(plb_store_put_stats(store, ply, &most, &why), PLB_OK, "stats", &why);
    support_expect(plb_store_finish(store, &why), PLB_OK, path, &why);
    plb_space_close(&space);
    expect_refused(path, "no positions");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(empty_levels_of_keys_are_refused),
        SUPPORT_IN_FOLDER(keys_where_none_are_stored_are_refused),
        SUPPORT_IN_FOLDER(an_automaton_of_many_states_is_refused),
        SUPPORT_IN_FOLDER(positions_without_keys_are_not_enumerated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
