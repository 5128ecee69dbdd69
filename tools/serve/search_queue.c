/* SPDX-License-Identifier: MIT
 *
 * One lock for everything: a search takes milliseconds to seconds, and is without the lock
 * meanwhile; who asks looks, with the lock, whether those who wait are still there.
 *
 *     keeper    takes jobs, hands out answers, with the lock; as urgent as those who ask
 *     runner    searches, one job after another, when nobody else needs the processor
 *
 * A thread that yields to others may be suspended at any place, and for long. It must not hold a
 * lock then for which others wait, so each runner has a keeper, and the two pass on jobs by
 * semaphores, which nobody holds.
 */
#include "tools/serve/search_queue.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/serve/kept_answers.h"

enum { SEARCH_NICENESS = 10 };

struct search_job {
    search_queue *queue;
    search_work *work;
    search_waiter *waiters;
    search_job *next;
    bool running;
    double begun;               /* to run, seconds */
    volatile sig_atomic_t stop; /* written with the lock, and read without it by the search */
};

/* A runner and its keeper. */
typedef struct searcher {
    search_queue *queue;
    pthread_t keeper, runner;
    sem_t begin, end; /* of a job: said by the keeper, by the runner */
    search_job *job;  /* to be run; NULL: there will be none */
    http_answer answer;
} searcher;

struct search_queue {
    pthread_mutex_t lock;
    pthread_cond_t asked; /* there is a job to run, or an end */
    search_job *jobs;     /* in the order in which they were asked */
    kept_answers *kept;
    int room, threads;
    bool stopping, ending;
    search_counts counts;
    searcher searcher[]; /* [threads] */
};

/* ---- who waits ---- */

/* Has the client closed his connection? */
static bool has_left(int socket) {
    struct pollfd look = {.fd = socket, .events = POLLRDHUP};
    return poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

static bool somebody_waits(const search_job *job) {
    for (const search_waiter *w = job->waiters; w; w = w->next)
        if (!has_left(w->socket)) return true;
    return false;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_late(const search_job *job) {
    return job->running && job->work->seconds > 0 &&
           seconds_now() - job->begun > job->work->seconds;
}

/* Look at a job, with the lock held. */
static void look_at(search_job *job) {
    if (!job->stop && (job->queue->stopping || is_late(job) || !somebody_waits(job))) {
        __atomic_store_n(&job->stop, 1, __ATOMIC_RELAXED);
        job->queue->counts.stopped++;
    }
}

/* The runner does not look itself, which takes the lock. */
bool search_goes_on(const search_job *job) {
    return !__atomic_load_n(&job->stop, __ATOMIC_RELAXED);
}

const volatile sig_atomic_t *search_stop_flag(const search_job *job) {
    return &job->stop;
}

void search_queue_sweep(search_queue *q) {
    pthread_mutex_lock(&q->lock);
    for (search_job *job = q->jobs; job; job = job->next) look_at(job);
    pthread_mutex_unlock(&q->lock);
}

/* Give everybody a copy of the answer. */
static void wake_all(search_waiter *waiters, const http_answer *answer) {
    while (waiters) {
        search_waiter *next = waiters->next; /* it is gone once it is woken */
        http_answer_copy(waiters->answer, answer);
        waiters->wake(waiters->context);
        waiters = next;
    }
}

/* ---- running ---- */

static void remove_job(search_queue *q, search_job *job) {
    search_job **place = &q->jobs;
    while (*place != job) place = &(*place)->next;
    *place = job->next;
}

static void await(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0 && errno == EINTR) continue;
}

/* Leave a job to the runner, without the lock. */
static void let_run(searcher *s, search_job *job) {
    s->job = job;
    sem_post(&s->begin);
    await(&s->end);
}

/* Have a job run, and end it. An answer to a search that was stopped is none to be kept. */
static void run_job(searcher *s, search_job *job) {
    search_queue *q = s->queue;
    let_run(s, job);
    pthread_mutex_lock(&q->lock);
    remove_job(q, job);
    q->counts.run++;
    q->counts.running--;
    if (!job->stop && s->answer.caching != CACHE_NEVER)
        kept_answers_put(q->kept, job->work->key, &s->answer);
    pthread_mutex_unlock(&q->lock);
    wake_all(job->waiters, &s->answer);
    http_answer_free(&s->answer);
    job->work->end(job->work);
    free(job);
}

/* The next job to run, or NULL. */
static search_job *next_job(const search_queue *q) {
    search_job *job = q->jobs;
    while (job && job->running) job = job->next;
    return job;
}

/* Searches leave the processors to those who answer at once: on Linux this is of the thread alone.
 */
static void yield_to_others(void) {
    if (nice(SEARCH_NICENESS) == -1) return; /* which a niceness may be, too */
}

static void *run_searches(void *context) {
    searcher *s = context;
    yield_to_others();
    for (;;) {
        await(&s->begin);
        if (!s->job) return NULL;
        s->answer = (http_answer){0};
        s->job->work->run(s->job->work, s->job, &s->answer);
        sem_post(&s->end);
    }
}

static void *keep_jobs(void *context) {
    searcher *s = context;
    search_queue *q = s->queue;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        search_job *job = next_job(q);
        if (!job && q->ending) break;
        if (!job) {
            pthread_cond_wait(&q->asked, &q->lock);
            continue;
        }
        job->running = true;
        job->begun = seconds_now();
        q->counts.waiting--;
        q->counts.running++;
        pthread_mutex_unlock(&q->lock);
        run_job(s, job);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* ---- threads ---- */

static void end_runner(searcher *s) {
    s->job = NULL;
    sem_post(&s->begin);
    pthread_join(s->runner, NULL);
    sem_destroy(&s->begin);
    sem_destroy(&s->end);
}

/* False: a thread cannot be made. */
static bool begin_searcher(searcher *s, search_queue *q) {
    s->queue = q;
    sem_init(&s->begin, 0, 0);
    sem_init(&s->end, 0, 0);
    if (pthread_create(&s->runner, NULL, run_searches, s) != 0) return false;
    if (pthread_create(&s->keeper, NULL, keep_jobs, s) == 0) return true;
    end_runner(s);
    return false;
}

static void end_searcher(searcher *s) {
    pthread_join(s->keeper, NULL);
    end_runner(s);
}

/* ---- asking ---- */

/* A job of the same question that is not about to be given up. */
static search_job *find_job(const search_queue *q, const char *key) {
    search_job *job = q->jobs;
    while (job && (job->stop || strcmp(job->work->key, key) != 0)) job = job->next;
    return job;
}

static void add_waiter(search_job *job, search_waiter *waiter) {
    waiter->next = job->waiters;
    job->waiters = waiter;
}

/* Jobs that nobody waits for give up their places: they are run, and end at once. To look for them
 * takes a call of the system for each who waits, so it is done where it matters. */
static bool has_room(search_queue *q) {
    int room = q->room + (q->threads - q->counts.running), waiting = 0;
    if (q->counts.waiting < room) return true;
    for (search_job *job = q->jobs; job; job = job->next) {
        look_at(job);
        waiting += !job->running && !job->stop;
    }
    return waiting < room;
}

static search_state add_job(search_queue *q, search_work *work, search_waiter *waiter) {
    search_job *job = has_room(q) && !q->stopping ? calloc(1, sizeof *job) : NULL;
    if (!job) {
        q->counts.refused++;
        return SEARCH_FULL;
    }
    *job = (search_job){.queue = q, .work = work};
    add_waiter(job, waiter);
    search_job **place = &q->jobs;
    while (*place) place = &(*place)->next;
    *place = job;
    q->counts.waiting++;
    pthread_cond_signal(&q->asked);
    return SEARCH_WAITS;
}

search_state search_queue_ask(search_queue *q, search_work *work, search_waiter *waiter) {
    search_state state = SEARCH_WAITS;
    bool taken = false;
    pthread_mutex_lock(&q->lock);
    search_job *same = find_job(q, work->key);
    if (kept_answers_get(q->kept, work->key, waiter->answer)) {
        q->counts.known++;
        state = SEARCH_KNOWN;
    } else if (same) {
        q->counts.shared++;
        add_waiter(same, waiter);
    } else {
        state = add_job(q, work, waiter);
        taken = state == SEARCH_WAITS;
    }
    pthread_mutex_unlock(&q->lock);
    if (!taken) work->end(work);
    return state;
}

search_counts search_queue_count(search_queue *q) {
    pthread_mutex_lock(&q->lock);
    search_counts counts = q->counts;
    pthread_mutex_unlock(&q->lock);
    return counts;
}

/* ---- the queue ---- */

int search_queue_open(int threads, int room, search_queue **queue, plb_message *message) {
    search_queue *q = calloc(1, sizeof *q + threads * sizeof *q->searcher);
    if (!q || kept_answers_open(KEPT_ANSWERS, KEPT_BYTES, &q->kept)) {
        free(q);
        return plb_fail(message, PLB_ENOMEM, "out of memory for searches");
    }
    q->room = room;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->asked, NULL);
    while (q->threads < threads && begin_searcher(&q->searcher[q->threads], q)) q->threads++;
    if (q->threads == threads) {
        *queue = q;
        return PLB_OK;
    }
    search_queue_close(q);
    return plb_fail(message, PLB_EIO, "cannot start the threads that search");
}

void search_queue_stop(search_queue *q) {
    pthread_mutex_lock(&q->lock);
    q->stopping = true;
    for (search_job *job = q->jobs; job; job = job->next) look_at(job);
    pthread_mutex_unlock(&q->lock);
}

void search_queue_close(search_queue *q) {
    if (!q) return;
    search_queue_stop(q);
    pthread_mutex_lock(&q->lock);
    q->ending = true;
    pthread_cond_broadcast(&q->asked);
    pthread_mutex_unlock(&q->lock);
    for (int t = 0; t < q->threads; t++) end_searcher(&q->searcher[t]);
    kept_answers_close(q->kept);
    pthread_cond_destroy(&q->asked);
    pthread_mutex_destroy(&q->lock);
    free(q);
}
