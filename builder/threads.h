/* SPDX-License-Identifier: MIT
 *
 * The threads of a build: how a loop over chunks of a slab is shared among them. As long as every
 * thread has a slab of its own, splitting would only cost; when some have none, a loop becomes a
 * few tasks for each thread.
 */
#ifndef PLB_BUILDER_THREADS_H
#define PLB_BUILDER_THREADS_H

#include <stddef.h>

typedef struct plb_threads {
    int count;
    int busy; /* threads with a slab of their own */
} plb_threads;

/* A thread takes up work on slabs, or has found none left. Threads: safe. */
void plb_threads_begin(plb_threads *threads);
void plb_threads_end(plb_threads *threads);

/* Work on one chunk of a loop; 0 or an error. Chunks run at once, each in one thread. */
typedef int plb_chunk_work(void *context, size_t chunk);

/* Do the work for chunks [0, chunks), shared with threads that are idle. An error of one of them, 0
 * if there is none; after an error the other chunks may be left out. Threads: safe. */
int plb_threads_share(const plb_threads *threads, size_t chunks, plb_chunk_work *work,
                      void *context);

#endif
