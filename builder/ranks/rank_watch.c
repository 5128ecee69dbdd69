/* SPDX-License-Identifier: MIT */
#include "builder/ranks/rank_watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tables/message.h"

enum { STACK_BYTES = 1 << 20 }; /* of the thread */
enum { BEATS = 4 };             /* heartbeats per second */

/* Nanoseconds between two tests of an exchange. Exchanges of more than SMALL_BYTES are tested more
 * often, because MPI progresses only when it is called. */
enum { SECOND = 1000000000, MIN_SLEEP = 20000, MAX_SLEEP_SMALL = 10000000, MAX_SLEEP = 1000000 };
enum { SMALL_BYTES = 1 << 16 };

/* Status of all ranks, as far as this one knows. It never decreases. */
enum { WELL, FAILED, LOST /* plus the number of the lost rank */ };

struct plb_rank_watch {
    const plb_transport *transport;
    double max_silent_beats;
    void (*on_failure)(void *context);
    void *context;
    pthread_mutex_t lock; /* guards the transport and the fields below */
    pthread_cond_t wake;
    pthread_t thread;
    bool is_woken, is_closing, has_reported;
    int32_t status;
    double *silent_beats; /* [count] heartbeats of this rank since it heard from each; not time,
                             or a process that was stopped would think that the others are lost */
};

/* ---- heartbeats ---- */

static void raise_status(plb_rank_watch *w, int32_t status) {
    if (status > w->status) w->status = status;
}

static void receive_statuses(plb_rank_watch *w) {
    const plb_transport *t = w->transport;
    int rank;
    int32_t status;
    while (t->receive_status(t->state, &rank, &status)) {
        w->silent_beats[rank] = 0;
        raise_status(w, status);
    }
}

/* Rank 0 sends its status to all others, each of them to rank 0. The last heartbeat, which names a
 * lost rank, goes to all: rank 0 may be the lost one, and this process may end before the others
 * notice that. */
static void beat(plb_rank_watch *w) {
    const plb_transport *t = w->transport;
    int first = t->number == 0 ? 1 : 0, last = t->number == 0 ? t->count : 1;
    receive_statuses(w);
    for (int rank = first; rank < last; rank++)
        if (++w->silent_beats[rank] > w->max_silent_beats) raise_status(w, LOST + rank);
    if (w->status >= LOST) {
        first = 0;
        last = t->count;
    }
    for (int rank = first; rank < last; rank++)
        if (rank != t->number && rank != w->status - LOST)
            t->send_status(t->state, rank, w->status);
}

/* An alarm ends the sleep early. */
static void sleep_until_beat(plb_rank_watch *w) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += SECOND / BEATS;
    if (until.tv_nsec >= SECOND) {
        until.tv_sec++;
        until.tv_nsec -= SECOND;
    }
    int error = 0;
    while (!w->is_woken && !w->is_closing && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&w->wake, &w->lock, &until);
    w->is_woken = false;
}

/* After a rank is lost the transport is not used: that rank may be in the middle of a message. */
static void *watch_others(void *watch) {
    plb_rank_watch *w = watch;
    pthread_mutex_lock(&w->lock);
    while (!w->is_closing) {
        if (w->status < LOST) beat(w);
        if (w->status > WELL && !w->has_reported) {
            w->has_reported = true;
            pthread_mutex_unlock(&w->lock);
            w->on_failure(w->context);
            pthread_mutex_lock(&w->lock);
        }
        sleep_until_beat(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- the watch ---- */

int plb_rank_watch_open(const plb_transport *transport, double patience_seconds,
                        void (*on_failure)(void *context), void *context, plb_rank_watch **watch) {
    pthread_attr_t thread;
    pthread_condattr_t clock;
    plb_rank_watch *w = calloc(1, sizeof *w);
    if (!w) return PLB_ENOMEM;
    w->transport = transport;
    w->max_silent_beats = patience_seconds * BEATS;
    w->on_failure = on_failure;
    w->context = context;
    w->silent_beats = calloc(transport->count, sizeof *w->silent_beats);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, &clock);
    pthread_condattr_destroy(&clock);
    pthread_attr_init(&thread);
    pthread_attr_setstacksize(&thread, STACK_BYTES);
    bool is_open = w->silent_beats && pthread_create(&w->thread, &thread, watch_others, w) == 0;
    pthread_attr_destroy(&thread);
    if (is_open) {
        *watch = w;
        return PLB_OK;
    }
    free(w->silent_beats);
    free(w);
    return PLB_ENOMEM;
}

void plb_rank_watch_close(plb_rank_watch *w) {
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->is_closing = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    free(w->silent_beats);
    free(w);
}

void plb_rank_watch_alarm(plb_rank_watch *w) {
    pthread_mutex_lock(&w->lock);
    raise_status(w, FAILED);
    w->is_woken = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

int plb_rank_watch_lost(plb_rank_watch *w) {
    pthread_mutex_lock(&w->lock);
    if (w->status < LOST) receive_statuses(w);
    int lost = w->status - LOST;
    pthread_mutex_unlock(&w->lock);
    return lost < 0 ? -1 : lost;
}

/* Back-off: each sleep is about a quarter of the time waited so far, up to `max`. */
int plb_rank_watch_exchange(plb_rank_watch *w, const plb_parcel *send, const plb_parcel *receive) {
    const plb_transport *t = w->transport;
    uint64_t bytes = 0;
    for (int rank = 0; rank < t->count; rank++) bytes += send[rank].size + receive[rank].size;
    bool done = false;
    long max = bytes <= SMALL_BYTES ? MAX_SLEEP_SMALL : MAX_SLEEP, sleep = MIN_SLEEP;
    pthread_mutex_lock(&w->lock);
    int error = w->status < LOST ? t->begin(t->state, send, receive) : -1;
    while (!error) {
        error = w->status < LOST ? t->test(t->state, &done) : -1;
        if (error || done) break;
        pthread_mutex_unlock(&w->lock);
        nanosleep(&(struct timespec){0, sleep}, NULL);
        sleep += sleep / 4;
        if (sleep > max) sleep = max;
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return error;
}
