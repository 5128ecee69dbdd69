/* SPDX-License-Identifier: MIT */
#include "builder/slabs/ply_model.h"

#include <pthread.h>
#include <string.h>

#include "tables/bits.h"

enum {
    SAMPLE_ENTRIES = 1 << 19, /* of the index, about */
    MIN_STEP = 8,             /* fewer entries in small plies: samples are solved twice */
    MAX_STEP = 64,            /* more entries in large plies */
    MIN_SLABS = 64,           /* in the sample, about, if slabs are left out */
    STATE_BYTES = 4,          /* of an encoded block, besides its digits */
};

void plb_ply_prediction_begin(plb_ply_prediction *prediction, const plb_block_layout *layout) {
    uint64_t entries = layout->slabs * layout->slab_size;
    uint64_t step = plb_max(MIN_STEP, plb_min(entries / SAMPLE_ENTRIES, MAX_STEP));
    memset(prediction, 0, sizeof *prediction);
    prediction->layout = layout;
    prediction->is_sampling = entries >= PLB_PREDICTED_ENTRIES;
    prediction->slab_step = plb_max(1, plb_min(layout->slabs / MIN_SLABS, step));
    prediction->range_step = plb_divide_up(step, prediction->slab_step);
}

int plb_ply_prediction_resume(plb_ply_prediction *prediction, const plb_block_layout *layout,
                              const uint8_t *record, size_t size) {
    memset(prediction, 0, sizeof *prediction);
    prediction->layout = layout;
    if (size == 0) return PLB_OK;
    memcpy(prediction->record, record, size);
    prediction->record_bytes = size;
    int error = plb_block_model_read(record, size, &prediction->model);
    if (error) return error;
    prediction->has_model = true;
    plb_block_encoding_make(&prediction->model, &prediction->encoding);
    return PLB_OK;
}

/* Fractions of irrational numbers. Their multiples are spread evenly however few there are, which
 * matters because slabs that are near in the order are alike. */
enum multiple { GOLDEN, PLASTIC, PLASTIC_SQUARE };
static const uint64_t fractions[] = {[GOLDEN] = 0x9E3779B97F4A7C15,
                                     [PLASTIC] = 0xC13FA9A902A6328F,
                                     [PLASTIC_SQUARE] = 0x91E10DA5C79E7B1D};

/* Is fraction / 2^64 below 1 / step, about? */
static bool is_low(uint64_t fraction, uint64_t step) {
    return (fraction >> 32) * step >> 32 == 0;
}

/* Slabs that share a block are sampled together. */
bool plb_ply_prediction_samples_slab(const plb_ply_prediction *prediction, uint64_t slab) {
    uint64_t together = plb_max(1, prediction->layout->slabs_per_block);
    return is_low(slab / together * fractions[GOLDEN], prediction->slab_step);
}

bool plb_ply_prediction_samples_range(const plb_ply_prediction *prediction, uint64_t slab,
                                      uint64_t range) {
    return is_low(slab * fractions[PLASTIC] + range * fractions[PLASTIC_SQUARE],
                  prediction->range_step);
}

void plb_ply_prediction_count(plb_ply_prediction *prediction, plb_block_coder *coder,
                              size_t packed_bytes) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    plb_block_coder_count(coder, &prediction->counts);
    prediction->blocks++;
    prediction->packed_bytes += packed_bytes;
    pthread_mutex_unlock(&lock);
}

/* The model is kept if it saves more than its record takes, assuming that all blocks are like those
 * of the sample. */
void plb_ply_prediction_end_sample(plb_ply_prediction *prediction) {
    uint64_t weight = prediction->slab_step * prediction->range_step; /* of a sampled block */
    size_t size = plb_block_model_make(&prediction->counts, weight, prediction->record);
    int error = plb_block_model_read(prediction->record, size, &prediction->model);
    uint64_t cost = prediction->blocks * STATE_BYTES;
    if (!error) cost += plb_block_model_cost(&prediction->model, &prediction->counts);
    prediction->is_sampling = false;
    prediction->has_model = !error && cost < prediction->packed_bytes &&
                            (prediction->packed_bytes - cost) * weight > size;
    prediction->record_bytes = prediction->has_model ? size : 0;
    if (prediction->has_model) plb_block_encoding_make(&prediction->model, &prediction->encoding);
}
