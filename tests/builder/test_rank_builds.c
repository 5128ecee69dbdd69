/* SPDX-License-Identifier: MIT
 *
 * Builds by several ranks: the file has the same bytes as that of one process, for all families and
 * kinds of values, any number of ranks and any memory. One process or any number of ranks can
 * resume the build of others. All ranks return the error of one rank.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/failing_malloc.h"
#include "tests/support/forked_ranks.h"
#include "tests/support/support.h"

enum { GOOD = 0, BAD = 1 };

/* A build by several ranks. */
typedef struct rank_build {
    const char *spec;
    char output[SUPPORT_PATH];
    plb_index_kind kind;
    plb_value_kind values;
    plb_reach_way reach;
    uint64_t spare_bytes[2]; /* of even and of odd ranks; 0: no planes stay in memory */
    double divided_entries;
    uint64_t piece_bytes, round_bytes;
    double part_entries; /* of one process */
    int threads;
    int expected;        /* error code */
    int different_rank;  /* builds other values than the others; 0: none */
    int stopping_rank;   /* is stopped or killed .. */
    int stops_at;        /* .. when it solves this ply or one solved later; 0: never */
    double stops_share;  /* .. and this share of ply stops_at is done */
    int stops_forward;   /* .. or in the forward pass, at this ply or a later one; 0: not */
    bool is_killed;      /* by SIGKILL */
    bool delays_records; /* the exchange of records is delayed; slabs must be solved meanwhile */
    bool stops_records;  /* stop when the first records for ply stops_at are exchanged */
    int failing_rank;    /* has no disk space or memory left at ply fails_at; 0: none */
    int fails_at;
    bool lacks_memory; /* else disk space */
    const char *text;  /* part of the expected message; NULL: the name of the failing rank */
    double save_seconds;
    int begins_at; /* the ply at which the run must begin; 0: any */
    volatile sig_atomic_t stop;
    bool has_begun, fails;
} rank_build;

/* The failing rank has no disk space left, and fails at its next write; or no memory, and fails
 * within the ply. In the second case the others wait within the ply until they are interrupted. */
static void fail_or_wait(const rank_build *b) {
    const struct rlimit none = {0, 0};
    if (b->fails && b->lacks_memory) failing_malloc_arm(1, true);
    if (b->fails && !b->lacks_memory) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &none);
    }
    for (int ms = 0; !b->fails && b->lacks_memory && !b->stop; ms++) {
        if (ms > 20000) _exit(BAD);
        usleep(1000);
    }
}

static void end_run(rank_build *b) {
    if (b->is_killed) raise(SIGKILL);
    __atomic_store_n(&b->stop, 1, __ATOMIC_RELAXED);
}

static int reports;          /* progress reports within plies */
static int reports_before;   /* .. before the delay of the current exchange */
static bool works_meanwhile; /* a report came during a delay */

static bool delay_records(bool is_first) {
    int now = __atomic_load_n(&reports, __ATOMIC_RELAXED);
    if (is_first) reports_before = now;
    works_meanwhile |= now > reports_before;
    return !works_meanwhile && now == reports_before;
}

static volatile sig_atomic_t *stop_flag; /* of the build; NULL: it is not to be stopped yet */
static int rounds_after;                 /* rounds of records after the stop */

static bool stop_records(bool is_first) {
    if (!is_first || !stop_flag) return false;
    rounds_after += *stop_flag;
    *stop_flag = 1;
    return false;
}

/* The first ply must be begins_at, or the ply before it: the rank that was stopped may have had no
 * share of begins_at, and stopped at its end. */
static void report_ply(void *context, const plb_progress *progress) {
    rank_build *b = context;
    __atomic_add_fetch(&reports, progress->ply_share > 0, __ATOMIC_RELAXED);
    if (b->delays_records && !works_meanwhile)
        usleep(2000); /* otherwise all slabs would be solved before records are packed */
    if (progress->phase == PLB_FORWARD && b->stops_at >= 0 && b->stops_forward &&
        progress->ply >= b->stops_forward)
        end_run(b);
    if (progress->phase != PLB_BACKWARD) return;
    if (!b->has_begun && b->begins_at && progress->ply != b->begins_at &&
        progress->ply + 1 != b->begins_at) {
        fprintf(stderr, "%s: begins at ply %d, not %d\n", b->spec, progress->ply, b->begins_at);
        _exit(BAD);
    }
    b->has_begun = true;
    if (b->fails_at && progress->ply == b->fails_at) fail_or_wait(b);
    if (b->stops_records) {
        if (progress->ply_done && progress->ply == b->stops_at + 1) stop_flag = &b->stop;
        return;
    }
    bool is_late = progress->ply == b->stops_at && progress->ply_share >= b->stops_share;
    if (progress->ply > b->stops_at || !(is_late || progress->ply_done)) return;
    end_run(b);
}

static int build(plb_ranks *ranks, void *context) {
    rank_build *b = context;
    int number = plb_ranks_number(ranks);
    plb_space space;
    plb_built built = {.existed = false};
    plb_message why = {""};
    b->fails = number == b->failing_rank;
    bool may_stop = number == b->stopping_rank || b->stops_records;
    if (!may_stop || b->stops_at == 0) b->stops_at = -1;
    support_open_kind(b->spec, b->kind, &space);
    plb_build_options options = support_build_options(b->output, NULL, b->threads);
    options.values = b->values;
    if (b->different_rank && number == b->different_rank) options.values = PLB_DTM;
    options.slabs.reach = b->reach;
    options.slabs.divided_entries = b->divided_entries;
    options.slabs.piece_bytes = b->piece_bytes;
    options.slabs.round_bytes = b->round_bytes;
    options.part_entries = b->part_entries;
    options.budget = plb_budget_of_spare(b->spare_bytes[number % 2]);
    options.save_seconds = b->save_seconds;
    options.ranks = plb_ranks_count(ranks) > 1 ? ranks : NULL;
    options.stop = &b->stop;
    options.report = report_ply;
    options.context = b;
    forked_ranks_delay = b->delays_records ? delay_records : b->stops_records ? stop_records : NULL;
    int error = plb_build(&space, &options, &built, &why);
    failing_malloc_disarm();
    plb_space_close(&space);
    char named[16];
    snprintf(named, sizeof named, "rank %d on ", b->failing_rank);
    bool is_named = b->fails_at == 0 || (b->text ? strstr(why.text, b->text) != NULL
                                                 : strncmp(why.text, named, strlen(named)) == 0);
    if (b->delays_records && !works_meanwhile) {
        fprintf(stderr, "rank %d never worked while records were on their way\n", number);
        return BAD;
    }
    if (rounds_after > 0) {
        fprintf(stderr, "rank %d exchanged %d more rounds of records\n", number, rounds_after);
        return BAD;
    }
    if (error == b->expected && is_named) return GOOD;
    fprintf(stderr, "%s, rank %d: error %d, not %d: %s\n", b->spec, number, error, b->expected,
            why.text);
    return BAD;
}

static void stop_build(void *build) {
    __atomic_store_n(&((rank_build *)build)->stop, 1, __ATOMIC_RELAXED);
}

static void run(const rank_build *b, int count) {
    int statuses[FORKED_RANKS];
    rank_build copy = *b;
    const plb_ranks_options options = {600, stop_build, &copy};
    forked_ranks_run(count, build, &options, &copy, statuses);
    for (int rank = 0; rank < count; rank++)
        if (b->is_killed && rank == b->stopping_rank)
            assert_int_equal(statuses[rank], 100 + SIGKILL);
        else
            assert_int_equal(statuses[rank], GOOD);
}

/* Build the expected table by one process. */
static void build_alone(void **state, const rank_build *b) {
    plb_message why = {""};
    plb_space space;
    plb_built built;
    plb_build_options alone = support_build_options(support_path(state, "alone"), NULL, 1);
    alone.values = b->values;
    alone.slabs.reach = b->reach;
    support_open_kind(b->spec, b->kind, &space);
    support_expect(plb_build(&space, &alone, &built, &why), PLB_OK, b->spec, &why);
    plb_space_close(&space);
}

static void name_output(void **state, rank_build *b) {
    snprintf(b->output, sizeof b->output, "%s", support_path(state, "ranks"));
}

static void assert_same(void **state) {
    support_assert_same_files(support_path(state, "alone"), support_path(state, "ranks"));
    assert_int_equal(support_count_files(state), 2);
    unlink(support_path(state, "ranks"));
}

/* Build with this number of ranks; if it is 5, with every second number up to 5. One board in three
 * is built; the commit decides which. */
static void check_same(void **state, rank_build b, int ranks) {
    static unsigned boards;
    if (!support_has_turn(boards++, 3)) return;
    build_alone(state, &b);
    name_output(state, &b);
    b.save_seconds = 1e9;
    if (b.threads == 0) b.threads = 1;
    for (int count = ranks < 5 ? ranks : 1; count <= ranks; count++) {
        if (ranks == 5 && !support_has_turn(count, 2)) continue;
        run(&b, count);
        assert_same(state);
    }
    unlink(support_path(state, "alone"));
}

/* Spare bytes with which all planes stay in memory, or some of them. */
static const uint64_t much = 256 << 20, some = 4 << 20;

/* Boards with plies of several segments; sanitizers need a minute for each. */
static void ranks_build_games_without_gravity(void **state) {
    check_same(state, (rank_build){.spec = "mnk-4x4-k3", .divided_entries = 1}, 2);
    check_same(state, (rank_build){.spec = "square-4x4-misere", .divided_entries = 1}, 3);
    check_same(state,
               (rank_build){.spec = "mnk-4x4-k3-cylinder",
                            .spare_bytes = {0, much},
                            .threads = 2,
                            .divided_entries = 1},
               3);
    if (support_step(2) == 1)
        check_same(
            state,
            (rank_build){.spec = "mnk-5x4-k4", .spare_bytes = {much, much}, .divided_entries = 1e4},
            3);
}

static void ranks_build_games_with_gravity(void **state) {
    check_same(state,
               (rank_build){.spec = "connect-5x5-k4",
                            .reach = PLB_REACH_BY_COLUMNS,
                            .spare_bytes = {much, 0},
                            .threads = 2,
                            .divided_entries = 1e5,
                            .round_bytes = 1 << 14},
               5);
    check_same(state,
               (rank_build){.spec = "connect-5x5-k4",
                            .reach = PLB_REACH_FORWARD,
                            .spare_bytes = {some, some},
                            .divided_entries = 1},
               3);
}

static void ranks_build_games_with_suffixes(void **state) {
    check_same(
        state,
        (rank_build){
            .spec = "connect-5x5-k4-misere", .spare_bytes = {some, much}, .divided_entries = 1e3},
        5);
    check_same(
        state,
        (rank_build){
            .spec = "connect-5x5-k4-cylinder", .spare_bytes = {much, much}, .divided_entries = 1},
        3);
    check_same(state, (rank_build){.spec = "mnk-3x4-k3-misere-cylinder", .divided_entries = 1}, 3);
}

static void slabs_are_solved_during_an_exchange(void **state) {
    check_same(
        state,
        (rank_build){
            .spec = "connect-5x5-k4", .threads = 2, .divided_entries = 1e4, .delays_records = true},
        2);
}

static void ranks_build_distances(void **state) {
    check_same(state,
               (rank_build){.spec = "connect-5x5-k4",
                            .values = PLB_DTM,
                            .spare_bytes = {much, much},
                            .divided_entries = 1},
               5);
    check_same(
        state,
        (rank_build){.spec = "connect-5x5-k3-misere", .values = PLB_DTM, .divided_entries = 1}, 3);
    check_same(state, (rank_build){.spec = "mnk-4x4-k4", .values = PLB_DTM, .divided_entries = 1},
               3);
}

static void ranks_solve_slabs_in_pieces(void **state) {
    check_same(
        state,
        (rank_build){.spec = "connect-5x4-k4-misere", .divided_entries = 1, .piece_bytes = 1 << 16},
        2);
    check_same(state,
               (rank_build){.spec = "connect-5x5-k4",
                            .spare_bytes = {0, much},
                            .divided_entries = 1e5,
                            .piece_bytes = 1 << 18},
               3);
}

static void every_rank_solves_small_plies(void **state) {
    check_same(state, (rank_build){.spec = "connect-4x4-k4"}, 5);
    check_same(state, (rank_build){.spec = "mnk-4x4-k4", .divided_entries = 2e5}, 3);
}

static void keys_are_solved_by_one_rank(void **state) {
    check_same(state, (rank_build){.spec = "numeric-3x3", .kind = PLB_KEYS}, 3);
    check_same(state, (rank_build){.spec = "connect-4x3-k3", .kind = PLB_KEYS}, 2);
}

static void all_ranks_return_the_error_of_one(void **state) {
    rank_build b = {.spec = "connect-4x4-k3", .divided_entries = 1, .threads = 1};
    name_output(state, &b);
    b.different_rank = 2;
    b.expected = PLB_EARGUMENT;
    run(&b, 3);
    assert_int_equal(support_count_files(state), 0);
}

/* One rank runs out of disk space or memory: all ranks end, and another run resumes. */
static void a_failure_in_a_ply_ends_all_ranks(void **state) {
    rank_build b = {.spec = "connect-5x5-k4", .divided_entries = 1e5, .threads = 1};
    build_alone(state, &b);
    name_output(state, &b);
    for (int lacks_memory = 0; lacks_memory < 2; lacks_memory++) {
        rank_build failing = b;
        failing.failing_rank = 1 + lacks_memory;
        failing.fails_at = 18;
        failing.lacks_memory = lacks_memory;
        failing.expected = lacks_memory ? PLB_ENOMEM : PLB_ENOSPACE;
        run(&failing, 3);
        assert_false(support_exists(b.output));
        rank_build rest = b;
        rest.begins_at = 18;
        run(&rest, 2);
        assert_same(state);
    }
}

/* Ranks solve a ply as one part, of which a process that resumes cannot delete any early. */
static void a_full_disk_after_ranks_is_explained(void **state) {
    rank_build b = {.spec = "connect-5x5-k4",
                    .divided_entries = 1e5,
                    .threads = 1,
                    .part_entries = 1 << 18,
                    .stops_at = 19,
                    .save_seconds = 1e9,
                    .expected = PLB_EINTERRUPTED};
    name_output(state, &b);
    run(&b, 2);
    b.stops_at = 0;
    b.fails_at = 19;
    b.expected = PLB_ENOSPACE;
    b.text =
        "; an earlier run, by ranks, has solved ply 20 as one part, all of which stays on "
        "the disk until ply 19 is solved";
    run(&b, 1);
}

/* A build is stopped, or one of its ranks is killed, within a ply. `others` ranks resume from the
 * last save, which was after a ply or at the stop. */
static void check_resumed(void **state, rank_build b, int ranks, int others) {
    rank_build rest = b;
    b.expected = b.is_killed ? PLB_EIO : PLB_EINTERRUPTED;
    run(&b, ranks);
    assert_false(support_exists(b.output));
    rest.stops_at = 0;
    rest.is_killed = rest.stops_records = false;
    rest.begins_at = b.stops_at;
    run(&rest, others);
    assert_same(state);
}

static void any_number_of_ranks_resumes_a_stopped_build(void **state) {
    rank_build b = {
        .spec = "connect-5x5-k4", .divided_entries = 1e5, .threads = 1, .save_seconds = 1e9};
    build_alone(state, &b);
    name_output(state, &b);
    static const int plies[] = {24, 19, 17, 12, 3};
    for (int p = 0; p < 5; p++) {
        if (!support_has_turn(p, 2)) continue;
        b.stops_at = plies[p];
        b.stopping_rank = p / 2 % 2;
        b.spare_bytes[0] = p % 3 == 0 ? much : 0;
        b.spare_bytes[1] = p % 2 ? much : 0;
        check_resumed(state, b, 2 + p % 2, 2 + p % 3);
    }
}

/* Without the stop this ply, which has no sample, would have many more rounds. Nothing is saved at
 * the stop, since each ply was saved at its end. */
static void a_stop_ends_the_exchange_of_records(void **state) {
    rank_build b = {.spec = "connect-5x5-k4",
                    .divided_entries = 1e5,
                    .threads = 1,
                    .round_bytes = 1 << 13,
                    .stops_at = 15,
                    .stops_records = true};
    build_alone(state, &b);
    name_output(state, &b);
    check_resumed(state, b, 2, 2);
}

static void any_number_of_ranks_resumes_a_killed_build(void **state) {
    rank_build b = {
        .spec = "connect-5x5-k4-misere", .divided_entries = 1e4, .threads = 1, .is_killed = true};
    build_alone(state, &b);
    name_output(state, &b);
    static const int plies[] = {24, 20, 16, 13};
    for (int p = 0; p < 4; p++) {
        if (!support_has_turn(p, 2)) continue;
        b.stops_at = plies[p];
        b.stopping_rank = p / 2 % 2;
        b.spare_bytes[0] = p % 2 ? much : 0;
        check_resumed(state, b, 2, 5 - p);
    }
}

/* Runs of one process and of several ranks alternate. Each is stopped or killed three plies later,
 * possibly within a ply that has parts. */
static void one_process_and_several_ranks_resume_each_other(void **state) {
    static const rank_build builds[] = {
        /* begins_at: where the first run stops */
        {.spec = "connect-5x5-k4",
         .begins_at = 21,
         .reach = PLB_REACH_BY_COLUMNS,
         .part_entries = 1 << 18},
        {.spec = "connect-5x5-k4", .begins_at = 21, .values = PLB_DTM, .part_entries = 1 << 19},
        {.spec = "connect-5x5-k4-misere", .begins_at = 22, .part_entries = 1 << 18},
        {.spec = "connect-5x4-k4-cylinder", .begins_at = 17, .values = PLB_DTM},
        {.spec = "mnk-5x4-k4", .begins_at = 17, .part_entries = 1 << 19},
        {.spec = "square-4x4", .begins_at = 14, .part_entries = 1 << 17},
    };
    uint64_t random = support_seed("turns", 7);
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
        if (!support_has_turn(i, 6)) continue;
        rank_build b = builds[i];
        bool goes_forward = strstr(b.spec, "misere") || strstr(b.spec, "cylinder");
        int count = 1 + (int)i % 2;
        b.divided_entries = i % 3 ? 1e4 : 1e6;
        b.threads = 1;
        build_alone(state, &b);
        name_output(state, &b);
        b.begins_at = 0;
        for (int ply = builds[i].begins_at; ply > 6; ply -= 3) {
            b.stops_at = ply;
            b.stops_share = 0.3 * (double)support_random_below(&random, 4);
            b.stops_forward = ply == builds[i].begins_at && goes_forward ? 12 : 0;
            b.stopping_rank = (int)support_random_below(&random, count);
            b.is_killed = support_random_below(&random, 2);
            b.save_seconds = b.is_killed ? 0 : 1e9;
            b.expected = b.is_killed ? PLB_EIO : PLB_EINTERRUPTED;
            b.spare_bytes[0] = support_random_below(&random, 2) ? much : 0;
            run(&b, count);
            assert_false(support_exists(b.output));
            b.begins_at = b.stops_forward ? 0 : ply;
            count = count > 1 ? 1 : 2 + (int)support_random_below(&random, 3);
        }
        b.stops_at = b.expected = b.is_killed = 0;
        b.stops_forward = 0;
        run(&b, count);
        assert_same(state);
        unlink(support_path(state, "alone"));
    }
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(ranks_build_games_without_gravity),
        SUPPORT_IN_FOLDER(ranks_build_games_with_gravity),
        SUPPORT_IN_FOLDER(ranks_build_games_with_suffixes),
        SUPPORT_IN_FOLDER(slabs_are_solved_during_an_exchange),
        SUPPORT_IN_FOLDER(ranks_build_distances),
        SUPPORT_IN_FOLDER(ranks_solve_slabs_in_pieces),
        SUPPORT_IN_FOLDER(every_rank_solves_small_plies),
        SUPPORT_IN_FOLDER(keys_are_solved_by_one_rank),
        SUPPORT_IN_FOLDER(all_ranks_return_the_error_of_one),
        SUPPORT_IN_FOLDER(a_failure_in_a_ply_ends_all_ranks),
        SUPPORT_IN_FOLDER(a_full_disk_after_ranks_is_explained),
        SUPPORT_IN_FOLDER(any_number_of_ranks_resumes_a_stopped_build),
        SUPPORT_IN_FOLDER(a_stop_ends_the_exchange_of_records),
        SUPPORT_IN_FOLDER(any_number_of_ranks_resumes_a_killed_build),
        SUPPORT_IN_FOLDER(one_process_and_several_ranks_resume_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
