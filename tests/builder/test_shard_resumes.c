/* SPDX-License-Identifier: MIT
 *
 * Builds in shards that end before their time: whatever number of ranks goes on, the table becomes
 * the same, with a shard of each rank that there ever was.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/shard_builds.h"
#include "tests/support/watched_disk.h"

/* A build whose middle plies are divided, and its table of one file. */
static shard_build divided_build(void **state) {
    shard_build b = shards_of(state, "connect-5x5-k4", PLB_WDL);
    b.divided_entries = 1e5;
    build_alone(state, &b);
    return b;
}

/* A build of three ranks ends before its time; then it goes on with another number, and gets so
 * many shards. */
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

static void what_is_stopped_or_killed_resumes_with_any_number(void **state) {
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

/* Ranks come and go: some folders lack the plies of the runs between. */
static void several_runs_have_other_numbers(void **state) {
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

/* Three ranks are stopped at ply 17, and a folder of theirs is moved. */
static void stop_and_move(shard_build *b, const char *folder, const char *away) {
    b->stops_in = PLB_BACKWARD;
    b->stops_at = 17;
    b->expected = PLB_EINTERRUPTED;
    run_shards(b, 3);
    b->stops_at = -1;
    assert_int_equal(rename(folder, away), 0);
}

/* As where the rank that is gone had a disk of its own. */
static void a_folder_that_is_missing_is_named(void **state) {
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

/* As where each rank has a disk of its own, and rank 0 is started on another machine. */
static void segments_are_kept_where_rank_0_has_lost_its_build(void **state) {
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

/* What is reachable rank 0 has, whole. */
static void what_is_killed_after_a_forward_pass_resumes(void **state) {
    shard_build b = shards_of(state, "connect-5x4-k4-cylinder", PLB_WDL);
    build_alone(state, &b);
    b.stops_in = PLB_BACKWARD;
    b.stops_at = 11;
    b.stopping_rank = 1;
    b.is_killed = true;
    b.save_seconds = 0;
    check_resumed(state, b, 2, 3);
}

/* Some shards are written, and others not: as all is solved, there are no more of them. */
static void what_is_killed_while_it_writes_resumes(void **state) {
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

/* Its label also had a number of shards. */
static void what_an_older_version_has_begun_is_refused(void **state) {
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

/* As where all are killed when the table has its name. */
static void folders_that_are_left_beside_a_table_go(void **state) {
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
        SUPPORT_IN_FOLDER(a_save_that_fails_is_made_again),
        SUPPORT_IN_FOLDER(segments_are_kept_where_rank_0_has_lost_its_build),
        SUPPORT_IN_FOLDER(what_is_stopped_or_killed_resumes_with_any_number),
        SUPPORT_IN_FOLDER(several_runs_have_other_numbers),
        SUPPORT_IN_FOLDER(a_folder_that_is_missing_is_named),
        SUPPORT_IN_FOLDER(what_is_killed_after_a_forward_pass_resumes),
        SUPPORT_IN_FOLDER(what_is_killed_while_it_writes_resumes),
        SUPPORT_IN_FOLDER(what_an_older_version_has_begun_is_refused),
        SUPPORT_IN_FOLDER(folders_that_are_left_beside_a_table_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
