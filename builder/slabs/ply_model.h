/* SPDX-License-Identifier: MIT
 *
 * How the blocks of a ply are predicted. Blocks are encoded as soon as their values are known, so
 * the model is needed before: some ranges of the ply are first solved only to be counted.
 *
 *     slab 0    [range][     ][     ][     ][range][     ]..
 *     slab 1    [     ][     ][range]..     in large plies also whole slabs are left out
 *     ..                      -> counts -> model -> all slabs, all ranges
 *
 * The choice of these ranges depends only on their numbers, so a model depends neither on threads
 * nor on the order of work. Must not know: planes of slabs, files.
 */
#ifndef PLB_BUILDER_SLABS_PLY_MODEL_H
#define PLB_BUILDER_SLABS_PLY_MODEL_H

#include "tables/codec/block_entropy.h"

/* Plies with fewer entries of the index have no model: to begin a sample costs more than they
 * save. */
enum { PLB_PREDICTED_ENTRIES = 1 << 18 };

typedef struct plb_ply_prediction {
    const plb_block_layout *layout;
    bool is_sampling; /* then blocks are counted, not stored */
    bool has_model;
    plb_block_model model;
    plb_block_encoding encoding;
    uint8_t record[PLB_MODEL_BYTES]; /* of the model */
    size_t record_bytes;             /* 0: there is none */
    uint64_t slab_step, range_step;  /* one slab of so many, and of that one range of so many */
    plb_block_counts counts;
    uint64_t blocks, packed_bytes; /* that were counted, and what they take without prediction */
} plb_ply_prediction;

/* Begin a ply, with its sample if it is to have one. layout: how it is divided; must outlive the
 * ply. */
void plb_ply_prediction_begin(plb_ply_prediction *prediction, const plb_block_layout *layout);

/* Resume a ply, by the record of its model (size 0: it has none). Errors: PLB_ECORRUPT. */
int plb_ply_prediction_resume(plb_ply_prediction *prediction, const plb_block_layout *layout,
                              const uint8_t *record, size_t size);

/* Is a slab in the sample, and a range of it? */
bool plb_ply_prediction_samples_slab(const plb_ply_prediction *prediction, uint64_t slab);
bool plb_ply_prediction_samples_range(const plb_ply_prediction *prediction, uint64_t slab,
                                      uint64_t range);

/* Count the digits that a coder has listed of a block in the sample. packed_bytes: what it takes
 * without prediction. Threads: safe. */
void plb_ply_prediction_count(plb_ply_prediction *prediction, plb_block_coder *coder,
                              size_t packed_bytes);

/* End the sample: make the model, if one saves more than it takes. */
void plb_ply_prediction_end_sample(plb_ply_prediction *prediction);

#endif
