/* SPDX-License-Identifier: MIT
 *
 * What the two ways of permuting ranks (permute.h) have in common. A word of the target is carried
 * back stone by stone: its high stones once per block, its low ones by a list that is the same for
 * all blocks.
 */
#ifndef PLB_BUILDER_SLABS_CARRY_H
#define PLB_BUILDER_SLABS_CARRY_H

#include "builder/slabs/permute.h"
#include "tables/bits.h"

enum {
    PLB_LEAST_PREFIX = 4,          /* stones: with fewer most runs are a few bits */
    PLB_LOW_CHOICES = 924,         /* words of the low stones with as many ones, at most */
    PLB_HALF_STONES = PLB_LOW / 2, /* words of low stones are carried in halves */
    PLB_HALF_WORDS = 1 << PLB_HALF_STONES,
};

/* The words of the low stones by number of ones in numeric order, and each one's place there. The
 * words of fewer than PLB_LOW stones are the first of each list. Constant after start-up. */
extern uint16_t plb_low_words[PLB_LOW + 1][PLB_LOW_CHOICES];
extern uint16_t plb_low_rank[1 << PLB_LOW];

typedef struct plb_carrying {
    const plb_slab *from, *to;
    int planes;
    uint64_t *const *source, *const *target;
    const bool *dead;
    uint64_t bit_of_stone[PLB_MAX_CELLS]; /* where a stone of `to` is in a word of `from` */
    uint64_t half[2][PLB_HALF_WORDS];     /* words of the lower and upper low stones, carried */
    int prefix;                           /* the most low stones carried among themselves */
} plb_carrying;

/* A word of low stones of `to`, carried to `from`. */
static inline uint64_t plb_carry_low(const plb_carrying *c, unsigned low) {
    return c->half[0][low % PLB_HALF_WORDS] | c->half[1][low / PLB_HALF_WORDS];
}

/* The high stones of a block of `to`, carried to `from`. */
static inline uint64_t plb_carry_hi(const plb_carrying *c, size_t block) {
    uint64_t word = 0;
    for (uint64_t hi = c->to->hi[block]; hi; hi &= hi - 1)
        word |= c->bit_of_stone[c->to->low + plb_lowest(hi)];
    return word;
}

/* A directory of the blocks of `from`, in the permuter's memory; NULL without memory. */
const void *plb_carry_bits_directory(plb_permuter *permuter, const plb_slab *from);
const void *plb_carry_runs_directory(plb_permuter *permuter, const plb_slab *from);

/* Carry a run of blocks of `to`: bit by bit, or by runs of words that differ in their prefix
 * alone. Threads: safe, each its own blocks. */
void plb_carry_bits(const plb_carrying *c, const void *directory, plb_run blocks);
void plb_carry_runs(const plb_carrying *c, const void *directory, plb_run blocks);

/* The directory's memory, at least so many bytes; NULL when out of memory. */
void *plb_permuter_reserve(plb_permuter *permuter, size_t bytes);

#endif
