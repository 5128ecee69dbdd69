/* SPDX-License-Identifier: MIT
 *
 * The model that predicts the blocks of a ply. Blocks are encoded as soon as their values are
 * known, so the model is needed before that: it is made from a sample, ranges that are solved first
 * and only counted.
 *
 *     slab 0    [range][     ][     ][     ][range][     ]..
 *     slab 1    [     ][     ][range]..     in plies of many slabs some are left out
 *     ..                      -> counts -> model -> all slabs, all ranges
 *
 * The sample depends only on the numbers of slabs and ranges, so a model depends neither on threads
 * nor on the order of work. Must not know: planes of slabs, files.
 */
#pragma once

#include "tables/codec/block_entropy.h"

/* Plies with fewer entries have no model: sampling would cost more than the model saves. */
enum { PLB_PREDICTED_ENTRIES = 1 << 18 };

typedef struct plb_ply_prediction {
    const plb_block_layout *layout;
    bool is_sampling; /* blocks are counted, not stored */
    bool has_model;
    plb_block_model model;
    plb_block_encoding encoding;
    uint8_t record[PLB_MODEL_BYTES]; /* of the model */
    size_t record_bytes;             /* 0: there is none */
    uint64_t slab_step, range_step;  /* 1 in slab_step slabs, of these 1 in range_step ranges */
    plb_block_counts counts;
    uint64_t blocks, packed_bytes; /* counted blocks, and their bytes without prediction */
} plb_ply_prediction;

/* Begin a ply, and its sample if it is large enough. layout: of the ply; must outlive it. */
void plb_ply_prediction_begin(plb_ply_prediction *prediction, const plb_block_layout *layout);

/* Resume a ply with the record of its model (size 0: none). Errors: PLB_ECORRUPT. */
int plb_ply_prediction_resume(plb_ply_prediction *prediction, const plb_block_layout *layout,
                              const uint8_t *record, size_t size);

/* Is a slab in the sample, and a range of it? */
bool plb_ply_prediction_samples_slab(const plb_ply_prediction *prediction, uint64_t slab);
bool plb_ply_prediction_samples_range(const plb_ply_prediction *prediction, uint64_t slab,
                                      uint64_t range);

/* Count the digits that a coder has listed for a block of the sample. packed_bytes: its size
 * without prediction. Threads: safe. */
void plb_ply_prediction_count(plb_ply_prediction *prediction, plb_block_coder *coder,
                              size_t packed_bytes);

/* End the sample, and make the model if it saves more bytes than its record takes. */
void plb_ply_prediction_end_sample(plb_ply_prediction *prediction);
