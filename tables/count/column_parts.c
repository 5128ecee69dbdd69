/* SPDX-License-Identifier: MIT
 *
 * Slices, cut in two where some of it is kept or where it would take too long.
 */
#include "tables/count/column_parts.h"

#include <pthread.h>
#include <stdlib.h>

#include "tables/stop.h"
#include "tables/threads.h"
#include "tables/vocabulary.h"

typedef struct parts {
    const plb_part_counter *counter;
    const plb_count_work *work;
    void **counters;      /* of each thread */
    pthread_mutex_t lock; /* guards what follows */
    uint32_t next;        /* step that nobody has begun */
    double done;          /* share of what is counted */
    int error;
} parts;

/* The next step; false: there is none. */
static bool take_step(parts *p, uint32_t *step) {
    pthread_mutex_lock(&p->lock);
    bool is_there = !p->error && p->next < p->counter->steps;
    if (is_there) *step = p->next++;
    pthread_mutex_unlock(&p->lock);
    return is_there;
}

/* A share was counted, unless it was to stop. */
static void note(parts *p, int error, double share) {
    const plb_count_work *work = p->work;
    pthread_mutex_lock(&p->lock);
    p->done += share;
    if (work->advance) work->advance(work->context, p->done);
    if (plb_is_stopped(work->stop)) error = PLB_EINTERRUPTED;
    if (error) p->error = error;
    pthread_mutex_unlock(&p->lock);
}

static void run_thread(void *context, int number) {
    parts *p = context;
    uint32_t step;
    int error = PLB_OK;
    while (!error && take_step(p, &step)) {
        double share = 0;
        error = p->counter->count(p->counters[number], step, &share);
        note(p, error, share);
    }
}

int plb_count_by_parts(const plb_part_counter *counter, const plb_count_work *work,
                       plb_ply_count *plies) {
    parts p = {.counter = counter, .work = work};
    plb_threads threads;
    int error = plb_threads_open(work->threads, &threads);
    if (error) return error;
    p.counters = calloc(threads.count, sizeof *p.counters);
    if (!p.counters) error = PLB_ENOMEM;
    for (int i = 0; i < threads.count && !error; i++)
        if (!(p.counters[i] = counter->begin(counter->context))) error = PLB_ENOMEM;
    pthread_mutex_init(&p.lock, NULL);
    if (!error) plb_threads_run(&threads, run_thread, &p);
    if (!error) error = p.error;
    pthread_mutex_destroy(&p.lock);
    for (int i = 0; p.counters && i < threads.count; i++) {
        if (!error) counter->add(p.counters[i], plies);
        counter->end(p.counters[i]);
    }
    free(p.counters);
    plb_threads_close(&threads);
    return error;
}
