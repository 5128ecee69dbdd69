/* SPDX-License-Identifier: MIT
 *
 * The threads of a build: how a loop over parts of a slab is shared among them. As long as every
 * thread has a slab of its own, splitting would only cost; when some have none, a loop becomes a
 * few tasks for each thread. (gcc's library runs a loop of more than 64 tasks per thread in one
 * thread alone.)
 */
#ifndef PLB_BUILDER_THREADS_H
#define PLB_BUILDER_THREADS_H

#include <stddef.h>

typedef struct plb_threads {
    int count;
    int busy; /* threads with a slab of their own */
} plb_threads;

/* A thread takes up work on slabs, or has found none left. Threads: safe. */
static inline void plb_threads_begin(plb_threads *threads) {
#pragma omp atomic
    threads->busy++;
}
static inline void plb_threads_end(plb_threads *threads) {
#pragma omp atomic
    threads->busy--;
}

/* Tasks to make of a loop over so many parts. Threads: safe. */
static inline size_t plb_threads_tasks(const plb_threads *threads, size_t parts) {
    enum { TASKS_PER_THREAD = 16 };
    int busy;
#pragma omp atomic read
    busy = threads->busy;
    size_t most = (size_t)threads->count * TASKS_PER_THREAD;
    if (busy >= threads->count || parts <= 1) return 1;
    return parts < most ? parts : most;
}

#endif
