/* SPDX-License-Identifier: MIT
 *
 * Teams of threads: each thread of a team does its share of the work, and threads that have
 * finished can share a loop over chunks of another thread. As long as every thread has work of its
 * own, nothing is split. Threads that wait sleep: spinning took a fifth of the processor time of
 * small builds.
 */
#ifndef PLB_TABLES_THREADS_H
#define PLB_TABLES_THREADS_H

#include <stddef.h>

enum { PLB_STACK_BYTES = 8 << 20 }; /* of each thread: to permute blocks takes 2.4 MB */

/* Zeroed but for a count of 1 it is a team of one. */
typedef struct plb_threads {
    int count;             /* with the one that has opened the team */
    struct plb_team *team; /* NULL: it is alone */
} plb_threads;

/* Begin a team of up to so many threads; of fewer, if there cannot be more. The thread that opens
 * it is its number 0, and calls plb_threads_run alone.
 * Errors: PLB_ENOMEM, and the team is alone. Close accepts any. */
int plb_threads_open(int count, plb_threads *threads);
void plb_threads_close(plb_threads *threads);

/* Processors that this process may use. */
int plb_threads_available(void);

/* The number of the calling thread, below the count; 0 if it is in no team. */
int plb_threads_number(void);

/* Do work in each thread of the team, by number; threads that are done share loops of the others.
 * Returns when all are done. */
typedef void plb_thread_work(void *context, int number);
void plb_threads_run(const plb_threads *threads, plb_thread_work *work, void *context);

/* Work on one chunk of a loop; 0 or an error. Chunks run at the same time, each in
 * one thread, and may share loops themselves. */
typedef int plb_chunk_work(void *context, size_t chunk);

/* Do the work for chunks [0, chunks), shared with threads that are idle. An error of one of them, 0
 * if there is none; after an error the other chunks may be left out. Threads: those of the team. */
int plb_threads_share(const plb_threads *threads, size_t chunks, plb_chunk_work *work,
                      void *context);

#endif
