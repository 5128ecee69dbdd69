/* SPDX-License-Identifier: MIT
 *
 * Tables whose segments are in shards: all that is stored is what the table of one file has, of all
 * families and kinds of values, and so is every answer; a shard that is missing, cut, another or
 * damaged is named when the table is opened; a build that ends before its time resumes.
 *
 *     test_shards make SPEC FILE RANKS    build such a table, for tests of the command
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/format/meta.h"
#include "tables/store/store_writer.h"
#include "tests/support/forked_ranks.h"
#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

enum { GOOD = 0, BAD = 1 };

/* A build of ranks, each of which keeps its segments. */
typedef struct shard_build {
    const char *spec;
    char output[SUPPORT_PATH];
    plb_index_kind kind;
    plb_value_kind values;
    double divided_entries, save_seconds;
    bool force;
    bool is_whole;     /* without shards */
    int expected;      /* error */
    const char *words; /* of its message; NULL: any */
    int stopping_rank; /* that is told to stop, or killed, .. */
    plb_phase stops_in;
    int stops_at; /* .. as it is at this ply of the phase; -1: it is not */
    bool is_killed;
    bool fails_to_save; /* once, in place of a stop */
    volatile sig_atomic_t stop;
} shard_build;

static void see_ply(void *context, const plb_progress *progress) {
    shard_build *b = context;
    if (progress->phase != b->stops_in || progress->ply != b->stops_at) return;
    if (b->is_killed) raise(SIGKILL);
    if (b->fails_to_save)
        watched_disk_arm(DISK_RENAME, 1, EIO, false);
    else
        b->stop = 1;
    b->stops_at = -1;
}

static int build(plb_ranks *ranks, void *context) {
    shard_build *b = context;
    plb_space space;
    plb_built built;
    plb_message why = {""};
    if (plb_ranks_number(ranks) != b->stopping_rank) b->stops_at = -1;
    support_open_kind(b->spec, b->kind, &space);
    plb_build_options options = support_build_options(b->output, NULL, 1);
    options.values = b->values;
    options.slabs.divided_entries = b->divided_entries;
    options.save_seconds = b->save_seconds;
    options.force = b->force;
    options.shards = !b->is_whole;
    options.ranks = ranks;
    options.stop = &b->stop;
    options.report = see_ply;
    options.context = b;
    int error = plb_build(&space, &options, &built, &why);
    plb_space_close(&space);
    if (error == b->expected && (!error || !b->words || strstr(why.text, b->words))) return GOOD;
    fprintf(stderr, "%s, rank %d: error %d, not %d: %s\n", b->spec, plb_ranks_number(ranks), error,
            b->expected, why.text);
    return BAD;
}

static void stop_build(void *build) {
    ((shard_build *)build)->stop = 1;
}

static void run(const shard_build *b, int count) {
    int statuses[FORKED_RANKS];
    shard_build copy = *b;
    const plb_ranks_options options = {600, stop_build, &copy};
    forked_ranks_run(count, build, &options, &copy, statuses);
    for (int rank = 0; rank < count; rank++)
        assert_int_equal(statuses[rank],
                         b->is_killed && rank == b->stopping_rank ? 100 + SIGKILL : GOOD);
}

static shard_build shards_at(const char *output, const char *spec, plb_value_kind values) {
    shard_build b = {.spec = spec,
                     .values = values,
                     .kind = PLB_SLABS,
                     .divided_entries = 1,
                     .save_seconds = 1e9,
                     .stops_at = -1};
    snprintf(b.output, sizeof b.output, "%s", output);
    return b;
}

static shard_build shards_of(void **state, const char *spec, plb_value_kind values) {
    return shards_at(support_path(state, "shards"), spec, values);
}

static char *shard_path(const char *table, int number) {
    static char path[SUPPORT_PATH + 16];
    snprintf(path, sizeof path, "%s.%d", table, number);
    return path;
}

/* ---- the same ---- */

static plb_store *open_store(const char *path) {
    plb_store *store = NULL;
    plb_message why = {""};
    support_expect(plb_store_open(path, &store, &why), PLB_OK, path, &why);
    return store;
}

static void assert_same_records(const plb_store *one, const plb_store *other) {
    const char *name;
    size_t n = 0, m = 0;
    for (; (name = plb_store_record_name(one, n)); n++, m++) {
        uint8_t *bytes[2];
        size_t size[2];
        if (strcmp(plb_store_record_name(other, m), PLB_SHARDS) == 0) m++;
        assert_string_equal(plb_store_record_name(other, m), name);
        assert_int_equal(plb_store_get_record(one, name, &bytes[0], &size[0], NULL), PLB_OK);
        assert_int_equal(plb_store_get_record(other, name, &bytes[1], &size[1], NULL), PLB_OK);
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
    const char *last = plb_store_record_name(other, m);
    assert_true(!last || (strcmp(last, PLB_SHARDS) == 0 && !plb_store_record_name(other, m + 1)));
    for (int ply = 0; ply < plb_store_plies(one); ply++) {
        plb_ply_stats stats[2];
        assert_int_equal(plb_store_get_stats(one, ply, &stats[0], NULL), PLB_OK);
        assert_int_equal(plb_store_get_stats(other, ply, &stats[1], NULL), PLB_OK);
        assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
    }
    assert_int_equal(plb_store_plies(one), plb_store_plies(other));
}

static void assert_same_segments(const plb_store *one, const plb_store *other) {
    uint64_t count[2];
    const plb_stored_segment *segments[] = {plb_store_segments(one, &count[0]),
                                            plb_store_segments(other, &count[1])};
    assert_int_equal(count[0], count[1]);
    for (uint64_t s = 0; s < count[0]; s++) {
        const plb_stored_segment *a = &segments[0][s], *b = &segments[1][s];
        uint8_t *bytes[2];
        size_t size[2];
        assert_true(a->ply == b->ply && a->first_block == b->first_block && a->size == b->size);
        assert_int_equal(
            plb_store_get_segment(one, a->ply, a->first_block, &bytes[0], &size[0], NULL), PLB_OK);
        assert_int_equal(
            plb_store_get_segment(other, b->ply, b->first_block, &bytes[1], &size[1], NULL),
            PLB_OK);
        assert_memory_equal(bytes[0], bytes[1], a->size);
        free(bytes[0]);
        free(bytes[1]);
    }
}

static plb_table *open_table(const char *path) {
    plb_table *table = NULL;
    plb_message why = {""};
    support_expect(plb_open(path, &table, &why), PLB_OK, path, &why);
    return table;
}

/* Every position, or one of `stride`. */
static void assert_same_answers(const char *one, const char *other, size_t stride) {
    enum { ROOM = 1000 };
    static uint64_t x[2][ROOM], o[2][ROOM];
    plb_table *tables[] = {open_table(one), open_table(other)};
    assert_string_equal(plb_info(tables[0])->id, plb_info(tables[1])->id);
    for (int ply = 0; ply <= plb_info(tables[0])->cells; ply++) {
        plb_listing listing[2] = {{.ply = ply}, {.ply = ply}};
        while (!listing[0].done) {
            size_t count[2];
            for (int t = 0; t < 2; t++)
                assert_int_equal(
                    plb_list_positions(tables[t], &listing[t], ROOM, x[t], o[t], &count[t]),
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

static void build_alone(void **state, const shard_build *b) {
    plb_space space;
    plb_built built;
    plb_message why = {""};
    plb_build_options alone = support_build_options(support_path(state, "alone"), NULL, 1);
    alone.values = b->values;
    support_open_kind(b->spec, b->kind, &space);
    support_expect(plb_build(&space, &alone, &built, &why), PLB_OK, b->spec, &why);
    plb_space_close(&space);
}

/* The table of one file is beside it, and nothing else is left. */
static void assert_same(void **state, const shard_build *b, int shards) {
    plb_store *one = open_store(support_path(state, "alone")), *other = open_store(b->output);
    assert_int_equal(plb_store_shards(one), 0);
    assert_int_equal(plb_store_shards(other), shards);
    assert_int_equal(support_count_files(state), 2 + shards);
    assert_same_records(one, other);
    assert_same_segments(one, other);
    assert_int_equal(plb_store_find_extra(other, NULL, NULL), PLB_OK);
    plb_store_close(one);
    plb_store_close(other);
}

static void remove_table(const char *path, int shards) {
    assert_int_equal(unlink(path), 0);
    for (int shard = 0; shard < shards; shard++)
        assert_int_equal(unlink(shard_path(path, shard)), 0);
}

static void check_same(void **state, shard_build b, int ranks, size_t stride) {
    int shards = b.kind == PLB_KEYS ? 1 : ranks;
    build_alone(state, &b);
    run(&b, ranks);
    assert_same(state, &b, shards);
    if (stride) assert_same_answers(support_path(state, "alone"), b.output, stride);
    run(&b, ranks); /* it is there already */
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

/* Of plies that several ranks have segments of, and that one has none of. */
static void segments_of_a_ply_are_in_several_shards(void **state) {
    check_same(state, shards_of(state, "connect-5x5-k4", PLB_WDL), 3, 0);
    check_same(state, shards_of(state, "mnk-4x4-k3", PLB_WDL), 2, 0);
}

/* ---- replacing ---- */

static void replaced_tables_leave_no_shards(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    build_alone(state, &b);
    run(&b, 5);
    b.force = true;
    run(&b, 2);
    assert_same(state, &b, 2);
    b.is_whole = true;
    run(&b, 3);
    support_assert_same_files(support_path(state, "alone"), b.output);
    assert_int_equal(support_count_files(state), 2);
}

/* ---- what is wrong ---- */

/* The table is refused, in a sentence that names the file and has these words. */
static void assert_refused(const char *table, int error, const char *file, const char *words) {
    plb_table *opened = NULL;
    plb_message why = {""};
    support_expect(plb_open(table, &opened, &why), error, file, &why);
    if (!strstr(why.text, file) || !strstr(why.text, words))
        fail_msg("'%s' does not say: %s %s", why.text, file, words);
}

static void copy(const char *from, const char *to) {
    size_t size;
    uint8_t *bytes = support_read_file(from, &size);
    support_write_file(to, bytes, size);
    free(bytes);
}

static void wrong_shards_are_named(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL), other;
    const char *table = b.output, *kept = support_path(state, "kept");
    char one[SUPPORT_PATH + 16];
    strcpy(one, shard_path(table, 1));
    run(&b, 3);
    copy(one, kept);
    assert_refused(one, PLB_ENOTTABLE, one, "is a shard of a table");
    unlink(one);
    assert_refused(table, PLB_ECORRUPT, one, "is missing: copy shard 1 of 3 of");
    support_write_file(one, "", 0);
    assert_refused(table, PLB_ECORRUPT, one, "is no shard: shard 1 of 3 of");
    copy(table, one);
    assert_refused(table, PLB_ECORRUPT, one, "is no shard: shard 1 of 3 of");
    copy(shard_path(table, 2), one);
    assert_refused(table, PLB_ECORRUPT, one, "is shard 2 of 3: shard 1 of 3 of");
    copy(kept, one);
    assert_int_equal(truncate(one, 4096), 0);
    assert_refused(table, PLB_ECORRUPT, one, "is cut short");
    /* Of another game, of other values, and of as many shards. */
    static const char *const specs[] = {"mnk-4x3-k4", "mnk-4x3-k3"};
    for (int s = 0; s < 2; s++) {
        other = shards_at(support_path(state, "other"), specs[s], s ? PLB_DTM : PLB_WDL);
        run(&other, 3);
        copy(shard_path(other.output, 1), one);
        assert_refused(table, PLB_ECORRUPT, one, "is a shard of another table");
        remove_table(other.output, 3);
    }
    run(&other, 2);
    copy(shard_path(other.output, 1), one);
    assert_refused(table, PLB_ECORRUPT, one, "is shard 1 of 2: shard 1 of 3 of");
    copy(kept, one);
    plb_close(open_table(table));
}

/* A build finds a table whose shards are not right, and replaces it by force alone. */
static void a_build_replaces_wrong_shards_by_force(void **state) {
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    build_alone(state, &b);
    run(&b, 3);
    unlink(shard_path(b.output, 2));
    b.expected = PLB_ECORRUPT;
    b.words = "shards.2 is missing: copy shard 2 of 3 of";
    run(&b, 3);
    b.expected = PLB_OK;
    b.force = true;
    run(&b, 3);
    assert_same(state, &b, 3);
    unlink(shard_path(b.output, 0));
    support_write_file(shard_path(b.output, 2), "", 0);
    run(&b, 1);
    assert_false(support_exists(shard_path(b.output, 1)));
    assert_int_equal(unlink(shard_path(b.output, 2)), 0); /* no shard: it stays */
    assert_same(state, &b, 1);
}

/* ---- what no reader asks for ---- */

/* Write a shard anew: with a record besides, or other counts. */
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

static void assert_extra(const char *table, bool is_rewritten, const char *words) {
    plb_message why = {""};
    bool rewritten = false;
    plb_store *store = open_store(table);
    int error = plb_meta_find_extra(store, &rewritten, &why);
    support_expect(error, words ? PLB_ECORRUPT : PLB_OK, table, &why);
    if (words && !strstr(why.text, words)) fail_msg("'%s' does not say: %s", why.text, words);
    assert_int_equal(rewritten, is_rewritten);
    plb_store_close(store);
}

static void what_a_shard_has_besides_is_found(void **state) {
    static const char *const records[] = {"soundtrack", "distances", PLB_SHARDS};
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    run(&b, 3);
    rewrite_shard(b.output, 1, NULL, 0);
    assert_extra(b.output, false, NULL);
    for (int r = 0; r < 3; r++) {
        rewrite_shard(b.output, 1, records[r], 0);
        assert_extra(b.output, false, "shards.1 holds a record '");
    }
    rewrite_shard(b.output, 1, NULL, 1);
    assert_extra(b.output, false, "shards.1 has another builder or other counts than");
}

static void change_byte(const char *path, size_t at) {
    size_t size;
    uint8_t *bytes = support_read_file(path, &size);
    bytes[at] ^= 1;
    support_write_file(path, bytes, size);
    free(bytes);
}

/* Pages of another program in one file excuse nothing in the others. */
static void rewritten_files_hide_nothing_in_others(void **state) {
    enum { MAP_BYTE = 34, UNUSED = 4000 };
    shard_build b = shards_of(state, "mnk-4x3-k3", PLB_WDL);
    run(&b, 3);
    change_byte(b.output, MAP_BYTE);
    assert_extra(b.output, true, "shards was rewritten by another program");
    change_byte(shard_path(b.output, 0), MAP_BYTE);
    change_byte(shard_path(b.output, 2), UNUSED);
    assert_extra(b.output, false, "shards.2 holds something at byte 4000");
    change_byte(b.output, MAP_BYTE);
    change_byte(shard_path(b.output, 2), UNUSED);
    assert_extra(b.output, true, "shards.0 was rewritten by another program");
}

/* ---- manifests that are forged ---- */

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
    static const uint8_t ids[8 * (PLB_MOST_SHARDS + 1)];
    const char *table = support_path(state, "shards");
    static const size_t sizes[] = {0, 7, 9, sizeof ids};
    for (int s = 0; s < 4; s++) {
        forge(table, PLB_SHARDS, ids, sizes[s], false);
        assert_refused(table, PLB_ECORRUPT, table, "its 'shards' is not in its form");
    }
    forge(table, PLB_SHARDS, ids, 8, true);
    assert_refused(table, PLB_ECORRUPT, table, "its 'shards' is not in its form");
    forge(table, PLB_SHARDS, ids, sizeof ids - 8, false);
    assert_refused(table, PLB_ECORRUPT, shard_path(table, 0), "copy shard 0 of 1024");
    static const uint8_t only[] = {0, 0, 0, 0, 0, 0, 0, 1};
    forge(table, PLB_SHARDS, ids, 8, false);
    forge(shard_path(table, 0), PLB_SHARD, only, 7, true);
    assert_refused(table, PLB_ECORRUPT, shard_path(table, 0), "its 'shard' is not in its form");
    forge(shard_path(table, 0), PLB_SHARD, only, 8, true);
    assert_refused(table, PLB_ECORRUPT, shard_path(table, 0), "is a shard of another table");
}

/* ---- resuming ---- */

/* A build whose middle plies are divided, and its table of one file. */
static shard_build divided_build(void **state) {
    shard_build b = shards_of(state, "connect-5x5-k4", PLB_WDL);
    b.divided_entries = 1e5;
    build_alone(state, &b);
    return b;
}

/* A build of three ranks ends before its time; then it goes on, with as many. */
static void check_resumed(void **state, shard_build b) {
    b.expected = b.is_killed ? PLB_EIO : PLB_EINTERRUPTED;
    run(&b, 3);
    assert_false(support_exists(b.output));
    b.stops_at = -1;
    b.is_killed = false;
    if (support_exists(support_path(state, "shards.part"))) {
        b.expected = PLB_EOTHERGAME; /* not with another number */
        b.words =
            "holds the build of a table in 3 shards: resume it with --shards and as many ranks";
        run(&b, 2);
    }
    b.expected = PLB_OK;
    run(&b, 3);
    assert_same(state, &b, 3);
    remove_table(b.output, 3);
}

static void what_is_stopped_or_killed_resumes(void **state) {
    shard_build b = divided_build(state);
    static const int plies[] = {22, 17, 9};
    for (int p = 0; p < 3; p++) {
        b.stops_in = PLB_BACKWARD;
        b.stops_at = plies[p];
        b.stopping_rank = p % 3;
        b.is_killed = p % 2;
        b.save_seconds = b.is_killed ? 0 : 1e9;
        check_resumed(state, b);
    }
}

/* Rank 0 fails to save once: no rank believes that it has, and so all save as they end. The others
 * save no values. */
static void a_save_that_fails_is_made_again(void **state) {
    shard_build b = divided_build(state);
    b.save_seconds = 0;
    b.expected = PLB_EIO;
    b.fails_to_save = true;
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 17;
    watched_disk_begin(*state);
    run(&b, 3);
    watched_disk_begin(NULL);
    assert_true(support_exists(support_path(state, "shards.part/values.17")));
    assert_true(support_exists(support_path(state, "shards.rank1.part/table.17")));
    assert_false(support_exists(support_path(state, "shards.rank1.part/values.17")));
    b.expected = PLB_OK;
    b.stops_at = -1;
    run(&b, 3);
    assert_same(state, &b, 3);
}

/* As where each rank has a disk of its own, and rank 0 is started on another machine. */
static void segments_are_kept_where_rank_0_has_lost_its_build(void **state) {
    shard_build b = divided_build(state);
    const char *folder = support_path(state, "shards.part"), *away = support_path(state, "away");
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 17;
    b.expected = PLB_EINTERRUPTED;
    run(&b, 3);
    b.stops_at = -1;
    assert_int_equal(rename(folder, away), 0);
    b.expected = PLB_EOTHERGAME;
    run(&b, 3);
    assert_false(support_exists(folder));
    assert_int_equal(rename(away, folder), 0);
    b.expected = PLB_OK;
    run(&b, 3);
    assert_same(state, &b, 3);
}

/* What is reachable rank 0 has, whole. */
static void what_is_killed_after_a_forward_pass_resumes(void **state) {
    shard_build b = shards_of(state, "connect-5x4-k4-cylinder", PLB_WDL);
    build_alone(state, &b);
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 11;
    b.stopping_rank = 1;
    b.is_killed = true;
    b.save_seconds = 0;
    check_resumed(state, b);
}

/* Some shards are written, and others not. */
static void what_is_killed_while_it_writes_resumes(void **state) {
    shard_build b = divided_build(state);
    for (int rank = 0; rank < 2; rank++) {
        b.stops_in = PLB_ASSEMBLE;
        b.stops_at = 0;
        b.stopping_rank = rank;
        b.is_killed = true;
        b.save_seconds = 0;
        check_resumed(state, b);
    }
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "make") == 0) {
        shard_build b = shards_at(argv[3], argv[2], PLB_WDL);
        run(&b, atoi(argv[4]));
        return 0;
    }
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(answers_are_those_of_one_file),
        SUPPORT_IN_FOLDER(segments_of_a_ply_are_in_several_shards),
        SUPPORT_IN_FOLDER(replaced_tables_leave_no_shards),
        SUPPORT_IN_FOLDER(wrong_shards_are_named),
        SUPPORT_IN_FOLDER(a_build_replaces_wrong_shards_by_force),
        SUPPORT_IN_FOLDER(what_a_shard_has_besides_is_found),
        SUPPORT_IN_FOLDER(rewritten_files_hide_nothing_in_others),
        SUPPORT_IN_FOLDER(forged_records_are_refused),
        SUPPORT_IN_FOLDER(a_save_that_fails_is_made_again),
        SUPPORT_IN_FOLDER(segments_are_kept_where_rank_0_has_lost_its_build),
        SUPPORT_IN_FOLDER(what_is_stopped_or_killed_resumes),
        SUPPORT_IN_FOLDER(what_is_killed_after_a_forward_pass_resumes),
        SUPPORT_IN_FOLDER(what_is_killed_while_it_writes_resumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
