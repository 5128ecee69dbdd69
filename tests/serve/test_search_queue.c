/* SPDX-License-Identifier: MIT
 *
 * The queue of the server's searches: they are run once, refused, stopped, and yield.
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

/* A search that goes on until it is let go, or nobody waits. */
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

typedef struct asked {
    search_queue *queue;
    atomic_bool go;
    atomic_int runs, ends;
} asked;

static bool ask(asked *a, const char *key, test_waiter *waiter) {
    test_work *w = calloc(1, sizeof *w);
    snprintf(w->work.key, sizeof w->work.key, "%s", key);
    w->work.queue = a->queue;
    w->work.run = run_work;
    w->work.free = end_work;
    w->go = &a->go;
    w->runs = &a->runs;
    w->ends = &a->ends;
    return search_queue_submit(&w->work, &waiter->waiter);
}

/* Two keys of a queue with one thread; the waiters are ended by the caller, as is the queue. */
static void ask_two(asked *a, const char *key, const char *other, test_waiter *waiter,
                    test_waiter *second) {
    assert_int_equal(search_queue_open(1, 1, &a->queue, NULL), PLB_OK);
    begin_waiter(waiter);
    begin_waiter(second);
    ask(a, key, waiter);
    ask(a, other, second);
}

static void wait_for(const atomic_bool *flag) {
    for (int ms = 0; ms < 20000 && !*flag; ms++) usleep(1000);
    assert_true(*flag);
}

static void one_question_is_searched_once(void **state) {
    enum { CLIENTS = 20 };
    asked a = {0};
    test_waiter waiters[CLIENTS];
    (void)state;
    assert_int_equal(search_queue_open(2, 1, &a.queue, NULL), PLB_OK);
    for (int c = 0; c < CLIENTS; c++) {
        begin_waiter(&waiters[c]);
        assert_true(ask(&a, "same", &waiters[c]));
    }
    a.go = true;
    for (int c = 0; c < CLIENTS; c++) {
        wait_for(&waiters[c].woken);
        assert_memory_equal(waiters[c].answer.body, "found", 5);
        end_waiter(&waiters[c]);
    }
    assert_int_equal(a.runs, 1);
    search_queue_close(a.queue);
    assert_int_equal(a.ends, CLIENTS);
}

static void a_full_queue_refuses(void **state) {
    enum { THREADS = 2, ROOM = 3 };
    asked a = {0};
    test_waiter waiters[THREADS + ROOM], more;
    char key[16];
    (void)state;
    assert_int_equal(search_queue_open(THREADS, ROOM, &a.queue, NULL), PLB_OK);
    for (int c = 0; c < THREADS + ROOM; c++) {
        snprintf(key, sizeof key, "%d", c);
        begin_waiter(&waiters[c]);
        assert_true(ask(&a, key, &waiters[c]));
    }
    begin_waiter(&more);
    assert_false(ask(&a, "more", &more));
    /* One that nobody waits for any more makes room. */
    waiters[THREADS + 1].left = true;
    assert_true(ask(&a, "more", &more));
    a.go = true;
    wait_for(&more.woken);
    end_waiter(&more);
    for (int c = 0; c < THREADS + ROOM; c++) {
        wait_for(&waiters[c].woken);
        end_waiter(&waiters[c]);
    }
    search_queue_close(a.queue);
    assert_int_equal(a.ends, THREADS + ROOM + 2);
}

static void who_leaves_stops_his_search(void **state) {
    asked a = {0};
    test_waiter first, second;
    (void)state;
    ask_two(&a, "same", "same", &first, &second);
    first.left = true;
    search_queue_sweep(a.queue);
    usleep(20000);
    assert_false(second.woken); /* somebody waits still */
    second.left = true;
    search_queue_sweep(a.queue);
    wait_for(&first.woken);
    wait_for(&second.woken);
    assert_memory_equal(second.answer.body, "stopped", 7);
    end_waiter(&first);
    end_waiter(&second);
    assert_int_equal(search_queue_count(a.queue).stopped, 1);
    /* Who asks later is not given what was stopped. */
    a.go = true;
    begin_waiter(&first);
    assert_true(ask(&a, "same", &first));
    wait_for(&first.woken);
    assert_memory_equal(first.answer.body, "found", 5);
    end_waiter(&first);
    search_queue_close(a.queue);
}

static void an_end_stops_all_searches(void **state) {
    asked a = {0};
    test_waiter first, second;
    (void)state;
    ask_two(&a, "first", "second", &first, &second);
    search_queue_stop(a.queue);
    wait_for(&first.woken);
    wait_for(&second.woken);
    end_waiter(&first);
    end_waiter(&second);
    begin_waiter(&first);
    assert_false(ask(&a, "third", &first));
    end_waiter(&first);
    search_queue_close(a.queue);
    search_queue_close(NULL);
}

/* A search that works, or waits, for longer than it may use the processor. */
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

/* What others do meanwhile takes time of the clock, but none of the search. */
static void time_is_that_of_the_processor(void **state) {
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

/* How much the threads yield that run a search, end it, and wake who waits. */
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

/* Who yields may be suspended where others wait for him: he must do nothing but search. */
static void searches_alone_yield(void **state) {
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
        cmocka_unit_test(one_question_is_searched_once),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(who_leaves_stops_his_search),
        cmocka_unit_test(an_end_stops_all_searches),
        cmocka_unit_test(time_is_that_of_the_processor),
        cmocka_unit_test(searches_alone_yield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
