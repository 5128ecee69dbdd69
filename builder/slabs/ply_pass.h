/* SPDX-License-Identifier: MIT
 *
 * A pass over a ply: what its two directions (reach_ply.h, solve_ply.h) have in common. The unit of
 * work is a segment: whole slabs, from planes to packed bytes, so that nothing depends on the
 * number of threads. Each worker works on one segment after another. A slab of many blocks is split
 * into ranges, which any idle thread can take.
 *
 *     worker 0   segment 0           | segment 1 ..         as many workers as there are threads,
 *     worker 1   segment 8 | segment 9 ..                   or fewer if memory is short
 *                            slab: [range][range]..  any thread
 */
#pragma once

#include "builder/slabs/slab_state.h"

/* A pass over a part of a ply, shared by the threads. */
typedef struct plb_pass {
    plb_slab_engine *engine;
    int ply;
    plb_parts parts; /* of the ply */
    int part;
    plb_segment_run run;       /* segments of the part for this process; of a sample: of the ply */
    uint64_t slabs_done;       /* of these; guarded by the engine's lock */
    plb_ply_planes *neighbour; /* read; may still arrive from other ranks */
    const plb_ply_planes *made, *reach; /* written: planes of this ply; read: its open positions */
    plb_scratch *table;                 /* NULL: no blocks are made */
    plb_ply_prediction *prediction;     /* of its blocks; NULL: nothing is stored */
    bool samples;                       /* solves only the sample of the ply, and stores nothing */
    bool solves;                        /* else it only writes what was solved */
    int error;                          /* the first one; guarded by the engine's lock */
    plb_message *message;
} plb_pass;

/* A pass over all segments of a ply, as part 0. The caller sets what it reads and writes. */
plb_pass plb_pass_over(plb_slab_engine *engine, int ply, const plb_parts *parts,
                       plb_message *message);

/* Does `stored` mark all quiet positions, also those that cannot arise, so that they need not be
 * found again? In these both players win. A forward pass does not tell them from other ones. */
static inline bool plb_pass_marks_quiet(const plb_pass *p) {
    return p->engine->way != PLB_REACH_FORWARD && !p->samples;
}

/* ---- running ---- */

/* Work on a slab. */
typedef int plb_slab_work(plb_pass *p, plb_slab_worker *w, uint64_t slab);

/* Clear the counts of the threads, work on every slab of p->run, write the table's segments. */
int plb_pass_run(plb_pass *p, plb_slab_work *work);

/* Work on a range of a slab. Errors: PLB_ENOMEM. */
typedef int plb_range_work(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                           plb_block_range range);

/* Work on every range of a slab, shared by the threads. Ranges of a piece end where those of the
 * whole slab end. Errors: those of the work. */
int plb_pass_share_ranges(const plb_pass *p, plb_slab_worker *w, const plb_slab *slab,
                          plb_range_work *work);

/* ---- slabs ---- */

/* Shape a slab and reserve memory for its planes. Errors: PLB_ENOMEM, without a message. */
int plb_pass_begin_slab(const plb_pass *p, plb_slab_worker *w, uint64_t slab, uint64_t occupied);

/* Fetch a slab of the neighbouring ply. */
int plb_pass_add_neighbour(const plb_pass *p, plb_slab_worker *w, plb_step step, uint64_t occupied);

/* The memory for a slab does not suffice: PLB_ENOMEM, with a message. */
int plb_pass_fail_memory(plb_slab_worker *w);

/* ---- ranges ---- */

/* Is a range of the slab, or of its current piece, solved? In a sample most are not. */
static inline bool plb_pass_solves_range(const plb_pass *p, const plb_slab_worker *w,
                                         size_t first_block) {
    return !p->samples ||
           plb_ply_prediction_samples_range(p->prediction, w->number,
                                            (w->blocks_before + first_block) / PLB_RANGE_BLOCKS);
}

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
