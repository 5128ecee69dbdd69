/* SPDX-License-Identifier: MIT
 *
 * Assembly: scratch files of tables are stripped when their segments are in the new file, and an
 * interrupted assembly is resumed and writes the same file. Segments are random bytes here, enough
 * for several transactions.
 */
#include "builder/assemble.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "builder/engine.h"
#include "tables/format/block_layout.h"
#include "tables/store/store_writer.h"
#include "tests/support/support.h"

static const char spec[] = "mnk-3x3-k3";
enum { CELLS = 9, SEGMENTS = 20, SEGMENT_BYTES = 300000, MODEL_BYTES = 500, MIB = 1 << 20 };

/* ---- a build whose plies are all saved ---- */

static void put_records(plb_scratch *table, int ply, uint64_t segments) {
    static uint8_t bytes[SEGMENT_BYTES];
    uint64_t random = ply;
    uint64_t records = segments + PLB_TABLE_MODELS;
    for (uint64_t record = 0; record < records; record++) {
        for (size_t at = 0; at + 8 <= sizeof bytes; at += 8) {
            uint64_t next = support_random(&random);
            memcpy(bytes + at, &next, sizeof next);
        }
        size_t size = record < segments ? sizeof bytes : segments ? MODEL_BYTES : 0;
        assert_int_equal(plb_scratch_put(table, record, bytes, size, NULL), PLB_OK);
    }
}

static const plb_part_counts plies = {.cells = CELLS, .parts = {[0 ... CELLS] = 1}};

/* Plies with odd numbers store nothing. */
static void make_ply(plb_journal *journal, int ply) {
    plb_scratch *table, *values;
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, 0};
    uint64_t segments = ply % 2 ? 0 : SEGMENTS;
    plb_ply_results results = {
        .slabs = segments, .slab_size = PLB_SEGMENT_ENTRIES, .own = {0, UINT64_MAX}};
    results.stats = (plb_ply_stats){.total = 1 + ply, .drawn = 1 + ply};
    results.distances.wins[ply] = 7 + ply;
    uint64_t records = segments + PLB_TABLE_MODELS;
    assert_int_equal(plb_journal_create(journal, file, records, &table, NULL), PLB_OK);
    put_records(table, ply, segments);
    assert_int_equal(plb_journal_commit(journal, file, table, &results, sizeof results, NULL),
                     PLB_OK);
    plb_scratch_close(table);
    file.kind = PLB_SCRATCH_VALUES;
    assert_int_equal(plb_journal_create(journal, file, 0, &values, NULL), PLB_OK);
    assert_int_equal(plb_journal_commit(journal, file, values, NULL, 0, NULL), PLB_OK);
    plb_scratch_close(values);
}

static void open_journal(plb_journal *journal, const char *output) {
    plb_message why;
    support_expect(plb_journal_open(journal, output, "a test", false, &plies, &why), PLB_OK, output,
                   &why);
}

static void make_plies(const char *output) {
    plb_journal journal = {0};
    open_journal(&journal, output);
    for (int ply = CELLS; ply >= 0; ply--) make_ply(&journal, ply);
    assert_int_equal(plb_journal_save(&journal, (plb_build_point){.needed = 1}, NULL), PLB_OK);
    plb_journal_close(&journal, false);
}

static bool has_shard; /* segments are written to a shard */

static int assemble_journal(plb_journal *journal, const char *output, plb_message *why) {
    plb_game game = support_game(spec);
    plb_meta meta = {.builder = "test",
                     .values = PLB_DTM,
                     .level = 3,
                     .symmetries = 8,
                     .block_entries = 1 << 16};
    strcpy(meta.spec, spec);
    plb_assembly assembly = {
        .shards = has_shard, .game = &game, .meta = &meta, .output = output, .force = true};
    plb_built built;
    return plb_assemble(journal, &assembly, &built, why);
}

/* Assemble the saved plies, as a new process does. */
static int assemble(const char *output, plb_message *why) {
    plb_journal journal = {0};
    open_journal(&journal, output);
    int error = assemble_journal(&journal, output, why);
    plb_journal_close(&journal, !error);
    return error;
}

static const char *shard_of(const char *output) {
    static char paths[2][SUPPORT_PATH + 32];
    static int next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s.0", output);
    return path;
}

static void assert_assembled(const char *output, const char *whole) {
    plb_message why;
    support_expect(assemble(output, &why), PLB_OK, output, &why);
    support_assert_same_files(output, whole);
    if (has_shard) support_assert_same_files(shard_of(output), shard_of(whole));
    if (has_shard) assert_int_equal(unlink(shard_of(output)), 0);
    assert_true(plb_build_folder_bytes(output) == 0);
    assert_int_equal(unlink(output), 0);
}

static const char *path_in(const char *output, const char *name) {
    static char path[SUPPORT_PATH + 32];
    snprintf(path, sizeof path, "%s.part/%s", output, name);
    return path;
}

static off_t size_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void make_whole(const char *whole) {
    make_plies(whole);
    assert_int_equal(assemble(whole, NULL), PLB_OK);
    assert_in_range(size_of(has_shard ? shard_of(whole) : whole), 5 * SEGMENTS * SEGMENT_BYTES,
                    40 * MIB);
}

/* ---- interruptions ---- */

/* Assemble while a segment of ply 6 is damaged. */
static void stop_at_ply_6(const char *output) {
    const char *path = path_in(output, "table.06");
    plb_message why;
    support_flip_bits(path, 3 * SEGMENT_BYTES, 1);
    assert_int_equal(assemble(output, &why), PLB_ECORRUPT);
    assert_non_null(strstr(why.text, "table.06 is damaged"));
    support_flip_bits(path, 3 * SEGMENT_BYTES, 1);
}

static void check_stripped(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    make_whole(whole);
    make_plies(output);
    double before = plb_build_folder_bytes(output);
    stop_at_ply_6(output);
    assert_in_range(size_of(path_in(output, "table.00")), 1, 10000);
    assert_in_range(size_of(path_in(output, "table.06")), SEGMENTS * SEGMENT_BYTES, 7 * MIB);
    assert_true(plb_build_folder_bytes(output) <
                before + 8 * MIB); /* the copy of one ply, not of all */
    stop_at_ply_6(output);
    assert_assembled(output, whole);
    assert_int_equal(support_count_files(state), has_shard ? 2 : 1);
    unlink(whole);
    unlink(shard_of(whole));
}

static void copied_plies_are_stripped(void **state) {
    check_stripped(state);
    has_shard = true;
    check_stripped(state);
    has_shard = false;
}

/* A folder with the name of the manifest stops the assembly when the shard already has its name. */
static void a_named_shard_is_kept(void **state) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    has_shard = true;
    make_whole(whole);
    make_plies(output);
    assert_int_equal(mkdir(output, 0755), 0);
    assert_int_not_equal(assemble(output, NULL), PLB_OK);
    assert_in_range(size_of(path_in(output, "table.00")), 1, 10000);
    support_assert_same_files(shard_of(output), shard_of(whole));
    assert_int_equal(size_of(path_in(output, PLB_UNNAMED_SHARD)), -1);
    assert_int_equal(rmdir(output), 0);
    assert_assembled(output, whole);
    has_shard = false;
}

/* A shard with a description, and no segment. */
static void write_empty_shard(const char *path, const char *description) {
    static const uint8_t only[] = {0, 0, 0, 0, 0, 0, 0, 1};
    plb_store_writer *store;
    assert_int_equal(unlink(path), 0);
    assert_int_equal(plb_store_create(path, description, 0, &store, NULL), PLB_OK);
    assert_int_equal(plb_store_put_record(store, PLB_SHARD, only, sizeof only, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

/* The assembly was interrupted when the shard had its name and the manifest had not. */
static void a_shard_of_another_build_is_refused(void **state) {
    const char *output = support_path(state, "table");
    char description[PLB_DESCRIPTION_TEXT];
    plb_store *shard;
    plb_message why;
    has_shard = true;
    make_plies(output);
    assert_int_equal(mkdir(output, 0755), 0);
    assert_int_not_equal(assemble(output, NULL), PLB_OK);
    assert_int_equal(rmdir(output), 0);
    assert_int_equal(plb_store_open_shard(output, 0, 1, &shard, NULL), PLB_OK);
    snprintf(description, sizeof description, "%s", plb_store_description(shard));
    plb_store_close(shard);
    for (int own = 0; own < 2; own++) {
        write_empty_shard(shard_of(output), own ? description : "a table like no other\n");
        assert_int_equal(assemble(output, &why), PLB_ECORRUPT);
        assert_non_null(strstr(why.text, "table.0 is not the shard that this build has written"));
        assert_false(support_exists(output));
    }
    assert_int_equal(unlink(shard_of(output)), 0);
    assert_int_equal(assemble(output, &why), PLB_ENOTFOUND);
    assert_non_null(strstr(why.text, "table.0 is missing: copy shard 0 of 1 of"));
    assert_non_null(strstr(why.text, " there, or start the build anew with --force"));
    has_shard = false;
}

/* The status of a process that assembles a table and that the system kills when a file is larger
 * than max_bytes. */
static int status_when_killed(const char *output, off_t max_bytes) {
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {max_bytes, max_bytes}, no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(assemble(output, NULL) ? 1 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void check_killed(void **state, off_t first_step) {
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    make_whole(whole);
    for (off_t step = first_step; step <= 12; step += 4) {
        make_plies(output);
        for (off_t max = 1; max < 28; max += step)
            assert_true(WIFSIGNALED(status_when_killed(output, max * MIB)));
        assert_in_range(size_of(path_in(output, "table.00")), 1, 10000);
        assert_assembled(output, whole);
    }
    unlink(whole);
    unlink(shard_of(whole));
}

static void a_killed_assembly_resumes(void **state) {
    check_killed(state, 3);
    has_shard = true;
    check_killed(state, 7);
    has_shard = false;
}

/* ---- assemblies that cannot be resumed ---- */

static void lose_table(const char *path) {
    assert_int_equal(unlink(path), 0);
}

static void cut_table(const char *path) {
    assert_int_equal(truncate(path, 5000), 0);
}

static void empty_table(const char *path) {
    support_write_file(path, "", 0);
}

static void stripped_plies_must_be_in_the_file(void **state) {
    void (*const damages[])(const char *path) = {lose_table, cut_table, empty_table};
    const char *output = support_path(state, "table");
    for (int d = 0; d < 6; d++) {
        const char *damaged = d < 3 ? PLB_UNNAMED_TABLE : PLB_UNNAMED_SHARD;
        has_shard = d >= 3;
        plb_journal journal = {0};
        make_plies(output);
        stop_at_ply_6(output);
        damages[d % 3](path_in(output, damaged));
        bool is_lost_shard = damages[d % 3] == lose_table && has_shard;
        assert_int_equal(assemble(output, NULL), is_lost_shard ? PLB_ENOTFOUND : PLB_ECORRUPT);
        assert_false(support_exists(output));
        open_journal(&journal, output);
        plb_journal_close(&journal, true);
    }
    has_shard = false;
}

static void unsaved_plies_are_not_stripped(void **state) {
    const char *output = support_path(state, "table");
    plb_journal journal = {0};
    open_journal(&journal, output);
    for (int ply = CELLS; ply >= 0; ply--) make_ply(&journal, ply);
    support_flip_bits(path_in(output, "table.06.tmp"), 3 * SEGMENT_BYTES, 1);
    assert_int_equal(assemble_journal(&journal, output, NULL), PLB_ECORRUPT);
    assert_in_range(size_of(path_in(output, "table.00.tmp")), SEGMENTS * SEGMENT_BYTES, 7 * MIB);
    assert_int_equal(size_of(path_in(output, PLB_UNNAMED_TABLE)), -1);
    plb_journal_close(&journal, true);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_killed_assembly_resumes), /* forks: before there are threads */
        SUPPORT_IN_FOLDER(copied_plies_are_stripped),
        SUPPORT_IN_FOLDER(a_named_shard_is_kept),
        SUPPORT_IN_FOLDER(a_shard_of_another_build_is_refused),
        SUPPORT_IN_FOLDER(stripped_plies_must_be_in_the_file),
        SUPPORT_IN_FOLDER(unsaved_plies_are_not_stripped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
