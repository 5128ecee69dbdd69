/* SPDX-License-Identifier: MIT
 *
 * Ranks: everyone gets what the others have for it, sums and errors are the same on all; one that
 * is alone is not asked; one that dies leaves nobody waiting.
 */
#include "builder/ranks/ranks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/forked_ranks.h"
#include "tests/support/support.h"

enum { GOOD = 0, BAD = 1, SUMS = 1000, BIG = 3 << 15 };

static void one_rank_is_alone(void **state) {
    (void)state;
    uint64_t value = 7;
    plb_message message = {"untouched"};
    assert_int_equal(plb_ranks_count(NULL), 1);
    assert_int_equal(plb_ranks_number(NULL), 0);
    assert_int_equal(plb_ranks_agree(NULL, PLB_ENOSPACE, &message), PLB_ENOSPACE);
    assert_int_equal(plb_ranks_agree(NULL, PLB_OK, &message), PLB_OK);
    assert_int_equal(plb_ranks_sum(NULL, &value, 1, &message), PLB_OK);
    assert_int_equal(plb_ranks_swap(NULL, NULL, NULL, &message), PLB_OK);
    assert_int_equal(value, 7);
    assert_string_equal(message.text, "untouched");
}

/* Every rank runs the work, and says that what it saw was right. */
static void check_ranks(forked_rank_work *work) {
    int statuses[FORKED_RANKS];
    for (int count = 1; count <= 5; count++) {
        forked_ranks_run(count, work, NULL, statuses);
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

/* Bytes from one rank to another, in a round: of any size, some of them big, and none. */
static size_t size_of(int from, int to, int round) {
    return (from + to + round) % 3 == 0 ? 0 : (size_t)(from * 7 + to + 1) * (round ? BIG : 1);
}

static uint8_t byte_of(int from, int to, size_t at) {
    return (uint8_t)(from * 31 + to * 17 + at * 5 + (at >> 8));
}

static int swap_bytes(plb_ranks *ranks, void *context) {
    (void)context;
    int own = plb_ranks_number(ranks), count = plb_ranks_count(ranks), result = GOOD;
    plb_bytes send[FORKED_RANKS] = {0}, receive[FORKED_RANKS] = {0};
    for (int round = 0; round < 3; round++) {
        for (int to = 0; to < count; to++) {
            send[to].size = size_of(own, to, round);
            if (plb_bytes_reserve(&send[to], send[to].size)) return BAD;
            for (size_t i = 0; i < send[to].size; i++) send[to].bytes[i] = byte_of(own, to, i);
        }
        if (plb_ranks_swap(ranks, send, receive, NULL)) result = BAD;
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

static void everyone_gets_its_bytes(void **state) {
    (void)state;
    check_ranks(swap_bytes);
}

/* No rank has an error, then all but the first have one. */
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

static void the_lowest_error_is_that_of_all(void **state) {
    (void)state;
    check_ranks(agree_on_errors);
}

/* Rank 2 is killed while the others sum; they find out, and do not ask again. */
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

static void who_dies_leaves_nobody_waiting(void **state) {
    (void)state;
    int statuses[FORKED_RANKS];
    forked_ranks_run(4, lose_a_rank, NULL, statuses);
    for (int rank = 0; rank < 4; rank++)
        assert_int_equal(statuses[rank], rank == 2 ? 100 + SIGKILL : GOOD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_is_alone),
        cmocka_unit_test(sums_are_the_same_on_all),
        cmocka_unit_test(everyone_gets_its_bytes),
        cmocka_unit_test(the_lowest_error_is_that_of_all),
        cmocka_unit_test(who_dies_leaves_nobody_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
