/* SPDX-License-Identifier: MIT */
#include "tests/support/shard_builds.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/forked_ranks.h"
#include "tests/support/support.h"
#include "tests/support/watched_disk.h"

enum { GOOD = 0, BAD = 1 };

static void report_ply(void *context, const plb_progress *progress) {
    shard_build *b = context;
    if (progress->phase != b->stops_in || progress->ply != b->stops_at) return;
    if (b->is_killed) raise(SIGKILL);
    if (b->linked)
        assert_int_equal(link(b->to, b->linked), 0);
    else if (b->fails_to_save)
        watched_disk_arm(DISK_RENAME, 1, EIO, false);
    else
        __atomic_store_n(&b->stop, 1, __ATOMIC_RELAXED);
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
    options.report = report_ply;
    options.context = b;
    int error = plb_build(&space, &options, &built, &why);
    plb_space_close(&space);
    if (error == b->expected && (!error || !b->text || strstr(why.text, b->text))) return GOOD;
    fprintf(stderr, "%s, rank %d: error %d, not %d: %s\n", b->spec, plb_ranks_number(ranks), error,
            b->expected, why.text);
    return BAD;
}

static void stop_build(void *build) {
    __atomic_store_n(&((shard_build *)build)->stop, 1, __ATOMIC_RELAXED);
}

void run_shards(const shard_build *b, int count) {
    int statuses[FORKED_RANKS];
    shard_build copy = *b;
    const plb_ranks_options options = {600, stop_build, &copy};
    forked_ranks_run(count, build, &options, &copy, statuses);
    for (int rank = 0; rank < count; rank++)
        assert_int_equal(statuses[rank],
                         b->is_killed && rank == b->stopping_rank ? 100 + SIGKILL : GOOD);
}

shard_build shards_at(const char *output, const char *spec, plb_value_kind values) {
    shard_build b = {.spec = spec,
                     .values = values,
                     .kind = PLB_SLABS,
                     .divided_entries = 1,
                     .save_seconds = 1e9,
                     .stops_at = -1};
    snprintf(b.output, sizeof b.output, "%s", output);
    return b;
}

shard_build shards_of(void **state, const char *spec, plb_value_kind values) {
    return shards_at(support_path(state, "shards"), spec, values);
}

char *shard_path(const char *table, int number) {
    static char path[SUPPORT_PATH + 16];
    snprintf(path, sizeof path, "%s.%d", table, number);
    return path;
}

/* ---- comparison with the table in one file ---- */

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

void build_alone(void **state, const shard_build *b) {
    plb_space space;
    plb_built built;
    plb_message why = {""};
    plb_build_options alone = support_build_options(support_path(state, "alone"), NULL, 1);
    alone.values = b->values;
    support_open_kind(b->spec, b->kind, &space);
    support_expect(plb_build(&space, &alone, &built, &why), PLB_OK, b->spec, &why);
    plb_space_close(&space);
}

void assert_same(void **state, const shard_build *b, int shards) {
    plb_store *one = support_open_store(support_path(state, "alone")),
              *other = support_open_store(b->output);
    assert_int_equal(plb_store_shards(one), 0);
    assert_int_equal(plb_store_shards(other), shards);
    assert_int_equal(support_count_files(state), 2 + shards);
    assert_same_records(one, other);
    assert_same_segments(one, other);
    assert_int_equal(plb_store_find_extra(other, NULL, NULL), PLB_OK);
    plb_store_close(one);
    plb_store_close(other);
}

void remove_table(const char *path, int shards) {
    assert_int_equal(unlink(path), 0);
    for (int shard = 0; shard < shards; shard++)
        assert_int_equal(unlink(shard_path(path, shard)), 0);
}
