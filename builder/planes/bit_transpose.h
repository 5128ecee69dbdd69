/* SPDX-License-Identifier: MIT
 *
 * Permutes runs of bits that all have the same permutation. Runs are queued until there are 64.
 * Then their bits are transposed, so that a word has one bit of each run; permuting the bits is
 * copying words.
 *
 *     run 0   a b c ..   transpose   a a .. a   permute, and     run 0   c a b ..
 *     run 1   a b c ..      ->       b b .. b   transpose back   run 1   c a b ..
 *     ..                             c c .. c        ->          ..
 *     run 63  a b c ..               ..                          run 63  c a b ..
 *
 * The bits of a run may come from several sources.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/bits.h"

enum {
    PLB_TRANSPOSE_RUNS = 64,
    PLB_TRANSPOSE_SOURCES = 16,                  /* maximum */
    PLB_TRANSPOSE_STRIDE = PLB_BLOCK_WORDS * 64, /* from one source to the next in `order` */
};

/* The place of row `row` in a matrix that is transposed, and of a source's bit in `order`: rows at
 * a distance of 16 are stored side by side. */
static inline int plb_transpose_place(int row) {
    return (row & ~63) | (row % 16 * 4 + row / 16 % 4);
}

typedef struct plb_bit_transpose {
    int bits;                               /* bits of a run */
    int sources;                            /* number of sources of its bits */
    int source_bits[PLB_TRANSPOSE_SOURCES]; /* [sources] */
    uint16_t order[PLB_LOW_CHOICES]; /* [bits] the origin of each bit: source * PLB_TRANSPOSE_STRIDE
                                        + place of the bit in the source */
    int queued;                      /* number of queued runs */
    /* For each queued run: the word and the bit in it where a source, or the target, begins. */
    const uint64_t *source[PLB_TRANSPOSE_SOURCES][PLB_TRANSPOSE_RUNS];
    uint8_t source_shift[PLB_TRANSPOSE_SOURCES][PLB_TRANSPOSE_RUNS];
    uint64_t *target[PLB_TRANSPOSE_RUNS];
    uint8_t target_shift[PLB_TRANSPOSE_RUNS];
} plb_bit_transpose;

/* Set where the next run's bits of a source begin, and prefetch them. */
static inline void plb_bit_transpose_set_source(plb_bit_transpose *b, int source,
                                                const uint64_t *plane, uint64_t bit) {
    __builtin_prefetch(plane + bit / 64);
    __builtin_prefetch(plane + (bit + b->source_bits[source] - 1) / 64);
    b->source[source][b->queued] = plane + bit / 64;
    b->source_shift[source][b->queued] = bit % 64;
}

/* Permute the queued runs. Their target bits must be zero before. */
void plb_bit_transpose_flush(plb_bit_transpose *b);

/* Queue the run whose sources were set. Its target begins at a bit of `plane`. */
static inline void plb_bit_transpose_add(plb_bit_transpose *b, uint64_t *plane, uint64_t bit) {
    b->target[b->queued] = plane + bit / 64;
    b->target_shift[b->queued] = bit % 64;
    if (++b->queued == PLB_TRANSPOSE_RUNS) plb_bit_transpose_flush(b);
}
