/* SPDX-License-Identifier: MIT
 *
 * The sweep over a ply: every canonical slab of it, in parallel.
 *
 *     forward    reach(n)  = positions that moves from open positions of ply n-1 lead to
 *     backward   values(n) = outcomes from those of ply n+1
 *
 * An open position is one that is reachable and in which the game goes on. Both passes read the
 * neighbouring ply's planes and make their own; which plies there are, and what is kept, is
 * build.h's business.
 */
#ifndef PLB_BUILDER_SLABS_SWEEP_H
#define PLB_BUILDER_SLABS_SWEEP_H

#include <signal.h>

#include "builder/slabs/kernels.h"
#include "builder/slabs/plane_source.h"
#include "tables/index.h"

typedef struct plb_sweep plb_sweep;

typedef struct plb_sweep_options {
    const plb_kernels *kernels;
    plb_values values; /* what the table is to tell */
    int threads;
    int workers[PLB_MAX_CELLS + 1];    /* slabs in work at a time, by ply; 1 to threads */
    uint64_t cache_bytes;              /* memory to keep neighbouring slabs in, all workers */
    uint64_t block_positions;          /* indices of a block of the table */
    uint64_t identity;                 /* of the table (tables/seal.h) */
    int level;                         /* of compression */
    const volatile sig_atomic_t *stop; /* set it to stop a pass soon; NULL: never */
    void (*advance)(void *context, uint64_t entries); /* index entries done; from one thread at */
    void *context;                                    /* a time, often; NULL: nobody asks */
} plb_sweep_options;

/* index must outlive it. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_sweep_open(const plb_index *index, const plb_sweep_options *options, plb_sweep **sweep);
void plb_sweep_close(plb_sweep *sweep);

/* Reachable positions of a ply, all of each orbit. */
typedef struct plb_reach_counts {
    uint64_t open, terminal; /* terminal: a group is complete */
} plb_reach_counts;

/* Forward pass over a ply.
 *
 * before  [in]   open positions of ply - 1; read with gravity only, and not for ply 0
 * reach   [out]  open positions of this ply
 *
 * Errors: PLB_EINTERRUPTED, PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_sweep_forward(plb_sweep *sweep, int ply, const plb_layer *before, const plb_layer *reach,
                      plb_reach_counts *counts, plb_message *message);

/* What a ply has told. */
typedef struct plb_ply_results {
    plb_ply_stats stats;
    plb_ply_distances distances; /* 0 where values have none */
} plb_ply_results;

/* Backward pass over a ply.
 *
 * after   [in]   values of ply + 1; NULL for the last ply
 * reach   [in]   open positions of this ply; NULL: all in which nobody has a group
 * values  [out]  values of this ply; those that are in memory are not in the scratch file yet
 * table   [out]  segments of this ply
 * counts  [in]   of this ply
 * results [out]  of this ply
 *
 * Errors: as above. */
int plb_sweep_backward(plb_sweep *sweep, int ply, const plb_layer *after, const plb_layer *reach,
                       const plb_layer *values, plb_scratch *table, const plb_reach_counts *counts,
                       plb_ply_results *results, plb_message *message);

/* Write the values of a ply that are only in memory to its scratch file; not to be stopped. Errors:
 * as above.
 */
int plb_sweep_save(plb_sweep *sweep, int ply, const plb_layer *values, plb_message *message);

#endif
