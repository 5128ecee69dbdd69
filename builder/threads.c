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
static size_t count_tasks(const plb_threads *threads, size_t parts) {
    enum { TASKS_PER_THREAD = 16 };
    int busy;
#pragma omp atomic read
    busy = threads->busy;
    size_t most = (size_t)threads->count * TASKS_PER_THREAD;
    if (busy >= threads->count) return 1;
    return parts < most ? parts : most;
}

int plb_threads_share(const plb_threads *threads, size_t parts, plb_part_work *work,
                      void *context) {
    size_t tasks = count_tasks(threads, parts);
    int error = 0;
    if (tasks <= 1) {
        for (size_t part = 0; part < parts && !error; part++) error = work(context, part);
        return error;
    }
#pragma omp taskloop num_tasks(tasks) shared(error)
    for (size_t part = 0; part < parts; part++) {
        int failed = work(context, part);
        if (failed) {
#pragma omp atomic write
            error = failed;
        }
    }
    return error;
}
