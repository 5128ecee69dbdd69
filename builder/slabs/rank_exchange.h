/* SPDX-License-Identifier: MIT
 *
 * What ranks exchange as they solve a ply together. Each makes a run of its segments, so whole
 * slabs; plies of few entries are made by every rank, whole, since messages would take longer.
 *
 *     ply n + 1   [rank 0      |rank 1    |rank 2        ]   before ply n is solved: packed records
 *                       \        /  \       /                of the slabs that it reads
 *     ply n       [rank 0   |rank 1   |rank 2  ]             after it: segments to rank 0, and what
 *                                                            was counted
 *
 * Who makes what follows from the ply and the number of ranks, and no byte of the table follows
 * from that. All functions are for all ranks at the same time, and take the error that a rank has
 * had before: if any has one, all return it (builder/ranks/ranks.h). Alone they return at once.
 */
#ifndef PLB_BUILDER_SLABS_RANK_EXCHANGE_H
#define PLB_BUILDER_SLABS_RANK_EXCHANGE_H

#include "builder/slabs/ply_pass.h"

/* Plies with fewer entries of the index are made by every rank. */
static const double PLB_DIVIDED_ENTRIES = 0x1p22;

/* Cut the plies; before all else. Errors: PLB_ENOMEM. */
int plb_exchange_cut(plb_slab_engine *engine);

/* Is a ply divided among the ranks? */
bool plb_exchange_divides(const plb_slab_engine *engine, int ply);

/* The segments of a part that this rank makes, or has: what an earlier run has saved rank 0 has. */
plb_segment_run plb_exchange_own(const plb_slab_engine *engine, plb_scratch_file file);

/* Records of slabs that others have made. */
typedef struct plb_received {
    plb_bytes
        *records; /* [slabs of the ply << run bits] in the buffers; bytes NULL: not this one */
    plb_bytes *buffers; /* [count] */
    int count;
} plb_received;

/* Receive what the work on a part reads of the next ply, which others have made, and send them what
 * they read. after->received is set to it, until it is freed.
 *
 * Errors: those of plb_ranks_swap, plb_scratch_get. Free with plb_received_free in any case. */
int plb_exchange_planes(plb_slab_engine *engine, plb_scratch_file part, plb_ply_planes *after,
                        plb_received *received, int error, plb_message *message);
void plb_received_free(plb_received *received);

/* Sum what was counted in a sample of the ply. */
int plb_exchange_sample(const plb_slab_engine *engine, int ply, plb_ply_prediction *prediction,
                        int error, plb_message *message);

/* Sum what was counted in a part of the ply. */
int plb_exchange_sums(const plb_slab_engine *engine, int ply, plb_ply_sums *sums, int error,
                      plb_message *message);

/* Collect the planes of a part of a divided ply, of which a layer has those that this rank has
 * made, in the values file of rank 0. */
int plb_exchange_values(const plb_slab_engine *engine, const plb_ply_planes *layer, int part,
                        plb_scratch *values, int error, plb_message *message);

/* Collect the segments of a part in the table file of rank 0, where it is not committed yet; those
 * of others are. */
int plb_exchange_segments(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch *table,
                          int error, plb_message *message);

#endif
