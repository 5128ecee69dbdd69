/* SPDX-License-Identifier: MIT
 *
 * Measures the speed of a table: threads play random games and probe every position of them:
 *
 *     random_probes FILE [PROBES]     prints probes per second for one thread and for two
 *
 * An engine would do the same: one table for all threads, one context per thread, bitboards in and
 * a value out.
 */
#include <plybase.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_THREADS = 2 };

typedef struct player {
    const plb_table *table;
    uint64_t random;
    long probes;
    int error;
} player;

/* The next number of a xorshift generator (G. Marsaglia, 2003). */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A random legal move as a bit; the game must not be over. */
static uint64_t random_move(const plb_table_info *info, uint64_t stones, uint64_t *random) {
    for (;;) {
        int cell = (int)(next_random(random) % (unsigned)info->cells);
        if (info->gravity) { /* the lowest empty cell of the column */
            int bottom = cell - cell % info->height, top = bottom + info->height;
            for (cell = bottom; cell < top && (stones >> cell & 1); cell++) continue;
            if (cell == top) continue;
        }
        if (!(stones >> cell & 1)) return (uint64_t)1 << cell;
    }
}

/* Play games until the wanted number of positions is probed. */
static void *play(void *argument) {
    player *p = argument;
    const plb_table_info *info = plb_info(p->table);
    plb_context *context = NULL;
    uint64_t x = 0, o = 0;
    int ply = 0;
    p->error = plb_context_open(p->table, &context);
    for (long n = 0; n < p->probes && !p->error; n++) {
        plb_answer answer;
        p->error = plb_context_probe(context, x, o, &answer, NULL);
        if (p->error) break;
        if (answer.over) {
            x = o = 0;
            ply = 0;
        } else {
            uint64_t move = random_move(info, x | o, &p->random);
            if (ply++ % 2 == 0)
                x |= move;
            else
                o |= move;
        }
    }
    plb_context_close(context);
    return NULL;
}

/* Probes per second of a number of threads, or -1. */
static double measure(const plb_table *table, int threads, long probes) {
    pthread_t ids[MAX_THREADS];
    player players[MAX_THREADS];
    struct timespec begin, end;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int t = 0; t < threads; t++) {
        players[t] = (player){table, 88172645463325252u + (uint64_t)t, probes / threads, 0};
        if (pthread_create(&ids[t], NULL, play, &players[t]) != 0) return -1;
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        error |= players[t].error;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    return error ? -1 : (double)probes / seconds;
}

int main(int argc, char **argv) {
    plb_table *table = NULL;
    plb_message why;
    long probes = argc > 2 ? atol(argv[2]) : 1000000;
    if (argc < 2 || probes < 1) {
        fprintf(stderr, "Usage: random_probes FILE [PROBES]\n");
        return 2;
    }
    if (plb_open(argv[1], &table, &why) != PLB_OK) {
        fprintf(stderr, "random_probes: %s\n", why.text);
        return 1;
    }
    measure(table, 1, probes); /* warms the file cache */
    int status = 0;
    for (int threads = 1; threads <= MAX_THREADS; threads++) {
        double rate = measure(table, threads, probes);
        printf("%d %s: %.0f probes per second\n", threads, threads == 1 ? "thread" : "threads",
               rate);
        if (rate < 0) status = 1;
    }
    plb_close(table);
    return status;
}
