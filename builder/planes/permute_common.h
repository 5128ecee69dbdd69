/* SPDX-License-Identifier: MIT
 *
 * Common parts of the methods of permuting ranks (permute.h). A colouring of the target is mapped
 * to the source stone by stone: its high stones once per block, its low ones by tables that are the
 * same for all blocks.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/format/outcome_code.h"

enum {
    PLB_MIN_PREFIX = 4,            /* stones; with fewer most runs have only a few bits */
    PLB_HALF_STONES = PLB_LOW / 2, /* colourings of the low stones are mapped in two halves */
    PLB_HALF_COLOURINGS = 1 << PLB_HALF_STONES,
};

typedef struct plb_permutation_plan {
    const plb_slab *from, *to;
    int planes;
    bool shuffles;                                     /* short runs, with AVX-512 */
    uint64_t *source[PLB_PLANES], *target[PLB_PLANES]; /* [planes] */
    bool missing[PLB_PLANES]; /* [planes] bit of positions in missing blocks of `from` */
    uint64_t bit_of_stone[PLB_MAX_CELLS];  /* [stone of `to`] bit of its image in `from` */
    uint64_t half[2][PLB_HALF_COLOURINGS]; /* the lower and the upper low stones, mapped */
    int prefix; /* the largest number of lowest stones that are mapped among themselves */
    uint64_t first_group, groups; /* range of the directory of blocks */
} plb_permutation_plan;

/* A colouring of the low stones of `to`, mapped to `from`. */
static inline uint64_t plb_permute_low(const plb_permutation_plan *c, unsigned low) {
    return c->half[0][low % PLB_HALF_COLOURINGS] | c->half[1][low / PLB_HALF_COLOURINGS];
}

/* The high stones of a block of `to`, mapped to `from`. */
static inline uint64_t plb_permute_hi(const plb_permutation_plan *c, size_t block) {
    uint64_t mapped = 0;
    for (uint64_t hi = c->to->hi[block]; hi; hi &= hi - 1)
        mapped |= c->bit_of_stone[c->to->low + plb_lowest(hi)];
    return mapped;
}

/* Low stones of `to` that are high ones of `from`. */
static inline unsigned plb_permute_leaving(const plb_permutation_plan *c) {
    unsigned leaving = 0;
    for (int stone = 0; stone < c->to->low; stone++)
        if (c->bit_of_stone[stone] >> c->from->low) leaving |= 1U << stone;
    return leaving;
}

/* ---- a directory of the blocks of `from` ---- */

/* An entry for 64 neighbouring hi. */
typedef struct plb_hi_group {
    uint64_t live;   /* bit mask of those that have a block */
    uint64_t blocks; /* number of blocks with smaller hi */
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

/* ---- methods ---- */

/* Permute a range of blocks of `to`: by runs; or by whole blocks, if at most PLB_MAX_LEAVING low
 * stones of `to` are high stones of `from`. Threads: safe for different blocks. */
enum { PLB_MAX_LEAVING = 4 };
void plb_permute_by_runs(const plb_permutation_plan *c, const void *directory,
                         plb_block_range blocks);
void plb_permute_by_blocks(const plb_permutation_plan *c, const void *directory,
                           plb_block_range blocks);
