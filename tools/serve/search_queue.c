/* SPDX-License-Identifier: MIT
 *
 * Each worker is a pair of threads, which pass a job back and forth by semaphores:
 *
 *     dispatcher   takes jobs and distributes answers, at normal priority; uses the lock
 *     runner       runs one job after another, at low priority; never takes the lock
 *
 * The kernel may suspend a thread of low priority for long. If it held the lock then, all others
 * would wait (priority inversion).
 */
#include "tools/serve/search_queue.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/stop.h"

enum { SEARCH_NICENESS = 10 };

struct search_job {
    search_queue *queue;
    search_work *work;
    search_waiter *waiters;
    search_job *next;
    bool running;
    clockid_t clock;            /* processor time of the runner, if running */
    double start_seconds;       /* of that clock */
    volatile sig_atomic_t stop; /* written with the lock, read by the runner without it */
};

typedef struct search_worker {
    search_queue *queue;
    pthread_t dispatcher, runner;
    sem_t begin, end; /* posted by the dispatcher to start a job, by the runner when it is done */
    search_job *job;  /* NULL: the runner is to end */
    http_answer answer;
} search_worker;

struct search_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a job was added, or `ending` was set */
    search_job *jobs;       /* in the order of arrival */
    int capacity, threads;  /* capacity: jobs that may wait */
    bool stopping, ending;
    search_counts counts;
    search_worker workers[]; /* [threads] */
};

/* ---- stopping ---- */

/* Stop a job that is late or has no client any more. The caller holds the lock. */
static void check_job(search_job *job) {
    bool late = job->running && job->work->seconds > 0 &&
                plb_clock_seconds(job->clock) - job->start_seconds > job->work->seconds;
    bool stops = job->queue->stopping || late;
    const search_waiter *w = job->waiters;
    while (w && !stops && w->has_disconnected(w->context)) w = w->next;
    if (!job->stop && (stops || !w)) {
        __atomic_store_n(&job->stop, 1, __ATOMIC_RELAXED);
        job->queue->counts.stopped++;
    }
}

bool search_continues(const search_job *job) {
    return !__atomic_load_n(&job->stop, __ATOMIC_RELAXED);
}

const volatile sig_atomic_t *search_stop_flag(const search_job *job) {
    return &job->stop;
}

void search_queue_sweep(search_queue *q) {
    pthread_mutex_lock(&q->lock);
    for (search_job *job = q->jobs; job; job = job->next) check_job(job);
    pthread_mutex_unlock(&q->lock);
}

/* ---- running ---- */

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0 && errno == EINTR) continue;
}

/* Let the runner run a job, and give each client a copy of the answer. */
static void run_job(search_worker *s, search_job *job) {
    search_queue *q = s->queue;
    search_job **place = &q->jobs;
    s->job = job;
    sem_post(&s->begin);
    wait_for(&s->end);
    pthread_mutex_lock(&q->lock);
    while (*place != job) place = &(*place)->next;
    *place = job->next;
    q->counts.run++;
    q->counts.running--;
    pthread_mutex_unlock(&q->lock);
    for (search_waiter *w = job->waiters, *next; w; w = next) {
        next = w->next; /* w may be freed once it is woken */
        http_answer_copy(w->answer, &s->answer);
        w->wake(w->context);
    }
    http_answer_free(&s->answer);
    job->work->free(job->work);
    free(job);
}

static void *run_searches(void *context) {
    search_worker *s = context;
    (void)!nice(SEARCH_NICENESS); /* of this thread alone, on Linux */
    for (;;) {
        wait_for(&s->begin);
        if (!s->job) return NULL;
        s->answer = (http_answer){0};
        s->job->work->run(s->job->work, s->job, &s->answer);
        sem_post(&s->end);
    }
}

static void *dispatch_jobs(void *context) {
    search_worker *s = context;
    search_queue *q = s->queue;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        search_job *job = q->jobs;
        while (job && job->running) job = job->next;
        if (!job && q->ending) break;
        if (!job) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        job->running = true;
        pthread_getcpuclockid(s->runner, &job->clock);
        job->start_seconds = plb_clock_seconds(job->clock);
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

static void end_runner(search_worker *s) {
    s->job = NULL;
    sem_post(&s->begin);
    pthread_join(s->runner, NULL);
    sem_destroy(&s->begin);
    sem_destroy(&s->end);
}

/* ---- submitting ---- */

/* Is there space for one more job? Stopped jobs do not count: they end as soon as they run. Finding
 * them takes a system call for each client, so this is done only when the queue is full. */
static bool has_space(search_queue *q) {
    int capacity = q->capacity + (q->threads - q->counts.running), waiting = 0;
    if (q->counts.waiting < capacity) return true;
    for (search_job *job = q->jobs; job; job = job->next) {
        check_job(job);
        waiting += !job->running && !job->stop;
    }
    return waiting < capacity;
}

bool search_queue_submit(search_work *work, search_waiter *waiter) {
    search_queue *q = work->queue;
    bool owned = false;
    pthread_mutex_lock(&q->lock);
    search_job *job = q->jobs, **last = &q->jobs;
    while (job && (job->stop || strcmp(job->work->key, work->key) != 0)) job = job->next;
    if (job) {
        q->counts.shared++;
    } else if (q->stopping || !has_space(q) || !(job = calloc(1, sizeof *job))) {
        q->counts.refused++;
    } else {
        *job = (search_job){.queue = q, .work = work};
        while (*last) last = &(*last)->next;
        *last = job;
        q->counts.waiting++;
        pthread_cond_signal(&q->changed);
        owned = true;
    }
    bool accepted = job;
    if (accepted) {
        waiter->next = job->waiters;
        job->waiters = waiter;
    }
    pthread_mutex_unlock(&q->lock);
    if (!owned) work->free(work);
    return accepted;
}

search_counts search_queue_count(search_queue *q) {
    pthread_mutex_lock(&q->lock);
    search_counts counts = q->counts;
    pthread_mutex_unlock(&q->lock);
    return counts;
}

/* ---- the queue ---- */

int search_queue_open(int threads, int capacity, search_queue **queue, plb_message *message) {
    search_queue *q = calloc(1, sizeof *q + threads * sizeof *q->workers);
    if (!q) return plb_fail(message, PLB_ENOMEM, "out of memory for searches");
    q->capacity = capacity;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    for (bool started = true; started && q->threads < threads; q->threads += started) {
        search_worker *s = &q->workers[q->threads];
        s->queue = q;
        sem_init(&s->begin, 0, 0);
        sem_init(&s->end, 0, 0);
        started = pthread_create(&s->runner, NULL, run_searches, s) == 0;
        if (started && pthread_create(&s->dispatcher, NULL, dispatch_jobs, s) != 0) {
            end_runner(s);
            started = false;
        }
    }
    if (q->threads < threads) {
        search_queue_close(q);
        return plb_fail(message, PLB_EIO, "cannot start the threads for searches");
    }
    *queue = q;
    return PLB_OK;
}

void search_queue_stop(search_queue *q) {
    pthread_mutex_lock(&q->lock);
    q->stopping = true;
    for (search_job *job = q->jobs; job; job = job->next) check_job(job);
    pthread_mutex_unlock(&q->lock);
}

void search_queue_close(search_queue *q) {
    if (!q) return;
    search_queue_stop(q);
    pthread_mutex_lock(&q->lock);
    q->ending = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    for (int t = 0; t < q->threads; t++) {
        pthread_join(q->workers[t].dispatcher, NULL);
        end_runner(&q->workers[t]);
    }
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}
