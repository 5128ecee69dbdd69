/* SPDX-License-Identifier: MIT
 *
 * What ranks exchange as they solve a ply together. Each makes a run of its segments, so whole
 * slabs; plies of few entries are made by every rank, whole, since messages would take longer.
 *
 *     ply n + 1   [rank 0      |rank 1    |rank 2        ]   while ply n is solved: packed records
 *                       \        /  \       /                of the slabs that it reads
 *     ply n       [rank 0   |rank 1   |rank 2  ]             after it: segments to rank 0, and what
 *                                                            was counted
 *
 * So is the forward pass divided, but for small plies, which rank 0 makes alone. It has the reach
 * files of all plies, as one process has, and what is read of them comes from there.
 *
 * Who makes what follows from the ply and the number of ranks, and no byte of the table follows
 * from that. All ranks call the functions that exchange something at the same time. An argument
 * `error` is the error that this rank has had before: where ranks exchange anything they agree on
 * it first (builder/ranks/ranks.h), and all return it. Where they exchange nothing, as of a ply
 * that is not divided, each returns its own at once, and the caller must tell the others.
 */
#ifndef PLB_BUILDER_SLABS_RANK_EXCHANGE_H
#define PLB_BUILDER_SLABS_RANK_EXCHANGE_H

#include "builder/slabs/ply_pass.h"

/* Plies with fewer entries of the index are made by every rank. */
static const double PLB_DIVIDED_ENTRIES = 0x1p22;

/* What a rank sends in a round, about; in as many rounds as are needed. */
static const uint64_t PLB_ROUND_BYTES = 64 << 20;

/* Begin, before all else: rank 0 cuts the plies. Then it tells the others. Errors: PLB_ENOMEM;
 * those of plb_ranks_broadcast. */
int plb_exchange_open(plb_slab_engine *engine);
void plb_exchange_close(plb_slab_engine *engine);

/* Give back the memory of messages, which serves again and again; not while an exchange goes on. */
void plb_exchange_give_back(plb_slab_engine *engine);

int plb_exchange_tell_cuts(plb_slab_engine *engine, plb_message *message);

/* Is a ply divided among the ranks? */
bool plb_exchange_divides(const plb_slab_engine *engine, int ply);

/* The segments of a part that this rank makes; and those that it has: rank 0 has all of what an
 * earlier run has saved, and of reach files. */
plb_segment_run plb_exchange_share(const plb_slab_engine *engine, plb_scratch_file file);
plb_segment_run plb_exchange_own(const plb_slab_engine *engine, plb_scratch_file file);

/* What the work on a part reads of a layer. */
typedef struct plb_plane_demand {
    plb_scratch_file part; /* values, or reach */
    plb_scratch_file read; /* the layer's: values of the next ply, reach of the one before, or of
                              the same */
    plb_ply_planes *layer; /* layer->received is set */
    const plb_ply_prediction *sample; /* work on this alone; NULL: on all of the part */
} plb_plane_demand;

/* Begin to receive what others have of it and was not received before, and to send them what they
 * read, in a thread of its own; until the end nothing else is exchanged. All ranks begin, or none.
 * A stop (options.stop) ends it after the records that are on their way. At the end wait for what
 * has not arrived; its error, or else that of the work meanwhile, which the others learn. An end
 * without a beginning returns `error`; layer may be NULL then.
 *
 * Errors: those of plb_ranks_all_to_all, plb_scratch_get. */
int plb_exchange_begin(const plb_slab_engine *engine, const plb_plane_demand *demand,
                       plb_message *message);
int plb_exchange_end(const plb_ply_planes *layer, int error, plb_message *message);

/* Wait until the records of a slab that another rank sends are there, and find them: [runs], with
 * bytes NULL where no other rank sends them. Threads: safe. Errors: those of the exchange, which
 * plb_exchange_end tells. */
int plb_exchange_await(plb_received *received, uint64_t slab, const plb_received_record **records);

/* Not while an exchange goes on. Accepts NULL. */
void plb_exchange_forget(plb_received *received);

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
