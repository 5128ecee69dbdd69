/* SPDX-License-Identifier: MIT
 *
 * Tables whose segments are in shards: content and answers are those of the table in one file, for
 * all families and kinds of values. A shard that is missing, cut short, damaged or of another table
 * is named when the table is opened.
 *
 *     test_shards make SPEC FILE RANKS    build such a table, for tests of the command
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/format/meta.h"
#include "tables/store/store_writer.h"
#include "tests/support/open_table.h"
#include "tests/support/shard_builds.h"

/* Compare the answers of two tables for every position, or for one in `stride`. */
static void assert_same_answers(const char *one, const char *other, size_t stride) {
    enum { CAPACITY = 1000 };
    static uint64_t x[2][CAPACITY], o[2][CAPACITY];
    plb_table *tables[] = {support_open_table(one), support_open_table(other)};
    assert_string_equal(plb_info(tables[0])->id, plb_info(tables[1])->id);
    for (int ply = 0; ply <= plb_info(tables[0])->cells; ply++) {
        plb_listing listing[2] = {{.ply = ply}, {.ply = ply}};
        while (!listing[0].done) {
            size_t count[2];
            for (int t = 0; t < 2; t++)
                assert_int_equal(
                    plb_list_positions(tables[t], &listing[t], CAPACITY, x[t], o[t], &count[t]),
                    PLB_OK);
            assert_int_equal(count[0], count[1]);
            for (size_t p = 0; p < count[0]; p += stride) {
                plb_answer answer[2] = {{.value = PLB_DRAW}, {.value = PLB_DRAW}};
                assert_true(x[0][p] == x[1][p] && o[0][p] == o[1][p]);
                for (int t = 0; t < 2; t++)
                    assert_int_equal(plb_probe(tables[t], x[t][p], o[t][p], &answer[t], NULL),
                                     PLB_OK);
                assert_memory_equal(&answer[0], &answer[1], sizeof answer[0]);
            }
        }
    }
    plb_close(tables[0]);
    plb_close(tables[1]);
}

static void check_same(void **state, shard_build b, int ranks, size_t stride) {
    int shards = b.kind == PLB_KEYS ? 1 : ranks;
    build_alone(state, &b);
    run_shards(&b, ranks);
    assert_same(state, &b, shards);
    if (stride) assert_same_answers(support_path(state, "alone"), b.output, stride);
    run_shards(&b, ranks); /* the table exists already */
    remove_table(b.output, shards);
    unlink(support_path(state, "alone"));
}

static void answers_are_those_of_one_file(void **state) {
    check_same(state, shards_of(state, "connect-4x4-k4", PLB_DTM), 3, 1);
    check_same(state, shards_of(state, "connect-4x4-k3-misere", PLB_WDL), 2, 1);
    check_same(state, shards_of(state, "connect-4x3-k3-cylinder", PLB_WDL), 3, 1);
    check_same(state, shards_of(state, "mnk-4x3-k3", PLB_WDL), 3, 1);
    check_same(state, shards_of(state, "mnk-3x3-k3-misere", PLB_DTM), 1, 1);
    check_same(state, shards_of(state, "square-4x3", PLB_DTM), 5, 1);
    shard_build numbers = shards_of(state, "numeric-3x3", PLB_WDL);
    numbers.kind = PLB_KEYS;
    check_same(state, numbers, 2, 97);
}

/* Some plies have segments in several shards, and in one shard none. */
static void segments_of_a_ply_are_in_several_shards(void **state) {
    check_same(state, shards_of(state, "connect-5x5-k4", PLB_WDL), 3, 0);
    check_same(state, shards_of(state, "mnk-4x4-k3", PLB_WDL), 2, 0);
}

/* ---- replacing ---- */

static void replaced_tables_leave_no_shards(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    build_alone(state, &b);
    run_shards(&b, 5);
    b.force = true;
    run_shards(&b, 2);
    assert_same(state, &b, 2);
    b.is_whole = true;
    run_shards(&b, 3);
    support_assert_same_files(support_path(state, "alone"), b.output);
    assert_int_equal(support_count_files(state), 2);
}

/* When a build ends, another process has made a file with the name of a shard or of the manifest, a
 * valid one each time. No file is replaced, and the same command later writes the table. */
static void files_made_during_a_build_stay(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    shard_build other = shards_at(support_path(state, "other"), "mnk-4x3-k4", PLB_WDL);
    build_alone(state, &b);
    run_shards(&other, 3);
    b.stops_in = PLB_ASSEMBLE;
    for (int file = 0; file < 3; file++) {
        char linked[SUPPORT_PATH + 16], to[SUPPORT_PATH + 16];
        strcpy(linked, file < 2 ? shard_path(b.output, file) : b.output);
        strcpy(to, file < 2 ? shard_path(other.output, file) : other.output);
        b.linked = linked;
        b.to = to;
        b.stops_at = 0;
        b.stopping_rank = file % 2;
        b.expected = PLB_EBUSY;
        b.text = "move it away, then the same command writes the table";
        run_shards(&b, 2);
        support_assert_same_files(linked, to);
        for (int shard = 0; shard < 2; shard++)
            assert_int_equal(support_exists(shard_path(b.output, shard)), shard == file);
        assert_int_equal(support_exists(b.output), file == 2);
        assert_int_equal(unlink(linked), 0);
        b.stops_at = -1;
        b.expected = PLB_OK;
        run_shards(&b, 2);
        remove_table(b.output, 2);
    }
    b.stops_at = 0;
    b.force = true;
    b.linked = b.output;
    b.to = other.output;
    run_shards(&b, 2);
    remove_table(other.output, 3);
    assert_same(state, &b, 2);
}

/* ---- wrong shards ---- */

/* The table is refused, with a message that names the file and contains the text. */
static void assert_refused(const char *table, int error, const char *file, const char *text) {
    plb_table *opened = NULL;
    plb_message why = {""};
    support_expect(plb_open(table, &opened, &why), error, file, &why);
    if (!strstr(why.text, file) || !strstr(why.text, text))
        fail_msg("'%s' does not say: %s %s", why.text, file, text);
}

static void wrong_shards_are_named(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL), other;
    const char *table = b.output, *kept = support_path(state, "kept");
    char one[SUPPORT_PATH + 16];
    strcpy(one, shard_path(table, 1));
    run_shards(&b, 3);
    support_copy_file(one, kept);
    assert_refused(one, PLB_ENOTTABLE, one, "is a shard of a table");
    unlink(one);
    assert_refused(table, PLB_ECORRUPT, one, "is missing: copy shard 1 of 3 of");
    support_write_file(one, "", 0);
    assert_refused(table, PLB_ECORRUPT, one, "is not a shard: shard 1 of 3 of");
    support_copy_file(table, one);
    assert_refused(table, PLB_ECORRUPT, one, "is not a shard: shard 1 of 3 of");
    support_copy_file(shard_path(table, 2), one);
    assert_refused(table, PLB_ECORRUPT, one, "is shard 2 of 3: shard 1 of 3 of");
    support_copy_file(kept, one);
    assert_int_equal(truncate(one, 4096), 0);
    assert_refused(table, PLB_ECORRUPT, one, "is cut short");
    /* Shards of another game and of other values, of tables with as many shards. */
    static const char *const specs[] = {"mnk-4x3-k4", "mnk-4x3-k3"};
    for (int s = 0; s < 2; s++) {
        other = shards_at(support_path(state, "other"), specs[s], s ? PLB_DTM : PLB_WDL);
        run_shards(&other, 3);
        support_copy_file(shard_path(other.output, 1), one);
        assert_refused(table, PLB_ECORRUPT, one, "is a shard of another table");
        remove_table(other.output, 3);
    }
    run_shards(&other, 2);
    support_copy_file(shard_path(other.output, 1), one);
    assert_refused(table, PLB_ECORRUPT, one, "is shard 1 of 2: shard 1 of 3 of");
    support_copy_file(kept, one);
    plb_close(support_open_table(table));
}

static void a_build_replaces_wrong_shards_only_by_force(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    build_alone(state, &b);
    run_shards(&b, 3);
    unlink(shard_path(b.output, 2));
    b.expected = PLB_ECORRUPT;
    b.text = "shards.2 is missing: copy shard 2 of 3 of";
    run_shards(&b, 3);
    b.expected = PLB_OK;
    b.force = true;
    run_shards(&b, 3);
    assert_same(state, &b, 3);
    unlink(shard_path(b.output, 0));
    support_write_file(shard_path(b.output, 2), "", 0);
    run_shards(&b, 1);
    assert_false(support_exists(shard_path(b.output, 1)));
    assert_int_equal(unlink(shard_path(b.output, 2)), 0); /* no shard: it stays */
    assert_same(state, &b, 1);
}

/* ---- content that no reader needs ---- */

/* Write a shard again, with another record (NULL: none) and with more lost positions. */
static void rewrite_shard(const char *table, int number, const char *more, uint64_t more_lost) {
    const char *path = shard_path(table, number);
    const uint8_t record[] = {0, 0, 0, (uint8_t)number, 0, 0, 0, 3};
    plb_store_writer *writer;
    plb_store *shard;
    uint64_t count;
    int error = plb_store_open_shard(table, number, 3, &shard, NULL);
    unlink(path);
    error |=
        plb_meta_begin(path, plb_store_description(shard), PLB_BUILDER_NAME, false, &writer, NULL);
    error |= plb_store_put_record(writer, PLB_SHARD, record, sizeof record, NULL);
    if (more) error |= plb_store_put_record(writer, more, "more", 4, NULL);
    const plb_stored_segment *s = plb_store_segments(shard, &count);
    for (; count > 0; count--, s++) {
        uint8_t *bytes;
        size_t size;
        error |= plb_store_get_segment(shard, s->ply, s->first_block, &bytes, &size, NULL);
        error |= plb_store_put_segment(writer, s->ply, s->first_block, bytes, size, NULL);
        free(bytes);
    }
    for (int ply = 0; ply < plb_store_plies(shard); ply++) {
        plb_ply_stats stats;
        error |= plb_store_get_stats(shard, ply, &stats, NULL);
        stats.lost += more_lost;
        error |= plb_store_put_stats(writer, ply, &stats, NULL);
    }
    assert_int_equal(error | plb_store_finish(writer, NULL), PLB_OK);
    plb_store_close(shard);
}

/* text: part of the expected message; NULL: the table has no extra content. */
static void assert_extra(const char *table, bool is_rewritten, const char *text) {
    plb_message why = {""};
    bool rewritten = false;
    plb_store *store = support_open_store(table);
    int error = plb_meta_find_extra(store, &rewritten, &why);
    support_expect(error, text ? PLB_ECORRUPT : PLB_OK, table, &why);
    if (text && !strstr(why.text, text)) fail_msg("'%s' does not say: %s", why.text, text);
    assert_int_equal(rewritten, is_rewritten);
    plb_store_close(store);
}

static void extra_content_of_a_shard_is_found(void **state) {
    static const char *const records[] = {"soundtrack", "distances", PLB_SHARDS};
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    run_shards(&b, 3);
    rewrite_shard(b.output, 1, NULL, 0);
    assert_extra(b.output, false, NULL);
    for (int r = 0; r < 3; r++) {
        rewrite_shard(b.output, 1, records[r], 0);
        assert_extra(b.output, false, "shards.1 holds a record '");
    }
    rewrite_shard(b.output, 1, NULL, 1);
    assert_extra(b.output, false, "shards.1 has another builder or other counts than");
}

static void a_rewritten_file_excuses_no_other_file(void **state) {
    enum { MAP_BYTE = 34, UNUSED = 4000 };
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    run_shards(&b, 3);
    support_flip_bits(b.output, MAP_BYTE, 1);
    assert_extra(b.output, true, "shards was rewritten by another program");
    support_flip_bits(shard_path(b.output, 0), MAP_BYTE, 1);
    support_flip_bits(shard_path(b.output, 2), UNUSED, 1);
    assert_extra(b.output, false, "shards.2 has a nonzero byte at offset 4000");
    support_flip_bits(b.output, MAP_BYTE, 1);
    support_flip_bits(shard_path(b.output, 2), UNUSED, 1);
    assert_extra(b.output, true, "shards.0 was rewritten by another program");
}

/* ---- forged manifests ---- */

static void forge(const char *path, const char *name, const void *record, size_t size,
                  bool has_segment) {
    static const char description[] = "a table like no other\n";
    plb_store_writer *store;
    unlink(path);
    assert_int_equal(plb_store_create(path, description, 0, &store, NULL), PLB_OK);
    if (has_segment) assert_int_equal(plb_store_put_segment(store, 0, 0, "abcd", 4, NULL), PLB_OK);
    assert_int_equal(plb_store_put_stats(store, 0, &(plb_ply_stats){0}, NULL), PLB_OK);
    assert_int_equal(plb_store_put_record(store, name, record, size, NULL), PLB_OK);
    assert_int_equal(plb_store_finish(store, NULL), PLB_OK);
}

static void forged_records_are_refused(void **state) {
    static const uint8_t ids[8 * (PLB_MAX_SHARDS + 1)];
    const char *table = support_path(state, "shards");
    static const size_t sizes[] = {0, 7, 9, sizeof ids};
    for (int s = 0; s < 4; s++) {
        forge(table, PLB_SHARDS, ids, sizes[s], false);
        assert_refused(table, PLB_ECORRUPT, table, "its 'shards' is malformed");
    }
    forge(table, PLB_SHARDS, ids, 8, true);
    assert_refused(table, PLB_ECORRUPT, table, "its 'shards' is malformed");
    forge(table, PLB_SHARDS, ids, sizeof ids - 8, false);
    assert_refused(table, PLB_ECORRUPT, shard_path(table, 0), "copy shard 0 of 1024");
    static const uint8_t only[] = {0, 0, 0, 0, 0, 0, 0, 1};
    forge(table, PLB_SHARDS, ids, 8, false);
    forge(shard_path(table, 0), PLB_SHARD, only, 7, true);
    assert_refused(table, PLB_ECORRUPT, shard_path(table, 0), "its 'shard' is malformed");
    forge(shard_path(table, 0), PLB_SHARD, only, 8, true);
    assert_refused(table, PLB_ECORRUPT, shard_path(table, 0), "is a shard of another table");
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "make") == 0) {
        shard_build b = shards_at(argv[3], argv[2], PLB_WDL);
        run_shards(&b, atoi(argv[4]));
        return 0;
    }
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(answers_are_those_of_one_file),
        SUPPORT_IN_FOLDER(segments_of_a_ply_are_in_several_shards),
        SUPPORT_IN_FOLDER(replaced_tables_leave_no_shards),
        SUPPORT_IN_FOLDER(files_made_during_a_build_stay),
        SUPPORT_IN_FOLDER(wrong_shards_are_named),
        SUPPORT_IN_FOLDER(a_build_replaces_wrong_shards_only_by_force),
        SUPPORT_IN_FOLDER(extra_content_of_a_shard_is_found),
        SUPPORT_IN_FOLDER(a_rewritten_file_excuses_no_other_file),
        SUPPORT_IN_FOLDER(forged_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
