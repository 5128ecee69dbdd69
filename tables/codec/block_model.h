/* SPDX-License-Identifier: MIT
 *
 * The expected frequencies of the codes of a ply. A code is coded as digits, each in a context:
 *
 *     outcome   0 a draw, 1 x wins, 2 o wins       context: features of the position and codes
 *                                                  that came before
 *     round     its bits, the highest first, if    context: who wins, the bits so far, and what
 *               the game is not drawn              they were before
 *
 * A model has the expected frequencies of the digits of each context; their sum is PLB_SCALE. Rare
 * contexts share the numbers of one. As a record it is
 *
 *     [numbers of rare outcomes] [numbers of rare rounds]     numbers: of digit 0 and of digit 1,
 *     [a bit for each context: has it its own?]               16 bits each, little-endian; digit 2
 *     [numbers of each that has]                              has what is left
 *
 * Must not know: games, positions, files.
 */
#ifndef PLB_TABLES_CODEC_BLOCK_MODEL_H
#define PLB_TABLES_CODEC_BLOCK_MODEL_H

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

/* Features of a position, the outcomes of the last two before it, and of the last two of the kinds
 * that block_entropy.h says, or PLB_DIGITS where there is none. */
static inline unsigned plb_outcome_context(unsigned features, unsigned last, unsigned before,
                                           unsigned like8, unsigned like5) {
    return (((features * 3 + last) * 3 + before) * 4 + like8) * 4 + like5;
}

/* winner: 0 x, 1 o. prefix: a one, then the bits so far. The next bit of earlier rounds that began
 * alike, or 2. */
static inline unsigned plb_round_context(unsigned winner, unsigned prefix, unsigned last,
                                         unsigned like8) {
    return PLB_OUTCOME_CONTEXTS + ((winner * 31 + prefix - 1) * 3 + last) * 3 + like8;
}

/* Of a context: digit d takes the numbers [start[d], start[d + 1]) of PLB_SCALE, as many as it is
 * expected times, at least one. start[0] is 0, start[3] PLB_SCALE. */
typedef struct plb_expectation {
    uint16_t start[PLB_DIGITS + 1];
} plb_expectation;

static inline unsigned plb_expectation_freq(const plb_expectation *e, unsigned d) {
    return (unsigned)(e->start[d + 1] - e->start[d]);
}

typedef struct plb_block_model {
    plb_expectation contexts[PLB_CONTEXTS];
} plb_block_model;

/* A model as an encoder needs it: to divide a state, which has 31 bits, by the numbers of a digit,
 * which are `freq` from `start` on. */
typedef struct plb_digit_numbers {
    uint32_t reciprocal;   /* 2^shift / freq, rounded up */
    uint32_t end;          /* of the states that are encoded as they are: freq * 2^17 */
    uint16_t start, other; /* other: numbers of other digits, PLB_SCALE - freq */
    uint8_t shift;
} plb_digit_numbers;

/* [context * PLB_DIGITS + digit] */
typedef struct plb_block_encoding {
    plb_digit_numbers digits[PLB_CONTEXTS * PLB_DIGITS];
} plb_block_encoding;

/* state / freq, rounded down: exact, because freq is at most 2^(shift - 31), and what the
 * reciprocal is too great by is less than freq / 2^shift (R. Alverson, "Integer division using
 * reciprocals"). */
static inline uint32_t plb_digit_divide(const plb_digit_numbers *n, uint32_t state) {
    return (uint32_t)((uint64_t)state * n->reciprocal >> n->shift);
}

void plb_block_encoding_make(const plb_block_model *model, plb_block_encoding *encoding);

/* How often digits were seen. */
typedef struct plb_block_counts {
    uint64_t seen[PLB_CONTEXTS][PLB_DIGITS];
} plb_block_counts;

/* The model of what was seen, as a record of at most PLB_MODEL_BYTES bytes. weight: digits that one
 * of those counted stands for. Returns its size. */
enum { PLB_MODEL_BYTES = 8 + (PLB_CONTEXTS + 7) / 8 + 4 * PLB_CONTEXTS };
size_t plb_block_model_make(const plb_block_counts *counts, uint64_t weight,
                            uint8_t bytes[PLB_MODEL_BYTES]);

/* Bytes that the digits take by a model, about: whole numbers alone, so that it is the same on
 * every machine. */
uint64_t plb_block_model_cost(const plb_block_model *model, const plb_block_counts *counts);

/* Read a record. Errors: PLB_ECORRUPT: it is not one. */
int plb_block_model_read(const uint8_t *bytes, size_t size, plb_block_model *model);

#endif
