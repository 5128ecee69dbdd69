/* SPDX-License-Identifier: MIT
 *
 * Ranks: the processes, on one machine or several, that build one table together. They are numbered
 * from 0. A function marked "All ranks" is collective: all ranks call it at the same place of the
 * program, and it waits for the others. If one rank left it out the others would wait for ever. So
 * a rank that fails calls plb_ranks_agree before it returns; within a second the others are told to
 * stop (on_failure).
 *
 * A process that is alone passes NULL for `ranks`, and every function returns at once. Must not
 * know: plies, slabs, files; how bytes travel (transport.h).
 */
#pragma once

#include "builder/buffer.h"
#include "builder/ranks/transport.h"
#include "tables/message.h"

typedef struct plb_ranks plb_ranks;

enum { PLB_MAX_RANKS = 1024 }; /* more are not known to work */

typedef struct plb_ranks_options {
    double patience_seconds; /* a rank that is silent for longer is lost, and the build ends */
    /* Called once, from another thread, when any rank has failed or is lost: should make this rank
     * stop its work soon. */
    void (*on_failure)(void *context);
    void *context;
} plb_ranks_options;

/* All ranks: join by a transport, which plb_ranks_close closes. After an error, all ranks are
 * aborted at once. Errors: PLB_ENOMEM, PLB_EIO. Threads: one at a time. */
int plb_ranks_open(const plb_transport *transport, const plb_ranks_options *options,
                   plb_ranks **ranks, plb_message *message);

/* All ranks: leave. If a rank does not answer, end all processes with this exit status. Accepts
 * NULL. */
void plb_ranks_close(plb_ranks *ranks, int status);

/* Does this rank print the messages for all? Rank 0 does, or rank 1 if rank 0 is lost. */
bool plb_ranks_reports(const plb_ranks *ranks);

/* How many ranks there are, and the number of this one; 1 and 0 if ranks is NULL. */
int plb_ranks_count(const plb_ranks *ranks);
int plb_ranks_number(const plb_ranks *ranks);

/* All ranks: agree on an error, which all then return: that of the lowest rank that has one, or
 * PLB_OK. The message names this rank and its machine. PLB_EINTERRUPTED counts only if there is no
 * other error, which may be its cause. Errors: also PLB_EIO if a rank does not answer. After an
 * error nothing is sent any more: all functions return it at once, but these two return the error
 * that they are given, if any. */
int plb_ranks_exchange_errors(plb_ranks *ranks, int error, plb_message *message);
static inline int plb_ranks_agree(plb_ranks *ranks, int error, plb_message *message) {
    int agreed = plb_ranks_exchange_errors(ranks, error, message);
    return agreed ? agreed : error; /* static analyzers see here that an error is not lost */
}

/* After an error on which all ranks have agreed: let them exchange messages again, to save their
 * work. All ranks must call it. No effect if a rank does not answer. */
void plb_ranks_recover(plb_ranks *ranks);

/* All ranks: values [count] become the sums over all ranks. Errors: PLB_EIO, PLB_ENOMEM. */
int plb_ranks_sum(plb_ranks *ranks, uint64_t *values, size_t count, plb_message *message);

/* All ranks: copy the bytes of rank 0 to all others. Errors: PLB_EIO. */
int plb_ranks_broadcast(plb_ranks *ranks, void *bytes, size_t size, plb_message *message);

/* All ranks: each sends a message of any size to each other one.
 *
 * send     [in]   [count] by receiver; the own one is ignored
 * receive  [out]  [count] by sender; zeroed, or buffers of an earlier call; the own one does not
 *                 change; to be freed by the caller, also after an error
 *
 * Errors: PLB_EIO; PLB_ENOMEM on all ranks, if one lacks memory. */
int plb_ranks_all_to_all(plb_ranks *ranks, const plb_bytes *send, plb_bytes *receive,
                         plb_message *message);

/* All ranks: run a task that exchanges messages, in a background thread, or at once if no thread
 * can be created. Until its end the calling thread must not use the ranks. Then wait for the end,
 * and return the error of the task. ranks must not be NULL.
 *
 * waited_seconds  [in]  that this rank has waited meanwhile for data from the task */
typedef int plb_rank_task(void *context);
void plb_ranks_begin_background(plb_ranks *ranks, plb_rank_task *task, void *context);
int plb_ranks_end_background(plb_ranks *ranks, double waited_seconds);

/* What the ranks did in a period of time. */
typedef struct plb_rank_work {
    uint64_t received_bytes;               /* sum of all, by plb_ranks_all_to_all */
    double seconds, waited_seconds;        /* of real time, mean of the ranks */
    double busy_seconds, max_busy_seconds; /* of processor time: mean, and maximum of the ranks */
} plb_rank_work;

static inline void plb_rank_work_add(const plb_rank_work *work, plb_rank_work *sum) {
    sum->received_bytes += work->received_bytes;
    sum->seconds += work->seconds;
    sum->waited_seconds += work->waited_seconds;
    sum->busy_seconds += work->busy_seconds;
    sum->max_busy_seconds += work->max_busy_seconds;
}

/* All ranks: what they did since the previous call, or since they were opened. Errors: PLB_EIO,
 * PLB_ENOMEM. */
int plb_ranks_measure(plb_ranks *ranks, plb_rank_work *work, plb_message *message);
