/* SPDX-License-Identifier: MIT
 *
 * Models are made with integers only, so that they are the same on every machine.
 */
#include "tables/codec/block_model.h"

#include <stdbool.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/vocabulary.h"

enum {
    RARE = 24,        /* digits: with fewer, a context saves less than its own numbers take */
    MIN_SEEN = 3,     /* digits: fewer predict nothing */
    NUMBER_BYTES = 4, /* the numbers of a context */
    SHARED = 2,       /* contexts that rare ones share: of outcomes, of rounds */
    BITMAP_BYTES = (PLB_CONTEXTS + 7) / 8,
};

static int kind_of(unsigned context) {
    return context >= PLB_OUTCOME_CONTEXTS;
}

static uint64_t sum_of(const uint64_t seen[PLB_DIGITS]) {
    return seen[0] + seen[1] + seen[2];
}

/* ---- making ---- */

static uint8_t *put_number(uint8_t *to, unsigned number) {
    to[0] = (uint8_t)number;
    to[1] = (uint8_t)(number >> 8);
    return to + 2;
}

/* Write frequencies in proportion to what was seen plus one half for each digit, because a model is
 * also used for blocks that were not counted. Each digit gets at least 1, and the most frequent one
 * the remainder of rounding. */
static uint8_t *put_expectation(uint8_t *to, const uint64_t seen[PLB_DIGITS]) {
    uint64_t sum = 2 * sum_of(seen) + PLB_DIGITS, left = PLB_SCALE;
    unsigned freq[PLB_DIGITS], most = 0;
    for (unsigned d = 0; d < PLB_DIGITS; d++) {
        freq[d] = 1 + (unsigned)((PLB_SCALE - PLB_DIGITS) * (2 * seen[d] + 1) / sum);
        left -= freq[d];
        if (seen[d] > seen[most]) most = d;
    }
    freq[most] += (unsigned)left;
    return put_number(put_number(to, freq[0]), freq[1]);
}

size_t plb_block_model_make(const plb_block_counts *counts, uint64_t weight,
                            uint8_t bytes[PLB_MODEL_BYTES]) {
    uint64_t min_seen = plb_max(MIN_SEEN, RARE / weight);
    uint64_t rare[SHARED][PLB_DIGITS] = {{0}};
    uint8_t *bitmap = bytes + SHARED * NUMBER_BYTES, *end = bitmap + BITMAP_BYTES;
    memset(bitmap, 0, BITMAP_BYTES);
    for (unsigned c = 0; c < PLB_CONTEXTS; c++) {
        const uint64_t *seen = counts->seen[c];
        if (sum_of(seen) >= min_seen) {
            bitmap[c / 8] |= (uint8_t)(1u << c % 8);
            end = put_expectation(end, seen);
        } else {
            for (int d = 0; d < PLB_DIGITS; d++) rare[kind_of(c)][d] += seen[d];
        }
    }
    for (int kind = 0; kind < SHARED; kind++)
        put_expectation(bytes + kind * NUMBER_BYTES, rare[kind]);
    return (size_t)(end - bytes);
}

/* ---- reading ---- */

static bool get_expectation(const uint8_t *from, plb_expectation *e) {
    unsigned zero = plb_get16(from), one = plb_get16(from + 2);
    if (zero == 0 || one == 0 || zero + one >= PLB_SCALE) return false;
    *e = (plb_expectation){{0, (uint16_t)zero, (uint16_t)(zero + one), PLB_SCALE}};
    return true;
}

int plb_block_model_read(const uint8_t *bytes, size_t size, plb_block_model *model) {
    const uint8_t *bitmap = bytes + SHARED * NUMBER_BYTES, *next = bitmap + BITMAP_BYTES;
    const uint8_t *end = bytes + size;
    plb_expectation rare[SHARED];
    if (size < SHARED * NUMBER_BYTES + BITMAP_BYTES) return PLB_ECORRUPT;
    for (int kind = 0; kind < SHARED; kind++)
        if (!get_expectation(bytes + kind * NUMBER_BYTES, &rare[kind])) return PLB_ECORRUPT;
    for (unsigned c = 0; c < PLB_CONTEXTS; c++) {
        model->contexts[c] = rare[kind_of(c)];
        if (!(bitmap[c / 8] >> c % 8 & 1)) continue;
        if (end - next < NUMBER_BYTES || !get_expectation(next, &model->contexts[c]))
            return PLB_ECORRUPT;
        next += NUMBER_BYTES;
    }
    return next == end ? PLB_OK : PLB_ECORRUPT;
}

/* ---- encoding ---- */

void plb_block_encoding_make(const plb_block_model *model, plb_block_encoding *encoding) {
    for (unsigned c = 0; c < PLB_CONTEXTS; c++)
        for (unsigned d = 0; d < PLB_DIGITS; d++) {
            const plb_expectation *e = &model->contexts[c];
            uint32_t freq = plb_expectation_freq(e, d), shift = 30 + plb_bit_length(2 * freq - 1);
            uint64_t reciprocal = ((1ULL << shift) + freq - 1) / freq;
            encoding->digits[c * PLB_DIGITS + d] =
                (plb_digit_numbers){.reciprocal = (uint32_t)reciprocal,
                                    .end = freq << (31 - PLB_SCALE_BITS),
                                    .start = e->start[d],
                                    .other = (uint16_t)(PLB_SCALE - freq),
                                    .shift = (uint8_t)shift};
        }
}

/* ---- cost of digits ---- */

/* 256 times the binary logarithm, rounded down. Squaring gives the fraction bit by bit. */
static unsigned log2_256(unsigned number) {
    int whole = plb_bit_length(number) - 1;
    uint64_t mantissa = (uint64_t)number << (31 - whole); /* in [2^31, 2^32) */
    unsigned log = (unsigned)whole;
    for (int bit = 0; bit < 8; bit++) {
        mantissa = mantissa * mantissa >> 31;
        log = log * 2 + (mantissa >> 32 != 0);
        if (mantissa >> 32) mantissa >>= 1;
    }
    return log;
}

uint64_t plb_block_model_cost(const plb_block_model *model, const plb_block_counts *counts) {
    uint64_t cost = 0;
    for (unsigned c = 0; c < PLB_CONTEXTS; c++)
        for (unsigned d = 0; d < PLB_DIGITS; d++)
            cost += counts->seen[c][d] *
                    (256 * PLB_SCALE_BITS - log2_256(plb_expectation_freq(&model->contexts[c], d)));
    return cost / 256 / 8;
}
