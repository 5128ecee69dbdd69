/* SPDX-License-Identifier: MIT
 *
 * The memory budget of a build. Must not know: how a ply is solved.
 *
 *     memory   [needed by the process, threads, workers on slabs | spare                        ]
 *     spare    [3/4 ply memory: planes of two plies        | 1/4 cache of decompressed planes   ]
 *
 * What is needed is the maximum over all plies. On plies that need less, the difference goes to the
 * cache. So does the ply memory, if less than half of the planes of two plies fit in it.
 */
#pragma once

#include <stdbool.h>

#include "tables/vocabulary.h"

/* The memory that a build needs, in bytes. Arrays are by ply. */
typedef struct plb_memory_needs {
    double shared_bytes; /* the process, without the following */
    double thread_bytes; /* each thread */
    double ahead_bytes;  /* the process while one thread counts positions before the first ply */
    double rounds_bytes; /* the same if it counts in rounds (plb_count_work) */
    double worker_bytes[PLB_MAX_CELLS + 1];   /* a worker on whole slabs */
    double piece_bytes[PLB_MAX_CELLS + 1];    /* a worker on the smallest pieces; as worker_bytes if
                                                 slabs cannot be cut */
    double exchange_bytes[PLB_MAX_CELLS + 1]; /* what a rank receives from others */
    double held_bytes[PLB_MAX_CELLS + 1];     /* peak of the planes of this ply and the next */
} plb_memory_needs;

/* Arrays are by ply. */
typedef struct plb_budget {
    double memory_bytes;                   /* total */
    double needed_bytes;                   /* for the process, without ply memory and cache */
    int workers[PLB_MAX_CELLS + 1];        /* slabs solved at the same time; 0: one per thread */
    double piece_bytes[PLB_MAX_CELLS + 1]; /* limit for a slab solved in pieces; 0: solved whole */
    double slab_bytes[PLB_MAX_CELLS + 1];  /* a slab that would take more is solved in pieces */
    int ahead_threads;                     /* threads that count before the first ply; 0: all */
    bool ahead_in_rounds;                  /* they count in rounds */
    uint64_t ply_memory_bytes;             /* for planes of two plies */
    bool holds[PLB_MAX_CELLS + 1];         /* planes of the ply stay in the ply memory */
    uint64_t cache_bytes[PLB_MAX_CELLS + 1]; /* for decompressed planes */
} plb_budget;

/* Divide the memory. If it is too small, needed_bytes exceeds memory_bytes. If there is no memory
 * for one worker on whole slabs of a ply, one worker solves them in pieces, with all memory. */
plb_budget plb_budget_make(const plb_memory_needs *needs, int threads, double memory_bytes);

/* Let up to this many threads count before the first ply, as far as the memory suffices. */
void plb_budget_count_with(plb_budget *budget, const plb_memory_needs *needs, int threads);

/* Divide spare bytes only; one worker per thread. */
plb_budget plb_budget_of_spare(uint64_t spare_bytes);

/* Remove ply memory and cache: no planes stay in memory. */
void plb_budget_drop_spare(plb_budget *budget);

/* The largest cache_bytes. */
uint64_t plb_budget_max_cache_bytes(const plb_budget *budget);

/* The spare bytes of a budget whose ply memory has this many bytes. */
double plb_budget_spare_for_planes(double bytes);

/* Limit the memory of the process: from now on an allocation beyond it fails, and a build stops so
 * that it can be resumed. stack_bytes: thread stacks, which are added to the limit because hardly
 * any of them is used. To be called by the program that owns the process. */
void plb_budget_bound_process(double memory_bytes, double stack_bytes);
