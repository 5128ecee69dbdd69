/* SPDX-License-Identifier: MIT
 *
 * The model of a ply: expected frequencies of its codes. A code is a sequence of digits, each in a
 * context:
 *
 *     outcome   0 a draw, 1 x wins, 2 o wins       context: features of the position, and earlier
 *                                                  codes
 *     round     its bits, the highest first, if    context: who wins, the bits so far, and the next
 *               the game is not drawn              bit of earlier codes
 *
 * A model has the expected frequencies of the digits of each context; their sum is PLB_SCALE. Rare
 * contexts share their numbers. As a record it is
 *
 *     [numbers of rare outcomes] [numbers of rare rounds]     numbers: of digit 0 and of digit 1,
 *     [a bit for each context: is it not rare?]               16 bits each, little-endian; digit 2
 *     [numbers of each context that is not rare]              has the rest of PLB_SCALE
 *
 * Must not know: games, positions, files.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    PLB_DIGITS = 3,
    PLB_SCALE_BITS = 14,
    PLB_SCALE = 1 << PLB_SCALE_BITS,
    PLB_OUTCOME_CONTEXTS = 16 * 3 * 3 * 4 * 4,
    PLB_ROUND_CONTEXTS = 2 * 31 * 3 * 3,
    PLB_CONTEXTS = PLB_OUTCOME_CONTEXTS + PLB_ROUND_CONTEXTS,
};

/* features: of the position. last, before: outcomes of the last position and of the one before it.
 * like8, like5: the last outcomes of positions with the same lowest 8, or 5, stones; PLB_DIGITS:
 * there is none. */
static inline unsigned plb_outcome_context(unsigned features, unsigned last, unsigned before,
                                           unsigned like8, unsigned like5) {
    return (((features * 3 + last) * 3 + before) * 4 + like8) * 4 + like5;
}

/* winner: 0 x, 1 o. prefix: a one, then the bits so far. last, like8: the next bit of an earlier
 * round with the same prefix, or 2. */
static inline unsigned plb_round_context(unsigned winner, unsigned prefix, unsigned last,
                                         unsigned like8) {
    return PLB_OUTCOME_CONTEXTS + ((winner * 31 + prefix - 1) * 3 + last) * 3 + like8;
}

/* The frequencies of a context as prefix sums: digit d has the range [start[d], start[d + 1]),
 * which is not empty. start[0] is 0, start[3] is PLB_SCALE. */
typedef struct plb_expectation {
    uint16_t start[PLB_DIGITS + 1];
} plb_expectation;

static inline unsigned plb_expectation_freq(const plb_expectation *e, unsigned d) {
    return (unsigned)(e->start[d + 1] - e->start[d]);
}

typedef struct plb_block_model {
    plb_expectation contexts[PLB_CONTEXTS];
} plb_block_model;

/* What the encoder needs for a digit with the range [start, start + freq), to divide a state of 31
 * bits by freq. */
typedef struct plb_digit_numbers {
    uint32_t reciprocal;   /* 2^shift / freq, rounded up */
    uint32_t end;          /* freq * 2^17: a state from here on gives off 16 bits first */
    uint16_t start, other; /* other: PLB_SCALE - freq */
    uint8_t shift;
} plb_digit_numbers;

/* [context * PLB_DIGITS + digit] */
typedef struct plb_block_encoding {
    plb_digit_numbers digits[PLB_CONTEXTS * PLB_DIGITS];
} plb_block_encoding;

/* state / freq, rounded down. The result is exact, because freq is at most 2^(shift - 31), and
 * rounding makes the reciprocal too great by less than freq / 2^shift (R. Alverson, "Integer
 * division using reciprocals"). */
static inline uint32_t plb_digit_divide(const plb_digit_numbers *n, uint32_t state) {
    return (uint32_t)((uint64_t)state * n->reciprocal >> n->shift);
}

void plb_block_encoding_make(const plb_block_model *model, plb_block_encoding *encoding);

/* How often each digit of each context was seen. */
typedef struct plb_block_counts {
    uint64_t seen[PLB_CONTEXTS][PLB_DIGITS];
} plb_block_counts;

/* Make a model from counts, as a record. weight: how many digits of the ply each counted one stands
 * for. Returns the size of the record. */
enum { PLB_MODEL_BYTES = 8 + (PLB_CONTEXTS + 7) / 8 + 4 * PLB_CONTEXTS };
size_t plb_block_model_make(const plb_block_counts *counts, uint64_t weight,
                            uint8_t bytes[PLB_MODEL_BYTES]);

/* Bytes that the counted digits take with a model, about. It is computed with integers only, so
 * that it is the same on every machine. */
uint64_t plb_block_model_cost(const plb_block_model *model, const plb_block_counts *counts);

/* Read a record. Errors: PLB_ECORRUPT. */
int plb_block_model_read(const uint8_t *bytes, size_t size, plb_block_model *model);
