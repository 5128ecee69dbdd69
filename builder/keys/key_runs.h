/* SPDX-License-Identifier: MIT
 *
 * Runs: positions found by threads, with duplicates, sorted by the first bits of their hash (cells
 * of a grid). So all positions of a bucket, which is a range of cells, can be gathered from all
 * runs and made unique.
 *
 *     thread 0   set full -> [cell 0 | cell 1 | .. ] run, spilled to a file
 *     thread 1   set      -> [cell 0 | cell 1 | .. ] run, in memory
 *                             `--- gathered ---'     each position once
 *
 * Must not know: values, indices.
 */
#pragma once

#include <pthread.h>

#include "tables/index/position_set.h"
#include "tables/message.h"

/* Cells of the grid. The number of buckets is a power of two, at most PLB_GRID. */
enum { PLB_GRID_BITS = 12, PLB_GRID = 1 << PLB_GRID_BITS };

typedef struct plb_key_run plb_key_run;

typedef struct plb_key_runs {
    int file;             /* file of spilled runs; -1: not created yet */
    const char *path;     /* folder of this file */
    pthread_mutex_t lock; /* guards the fields below */
    plb_key_run *runs;
    size_t count, capacity;
    uint64_t end;       /* end of the file */
    uint64_t positions; /* in all runs */
} plb_key_runs;

/* Begin without runs. Spilled runs go to an unnamed file in `folder`; this string must outlive the
 * runs. Close accepts zeroed runs. */
void plb_key_runs_open(plb_key_runs *runs, const char *folder);
void plb_key_runs_close(plb_key_runs *runs);

/* Move all positions of a set into a run, and clear the set. Threads: safe.
 *
 * spill  [in]  write the run to the file; otherwise it stays in memory
 *
 * Errors: PLB_ENOMEM, those of errno. */
int plb_key_runs_add(plb_key_runs *runs, plb_position_set *set, bool spill, plb_message *message);

/* The number of positions of a bucket in all runs, duplicates included. */
uint64_t plb_key_runs_count(const plb_key_runs *runs, uint64_t bucket, uint64_t buckets);

/* Gather the positions of a bucket, each once, in an empty set that has space for them.
 * Errors: PLB_ENOMEM, PLB_EIO (the file has changed), those of errno.
 * Threads: safe, after all runs were added. */
int plb_key_runs_gather(const plb_key_runs *runs, uint64_t bucket, uint64_t buckets,
                        plb_position_set *set, plb_message *message);
