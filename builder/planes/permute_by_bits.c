/* SPDX-License-Identifier: MIT
 *
 * Rank permutations bit by bit: for any symmetry.
 */
#include <string.h>

#include "builder/planes/permute_common.h"
#include "tables/bits.h"

/* A word of the low stones of `to`, mapped to `from`. */
typedef struct mapped_low {
    uint32_t hi;
    uint16_t lo;
} mapped_low;

/* The words of the low stones by ones, in numeric order. Made when they are asked for. */
typedef struct low_lists {
    bool made[PLB_LOW + 1];
    mapped_low low[PLB_LOW + 1][PLB_LOW_CHOICES];
} low_lists;

static const uint32_t missing_start = UINT32_MAX;

/* The first word of the block of each hi, or missing_start. Every bit asks, so that a smaller
 * directory would cost too much. */
size_t plb_permute_by_bits_directory_bytes(const plb_permutation_plan *c) {
    return sizeof(uint32_t) << (c->from->stones - c->from->low);
}

void plb_permute_by_bits_fill_directory(const plb_permutation_plan *c, void *directory) {
    const plb_slab *from = c->from;
    uint32_t *start_of_hi = directory;
    memset(start_of_hi, 0xff, plb_permute_by_bits_directory_bytes(c));
    for (size_t block = 0; block < from->blocks; block++)
        start_of_hi[from->hi[block]] = (uint32_t)from->start[block];
}

static const mapped_low *list_low(const plb_permutation_plan *c, low_lists *lists, int j) {
    if (lists->made[j]) return lists->low[j];
    uint64_t words = plb_masks_block_bits(c->to->low, j), low_bits = plb_low_bits(c->from->low);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t mapped = plb_permute_low(c, plb_low_words[j][i]);
        lists->low[j][i].hi = (uint32_t)(mapped >> c->from->low);
        lists->low[j][i].lo = (uint16_t)(mapped & low_bits);
    }
    lists->made[j] = true;
    return lists->low[j];
}

static inline void permute_bits_of_block(const plb_permutation_plan *c, const uint32_t *start_of_hi,
                                         low_lists *lists, size_t block, int planes) {
    uint64_t high = plb_permute_hi(c, block);
    const uint16_t *rank_of_low = plb_low_rank + (high & plb_low_bits(c->from->low));
    uint64_t *const *source = c->source;
    const bool *missing = c->missing;
    int j = plb_slab_low_ones(c->to, block);
    const mapped_low *low = list_low(c, lists, j);
    uint64_t bits = plb_masks_block_bits(c->to->low, j), at = c->to->start[block];
    start_of_hi += high >> c->from->low;
    for (uint64_t first = 0; first < bits; first += 64, at++) {
        uint64_t out[PLB_PLANES] = {0}, count = plb_min(bits - first, 64);
        for (uint64_t i = 0; i < count; i++, low++) {
            /* The mapped parts are disjoint from the block's, so adding is joining. */
            uint32_t start = start_of_hi[low->hi];
            unsigned rank = rank_of_low[low->lo];
            for (int p = 0; p < planes; p++) {
                uint64_t bit = start == missing_start
                                   ? missing[p]
                                   : source[p][start + rank / 64] >> (rank % 64) & 1;
                out[p] |= bit << i;
            }
        }
        for (int p = 0; p < planes; p++) c->target[p][at] = out[p];
    }
}

/* Once for each number of planes, because the loop over planes is the innermost one. */
static void permute_block(const plb_permutation_plan *c, const uint32_t *start_of_hi,
                          low_lists *lists, size_t block) {
    switch (c->planes) {
#define PERMUTE(count)                                                \
    case count:                                                       \
        permute_bits_of_block(c, start_of_hi, lists, block, (count)); \
        break;
        PERMUTE(1) PERMUTE(2) PERMUTE(3) PERMUTE(4) PERMUTE(5) PERMUTE(6) PERMUTE(7)
#undef PERMUTE
    }
}

void plb_permute_by_bits(const plb_permutation_plan *c, const void *directory,
                         plb_block_range blocks) {
    low_lists lists;
    memset(lists.made, 0, sizeof lists.made);
    for (size_t block = blocks.first; block < blocks.last; block++)
        permute_block(c, directory, &lists, block);
}
