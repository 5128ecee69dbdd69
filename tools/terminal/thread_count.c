/* SPDX-License-Identifier: MIT
 *
 * Threads are made as OpenMP makes them, and all at once, for limits on processes and on memory
 * count those that live at the same time. Room is kept for what they will work with: gcc's OpenMP
 * ends the program, too, when it finds no memory for a task. Between this and the first parallel
 * loop another program may take what was free; OpenMP has no way to report that.
 */
#include "tools/terminal/thread_count.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

#include "tools/terminal/arguments.h"

enum { WORK_BYTES = 96 << 20 };

static void *wait_for_end(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* How many other threads can live at once, `most` at most. */
static int count_others(int most) {
    pthread_t made[MOST_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int count = 0;
    pthread_mutex_lock(&gate);
    while (count < most && pthread_create(&made[count], NULL, wait_for_end, &gate) == 0) count++;
    pthread_mutex_unlock(&gate);
    for (int t = 0; t < count; t++) pthread_join(made[t], NULL);
    return count;
}

int usable_threads(int wanted) {
    int threads = 1;
    if (wanted > MOST_THREADS) wanted = MOST_THREADS;
    void *room = mmap(NULL, WORK_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) {
        threads += count_others(wanted - 1);
        munmap(room, WORK_BYTES);
    }
    if (threads < wanted) {
        fprintf(stderr, "plybase: the system gives %d of %d threads (--threads)\n", threads,
                wanted);
        mallopt(M_ARENA_MAX, 1); /* an arena of a thread would take all the room that was kept */
    }
    return threads;
}
