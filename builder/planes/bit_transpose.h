/* SPDX-License-Identifier: MIT
 *
 * Runs of bits that are all permuted alike. They wait for one another until there are 64; their
 * bits are transposed, so that a word of memory has one bit of each run, and to permute them is to
 * copy words.
 *
 *     run 0   a b c ..   transpose   a a .. a   permute, and     run 0   c a b ..
 *     run 1   a b c ..      ->       b b .. b   transpose back   run 1   c a b ..
 *     ..                             c c .. c        ->          ..
 *     run 63  a b c ..               ..                          run 63  c a b ..
 *
 * The bits of a run may come from several sources.
 */
#ifndef PLB_BUILDER_PLANES_BIT_TRANSPOSE_H
#define PLB_BUILDER_PLANES_BIT_TRANSPOSE_H

#include "builder/planes/slab_shape.h"
#include "tables/bits.h"

enum {
    PLB_TRANSPOSE_RUNS = 64,
    PLB_TRANSPOSE_SOURCES = 16,                  /* at most */
    PLB_TRANSPOSE_STRIDE = PLB_BLOCK_WORDS * 64, /* between sources, in an order */
};

/* Where a row is among 64 others that are transposed, and a bit of a source in an order: rows 16,
 * 32 and 48 apart are neighbours. */
static inline int plb_transpose_place(int row) {
    return (row & ~63) | (row % 16 * 4 + row / 16 % 4);
}

typedef struct plb_bit_transpose {
    int bits;    /* of a run */
    int sources; /* that its bits come from */
    int source_bits[PLB_TRANSPOSE_SOURCES];
    uint16_t order[PLB_LOW_CHOICES]; /* [bits] where each one comes from: source *
                                        PLB_TRANSPOSE_STRIDE + place of the bit of the source */
    int waiting;                     /* runs, and where their sources and they themselves begin: */
    const uint64_t *source[PLB_TRANSPOSE_SOURCES][PLB_TRANSPOSE_RUNS]; /* a word, and .. */
    uint8_t source_shift[PLB_TRANSPOSE_SOURCES][PLB_TRANSPOSE_RUNS];   /* .. its bit */
    uint64_t *target[PLB_TRANSPOSE_RUNS];
    uint8_t target_shift[PLB_TRANSPOSE_RUNS];
} plb_bit_transpose;

/* Say where the next run's bits of a source begin. While the run waits they get into the cache. */
static inline void plb_bit_transpose_set_source(plb_bit_transpose *b, int source,
                                                const uint64_t *plane, uint64_t bit) {
    __builtin_prefetch(plane + bit / 64);
    __builtin_prefetch(plane + (bit + b->source_bits[source] - 1) / 64);
    b->source[source][b->waiting] = plane + bit / 64;
    b->source_shift[source][b->waiting] = bit % 64;
}

/* Permute the runs that wait: their bits are written where there are zeros. */
void plb_bit_transpose_flush(plb_bit_transpose *b);

/* Add the run whose sources were set: it is written from a bit of `plane` on. */
static inline void plb_bit_transpose_add(plb_bit_transpose *b, uint64_t *plane, uint64_t bit) {
    b->target[b->waiting] = plane + bit / 64;
    b->target_shift[b->waiting] = bit % 64;
    if (++b->waiting == PLB_TRANSPOSE_RUNS) plb_bit_transpose_flush(b);
}

#endif
