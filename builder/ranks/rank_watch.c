/* SPDX-License-Identifier: MIT */
#include "builder/ranks/rank_watch.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tables/message.h"

/* Of the thread: it only sends and receives. */
enum { STACK_BYTES = 1 << 20, BEATS = 4 /* a second */ };
/* Nanoseconds of a sleep while an exchange goes on. The longest one is shorter for more than
 * LITTLE_BYTES, as MPI moves them on only when it is called. */
enum { SECOND = 1000000000, MIN_SLEEP = 20000, MAX_LITTLE = 10000000, MAX_SLEEP = 1000000 };
enum { LITTLE_BYTES = 1 << 16 };

/* What ranks tell each other; of two words the greater one counts. */
enum { WELL, FAILED, LOST /* and the number of the rank */ };

struct plb_rank_watch {
    const plb_transport *transport;
    double max_silent; /* beats */
    void (*end)(void *context);
    void *context;
    pthread_mutex_t lock; /* of the transport and of what follows */
    pthread_cond_t wake;
    pthread_t thread;
    bool is_awake, closes, has_ended;
    int32_t word;
    double *silent; /* [count] beats since each was heard: those of this process, for one that was
                       stopped itself has heard nobody */
};

/* ---- a beat ---- */

static void learn(plb_rank_watch *w, int32_t word) {
    if (word > w->word) w->word = word;
}

static void hear_all(plb_rank_watch *w) {
    const plb_transport *t = w->transport;
    int rank;
    int32_t word;
    while (t->hear(t->state, &rank, &word)) {
        w->silent[rank] = 0;
        learn(w, word);
    }
}

/* Hear and tell: rank 0 all others, each of them rank 0 alone; but in the last beat all that are
 * not lost, for who finds a rank lost may be gone before they find out. */
static void beat(plb_rank_watch *w) {
    const plb_transport *t = w->transport;
    int first = t->number == 0 ? 1 : 0, last = t->number == 0 ? t->count : 1;
    hear_all(w);
    for (int rank = first; rank < last; rank++)
        if (++w->silent[rank] > w->max_silent) learn(w, LOST + rank);
    if (w->word >= LOST) {
        first = 0;
        last = t->count;
    }
    for (int rank = first; rank < last; rank++)
        if (rank != t->number && rank != w->word - LOST) t->tell(t->state, rank, w->word);
}

/* An alarm wakes it before its time. */
static void sleep_until_beat(plb_rank_watch *w) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += SECOND / BEATS;
    if (until.tv_nsec >= SECOND) {
        until.tv_sec++;
        until.tv_nsec -= SECOND;
    }
    int error = 0;
    while (!w->is_awake && !w->closes && error != ETIMEDOUT)
        error = pthread_cond_timedwait(&w->wake, &w->lock, &until);
    w->is_awake = false;
}

/* Once a rank is lost nothing is said any more: it may be in the midst of a message. */
static void *watch_others(void *watch) {
    plb_rank_watch *w = watch;
    pthread_mutex_lock(&w->lock);
    while (!w->closes) {
        if (w->word < LOST) beat(w);
        if (w->word > WELL && !w->has_ended) {
            w->has_ended = true;
            pthread_mutex_unlock(&w->lock);
            w->end(w->context);
            pthread_mutex_lock(&w->lock);
        }
        sleep_until_beat(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- the watch ---- */

int plb_rank_watch_open(const plb_transport *transport, double patience_seconds,
                        void (*end)(void *context), void *context, plb_rank_watch **watch) {
    plb_rank_watch *w = calloc(1, sizeof *w);
    double *silent = calloc(transport->count, sizeof *silent);
    pthread_attr_t thread;
    pthread_condattr_t clock;
    if (!w || !silent) {
        free(w);
        free(silent);
        return PLB_ENOMEM;
    }
    w->transport = transport;
    w->max_silent = patience_seconds * BEATS;
    w->end = end;
    w->context = context;
    w->silent = silent;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, &clock);
    pthread_condattr_destroy(&clock);
    pthread_attr_init(&thread);
    pthread_attr_setstacksize(&thread, STACK_BYTES);
    int error = pthread_create(&w->thread, &thread, watch_others, w);
    pthread_attr_destroy(&thread);
    if (!error) {
        *watch = w;
        return PLB_OK;
    }
    free(silent);
    free(w);
    return PLB_ENOMEM;
}

void plb_rank_watch_close(plb_rank_watch *w) {
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->closes = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    free(w->silent);
    free(w);
}

void plb_rank_watch_alarm(plb_rank_watch *w) {
    pthread_mutex_lock(&w->lock);
    learn(w, FAILED);
    w->is_awake = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

int plb_rank_watch_lost(plb_rank_watch *w) {
    pthread_mutex_lock(&w->lock);
    if (w->word < LOST) hear_all(w);
    int lost = w->word - LOST;
    pthread_mutex_unlock(&w->lock);
    return lost < 0 ? -1 : lost;
}

static uint64_t count_bytes(const plb_parcel *parcels, int count) {
    uint64_t bytes = 0;
    for (int rank = 0; rank < count; rank++) bytes += parcels[rank].size;
    return bytes;
}

/* Each sleep is about a quarter of the time waited so far, so it wakes at most a quarter late. */
int plb_rank_watch_exchange(plb_rank_watch *w, const plb_parcel *send, const plb_parcel *receive) {
    const plb_transport *t = w->transport;
    uint64_t bytes = count_bytes(send, t->count) + count_bytes(receive, t->count);
    bool done = false, is_little = bytes <= LITTLE_BYTES;
    long most = is_little ? MAX_LITTLE : MAX_SLEEP, sleep = MIN_SLEEP;
    pthread_mutex_lock(&w->lock);
    int error = w->word < LOST ? t->begin(t->state, send, receive) : -1;
    while (!error) {
        error = w->word < LOST ? t->test(t->state, &done) : -1;
        if (error || done) break;
        pthread_mutex_unlock(&w->lock);
        nanosleep(&(struct timespec){0, sleep}, NULL);
        sleep += sleep / 4;
        if (sleep > most) sleep = most;
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return error;
}
