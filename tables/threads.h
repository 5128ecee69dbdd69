/* SPDX-License-Identifier: MIT
 *
 * Teams of threads. Each thread of a team does its own part of the work. Threads that have finished
 * help others with their loops over chunks; while all threads are busy, no loop is shared. Waiting
 * threads sleep: spinning took a fifth of the processor time of small builds.
 */
#pragma once

#include <stddef.h>

enum { PLB_STACK_BYTES = 8 << 20 }; /* of each thread; permuting blocks takes 2.4 MB */

/* {.count = 1} is a team of one thread. */
typedef struct plb_threads {
    int count;             /* threads, including the one that opened the team */
    struct plb_team *team; /* NULL: there is one thread */
} plb_threads;

/* Start a team of `count` threads; fewer, if the system does not allow so many. The opening thread
 * has number 0; only this thread calls plb_threads_run.
 * Errors: PLB_ENOMEM; *threads is then a team of one thread. Close accepts any team. */
int plb_threads_open(int count, plb_threads *threads);
void plb_threads_close(plb_threads *threads);

/* The number of processors that this process may use. */
int plb_threads_available(void);

/* The number of the calling thread, below the count; 0 if it is in no team. */
int plb_threads_number(void);

/* Call work once in each thread of the team, with the number of the thread. Threads that have
 * finished help with loops of the others. Returns when all have finished. */
typedef void plb_thread_work(void *context, int number);
void plb_threads_run(const plb_threads *threads, plb_thread_work *work, void *context);

/* Work on one chunk of a loop; returns 0 or an error. Chunks run in parallel, each in one thread,
 * and may share loops themselves. */
typedef int plb_chunk_work(void *context, size_t chunk);

/* Call work for chunks [0, chunks); idle threads help. Returns 0, or the error of a chunk; after an
 * error the remaining chunks may be skipped. Threads: those of the team. */
int plb_threads_share(const plb_threads *threads, size_t chunks, plb_chunk_work *work,
                      void *context);
