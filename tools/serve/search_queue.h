/* SPDX-License-Identifier: MIT
 *
 * Searches, and batches of positions, may take long and have threads of their own. They wait in a
 * queue of bounded length. Identical ones are run once, and all clients get the answer; a search
 * without a client is stopped. Answers are not kept: they say how long a cache may keep them.
 *
 * Must not know: routes, tables, what carries requests.
 */
#ifndef PLB_TOOLS_SERVE_SEARCH_QUEUE_H
#define PLB_TOOLS_SERVE_SEARCH_QUEUE_H

#include <signal.h>

#include "tools/serve/exchange.h"

typedef struct search_queue search_queue;
typedef struct search_job search_job;

enum { SEARCH_KEY = 2048 };

struct search_work;
typedef void search_runner(struct search_work *work, search_job *job, http_answer *answer);

/* What is searched for. It is from malloc; search_queue_ask passes it to the queue. */
typedef struct search_work {
    search_queue *queue;  /* where it is run */
    char key[SEARCH_KEY]; /* equal for equal questions, and for no others */
    double seconds;       /* of processor time, after which it is stopped; 0: it ends by itself */
    search_runner *run;
    void (*end)(struct search_work *work); /* frees it */
} search_work;

/* A client that waits. It is owned by the caller, and must exist until it is woken. */
typedef struct search_waiter {
    http_answer *answer;             /* where the answer is put */
    void (*wake)(void *context);     /* it is there */
    bool (*has_left)(void *context); /* it does not wait any more; asked with the queue's lock */
    void *context;
    struct search_waiter *next; /* the queue's */
} search_waiter;

/* What has happened so far, and the present state. */
typedef struct search_counts {
    uint64_t run, shared, refused, stopped;
    int waiting, running;
} search_counts;

/* Errors: PLB_ENOMEM, PLB_EIO (no thread can be started). */
int search_queue_open(int threads, int capacity, search_queue **queue, plb_message *message);

/* Ask the queue of the work. The waiter is woken with the answer, by a thread of the queue; false:
 * it is not, as the queue is full or there is no memory. Threads: safe, as all functions below. */
bool search_queue_ask(search_work *work, search_waiter *waiter);

/* Is the search of a job to continue? False, after the next sweep, if no client waits any more, its
 * time is over, or the queue is closed. */
bool search_continues(const search_job *job);

/* The same as a flag: 0 while it is to continue. */
const volatile sig_atomic_t *search_stop_flag(const search_job *job);

/* Look whether the clients are still there; to be called many times a second. */
void search_queue_sweep(search_queue *queue);

search_counts search_queue_count(search_queue *queue);

/* Let all searches end soon; they answer with what they have found by then. */
void search_queue_stop(search_queue *queue);

/* Stop, and wait until the threads have ended. NULL is allowed. */
void search_queue_close(search_queue *queue);

#endif
