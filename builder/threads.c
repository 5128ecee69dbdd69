/* SPDX-License-Identifier: MIT */
#include "builder/threads.h"

void plb_threads_begin(plb_threads *threads) {
#pragma omp atomic
    threads->busy++;
}

void plb_threads_end(plb_threads *threads) {
#pragma omp atomic
    threads->busy--;
}

/* gcc's library runs a loop of more than 64 tasks per thread in one thread alone. */
static size_t count_tasks(const plb_threads *threads, size_t chunks) {
    enum { TASKS_PER_THREAD = 16 };
    int busy;
#pragma omp atomic read
    busy = threads->busy;
    size_t most = (size_t)threads->count * TASKS_PER_THREAD;
    if (busy >= threads->count) return 1;
    return chunks < most ? chunks : most;
}

typedef struct shared_loop {
    plb_chunk_work *work;
    void *context;
    int error; /* of any chunk */
} shared_loop;

/* (In a function of its own: clang 14 crashes where a loop of tasks calls through a pointer.) */
static void do_chunk(shared_loop *loop, size_t chunk) {
    int failed = loop->work(loop->context, chunk);
    if (failed) {
#pragma omp atomic write
        loop->error = failed;
    }
}

int plb_threads_share(const plb_threads *threads, size_t chunks, plb_chunk_work *work,
                      void *context) {
    size_t tasks = count_tasks(threads, chunks);
    shared_loop loop = {work, context, 0};
    if (tasks <= 1) {
        for (size_t chunk = 0; chunk < chunks && !loop.error; chunk++) do_chunk(&loop, chunk);
        return loop.error;
    }
#pragma omp taskloop num_tasks(tasks) shared(loop)
    for (size_t chunk = 0; chunk < chunks; chunk++) do_chunk(&loop, chunk);
    return loop.error;
}
