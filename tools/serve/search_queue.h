/* SPDX-License-Identifier: MIT
 *
 * A queue of bounded length, with worker threads, for searches and other work that may take long.
 * Requests with the same key share one job, and all clients get its answer. A job that no client
 * waits for any more is stopped. Answers are not cached here.
 *
 * Must not know: routes, tables, what carries requests.
 */
#pragma once

#include <signal.h>

#include "tools/serve/exchange.h"

typedef struct search_queue search_queue;
typedef struct search_job search_job;

enum { SEARCH_KEY = 2048 };

struct search_work;
typedef void search_runner(struct search_work *work, search_job *job, http_answer *answer);

/* The description of a search, from malloc. search_queue_submit passes its ownership. */
typedef struct search_work {
    search_queue *queue;  /* to run it */
    char key[SEARCH_KEY]; /* equal keys share a job: all that the answer depends on */
    double seconds;       /* limit of processor time; 0: the search has its own limit */
    search_runner *run;
    void (*free)(struct search_work *work);
} search_work;

/* A client that waits. It is owned by the caller, and must exist until `wake` is called. */
typedef struct search_waiter {
    http_answer *answer;                     /* gets a copy of the answer */
    void (*wake)(void *context);             /* called when the answer is written */
    bool (*has_disconnected)(void *context); /* called with the lock of the queue */
    void *context;
    struct search_waiter *next; /* used by the queue */
} search_waiter;

typedef struct search_counts {
    uint64_t run, shared, refused, stopped; /* since the start */
    int waiting, running;                   /* now */
} search_counts;

/* Errors: PLB_ENOMEM, PLB_EIO (no thread can be started). */
int search_queue_open(int threads, int capacity, search_queue **queue, plb_message *message);

/* Submit work to its queue. A thread of the queue will wake the waiter with the answer. False: the
 * queue is full or stopped, or out of memory; the waiter is not used. Threads: safe, as all
 * functions below. */
bool search_queue_submit(search_work *work, search_waiter *waiter);

/* May a job continue? False, from the next sweep on, if no client waits any more, the time limit is
 * exceeded, or the queue is stopped. */
bool search_continues(const search_job *job);

/* The same as a flag, which is 0 while the job may continue. */
const volatile sig_atomic_t *search_stop_flag(const search_job *job);

/* Stop jobs that exceed their time, or whose clients have all disconnected; to be called many times
 * a second. */
void search_queue_sweep(search_queue *queue);

search_counts search_queue_count(search_queue *queue);

/* Stop all jobs, which then answer with what they have found, and refuse new ones. */
void search_queue_stop(search_queue *queue);

/* Stop, and wait until the threads have ended. NULL is allowed. */
void search_queue_close(search_queue *queue);
