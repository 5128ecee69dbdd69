/* SPDX-License-Identifier: MIT
 *
 * What the ways of permuting ranks (permute.h) have in common. A word of the target is mapped back
 * stone by stone: its high stones once per block, its low ones by a list that is the same for all
 * blocks.
 */
#ifndef PLB_BUILDER_PLANES_PERMUTE_COMMON_H
#define PLB_BUILDER_PLANES_PERMUTE_COMMON_H

#include "builder/planes/slab_shape.h"
#include "tables/format/outcome_code.h"

enum {
    PLB_MIN_PREFIX = 4,            /* stones: with fewer most runs are a few bits */
    PLB_HALF_STONES = PLB_LOW / 2, /* words of low stones are mapped in halves */
    PLB_HALF_WORDS = 1 << PLB_HALF_STONES,
};

typedef struct plb_permutation_plan {
    const plb_slab *from, *to;
    int planes;
    uint64_t *source[PLB_PLANES], *target[PLB_PLANES]; /* [planes] */
    bool missing[PLB_PLANES];             /* the bit of a position in a block that `from` has not */
    uint64_t bit_of_stone[PLB_MAX_CELLS]; /* where a stone of `to` is in a word of `from` */
    uint64_t half[2][PLB_HALF_WORDS];     /* words of the lower and upper low stones, mapped */
    int prefix;                   /* length of the longest run of lowest stones that the symmetry
                                     maps onto itself */
    uint64_t first_group, groups; /* of hi, which the directory of blocks has */
} plb_permutation_plan;

/* A word of low stones of `to`, mapped to `from`. */
static inline uint64_t plb_permute_low(const plb_permutation_plan *c, unsigned low) {
    return c->half[0][low % PLB_HALF_WORDS] | c->half[1][low / PLB_HALF_WORDS];
}

/* The high stones of a block of `to`, mapped to `from`. */
static inline uint64_t plb_permute_hi(const plb_permutation_plan *c, size_t block) {
    uint64_t word = 0;
    for (uint64_t hi = c->to->hi[block]; hi; hi &= hi - 1)
        word |= c->bit_of_stone[c->to->low + plb_lowest(hi)];
    return word;
}

/* Low stones of `to` that are high ones of `from`. */
static inline unsigned plb_permute_leaving(const plb_permutation_plan *c) {
    unsigned leaving = 0;
    for (int stone = 0; stone < c->to->low; stone++)
        if (c->bit_of_stone[stone] >> c->from->low) leaving |= 1U << stone;
    return leaving;
}

/* ---- where the blocks of `from` are ---- */

/* 64 neighbouring hi. */
typedef struct plb_hi_group {
    uint64_t live;   /* those that have a block */
    uint64_t blocks; /* blocks of smaller hi */
} plb_hi_group;

#define PLB_MISSING_BLOCK UINT64_MAX

/* The first bit of the block of a hi, or PLB_MISSING_BLOCK. */
static inline uint64_t plb_permute_find_block(const plb_permutation_plan *c,
                                              const plb_hi_group *directory, uint64_t hi) {
    uint64_t number = hi / 64 - c->first_group;
    if (number >= c->groups) return PLB_MISSING_BLOCK;
    plb_hi_group group = directory[number];
    if (!(group.live >> (hi % 64) & 1)) return PLB_MISSING_BLOCK;
    return 64 * c->from->start[group.blocks + plb_popcount(group.live & plb_low_bits(hi % 64))];
}

/* ---- the ways ---- */

/* Permute a range of blocks of `to`: by runs of words that differ in their prefix alone, by whole
 * blocks where at most PLB_MAX_LEAVING of the low stones leave, or bit by bit. Threads: safe, each
 * its own blocks. */
enum { PLB_MAX_LEAVING = 4 };
void plb_permute_by_runs(const plb_permutation_plan *c, const void *directory,
                         plb_block_range blocks);
void plb_permute_by_blocks(const plb_permutation_plan *c, const void *directory,
                           plb_block_range blocks);

#endif
