/* SPDX-License-Identifier: MIT
 *
 * Interrupted builds in shards: any number of ranks can resume them and builds the same table, with
 * a shard for each rank that took part in any of the runs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/shard_builds.h"
#include "tests/support/watched_disk.h"

/* A build whose middle plies are divided among ranks. Its table in one file is built, too. */
static shard_build divided_build(void **state) {
    shard_build b = shards_of(state, "connect-5x5-k4", PLB_WDL);
    b.divided_entries = 1e5;
    build_alone(state, &b);
    return b;
}

/* A build by three ranks is interrupted, and resumed by `ranks` ranks; the table has `shards`. */
static void check_resumed(void **state, shard_build b, int ranks, int shards) {
    b.expected = b.is_killed ? PLB_EIO : PLB_EINTERRUPTED;
    run_shards(&b, 3);
    assert_false(support_exists(b.output));
    b.stops_at = -1;
    b.is_killed = false;
    b.expected = PLB_OK;
    run_shards(&b, ranks);
    assert_same(state, &b, shards);
    remove_table(b.output, shards);
}

static void any_number_of_ranks_resumes_a_build(void **state) {
    shard_build b = divided_build(state);
    static const int plies[] = {22, 17, 9}, ranks[] = {5, 2, 1};
    for (int p = 0; p < 3; p++) {
        b.stops_in = PLB_BACKWARD;
        b.stops_at = plies[p];
        b.stopping_rank = p % 3;
        b.is_killed = p % 2;
        b.save_seconds = b.is_killed ? 0 : 1e9;
        check_resumed(state, b, ranks[p], p == 0 ? 5 : 3);
    }
}

/* Some folders lack the plies of runs in which their rank did not take part. */
static void each_run_may_have_another_number_of_ranks(void **state) {
    shard_build b = divided_build(state);
    static const int plies[] = {20, 17, 15, 12}, ranks[] = {3, 1, 4, 2};
    for (int r = 0; r < 4; r++) {
        b.stops_in = PLB_BACKWARD;
        b.stops_at = plies[r];
        b.expected = PLB_EINTERRUPTED;
        run_shards(&b, ranks[r]);
    }
    b.stops_at = -1;
    b.expected = PLB_OK;
    run_shards(&b, 3);
    assert_same(state, &b, 4);
}

/* Stop three ranks at ply 17, and move the folder of one of them away. */
static void stop_and_move(shard_build *b, const char *folder, const char *away) {
    b->stops_in = PLB_BACKWARD;
    b->stops_at = 17;
    b->expected = PLB_EINTERRUPTED;
    run_shards(b, 3);
    b->stops_at = -1;
    assert_int_equal(rename(folder, away), 0);
}

/* Rank 2 had its own disk, for example. */
static void a_missing_folder_is_named(void **state) {
    shard_build b = divided_build(state);
    const char *folder = support_path(state, "shards.rank2.part");
    const char *away = support_path(state, "away");
    stop_and_move(&b, folder, away);
    b.expected = PLB_ENOTFOUND;
    b.text = "shards.rank2.part with segments of an earlier run is missing: copy it there";
    for (int ranks = 1; ranks <= 3; ranks++) {
        run_shards(&b, ranks);
        assert_false(support_exists(folder));
    }
    assert_int_equal(rename(away, folder), 0);
    b.is_whole = true;
    b.expected = PLB_EOTHERGAME;
    b.text = "holds the build of a table in shards: resume it with --shards";
    run_shards(&b, 2);
    b.is_whole = false;
    b.expected = PLB_OK;
    run_shards(&b, 2);
    assert_same(state, &b, 3);
}

/* Rank 0 fails to save once. No rank counts this save as done, so all save when they end. Ranks
 * other than 0 save no values. */
static void a_failed_save_is_repeated(void **state) {
    shard_build b = divided_build(state);
    b.save_seconds = 0;
    b.expected = PLB_EIO;
    b.fails_to_save = true;
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 17;
    watched_disk_begin(*state);
    run_shards(&b, 3);
    watched_disk_begin(NULL);
    assert_true(support_exists(support_path(state, "shards.part/values.17")));
    assert_true(support_exists(support_path(state, "shards.rank1.part/table.17")));
    assert_false(support_exists(support_path(state, "shards.rank1.part/values.17")));
    b.expected = PLB_OK;
    b.stops_at = -1;
    run_shards(&b, 3);
    assert_same(state, &b, 3);
}

/* Each rank has its own disk, for example, and rank 0 is started on another machine. */
static void segments_are_kept_if_rank_0_lost_its_build(void **state) {
    shard_build b = divided_build(state);
    const char *folder = support_path(state, "shards.part"), *away = support_path(state, "away");
    stop_and_move(&b, folder, away);
    b.expected = PLB_EOTHERGAME;
    run_shards(&b, 3);
    assert_false(support_exists(folder));
    assert_int_equal(rename(away, folder), 0);
    b.expected = PLB_OK;
    run_shards(&b, 3);
    assert_same(state, &b, 3);
}

/* Rank 0 has all reach files. */
static void a_build_killed_after_the_forward_pass_resumes(void **state) {
    shard_build b = shards_of(state, "connect-5x4-k4-cylinder", PLB_WDL);
    build_alone(state, &b);
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 11;
    b.stopping_rank = 1;
    b.is_killed = true;
    b.save_seconds = 0;
    check_resumed(state, b, 2, 3);
}

/* Some shards are written, and others not. All plies are solved, so more ranks add no shards. */
static void a_build_killed_while_it_writes_shards_resumes(void **state) {
    shard_build b = divided_build(state);
    for (int rank = 0; rank < 2; rank++) {
        b.stops_in = PLB_ASSEMBLE;
        b.stops_at = 0;
        b.stopping_rank = rank;
        b.is_killed = true;
        b.save_seconds = 0;
        check_resumed(state, b, rank ? 2 : 5, 3);
    }
}

static void run_shell(void **state, const char *command) {
    char text[3 * SUPPORT_PATH];
    snprintf(text, sizeof text, "cd '%s' && %s", (char *)*state, command);
    assert_int_equal(system(text), 0);
}

/* Labels of older versions had a number of shards, too. */
static void a_build_of_an_older_version_is_refused(void **state) {
    shard_build b = shards_of(state, "connect-4x4-k4", PLB_WDL);
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 9;
    b.expected = PLB_EINTERRUPTED;
    run_shards(&b, 1);
    b.stops_at = -1;
    run_shell(state,
              "sed -i 's/ shards / shards 1 /; s/ scratch 1./ scratch 15/' shards.part/game");
    b.expected = PLB_EOTHERGAME;
    b.text = "another version of plybase has begun";
    run_shards(&b, 1);
    b.is_whole = true;
    run_shards(&b, 1);
}

/* All ranks were killed after the table had got its name, for example. */
static void folders_beside_a_finished_table_are_removed(void **state) {
    shard_build b = shards_of(state, "connect-4x4-k4", PLB_WDL);
    build_alone(state, &b);
    for (int ranks = 1; ranks <= 3; ranks += 2) {
        b.stops_in = PLB_BACKWARD;
        b.stops_at = 9;
        b.expected = PLB_EINTERRUPTED;
        run_shards(&b, 3);
        run_shell(state, "mkdir away && cp -r shards*.part away");
        b.stops_at = -1;
        b.expected = PLB_OK;
        run_shards(&b, 3);
        run_shell(state, "test -e away/shards.rank2.part && mv away/* . && rmdir away");
        run_shards(&b, ranks);
        assert_same(state, &b, 3); /* which has no other files */
        remove_table(b.output, 3);
    }
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_failed_save_is_repeated),
        SUPPORT_IN_FOLDER(segments_are_kept_if_rank_0_lost_its_build),
        SUPPORT_IN_FOLDER(any_number_of_ranks_resumes_a_build),
        SUPPORT_IN_FOLDER(each_run_may_have_another_number_of_ranks),
        SUPPORT_IN_FOLDER(a_missing_folder_is_named),
        SUPPORT_IN_FOLDER(a_build_killed_after_the_forward_pass_resumes),
        SUPPORT_IN_FOLDER(a_build_killed_while_it_writes_shards_resumes),
        SUPPORT_IN_FOLDER(a_build_of_an_older_version_is_refused),
        SUPPORT_IN_FOLDER(folders_beside_a_finished_table_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
