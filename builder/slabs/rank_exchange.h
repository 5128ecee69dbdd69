/* SPDX-License-Identifier: MIT
 *
 * What ranks exchange while they solve a ply together. Each rank solves consecutive segments, and
 * so whole slabs. Rank 0 alone solves small plies, because messages would take longer.
 *
 *     ply n + 1   [rank 0      |rank 1    |rank 2        ]   while ply n is solved: packed slabs
 *                       \        /  \       /                that a rank reads
 *     ply n       [rank 0   |rank 1   |rank 2  ]             after it: segments to rank 0, and
 *                                                            counts to all
 *
 * The forward pass is divided in the same way, but rank 0 alone makes small plies. Rank 0 has the
 * reach files of all plies, and sends the others what they read of them.
 *
 * The division depends only on the ply and the number of ranks; no byte of the table depends on the
 * division. All functions that exchange something are collective (builder/ranks/ranks.h). Their
 * argument `error` is an earlier error of this rank: before anything is exchanged the ranks agree
 * on it, and all return it. If nothing is to be exchanged, for example because the ply is not
 * divided, a rank returns its own error at once, and the caller must tell the others.
 */
#pragma once

#include "builder/slabs/ply_pass.h"

/* Plies with fewer entries of the index are not divided. */
static const double PLB_DIVIDED_ENTRIES = 0x1p22;

/* About how many bytes a rank sends in a round. */
static const uint64_t PLB_ROUND_BYTES = 64 << 20;

/* Open this part of the engine; rank 0 divides the plies that are still to be solved. Errors:
 * PLB_ENOMEM. Then broadcast the division. Errors: those of plb_ranks_broadcast. */
int plb_exchange_open(plb_slab_engine *engine);
int plb_exchange_broadcast_cuts(plb_slab_engine *engine, plb_message *message);
void plb_exchange_close(plb_slab_engine *engine);

/* Free the buffers of messages, which are otherwise reused; not during an exchange. */
void plb_exchange_free_buffers(plb_slab_engine *engine);

/* Is a ply divided among the ranks? If it is not, rank 0 alone solves it. */
bool plb_exchange_divides(const plb_slab_engine *engine, int ply);

/* The segments of a part that this rank solves; those that it has: of parts that an earlier run has
 * saved, of plies that are not divided, and of reach files, rank 0 has all. */
plb_segment_run plb_exchange_share(const plb_slab_engine *engine, plb_scratch_file file);
plb_segment_run plb_exchange_own(const plb_slab_engine *engine, plb_scratch_file file);

/* What the work on a part reads of a layer. */
typedef struct plb_plane_demand {
    plb_scratch_file part; /* the part: values, or reach */
    plb_scratch_file read; /* file of the layer: values of the next ply, reach of the previous or of
                              the same one */
    plb_ply_planes *layer; /* layer->received is set */
    const plb_ply_prediction *sample; /* only slabs of this sample; NULL: all of the part */
} plb_plane_demand;

/* Begin an exchange of planes in the background: receive those that other ranks have and this one
 * reads, unless received before, and send what the others read. Until the end nothing else may be
 * exchanged. A stop (options.stop) ends it after the current round.
 *
 * plb_exchange_end waits for its end. It returns the error of the exchange, or else `error`, that
 * of the work meanwhile. The other ranks get this error too if the exchange is still going on;
 * otherwise the caller must tell them. If no exchange was begun it returns `error`; layer may then
 * be NULL.
 *
 * Errors: those of plb_ranks_all_to_all, plb_scratch_get. */
int plb_exchange_begin(const plb_slab_engine *engine, const plb_plane_demand *demand,
                       plb_message *message);
int plb_exchange_end(const plb_ply_planes *layer, int error, plb_message *message);

/* Wait until the records of a slab have arrived, if another rank sends it, and find them: [runs],
 * with bytes NULL where none has arrived. Threads: safe. Errors: those of the exchange;
 * plb_exchange_end gives the message. */
int plb_exchange_await(plb_received *received, uint64_t slab, const plb_received_record **records);

/* Free what a layer has received; not during an exchange. Accepts NULL. */
void plb_exchange_free_received(plb_received *received);

/* Sum the counts of a sample of the ply over the ranks. */
int plb_exchange_sample(const plb_slab_engine *engine, int ply, plb_ply_prediction *prediction,
                        int error, plb_message *message);

/* Sum the counts of a part of the ply over the ranks. */
int plb_exchange_sums(const plb_slab_engine *engine, int ply, plb_ply_sums *sums, int error,
                      plb_message *message);

/* Collect the planes of a part in a file of rank 0. layer has the planes that this rank has solved;
 * the file may be that of the layer itself. */
int plb_exchange_values(const plb_slab_engine *engine, plb_scratch_file file,
                        const plb_ply_planes *layer, plb_scratch *collected, int error,
                        plb_message *message);

/* Collect the segments of a part in the table file of rank 0, which is not committed yet; those of
 * other ranks are. Does nothing if ranks keep their segments. */
int plb_exchange_segments(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch *table,
                          int error, plb_message *message);
