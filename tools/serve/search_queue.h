/* SPDX-License-Identifier: MIT
 *
 * Searches, which take long and so have threads of their own. They wait in a queue of bounded
 * length; identical ones are run once, and all who asked get the answer; one that nobody waits for
 * any more is stopped. The latest answers that are final are kept.
 *
 *     ask -> known      an answer that was kept
 *         -> waits      the waiter is woken with the answer, from a thread of the queue
 *         -> full       there is no room
 *
 * Must not know: routes, tables, what carries requests.
 */
#ifndef PLB_TOOLS_SERVE_SEARCH_QUEUE_H
#define PLB_TOOLS_SERVE_SEARCH_QUEUE_H

#include <signal.h>

#include "tools/serve/exchange.h"

typedef struct search_queue search_queue;
typedef struct search_job search_job;

enum { SEARCH_KEY = 2048, KEPT_ANSWERS = 10000, KEPT_BYTES = 16 << 20 };

/* What is to be found out. It is from malloc, and the queue's from the moment it is asked for. */
typedef struct search_work {
    char key[SEARCH_KEY]; /* the same for the same question, and no other */
    double seconds;       /* after which it is stopped; 0: it ends by itself */
    void (*run)(struct search_work *work, search_job *job, http_answer *answer);
    void (*end)(struct search_work *work); /* frees it */
} search_work;

/* Who waits. It is the caller's until it is woken. */
typedef struct search_waiter {
    int socket;                  /* of the client: closed means that he waits no more */
    http_answer *answer;         /* where the answer is put */
    void (*wake)(void *context); /* it is there */
    void *context;
    struct search_waiter *next; /* the queue's */
} search_waiter;

typedef enum search_state { SEARCH_KNOWN, SEARCH_WAITS, SEARCH_FULL } search_state;

/* What has happened so far, and what is there. */
typedef struct search_counts {
    uint64_t run, shared, known, refused, stopped;
    int waiting, running;
} search_counts;

/* Errors: PLB_ENOMEM, PLB_EIO (no thread can be made). */
int search_queue_open(int threads, int room, search_queue **queue, plb_message *message);

/* Ask; a known answer is put in its place. Errors: out of memory is as full.
 * Threads: safe, as all below. */
search_state search_queue_ask(search_queue *queue, search_work *work, search_waiter *waiter);

/* May the search of a job go on? False, with the next sweep: nobody waits any more, its time is
 * over, or the queue is closed. */
bool search_goes_on(const search_job *job);

/* The same as a flag, for those who look at one. */
const volatile sig_atomic_t *search_stop_flag(const search_job *job);

/* Look whether those who wait are still there; to be called many times a second. */
void search_queue_sweep(search_queue *queue);

search_counts search_queue_count(search_queue *queue);

/* Let all searches end soon; what they have found by then is their answer. */
void search_queue_stop(search_queue *queue);

/* Stop, and wait until the threads have ended. NULL is allowed. */
void search_queue_close(search_queue *queue);

#endif
