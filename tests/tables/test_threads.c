/* SPDX-License-Identifier: MIT
 *
 * Teams of threads: each thread does its work once, and each chunk of a loop is done once.
 */
#include "tables/threads.h"

#include <sched.h>
#include <stdlib.h>

#include "tables/vocabulary.h"
#include "tests/support/support.h"

enum { MAX_THREADS = 5, CHUNKS = 300, ROUNDS = 200 };

typedef struct counted {
    plb_threads threads;
    int done[MAX_THREADS];           /* by thread: how often it did its work */
    int chunks[MAX_THREADS][CHUNKS]; /* by owner of the loop: how often a chunk was done */
    int by[MAX_THREADS];             /* by thread: number of chunks that it did, of any loop */
    int errors;                      /* loops that have failed */
    size_t fails;                    /* the chunk that fails; CHUNKS: none */
} counted;

/* The loop of a thread. */
typedef struct loop {
    counted *c;
    int owner;
} loop;

static int do_chunk(void *context, size_t chunk) {
    const loop *l = context;
    __atomic_fetch_add(&l->c->chunks[l->owner][chunk], 1, __ATOMIC_RELAXED);
    l->c->by[plb_threads_number()]++;
    return chunk == l->c->fails ? PLB_ENOMEM : PLB_OK;
}

/* Threads with even numbers have loops; the others are idle and can help. */
static void do_work(void *context, int number) {
    counted *c = context;
    loop l = {c, number};
    c->done[number] += number == plb_threads_number();
    if (number % 2) return;
    int error = plb_threads_share(&c->threads, CHUNKS, do_chunk, &l);
    if (error) __atomic_fetch_add(&c->errors, 1, __ATOMIC_RELAXED);
}

static counted *open_counted(int count) {
    counted *c = calloc(1, sizeof *c);
    assert_non_null(c);
    assert_int_equal(plb_threads_open(count, &c->threads), PLB_OK);
    assert_int_equal(c->threads.count, count);
    c->fails = CHUNKS;
    return c;
}

static void close_counted(counted *c) {
    plb_threads_close(&c->threads);
    free(c);
}

static void all_is_done_once(void **state) {
    (void)state;
    for (int count = 1; count <= MAX_THREADS; count++) {
        counted *c = open_counted(count);
        int chunks = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            plb_threads_run(&c->threads, do_work, c);
            for (int t = 0; t < count; t++) {
                assert_int_equal(c->done[t], round);
                for (int i = 0; i < CHUNKS; i++)
                    assert_int_equal(c->chunks[t][i], t % 2 ? 0 : round);
            }
        }
        for (int t = 0; t < count; t++) chunks += c->by[t];
        assert_int_equal(chunks, ROUNDS * CHUNKS * ((count + 1) / 2));
        assert_int_equal(c->errors, 0);
        close_counted(c);
    }
}

static void loops_are_shared_outside_of_work(void **state) {
    (void)state;
    counted *c = open_counted(3);
    loop l = {c, 0};
    for (int round = 1; round <= ROUNDS; round++) {
        assert_int_equal(plb_threads_share(&c->threads, CHUNKS, do_chunk, &l), PLB_OK);
        for (int i = 0; i < CHUNKS; i++) assert_int_equal(c->chunks[0][i], round);
    }
    close_counted(c);
}

/* A chunk that waits until another thread has begun one, too. */
static int meet(void *context, size_t chunk) {
    int *begun = context;
    (void)chunk;
    __atomic_fetch_add(begun, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(begun, __ATOMIC_RELAXED) < 2) sched_yield();
    return PLB_OK;
}

static void idle_threads_help(void **state) {
    (void)state;
    plb_threads threads;
    assert_int_equal(plb_threads_open(2, &threads), PLB_OK);
    for (int round = 0; round < ROUNDS; round++) {
        int begun = 0;
        assert_int_equal(plb_threads_share(&threads, 2, meet, &begun), PLB_OK);
    }
    plb_threads_close(&threads);
}

static void an_error_ends_a_loop(void **state) {
    (void)state;
    for (int count = 1; count <= MAX_THREADS; count += 2) {
        counted *c = open_counted(count);
        int last = 0;
        c->fails = 7;
        plb_threads_run(&c->threads, do_work, c);
        assert_int_equal(c->errors, (count + 1) / 2);
        for (int t = 0; t < count; t++) last += c->chunks[t][CHUNKS - 1];
        assert_true(count > 1 || last == 0);
        close_counted(c);
    }
}

/* Each thread of a team opens a team. */
static void open_inner_team(void *context, int number) {
    (void)number;
    counted *c = open_counted(3);
    plb_threads_run(&c->threads, do_work, c);
    for (int t = 0; t < 3; t += 2)
        for (int i = 0; i < CHUNKS; i++)
            __atomic_fetch_add((int *)context, c->chunks[t][i] != 1, __ATOMIC_RELAXED);
    close_counted(c);
}

static void a_thread_of_a_team_may_open_another(void **state) {
    (void)state;
    int wrong = 0;
    plb_threads threads;
    assert_int_equal(plb_threads_open(3, &threads), PLB_OK);
    plb_threads_run(&threads, open_inner_team, &wrong);
    assert_int_equal(wrong, 0);
    plb_threads_close(&threads);
}

static void a_zeroed_team_is_alone(void **state) {
    (void)state;
    counted *c = calloc(1, sizeof *c);
    c->threads.count = 1;
    c->fails = CHUNKS;
    plb_threads_run(&c->threads, do_work, c);
    assert_int_equal(c->done[0], 1);
    assert_int_equal(c->by[0], CHUNKS);
    close_counted(c);
    assert_true(plb_threads_available() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_done_once),
        cmocka_unit_test(loops_are_shared_outside_of_work),
        cmocka_unit_test(idle_threads_help),
        cmocka_unit_test(an_error_ends_a_loop),
        cmocka_unit_test(a_thread_of_a_team_may_open_another),
        cmocka_unit_test(a_zeroed_team_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
