/* SPDX-License-Identifier: MIT
 *
 * How the memory of a build is divided. Must not know: how a ply is solved.
 *
 *     memory   [process, threads, workers on slabs: needed | spare                               ]
 *     spare    [3/4 planes of two plies                   | 1/4 cache of unpacked planes         ]
 *
 * Workers, with what other ranks send, need most memory on a few plies. On other plies the rest
 * goes to the cache, and so does the memory for planes of two plies if less than half of these
 * planes would fit.
 */
#ifndef PLB_BUILDER_MEMORY_BUDGET_H
#define PLB_BUILDER_MEMORY_BUDGET_H

#include <stdbool.h>

#include "tables/vocabulary.h"

/* The memory that a build needs, however that was found out. */
typedef struct plb_memory_needs {
    double shared_bytes; /* of the process, besides all below */
    double thread_bytes; /* of a thread */
    double ahead_bytes;  /* of the process before all plies, while one thread counts positions, */
    double rounds_bytes; /* and if it does so in rounds (plb_count_work) */
    double worker_bytes[PLB_MAX_CELLS + 1];   /* of a worker on the slabs of a ply, */
    double piece_bytes[PLB_MAX_CELLS + 1];    /* and if it solves them in the smallest pieces; not
                                                 less: they can't be cut */
    double exchange_bytes[PLB_MAX_CELLS + 1]; /* of a rank, for what others send on a ply */
    double held_bytes[PLB_MAX_CELLS + 1]; /* the planes that are needed while a ply is solved, if
                                             all stay in memory: of this ply and the next */
} plb_memory_needs;

typedef struct plb_budget {
    double memory_bytes;            /* all that was shared out */
    double needed_bytes;            /* of the process, besides all below */
    int workers[PLB_MAX_CELLS + 1]; /* slabs that are worked on at a time, by ply; 0: one for each
                                       thread, which is the most */
    double piece_bytes[PLB_MAX_CELLS + 1]; /* that a slab of a ply may take, solved in pieces; 0: it
                                              is solved whole */
    double slab_bytes[PLB_MAX_CELLS + 1];  /* that it may take whole; one that takes more is solved
                                              in pieces all the same */
    int ahead_threads;                     /* that count positions before all plies; 0: all */
    bool ahead_in_rounds;                  /* do they count in rounds? */
    uint64_t ply_memory_bytes;             /* planes of two plies */
    bool holds[PLB_MAX_CELLS + 1];         /* do planes of a ply stay in the ply memory? */
    uint64_t cache_bytes[PLB_MAX_CELLS + 1]; /* planes that were unpacked for the work on a ply */
} plb_budget;

/* Share memory out. Where it does not suffice, needed_bytes exceeds it. Slabs are solved in pieces
 * where there is no memory for a worker on whole ones: one works, with all of the memory. */
plb_budget plb_budget_make(const plb_memory_needs *needs, int threads, double memory_bytes);

/* Share out what is beyond the needed bytes, which are unknown; a worker for each thread. */
plb_budget plb_budget_of_spare(uint64_t spare_bytes);

/* Take the spare bytes away: no planes stay in memory. */
void plb_budget_drop_spare(plb_budget *budget);

/* What the cache takes at most. */
uint64_t plb_budget_max_cache_bytes(const plb_budget *budget);

/* The spare bytes with which planes of a size stay in memory, all of them. */
double plb_budget_spare_for_planes(double bytes);

/* Have the system keep the process within a bound: from now on an allocation beyond it fails, and a
 * build whose budget was made for it ends so that it can be resumed. The stacks of the threads that
 * it will have are beside it, as hardly any of them is ever used. For the program that owns the
 * process to call. */
void plb_budget_bound_process(double memory_bytes, double stack_bytes);

#endif
