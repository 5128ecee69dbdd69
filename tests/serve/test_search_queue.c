/* SPDX-License-Identifier: MIT
 *
 * The queue of the server's searches: equal searches run once; searches are refused, stopped and
 * run with low priority.
 */
#include "tools/serve/search_queue.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/support.h"
#include "tests/support/text_answer.h"

/* A search that runs until *go is set or nobody waits for it. */
typedef struct test_work {
    search_work work;
    atomic_bool *go;
    atomic_int *runs, *ends;
} test_work;

static void run_work(search_work *work, search_job *job, http_answer *answer) {
    test_work *w = (test_work *)work;
    atomic_fetch_add(w->runs, 1);
    while (!*w->go && search_continues(job)) usleep(1000);
    give_text(answer, *w->go ? "found" : "stopped");
}

static void end_work(search_work *work) {
    atomic_fetch_add(((test_work *)work)->ends, 1);
    free(work);
}

/* A client that waits. */
typedef struct test_waiter {
    search_waiter waiter;
    http_answer answer;
    atomic_bool woken, left;
} test_waiter;

static void wake(void *context) {
    atomic_store(&((test_waiter *)context)->woken, true);
}

static bool has_disconnected(void *context) {
    return atomic_load(&((test_waiter *)context)->left);
}

static void begin_waiter(test_waiter *w) {
    memset(&w->answer, 0, sizeof w->answer);
    w->woken = w->left = false;
    w->waiter = (search_waiter){
        .answer = &w->answer, .wake = wake, .has_disconnected = has_disconnected, .context = w};
}

static void end_waiter(test_waiter *w) {
    http_answer_free(&w->answer);
}

typedef struct fixture {
    search_queue *queue;
    atomic_bool go;
    atomic_int runs, ends;
} fixture;

static bool submit(fixture *f, const char *key, test_waiter *waiter) {
    test_work *w = calloc(1, sizeof *w);
    snprintf(w->work.key, sizeof w->work.key, "%s", key);
    w->work.queue = f->queue;
    w->work.run = run_work;
    w->work.free = end_work;
    w->go = &f->go;
    w->runs = &f->runs;
    w->ends = &f->ends;
    return search_queue_submit(&w->work, &waiter->waiter);
}

/* Open a queue with one thread, and submit two searches. The caller ends the waiters and closes the
 * queue. */
static void submit_two(fixture *f, const char *key, const char *other, test_waiter *waiter,
                       test_waiter *second) {
    assert_int_equal(search_queue_open(1, 1, &f->queue, NULL), PLB_OK);
    begin_waiter(waiter);
    begin_waiter(second);
    submit(f, key, waiter);
    submit(f, other, second);
}

static void wait_for(const atomic_bool *flag) {
    for (int ms = 0; ms < 20000 && !*flag; ms++) usleep(1000);
    assert_true(*flag);
}

static void equal_searches_run_once(void **state) {
    enum { CLIENTS = 20 };
    fixture f = {0};
    test_waiter waiters[CLIENTS];
    (void)state;
    assert_int_equal(search_queue_open(2, 1, &f.queue, NULL), PLB_OK);
    for (int c = 0; c < CLIENTS; c++) {
        begin_waiter(&waiters[c]);
        assert_true(submit(&f, "same", &waiters[c]));
    }
    f.go = true;
    for (int c = 0; c < CLIENTS; c++) {
        wait_for(&waiters[c].woken);
        assert_memory_equal(waiters[c].answer.body, "found", 5);
        end_waiter(&waiters[c]);
    }
    assert_int_equal(f.runs, 1);
    search_queue_close(f.queue);
    assert_int_equal(f.ends, CLIENTS);
}

static void a_full_queue_refuses(void **state) {
    enum { THREADS = 2, CAPACITY = 3 };
    fixture f = {0};
    test_waiter waiters[THREADS + CAPACITY], more;
    char key[16];
    (void)state;
    assert_int_equal(search_queue_open(THREADS, CAPACITY, &f.queue, NULL), PLB_OK);
    for (int c = 0; c < THREADS + CAPACITY; c++) {
        snprintf(key, sizeof key, "%d", c);
        begin_waiter(&waiters[c]);
        assert_true(submit(&f, key, &waiters[c]));
    }
    begin_waiter(&more);
    assert_false(submit(&f, "more", &more));
    /* A search whose client has left frees its place. */
    waiters[THREADS + 1].left = true;
    assert_true(submit(&f, "more", &more));
    f.go = true;
    wait_for(&more.woken);
    end_waiter(&more);
    for (int c = 0; c < THREADS + CAPACITY; c++) {
        wait_for(&waiters[c].woken);
        end_waiter(&waiters[c]);
    }
    search_queue_close(f.queue);
    assert_int_equal(f.ends, THREADS + CAPACITY + 2);
}

static void a_search_stops_when_all_clients_have_left(void **state) {
    fixture f = {0};
    test_waiter first, second;
    (void)state;
    submit_two(&f, "same", "same", &first, &second);
    first.left = true;
    search_queue_sweep(f.queue);
    usleep(20000);
    assert_false(second.woken); /* one client still waits */
    second.left = true;
    search_queue_sweep(f.queue);
    wait_for(&first.woken);
    wait_for(&second.woken);
    assert_memory_equal(second.answer.body, "stopped", 7);
    end_waiter(&first);
    end_waiter(&second);
    assert_int_equal(search_queue_count(f.queue).stopped, 1);
    /* A later client does not get the answer of the stopped search. */
    f.go = true;
    begin_waiter(&first);
    assert_true(submit(&f, "same", &first));
    wait_for(&first.woken);
    assert_memory_equal(first.answer.body, "found", 5);
    end_waiter(&first);
    search_queue_close(f.queue);
}

static void stopping_the_queue_stops_all_searches(void **state) {
    fixture f = {0};
    test_waiter first, second;
    (void)state;
    submit_two(&f, "first", "second", &first, &second);
    search_queue_stop(f.queue);
    wait_for(&first.woken);
    wait_for(&second.woken);
    end_waiter(&first);
    end_waiter(&second);
    begin_waiter(&first);
    assert_false(submit(&f, "third", &first));
    end_waiter(&first);
    search_queue_close(f.queue);
    search_queue_close(NULL);
}

/* A search that computes or sleeps for longer than its processor time. */
typedef struct timed {
    search_work work; /* first */
    bool works;
} timed;

enum { TIME_MS = 50 };

static void run_timed(search_work *work, search_job *job, http_answer *answer) {
    if (!((timed *)work)->works) usleep(4 * TIME_MS * 1000);
    while (((timed *)work)->works && search_continues(job)) continue;
    give_text(answer, search_continues(job) ? "found" : "stopped");
}

static void end_timed(search_work *work) {
    free(work);
}

/* Time in which other threads run does not count. */
static void the_limit_is_processor_time(void **state) {
    (void)state;
    for (int works = 0; works < 2; works++) {
        search_queue *queue;
        test_waiter waiter;
        timed *t = calloc(1, sizeof *t);
        assert_int_equal(search_queue_open(1, 1, &queue, NULL), PLB_OK);
        *t = (timed){{queue, "", 1e-3 * TIME_MS, run_timed, end_timed}, works};
        begin_waiter(&waiter);
        assert_true(search_queue_submit(&t->work, &waiter.waiter));
        for (int ms = 0; ms < 20000 && !waiter.woken; ms++) {
            usleep(1000);
            search_queue_sweep(queue);
        }
        assert_memory_equal(waiter.answer.body, works ? "stopped" : "found", strlen("found"));
        end_waiter(&waiter);
        search_queue_close(queue);
    }
}

/* The niceness of the threads that run a search, free it and wake its client. */
typedef struct yielding {
    search_work work; /* first */
    atomic_int *run, *end, *woken;
} yielding;

static int niceness(void) {
    return getpriority(PRIO_PROCESS, 0);
}

static void run_yielding(search_work *work, search_job *job, http_answer *answer) {
    (void)job;
    *((yielding *)work)->run = niceness();
    give_text(answer, "found");
}

static void end_yielding(search_work *work) {
    *((yielding *)work)->end = niceness();
    free(work);
}

static void wake_yielding(void *context) {
    *(atomic_int *)context = niceness();
}

/* A thread with low priority may be suspended while others wait for it: it must only search. */
static void only_searches_have_low_priority(void **state) {
    enum { UNKNOWN = 100 };
    search_queue *queue;
    test_waiter waiter;
    atomic_int run = UNKNOWN, end = UNKNOWN, woken = UNKNOWN;
    int own = niceness();
    (void)state;
    assert_int_equal(search_queue_open(1, 1, &queue, NULL), PLB_OK);
    yielding *y = calloc(1, sizeof *y);
    *y = (yielding){{queue, "", 0, run_yielding, end_yielding}, &run, &end, &woken};
    begin_waiter(&waiter);
    waiter.waiter.wake = wake_yielding;
    waiter.waiter.context = &woken;
    assert_true(search_queue_submit(&y->work, &waiter.waiter));
    for (int ms = 0; ms < 20000 && woken == UNKNOWN; ms++) usleep(1000);
    search_queue_close(queue);
    end_waiter(&waiter);
    assert_int_equal(run, own < 9 ? own + 10 : 19);
    assert_int_equal(woken, own);
    assert_int_equal(end, own);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_searches_run_once),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(a_search_stops_when_all_clients_have_left),
        cmocka_unit_test(stopping_the_queue_stops_all_searches),
        cmocka_unit_test(the_limit_is_processor_time),
        cmocka_unit_test(only_searches_have_low_priority),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
