/* SPDX-License-Identifier: MIT
 *
 * Collective operations, all made from one: the exchange of parcels between all ranks. For a sum
 * every rank sends its numbers to every other one, because there are few sums per ply.
 */
#include "builder/ranks/ranks.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builder/ranks/rank_watch.h"
#include "tables/stop.h"

enum { HOST_NAME = 64 }; /* bytes */

/* The error of a rank. */
typedef struct rank_state {
    int32_t error;
    char text[sizeof(plb_message)];
} rank_state;

struct plb_ranks {
    plb_transport transport;
    plb_rank_watch *watch;
    double patience_seconds;
    bool is_broken; /* a rank does not answer: */
    int lost;       /* its number; -1: unknown */
    int failed;     /* the error of all ranks; PLB_OK: none */
    plb_message why;
    plb_parcel *send, *receive;           /* [count] */
    uint64_t *send_sizes, *receive_sizes; /* [count] */
    char (*hosts)[HOST_NAME];             /* [count] */
    rank_state *states;                   /* [count] */
    plb_rank_work now, measured;          /* totals of this rank; those at the last measurement */
    plb_rank_task *task;                  /* in the background, */
    void *task_context;
    int task_error;
    pthread_t task_thread;
    bool has_task_thread; /* while the task runs in it */
};

int plb_ranks_count(const plb_ranks *ranks) {
    return ranks ? ranks->transport.count : 1;
}

int plb_ranks_number(const plb_ranks *ranks) {
    return ranks ? ranks->transport.number : 0;
}

/* Exchange the parcels in `send` and `receive`, all but the own one. */
static int exchange(plb_ranks *ranks, plb_message *message) {
    int number = ranks->transport.number;
    ranks->send[number].size = ranks->receive[number].size = 0;
    double began = plb_clock_seconds(CLOCK_MONOTONIC);
    if (!ranks->failed && plb_rank_watch_exchange(ranks->watch, ranks->send, ranks->receive) != 0) {
        /* A rank cannot be reached, or does not answer. */
        int lost = plb_rank_watch_lost(ranks->watch);
        ranks->is_broken = true;
        ranks->lost = lost;
        ranks->failed =
            lost < 0
                ? plb_fail(&ranks->why, PLB_EIO, "rank %d cannot reach all other ranks", number)
                : plb_fail(&ranks->why, PLB_EIO,
                           "rank %d on %s does not answer: nothing was heard of it for %g s", lost,
                           ranks->hosts[lost], ranks->patience_seconds);
    }
    if (!ranks->has_task_thread)
        ranks->now.waited_seconds += plb_clock_seconds(CLOCK_MONOTONIC) - began;
    return ranks->failed ? plb_fail(message, ranks->failed, "%s", ranks->why.text) : PLB_OK;
}

/* Every rank sends `bytes` to all: all [count * size] gets those of each, the own ones too. */
static int all_gather(plb_ranks *ranks, const void *bytes, size_t size, uint8_t *all,
                      plb_message *message) {
    for (int rank = 0; rank < ranks->transport.count; rank++) {
        ranks->send[rank] = (plb_parcel){(uint8_t *)bytes, size};
        ranks->receive[rank] = (plb_parcel){all + rank * size, size};
    }
    memcpy(all + ranks->transport.number * size, bytes, size);
    return exchange(ranks, message);
}

/* The rank whose error is that of all; the count if none has one. */
static int find_error(const plb_ranks *ranks) {
    int count = ranks->transport.count, found = count;
    for (int rank = 0; rank < count; rank++) {
        int error = ranks->states[rank].error;
        if (error && error != PLB_EINTERRUPTED) return rank;
        if (error && found == count) found = rank;
    }
    return found;
}

int plb_ranks_exchange_errors(plb_ranks *ranks, int error, plb_message *message) {
    if (!ranks) return error;
    if (ranks->failed) return error ? error : exchange(ranks, message);
    rank_state own = {.error = error}, *all = ranks->states;
    if (error && message) memcpy(own.text, message->text, sizeof own.text);
    if (error) plb_rank_watch_alarm(ranks->watch);
    int broken = all_gather(ranks, &own, sizeof own, (uint8_t *)all, message);
    if (broken) return error && error != PLB_EINTERRUPTED ? error : broken;
    int rank = find_error(ranks);
    if (rank == ranks->transport.count) return PLB_OK;
    all[rank].text[sizeof all[rank].text - 1] = 0;
    ranks->failed = all[rank].error;
    if (strcmp(all[rank].text, ranks->why.text) != 0) /* equal: from before plb_ranks_recover */
        plb_fail(&ranks->why, ranks->failed, "rank %d on %s: %s", rank, ranks->hosts[rank],
                 all[rank].text);
    return plb_fail(message, ranks->failed, "%s", ranks->why.text);
}

void plb_ranks_recover(plb_ranks *ranks) {
    if (ranks && !ranks->is_broken) ranks->failed = PLB_OK;
}

int plb_ranks_sum(plb_ranks *ranks, uint64_t *values, size_t count, plb_message *message) {
    if (!ranks) return PLB_OK;
    size_t size = count * sizeof *values;
    uint64_t *all = malloc(ranks->transport.count * size);
    int error = all ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory");
    error = plb_ranks_agree(ranks, error, message);
    if (!error) error = all_gather(ranks, values, size, (uint8_t *)all, message);
    for (int rank = 0; rank < ranks->transport.count && all && !error; rank++)
        for (size_t i = 0; i < count && rank != ranks->transport.number; i++)
            values[i] += all[rank * count + i];
    free(all);
    return error;
}

int plb_ranks_broadcast(plb_ranks *ranks, void *bytes, size_t size, plb_message *message) {
    if (!ranks) return PLB_OK;
    for (int rank = 0; rank < ranks->transport.count; rank++) {
        ranks->send[rank] = (plb_parcel){bytes, ranks->transport.number == 0 ? size : 0};
        ranks->receive[rank] = (plb_parcel){bytes, rank == 0 ? size : 0};
    }
    return exchange(ranks, message);
}

int plb_ranks_all_to_all(plb_ranks *ranks, const plb_bytes *send, plb_bytes *receive,
                         plb_message *message) {
    if (!ranks) return PLB_OK;
    int count = ranks->transport.count, number = ranks->transport.number;
    for (int rank = 0; rank < count; rank++) {
        ranks->send_sizes[rank] = send[rank].size;
        ranks->send[rank] = (plb_parcel){(uint8_t *)&ranks->send_sizes[rank], sizeof(uint64_t)};
        ranks->receive[rank] =
            (plb_parcel){(uint8_t *)&ranks->receive_sizes[rank], sizeof(uint64_t)};
    }
    int error = exchange(ranks, message);
    for (int rank = 0; rank < count && !error; rank++) {
        if (rank == number) continue;
        if (plb_bytes_reserve(&receive[rank], ranks->receive_sizes[rank]))
            error = plb_fail(message, PLB_ENOMEM, "out of memory for what rank %d sends", rank);
        else
            receive[rank].size = ranks->receive_sizes[rank];
    }
    error = plb_ranks_agree(ranks, error, message);
    if (error) return error;
    for (int rank = 0; rank < count; rank++) {
        ranks->send[rank] = (plb_parcel){send[rank].bytes, send[rank].size};
        ranks->receive[rank] = (plb_parcel){receive[rank].bytes, receive[rank].size};
        if (rank != number) ranks->now.received_bytes += receive[rank].size;
    }
    return exchange(ranks, message);
}

/* ---- background ---- */

static void *run_task(void *all) {
    plb_ranks *ranks = all;
    ranks->task_error = ranks->task(ranks->task_context);
    return NULL;
}

void plb_ranks_begin_background(plb_ranks *ranks, plb_rank_task *task, void *context) {
    ranks->task = task;
    ranks->task_context = context;
    ranks->has_task_thread = true;
    if (pthread_create(&ranks->task_thread, NULL, run_task, ranks) == 0) return;
    ranks->has_task_thread = false;
    run_task(ranks);
}

int plb_ranks_end_background(plb_ranks *ranks, double waited_seconds) {
    double began = plb_clock_seconds(CLOCK_MONOTONIC);
    if (ranks->has_task_thread) pthread_join(ranks->task_thread, NULL);
    ranks->has_task_thread = false;
    ranks->now.waited_seconds += waited_seconds + plb_clock_seconds(CLOCK_MONOTONIC) - began;
    return ranks->task_error;
}

/* ---- measuring ---- */

int plb_ranks_measure(plb_ranks *ranks, plb_rank_work *work, plb_message *message) {
    *work = (plb_rank_work){0};
    if (!ranks) return PLB_OK;
    int count = ranks->transport.count;
    plb_rank_work *last = &ranks->measured, *all = calloc(count, sizeof *all);
    int error = all ? PLB_OK : plb_fail(message, PLB_ENOMEM, "out of memory");
    error = plb_ranks_agree(ranks, error, message);
    ranks->now.seconds = plb_clock_seconds(CLOCK_MONOTONIC);
    ranks->now.busy_seconds = plb_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    plb_rank_work now = ranks->now,
                  own = {.received_bytes = now.received_bytes - last->received_bytes,
                         .seconds = now.seconds - last->seconds,
                         .waited_seconds = now.waited_seconds - last->waited_seconds,
                         .busy_seconds = now.busy_seconds - last->busy_seconds};
    *last = now;
    if (!error) error = all_gather(ranks, &own, sizeof own, (uint8_t *)all, message);
    for (int rank = 0; rank < count && all && !error; rank++) {
        work->received_bytes += all[rank].received_bytes;
        work->seconds += all[rank].seconds / count;
        work->waited_seconds += all[rank].waited_seconds / count;
        work->busy_seconds += all[rank].busy_seconds / count;
        work->max_busy_seconds = fmax(work->max_busy_seconds, all[rank].busy_seconds);
    }
    free(all);
    return error;
}

/* ---- begin and end ---- */

/* Abort: the other ranks have joined, and must not wait for this one. */
static int fail_open(plb_ranks *ranks, int error) {
    ranks->is_broken = true;
    plb_ranks_close(ranks, EXIT_FAILURE);
    return error;
}

int plb_ranks_open(const plb_transport *transport, const plb_ranks_options *options,
                   plb_ranks **ranks, plb_message *message) {
    size_t count = transport->count;
    plb_ranks *made = calloc(1, sizeof *made);
    if (!made) {
        transport->abort_all(transport->state, EXIT_FAILURE);
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    made->transport = *transport;
    made->patience_seconds = options->patience_seconds;
    made->lost = -1;
    made->send = calloc(count, sizeof *made->send);
    made->receive = calloc(count, sizeof *made->receive);
    made->send_sizes = calloc(count, sizeof *made->send_sizes);
    made->receive_sizes = calloc(count, sizeof *made->receive_sizes);
    made->hosts = calloc(count, sizeof *made->hosts);
    made->states = calloc(count, sizeof *made->states);
    if (!made->send || !made->receive || !made->send_sizes || !made->receive_sizes ||
        !made->hosts || !made->states ||
        plb_rank_watch_open(&made->transport, options->patience_seconds, options->on_failure,
                            options->context, &made->watch))
        return fail_open(made, plb_fail(message, PLB_ENOMEM, "out of memory"));
    char own[HOST_NAME] = "";
    gethostname(own, sizeof own - 1);
    int error = all_gather(made, own, sizeof own, (uint8_t *)made->hosts, message);
    if (error) return fail_open(made, error);
    *ranks = made;
    return PLB_OK;
}

bool plb_ranks_reports(const plb_ranks *ranks) {
    return plb_ranks_number(ranks) == (ranks && ranks->lost == 0 ? 1 : 0);
}

void plb_ranks_close(plb_ranks *ranks, int status) {
    if (!ranks) return;
    plb_rank_watch_close(ranks->watch);
    if (ranks->is_broken)
        ranks->transport.abort_all(ranks->transport.state, status);
    else
        ranks->transport.close(ranks->transport.state);
    free(ranks->send);
    free(ranks->receive);
    free(ranks->send_sizes);
    free(ranks->receive_sizes);
    free(ranks->hosts);
    free(ranks->states);
    free(ranks);
}
