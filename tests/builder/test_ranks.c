/* SPDX-License-Identifier: MIT
 *
 * Ranks: messages arrive; sums and errors are the same on all ranks. A single process exchanges
 * nothing. If a rank dies, fails or is silent, no other rank waits for it forever.
 */
#include "builder/ranks/ranks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/failing_malloc.h"
#include "tests/support/forked_ranks.h"
#include "tests/support/support.h"

enum { GOOD = 0, BAD = 1, SUMS = 1000, BIG = 3 << 15 };

static void a_single_rank_exchanges_nothing(void **state) {
    (void)state;
    uint64_t value = 7;
    plb_message message = {"untouched"};
    assert_int_equal(plb_ranks_count(NULL), 1);
    assert_int_equal(plb_ranks_number(NULL), 0);
    assert_int_equal(plb_ranks_agree(NULL, PLB_ENOSPACE, &message), PLB_ENOSPACE);
    assert_int_equal(plb_ranks_agree(NULL, PLB_OK, &message), PLB_OK);
    assert_int_equal(plb_ranks_sum(NULL, &value, 1, &message), PLB_OK);
    assert_int_equal(plb_ranks_all_to_all(NULL, NULL, NULL, &message), PLB_OK);
    assert_int_equal(value, 7);
    assert_string_equal(message.text, "untouched");
}

/* Run the work in 1 to 5 ranks; each must exit with GOOD. */
static void check_ranks(forked_rank_work *work) {
    int statuses[FORKED_RANKS];
    for (int count = 1; count <= 5; count++) {
        forked_ranks_run(count, work, NULL, NULL, statuses);
        for (int rank = 0; rank < count; rank++) assert_int_equal(statuses[rank], GOOD);
    }
}

static int sum_values(plb_ranks *ranks, void *context) {
    (void)context;
    uint64_t values[SUMS], count = plb_ranks_count(ranks);
    for (uint64_t i = 0; i < SUMS; i++) values[i] = i << plb_ranks_number(ranks);
    if (plb_ranks_sum(ranks, values, SUMS, NULL)) return BAD;
    for (uint64_t i = 0; i < SUMS; i++)
        if (values[i] != i * ((1U << count) - 1)) return BAD;
    return GOOD;
}

static void sums_are_the_same_on_all(void **state) {
    (void)state;
    check_ranks(sum_values);
}

/* The size of a message, from one rank to another in a round: 0, small, or big. */
static size_t size_of(int from, int to, int round) {
    return (from + to + round) % 3 == 0 ? 0 : (size_t)(from * 7 + to + 1) * (round ? BIG : 1);
}

static uint8_t byte_of(int from, int to, size_t at) {
    return (uint8_t)(from * 31 + to * 17 + at * 5 + (at >> 8));
}

/* The received bytes are those of this round, since each measurement resets the counters. */
static bool is_measured(plb_ranks *ranks, int round) {
    plb_rank_work work, again;
    uint64_t sum = 0;
    int count = plb_ranks_count(ranks);
    for (int from = 0; from < count; from++)
        for (int to = 0; to < count; to++) sum += from == to ? 0 : size_of(from, to, round);
    if (plb_ranks_measure(ranks, &work, NULL) || plb_ranks_measure(ranks, &again, NULL))
        return false;
    return work.received_bytes == sum && again.received_bytes == 0 && work.busy_seconds > 0 &&
           work.max_busy_seconds >= work.busy_seconds && work.seconds >= work.waited_seconds;
}

static int send_messages(plb_ranks *ranks, void *context) {
    (void)context;
    int own = plb_ranks_number(ranks), count = plb_ranks_count(ranks), result = GOOD;
    plb_bytes send[FORKED_RANKS] = {0}, receive[FORKED_RANKS] = {0};
    for (int round = 0; round < 3; round++) {
        for (int to = 0; to < count; to++) {
            send[to].size = size_of(own, to, round);
            if (plb_bytes_reserve(&send[to], send[to].size)) return BAD;
            for (size_t i = 0; i < send[to].size; i++) send[to].bytes[i] = byte_of(own, to, i);
        }
        if (plb_ranks_all_to_all(ranks, send, receive, NULL)) result = BAD;
        if (!is_measured(ranks, round)) result = BAD;
        for (int from = 0; from < count; from++) {
            if (from == own) continue;
            if (receive[from].size != size_of(from, own, round)) result = BAD;
            for (size_t i = 0; i < receive[from].size && result == GOOD; i++)
                if (receive[from].bytes[i] != byte_of(from, own, i)) result = BAD;
        }
    }
    for (int rank = 0; rank < count; rank++) {
        plb_bytes_free(&send[rank]);
        plb_bytes_free(&receive[rank]);
    }
    return result;
}

static void messages_arrive(void **state) {
    (void)state;
    check_ranks(send_messages);
}

/* At first no rank has an error, then all but rank 0 have one. */
static int agree_on_errors(plb_ranks *ranks, void *context) {
    (void)context;
    int own = plb_ranks_number(ranks), count = plb_ranks_count(ranks);
    plb_message message = {"untouched"};
    if (plb_ranks_agree(ranks, PLB_OK, &message) || strcmp(message.text, "untouched") != 0)
        return BAD;
    int error =
        own ? plb_fail(&message, own == 1 ? PLB_ENOSPACE : PLB_EIO, "disk %d", own) : PLB_OK;
    error = plb_ranks_agree(ranks, error, &message);
    if (count == 1) return error ? BAD : GOOD;
    char host[64], expected[200];
    gethostname(host, sizeof host);
    snprintf(expected, sizeof expected, "rank 1 on %s: disk 1", host);
    return error == PLB_ENOSPACE && strcmp(message.text, expected) == 0 ? GOOD : BAD;
}

static void all_return_the_error_of_the_lowest_rank(void **state) {
    (void)state;
    check_ranks(agree_on_errors);
}

/* Rank 2 is killed while the others sum. They get PLB_EIO, in later calls too. */
static int lose_a_rank(plb_ranks *ranks, void *context) {
    (void)context;
    uint64_t value = 1;
    plb_message message = {""};
    if (plb_ranks_number(ranks) == 2) raise(SIGKILL);
    for (int n = 0; n < 3; n++)
        if (plb_ranks_sum(ranks, &value, 1, &message) != PLB_EIO) return BAD;
    if (!strstr(message.text, "cannot reach all other ranks")) return BAD;
    return plb_ranks_agree(ranks, PLB_ENOSPACE, &message) == PLB_ENOSPACE ? GOOD : BAD;
}

static void a_dead_rank_ends_the_others(void **state) {
    (void)state;
    int statuses[FORKED_RANKS];
    forked_ranks_run(4, lose_a_rank, NULL, NULL, statuses);
    for (int rank = 0; rank < 4; rank++)
        assert_int_equal(statuses[rank], rank == 2 ? 100 + SIGKILL : GOOD);
}

/* The last rank is half a second late. The others sleep, and wake at most MAX_WAKINGS times. */
static int wait_asleep(plb_ranks *ranks, void *context) {
    (void)context;
    enum { LATE_MICROSECONDS = 500000, MAX_WAKINGS = 150 };
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    if (plb_ranks_number(ranks) + 1 == plb_ranks_count(ranks)) usleep(LATE_MICROSECONDS);
    if (plb_ranks_agree(ranks, PLB_OK, NULL)) return BAD;
    getrusage(RUSAGE_SELF, &after);
    return after.ru_nvcsw - before.ru_nvcsw <= MAX_WAKINGS ? GOOD : BAD;
}

static void waiting_ranks_sleep(void **state) {
    (void)state;
    int statuses[FORKED_RANKS];
    forked_ranks_run(3, wait_asleep, NULL, NULL, statuses);
    for (int rank = 0; rank < 3; rank++) assert_int_equal(statuses[rank], GOOD);
}

/* ---- while a rank is at work ---- */

/* In seconds. SILENT is more than the delays of a busy machine. */
enum { PATIENT = 600, SILENT = 4, FEW_SECONDS = 10 };

static void set_flag(void *flag) {
    __atomic_store_n((int *)flag, 1, __ATOMIC_SEQ_CST);
}

/* Work until the flag is set. False: it is not set within FEW_SECONDS. */
static bool work_until(const int *flag) {
    for (int ms = 0; ms < 1000 * FEW_SECONDS; ms++) {
        if (__atomic_load_n(flag, __ATOMIC_SEQ_CST)) return true;
        usleep(1000);
    }
    return false;
}

/* Rank 3 fails, which interrupts the work of all others. */
static int fail_at_work(plb_ranks *ranks, void *flag) {
    plb_message message = {""};
    int number = plb_ranks_number(ranks), error;
    if (number == 3)
        error = plb_fail(&message, PLB_ENOSPACE, "the disk is full");
    else if (work_until(flag))
        error = plb_fail(&message, PLB_EINTERRUPTED, "interrupted");
    else
        return BAD;
    error = plb_ranks_agree(ranks, error, &message);
    if (error != PLB_ENOSPACE || strncmp(message.text, "rank 3 on ", 10) != 0) return BAD;
    return strstr(message.text, ": the disk is full") && plb_ranks_reports(ranks) == (number == 0)
               ? GOOD
               : BAD;
}

static void a_failure_interrupts_all(void **state) {
    (void)state;
    int statuses[FORKED_RANKS], flag = 0;
    const plb_ranks_options options = {PATIENT, set_flag, &flag};
    forked_ranks_run(5, fail_at_work, &options, &flag, statuses);
    for (int rank = 0; rank < 5; rank++) assert_int_equal(statuses[rank], GOOD);
}

/* A rank is stopped. The others, at work or waiting, name it in their messages, even if one of them
 * has detected it earlier and has already exited. */
typedef struct silence {
    int flag; /* set when a rank has failed */
    int rank; /* the rank that is stopped */
} silence;

/* Stop for a second, so that this rank detects the silence later than others. */
static void fall_behind(void) {
    pid_t own = getpid();
    if (fork() == 0) {
        usleep(1000000);
        kill(own, SIGCONT);
        _exit(GOOD);
    }
    raise(SIGSTOP);
}

static int fall_silent(plb_ranks *ranks, void *context) {
    silence *s = context;
    plb_message message = {""};
    char expected[64];
    int number = plb_ranks_number(ranks);
    if (number == s->rank) raise(SIGSTOP);
    if (number == 2 && s->rank == 0) fall_behind();
    if (number == 1 && !work_until(&s->flag)) return BAD;
    int error = plb_ranks_agree(ranks, PLB_OK, &message);
    if (error != PLB_EIO) return BAD;
    if (number == s->rank) return GOOD;
    snprintf(expected, sizeof expected, "rank %d on ", s->rank);
    if (strncmp(message.text, expected, strlen(expected)) != 0) return BAD;
    if (!strstr(message.text, " does not answer: nothing was heard of it for 4 s")) return BAD;
    return plb_ranks_reports(ranks) == (number == (s->rank == 0 ? 1 : 0)) ? GOOD : BAD;
}

static void a_silent_rank_is_named(void **state) {
    (void)state;
    static const int silent[] = {2, 0};
    for (int i = 0; i < 2; i++) {
        int statuses[FORKED_RANKS];
        silence s = {0, silent[i]};
        const plb_ranks_options options = {SILENT, set_flag, &s.flag};
        forked_ranks_run(3, fall_silent, &options, &s, statuses);
        for (int rank = 0; rank < 3; rank++) assert_int_equal(statuses[rank], GOOD);
    }
}

/* ---- a rank that cannot join ---- */

typedef struct calls {
    int close, abort_all;
} calls;

static void count_close(void *state) {
    ((calls *)state)->close++;
}

static void count_abort(void *state, int exit_status) {
    assert_int_not_equal(exit_status, 0);
    ((calls *)state)->abort_all++;
}

/* Other ranks may have joined, and would wait forever in the collective close. */
static void a_lack_of_memory_aborts_all_ranks(void **state) {
    (void)state;
    enum { ALLOCATIONS = 9 };
    const plb_ranks_options options = {PATIENT, NULL, NULL};
    for (int nth = 1; nth <= ALLOCATIONS; nth++) {
        calls made = {0, 0};
        plb_ranks *ranks = NULL;
        const plb_transport transport = {
            .count = 2, .state = &made, .close = count_close, .abort_all = count_abort};
        failing_malloc_arm(nth, false);
        int error = plb_ranks_open(&transport, &options, &ranks, NULL);
        assert_true(failing_malloc_disarm());
        assert_int_equal(error, PLB_ENOMEM);
        assert_null(ranks);
        assert_int_equal(made.close, 0);
        assert_int_equal(made.abort_all, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_rank_exchanges_nothing),
        cmocka_unit_test(sums_are_the_same_on_all),
        cmocka_unit_test(messages_arrive),
        cmocka_unit_test(all_return_the_error_of_the_lowest_rank),
        cmocka_unit_test(a_dead_rank_ends_the_others),
        cmocka_unit_test(waiting_ranks_sleep),
        cmocka_unit_test(a_failure_interrupts_all),
        cmocka_unit_test(a_silent_rank_is_named),
        cmocka_unit_test(a_lack_of_memory_aborts_all_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
