/* SPDX-License-Identifier: MIT
 *
 * Runs: the positions that threads have met, many of them more than once, ordered by the first bits
 * of their hash (cells of a grid), so that all that belong together can be gathered a bucket at a
 * time.
 *
 *     thread 0   set full -> [cell 0 | cell 1 | .. ] run, spilled to a file
 *     thread 1   set      -> [cell 0 | cell 1 | .. ] run, in memory
 *                             `--- gathered ---'     each position once
 *
 * Must not know: values, indices.
 */
#ifndef PLB_BUILDER_KEYS_KEY_RUNS_H
#define PLB_BUILDER_KEYS_KEY_RUNS_H

#include <pthread.h>

#include "tables/index/position_set.h"
#include "tables/message.h"

/* Buckets of keys are powers of two, at most this many. */
enum { PLB_GRID_BITS = 12, PLB_GRID = 1 << PLB_GRID_BITS };

typedef struct plb_key_run plb_key_run;

typedef struct plb_key_runs {
    int file;             /* that runs are spilled to; -1: none was yet */
    const char *path;     /* of its folder */
    pthread_mutex_t lock; /* guards what is below */
    plb_key_run *runs;
    size_t count, capacity;
    uint64_t end;       /* of the file */
    uint64_t positions; /* of all runs */
} plb_key_runs;

/* Begin with none. Spilled runs go to a file without a name in a folder, whose path must outlive
 * them. Close accepts zeroed runs. */
void plb_key_runs_open(plb_key_runs *runs, const char *folder);
void plb_key_runs_close(plb_key_runs *runs);

/* Move all positions of a set into a run, and clear the set. Threads: safe.
 *
 * spill  [in]  to the file; else it stays in memory
 *
 * Errors: PLB_ENOMEM, those of errno. */
int plb_key_runs_add(plb_key_runs *runs, plb_position_set *set, bool spill, plb_message *message);

/* Positions of all runs in a bucket, those counted twice that are in two. */
uint64_t plb_key_runs_count(const plb_key_runs *runs, uint64_t bucket, uint64_t buckets);

/* Gather the positions of a bucket, each once, in an empty set that has space for them.
 * Errors: PLB_ENOMEM, PLB_EIO (what is read is not what was written), those of errno.
 * Threads: safe, when all runs are added. */
int plb_key_runs_gather(const plb_key_runs *runs, uint64_t bucket, uint64_t buckets,
                        plb_position_set *set, plb_message *message);

#endif
