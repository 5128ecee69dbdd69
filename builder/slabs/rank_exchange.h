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
 * So is the forward pass divided, but for small plies, which rank 0 makes alone. It has the reach
 * files of all plies, as one process has, and what is read of them comes from there.
 *
 * Who makes what follows from the ply and the number of ranks, and no byte of the table follows
 * from that. All functions are for all ranks at the same time, and take the error that a rank has
 * had before. Where ranks exchange anything they agree on it first (builder/ranks/ranks.h), and all
 * return it. Where they exchange nothing, as of a ply that is not divided, each returns its own at
 * once, and the caller must tell the others.
 */
#ifndef PLB_BUILDER_SLABS_RANK_EXCHANGE_H
#define PLB_BUILDER_SLABS_RANK_EXCHANGE_H

#include "builder/slabs/ply_pass.h"

/* Plies with fewer entries of the index are made by every rank. */
static const double PLB_DIVIDED_ENTRIES = 0x1p22;

/* Cut the plies, before all else: rank 0 does. Then it tells the others. Errors: PLB_ENOMEM; those
 * of plb_ranks_broadcast. */
int plb_exchange_cut(plb_slab_engine *engine);
int plb_exchange_tell_cuts(plb_slab_engine *engine, plb_message *message);

/* Is a ply divided among the ranks? */
bool plb_exchange_divides(const plb_slab_engine *engine, int ply);

/* The segments of a part that this rank makes; and those that it has: rank 0 has all of what an
 * earlier run has saved, and of reach files. */
plb_segment_run plb_exchange_share(const plb_slab_engine *engine, plb_scratch_file file);
plb_segment_run plb_exchange_own(const plb_slab_engine *engine, plb_scratch_file file);

/* Receive what the work on a part reads of a layer and others have, and send them what they read.
 *
 * part   [in]      values, or reach
 * read   [in]      the layer's: values of the next ply, reach of the ply before, or of the same
 * layer  [in,out]  layer->received is set
 *
 * Errors: those of plb_ranks_swap, plb_scratch_get. */
int plb_exchange_planes(plb_slab_engine *engine, plb_scratch_file part, plb_scratch_file read,
                        plb_ply_planes *layer, int error, plb_message *message);

/* Sum what was counted in a sample of the ply. */
int plb_exchange_sample(const plb_slab_engine *engine, int ply, plb_ply_prediction *prediction,
                        int error, plb_message *message);

/* Sum what was counted in a part of the ply. */
int plb_exchange_sums(const plb_slab_engine *engine, int ply, plb_ply_sums *sums, int error,
                      plb_message *message);

/* Collect the planes of a part, of which a layer has those that this rank has made, in a file of
 * rank 0, which may be that of its own layer. */
int plb_exchange_values(const plb_slab_engine *engine, plb_scratch_file file,
                        const plb_ply_planes *layer, plb_scratch *collected, int error,
                        plb_message *message);

/* Collect the segments of a part in the table file of rank 0, where it is not committed yet; those
 * of others are. Nothing is done if ranks keep their segments. */
int plb_exchange_segments(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch *table,
                          int error, plb_message *message);

#endif
