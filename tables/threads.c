/* SPDX-License-Identifier: MIT
 *
 * A team has one mutex and one condition variable, because what threads wait for changes seldom.
 */
#include "tables/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "tables/vocabulary.h"

/* A loop that threads share. It is on the stack of the thread that began it. */
typedef struct shared_loop {
    plb_chunk_work *work;
    void *context;
    size_t next, chunks;       /* next: the first chunk that no thread has taken */
    int error;                 /* of any chunk */
    struct shared_loop *outer; /* the loop whose chunk began this one, or NULL */
    /* guarded by the lock of the team: */
    int helpers;               /* other threads that work on its chunks */
    struct shared_loop *after; /* in the list of the team */
} shared_loop;

/* A thread that was created for the team. */
typedef struct member {
    struct plb_team *team;
    pthread_t thread;
    int number;
} member;

struct plb_team {
    pthread_mutex_t lock;   /* guards what follows */
    pthread_cond_t changed; /* signalled when any of it changes */
    plb_thread_work *work;
    void *context;
    unsigned runs; /* calls of plb_threads_run so far */
    int working;   /* threads that have not finished their own work */
    bool is_closing;
    shared_loop *loops;
    int members;
    member member[];
};

static _Thread_local int thread_number;
static _Thread_local shared_loop *current_loop; /* whose chunk this thread works on, or NULL */

int plb_threads_available(void) {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) == 0) return CPU_COUNT(&processors);
    long all = sysconf(_SC_NPROCESSORS_ONLN); /* more than a cpu_set_t can hold */
    return all < 1 ? 1 : (int)all;
}

int plb_threads_number(void) {
    return thread_number;
}

/* ---- loops ---- */

static void do_chunks(shared_loop *loop) {
    shared_loop *before = current_loop;
    current_loop = loop;
    while (!__atomic_load_n(&loop->error, __ATOMIC_RELAXED)) {
        size_t chunk = __atomic_fetch_add(&loop->next, 1, __ATOMIC_RELAXED);
        if (chunk >= loop->chunks) break;
        int error = loop->work(loop->context, chunk);
        if (error) __atomic_store_n(&loop->error, error, __ATOMIC_RELAXED);
    }
    current_loop = before;
}

static bool has_chunks(const shared_loop *loop) {
    return __atomic_load_n(&loop->next, __ATOMIC_RELAXED) < loop->chunks &&
           !__atomic_load_n(&loop->error, __ATOMIC_RELAXED);
}

/* Is a loop `outer`, or nested in it at any depth? All loops are within NULL. */
static bool is_within(const shared_loop *loop, const shared_loop *outer) {
    while (loop && loop != outer) loop = loop->outer;
    return loop == outer;
}

/* Help with a loop within `outer`, or wait for a change. The caller holds the lock. */
static void help_or_wait(struct plb_team *team, const shared_loop *outer) {
    shared_loop *loop = team->loops;
    while (loop && !(has_chunks(loop) && is_within(loop, outer))) loop = loop->after;
    if (!loop) {
        pthread_cond_wait(&team->changed, &team->lock);
        return;
    }
    loop->helpers++;
    pthread_mutex_unlock(&team->lock);
    do_chunks(loop);
    pthread_mutex_lock(&team->lock);
    if (--loop->helpers == 0) pthread_cond_broadcast(&team->changed);
}

/* The calling thread waits for the helpers; meanwhile it helps only with loops nested in this one,
 * because it is amid its own work. */
int plb_threads_share(const plb_threads *threads, size_t chunks, plb_chunk_work *work,
                      void *context) {
    struct plb_team *team = threads->team;
    shared_loop loop = {.work = work, .context = context, .chunks = chunks, .outer = current_loop};
    bool has_idle = team && __atomic_load_n(&team->working, __ATOMIC_RELAXED) < threads->count;
    if (!has_idle || chunks <= 1) {
        do_chunks(&loop);
        return loop.error;
    }
    pthread_mutex_lock(&team->lock);
    loop.after = team->loops;
    team->loops = &loop;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    do_chunks(&loop);
    pthread_mutex_lock(&team->lock);
    shared_loop **at = &team->loops;
    while (*at != &loop) at = &(*at)->after;
    *at = loop.after;
    while (loop.helpers) help_or_wait(team, &loop);
    pthread_mutex_unlock(&team->lock);
    return loop.error;
}

/* ---- the team ---- */

/* The calling thread's own work. The caller does not hold the lock. */
static void do_own_work(struct plb_team *team) {
    team->work(team->context, thread_number);
    pthread_mutex_lock(&team->lock);
    __atomic_store_n(&team->working, team->working - 1, __ATOMIC_RELAXED);
    if (team->working == 0) pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
}

static void *run_member(void *context) {
    member *m = context;
    struct plb_team *team = m->team;
    unsigned runs = 0;
    thread_number = m->number;
    pthread_mutex_lock(&team->lock);
    while (!team->is_closing) {
        if (team->runs == runs) {
            help_or_wait(team, NULL);
            continue;
        }
        runs = team->runs;
        pthread_mutex_unlock(&team->lock);
        do_own_work(team);
        pthread_mutex_lock(&team->lock);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

void plb_threads_run(const plb_threads *threads, plb_thread_work *work, void *context) {
    struct plb_team *team = threads->team;
    int outer = thread_number; /* the caller may belong to another team */
    thread_number = 0;
    if (team) {
        pthread_mutex_lock(&team->lock);
        team->work = work;
        team->context = context;
        __atomic_store_n(&team->working, threads->count, __ATOMIC_RELAXED);
        team->runs++;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
        do_own_work(team);
        pthread_mutex_lock(&team->lock);
        while (team->working) help_or_wait(team, NULL);
        pthread_mutex_unlock(&team->lock);
    } else {
        work(context, 0);
    }
    thread_number = outer;
}

int plb_threads_open(int count, plb_threads *threads) {
    *threads = (plb_threads){.count = 1};
    if (count <= 1) return PLB_OK;
    struct plb_team *team = calloc(1, sizeof *team + (count - 1) * sizeof *team->member);
    if (!team) return PLB_ENOMEM;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->changed, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PLB_STACK_BYTES);
    for (; team->members < count - 1; team->members++) {
        member *m = &team->member[team->members];
        *m = (member){.team = team, .number = team->members + 1};
        if (pthread_create(&m->thread, &attributes, run_member, m) != 0) break;
    }
    pthread_attr_destroy(&attributes);
    *threads = (plb_threads){team->members + 1, team};
    return PLB_OK;
}

void plb_threads_close(plb_threads *threads) {
    struct plb_team *team = threads->team;
    if (!team) return;
    pthread_mutex_lock(&team->lock);
    team->is_closing = true;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->members; i++) pthread_join(team->member[i].thread, NULL);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
    free(team);
    *threads = (plb_threads){.count = 1};
}
