/* SPDX-License-Identifier: MIT
 *
 * A pass over a ply: what its two directions (reach_ply.h, solve_ply.h) have in common. The unit of
 * work is a segment: whole slabs, from planes to packed bytes, so that nothing depends on how many
 * threads there are. A worker works on one segment after another; a slab of many blocks is split
 * into runs, which idle threads take over.
 *
 *     worker 0   segment 0           | segment 1 ..         as many workers as slabs fit the memory
 *     worker 1   segment 8 | segment 9 ..                   and threads there are
 *                            slab: [run][run][run]..        any thread
 */
#ifndef PLB_BUILDER_SLABS_PLY_PASS_H
#define PLB_BUILDER_SLABS_PLY_PASS_H

#include <pthread.h>

#include "builder/engine.h"
#include "builder/slabs/slab_worker.h"

/* What was counted in a ply of values. */
typedef struct plb_ply_sums {
    plb_reach_counts reached;
    uint64_t solved;         /* open positions of the blocks that were solved, */
    plb_outcome_tally tally; /* and who wins them */
} plb_ply_sums;

/* Parts of the next ply that a ply needs from each of its parts on, as bits. */
typedef struct plb_needed_parts {
    int ply; /* or -1 */
    uint32_t from[PLB_PLY_PARTS];
} plb_needed_parts;

/* The state of the engine of slabs. */
typedef struct plb_slab_engine {
    plb_engine_options options;
    const plb_index *index;
    const plb_kernels *kernels;
    plb_outcome_code coding;
    plb_slab_part part;          /* the blocks that values have */
    plb_reach_way way;           /* how open positions are found; by columns: */
    plb_columns columns;         /* their automaton, */
    plb_reach_counts *reachable; /* and what there is on each ply */
    plb_threads threads;
    pthread_mutex_t lock; /* guards segments of workers, and reports and errors of passes */
    plb_scratch_codec *codec;
    plb_parts parts;               /* of the ply that is solved, */
    plb_ply_prediction prediction; /* how its blocks are predicted, */
    plb_ply_sums sums;             /* and what was counted .. */
    int summed_ply, summed_parts;  /* .. of which ply, in so many parts */
    plb_needed_parts needed;       /* of the ply that was asked for last */
    plb_memory_pool *pool;
    plb_scratch_file in_memory[2]; /* planes of which file the pool has, of even and of odd plies */
    plb_plane_cache *cache;
    plb_scratch_file cached;  /* planes of which file it has; ply -1: none */
    plb_thread_state *states; /* [options.threads] */
    plb_slab_worker *workers; /* [options.threads] */
} plb_slab_engine;

/* The part of a ply that is solved, shared by the threads. */
typedef struct plb_pass {
    plb_slab_engine *engine;
    int ply;
    plb_parts parts; /* of the ply */
    int part;
    const plb_ply_planes *neighbour, *made, *reach; /* made: of this ply, in this pass */
    plb_scratch *table;
    plb_ply_prediction *prediction; /* of its blocks; NULL: nothing is stored */
    bool samples;                   /* solves some runs of the whole ply only, and stores nothing */
    bool solves;                    /* else it only saves what was solved */
    int error;                      /* the first one; guarded by the engine's lock */
    plb_message *message;
} plb_pass;

/* The parts of a ply of values; a ply of reachable positions is made as one. */
plb_parts plb_pass_parts(const plb_slab_engine *engine, int ply);

/* A pass over a ply: its first part, which reads and makes nothing yet; the caller says what. */
plb_pass plb_pass_over(plb_slab_engine *engine, int ply, const plb_parts *parts,
                       plb_message *message);

/* ---- running ---- */

/* Work on all slabs of a segment. */
typedef int plb_segment_work(plb_pass *p, plb_slab_worker *w, uint64_t segment);

/* Do it for every segment of the part; what the threads count begins at 0. */
int plb_pass_run(plb_pass *p, plb_segment_work *work);

/* Work on a run of a slab. Errors: PLB_ENOMEM. */
typedef int plb_run_work(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                         plb_run run);

/* Do it for every run, and let the threads share them. Errors: those of the work. */
int plb_pass_share_runs(const plb_pass *p, plb_slab_worker *w, const plb_slab *slab,
                        plb_run_work *work);

/* ---- slabs ---- */

/* Shape a slab and make room for its planes. Errors: PLB_ENOMEM, without a message. */
int plb_pass_begin_slab(const plb_pass *p, plb_slab_worker *w, uint64_t slab, uint64_t occupied);

/* Fetch a slab of the neighbouring ply. */
int plb_pass_add_neighbour(const plb_pass *p, plb_slab_worker *w, plb_step step, uint64_t occupied);

/* Write the planes of the slab to the scratch file of its part. */
int plb_pass_store_slab(const plb_pass *p, plb_slab_worker *w, uint64_t slab);

/* The memory for a slab does not suffice: PLB_ENOMEM, with a message. */
int plb_pass_fail_memory(plb_slab_worker *w);

/* ---- runs ---- */

static inline uint64_t plb_pass_count_ones(const uint64_t *plane, size_t words) {
    uint64_t ones = 0;
    for (size_t w = 0; w < words; w++) ones += plb_popcount(plane[w]);
    return ones;
}

static inline uint64_t plb_pass_count_common(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t ones = 0;
    for (size_t w = 0; w < words; w++) ones += plb_popcount(a[w] & b[w]);
    return ones;
}

#endif
