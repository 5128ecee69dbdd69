/* SPDX-License-Identifier: MIT
 *
 * Slices, cut in two where some of it is kept or where it would take too long.
 */
#include "tables/count/column_parts.h"

#include <pthread.h>
#include <stdlib.h>

#include "tables/stop.h"
#include "tables/vocabulary.h"

typedef struct parts {
    const plb_part_counter *counter;
    const plb_column_words *words;
    const plb_count_work *work;
    plb_ply_count *plies;
    int cells;
    double part_share;    /* that a part may have, of all */
    double share;         /* of the slice that is counted */
    uint32_t steps;       /* it has */
    pthread_mutex_t lock; /* guards what follows */
    uint32_t next;        /* step that nobody has begun */
    double done;          /* share of what is counted */
    int error;
} parts;

/* ---- threads ---- */

typedef struct worker {
    parts *p;
    void *counter;
    pthread_t thread;
    bool is_begun;
} worker;

/* The next step of the slice; false: there is none. */
static bool take_step(parts *p, uint32_t *step) {
    pthread_mutex_lock(&p->lock);
    bool is_there = !p->error && p->next < p->steps;
    if (is_there) *step = p->next++;
    pthread_mutex_unlock(&p->lock);
    return is_there;
}

/* A share of the slice was counted, unless it was to stop. */
static void note(parts *p, int error, double share) {
    const plb_count_work *work = p->work;
    pthread_mutex_lock(&p->lock);
    p->done += share * p->share;
    if (work->advance) work->advance(work->context, p->done);
    if (plb_is_stopped(work->stop)) error = PLB_EINTERRUPTED;
    if (error) p->error = error;
    pthread_mutex_unlock(&p->lock);
}

static void *run_worker(void *context) {
    worker *k = context;
    const plb_part_counter *counter = k->p->counter;
    uint32_t step;
    int error = PLB_OK;
    while (!error && take_step(k->p, &step)) {
        double share = 0;
        error = counter->count(k->counter, step, &share);
        note(k->p, error, share);
    }
    return NULL;
}

static int count_slice(parts *p, const plb_column_slice *slice, plb_ply_count *plies) {
    int threads = p->work->threads > 1 ? p->work->threads : 1, error = PLB_OK;
    worker *workers = calloc(threads, sizeof *workers);
    pthread_attr_t attributes;
    if (!workers) return PLB_ENOMEM;
    p->next = 0;
    error = p->counter->open(p->counter->context, slice, &p->steps);
    for (int i = 0; i < threads && !error; i++) {
        workers[i] = (worker){.p = p, .counter = p->counter->begin(p->counter->context)};
        if (!workers[i].counter) error = PLB_ENOMEM;
    }
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PLB_COUNT_STACK_BYTES);
    for (int i = 1; i < threads && !error; i++)
        workers[i].is_begun =
            pthread_create(&workers[i].thread, &attributes, run_worker, &workers[i]) == 0;
    pthread_attr_destroy(&attributes);
    if (!error) run_worker(&workers[0]);
    for (int i = 0; i < threads; i++)
        if (workers[i].is_begun) pthread_join(workers[i].thread, NULL);
    if (!error) error = p->error;
    for (int i = 0; i < threads; i++) {
        if (!error) p->counter->add(workers[i].counter, plies);
        p->counter->end(workers[i].counter);
    }
    free(workers);
    return error;
}

/* ---- parts ---- */

static int count_part(parts *p, const plb_column_slice *slice, bool is_whole) {
    const plb_count_keeper *keeper = p->work->keeper;
    plb_ply_count *found = calloc(p->cells + 2, sizeof *found);
    if (!found) return PLB_ENOMEM;
    int error = count_slice(p, slice, found);
    if (!error && keeper && !is_whole) error = keeper->keep(keeper->context, slice, found);
    for (int ply = 0; ply <= p->cells && !error; ply++) {
        p->plies[ply].total += found[ply].total;
        p->plies[ply].terminal += found[ply].terminal;
    }
    free(found);
    return error;
}

/* Unless it is kept; in smaller slices where some of them are, or where this one is too large. */
static int count_parts(parts *p, const plb_column_slice *slice) {
    const plb_count_keeper *keeper = p->work->keeper;
    double share = plb_column_slice_share(slice, p->words);
    if (share == 0) return PLB_OK;
    plb_kept kept = keeper ? keeper->find(keeper->context, slice, p->plies) : PLB_KEPT_NOTHING;
    plb_column_slice halves[2];
    p->share = share;
    if (kept == PLB_KEPT_ALL) {
        p->done += share;
        return PLB_OK;
    }
    bool is_cut = kept == PLB_KEPT_PARTS || (keeper && share > p->part_share);
    if (!is_cut || !plb_column_slice_cut(slice, halves)) {
        double begun = p->done;
        int error = count_part(p, slice, share == 1);
        p->done = begun + share;
        return error;
    }
    int error = count_parts(p, &halves[0]);
    return error ? error : count_parts(p, &halves[1]);
}

int plb_count_by_parts(const plb_part_counter *counter, const plb_column_words *words, int cells,
                       const plb_count_work *work, plb_ply_count *plies) {
    parts p = {.counter = counter, .words = words, .work = work, .plies = plies, .cells = cells};
    plb_column_slice all = plb_column_slice_of(counter->column, 0, words->height);
    if (work->keeper) p.part_share = work->keeper->part_seconds / counter->seconds;
    pthread_mutex_init(&p.lock, NULL);
    int error = count_parts(&p, &all);
    pthread_mutex_destroy(&p.lock);
    return error;
}
