/* SPDX-License-Identifier: MIT
 *
 * Rank permutations. A word of the target is carried back stone by stone. The colours of its high
 * stones are carried once per block; those of its low stones come from a table in rank order, as
 * the part that falls on high stones of the source and the part that falls on low ones.
 */
#include "builder/permute.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

enum { LOW_WORDS = 1 << PLB_LOW };

/* A word's place among the words of the low stones with as many ones. */
static uint16_t low_rank[LOW_WORDS];

__attribute__((constructor)) static void fill_low_rank(void) {
    int count[PLB_LOW + 1] = {0};
    for (int word = 0; word < LOW_WORDS; word++) {
        low_rank[word] = count[plb_popcount(word)]++;
    }
}

static const uint32_t dead_block = UINT32_MAX;

/* A word of the low stones of `to`, carried to `from`. */
typedef struct carried_low {
    uint32_t hi;
    uint16_t lo;
} carried_low;

typedef struct carrying {
    const plb_slab *from, *to;
    uint64_t bit_of_stone[PLB_MAX_CELLS]; /* where a stone of `to` is in a word of `from` */
    carried_low low[PLB_LOW + 1][924];    /* by ones, in numeric order */
    const uint32_t *start_of_hi;
} carrying;

void plb_permuter_free(plb_permuter *permuter) {
    if (!permuter) return;
    free(permuter->start_of_hi);
    memset(permuter, 0, sizeof *permuter);
}

static int find_blocks(plb_permuter *permuter, const plb_slab *from) {
    size_t room = (size_t)1 << (from->stones - from->low);
    if (permuter->room < room) {
        plb_permuter_free(permuter);
        permuter->start_of_hi = malloc(room * sizeof *permuter->start_of_hi);
        if (!permuter->start_of_hi) return PLB_ENOMEM;
        permuter->room = room;
    }
    memset(permuter->start_of_hi, 0xff, room * sizeof *permuter->start_of_hi);
    for (size_t block = 0; block < from->blocks; block++)
        permuter->start_of_hi[from->hi[block]] = (uint32_t)from->start[block];
    return PLB_OK;
}

static void carry_stones(carrying *c, const plb_symmetry *symmetry, int element) {
    int stone = 0;
    for (uint64_t cells = c->to->occupied; cells; cells &= cells - 1, stone++) {
        int cell = symmetry->image[element][plb_lowest(cells)];
        c->bit_of_stone[stone] = 1ULL << plb_slab_stone(c->from->occupied, cell);
    }
    uint64_t carried[LOW_WORDS], low_bits = plb_low_bits(c->from->low);
    carried[0] = 0;
    for (unsigned word = 0; word < 1u << c->to->low; word++) {
        if (word) carried[word] = carried[word & (word - 1)] | c->bit_of_stone[plb_lowest(word)];
        c->low[plb_popcount(word)][low_rank[word]] = (carried_low){
            (uint32_t)(carried[word] >> c->from->low), (uint16_t)(carried[word] & low_bits)};
    }
}

static uint64_t carry_hi(const carrying *c, uint64_t hi) {
    uint64_t word = 0;
    for (; hi; hi &= hi - 1) word |= c->bit_of_stone[c->to->low + plb_lowest(hi)];
    return word;
}

static inline void carry_block(const carrying *c, size_t block, int planes,
                               uint64_t *const source[], const bool dead[],
                               uint64_t *const target[]) {
    uint64_t high = carry_hi(c, c->to->hi[block]);
    const uint32_t *start_of_hi = c->start_of_hi + (high >> c->from->low);
    const uint16_t *rank_of_low = low_rank + (high & plb_low_bits(c->from->low));
    int j = plb_slab_low_ones(c->to, block);
    uint64_t bits = plb_block_bits(c->to->low, j), at = c->to->start[block];
    const carried_low *low = c->low[j];
    for (uint64_t first = 0; first < bits; first += 64, at++) {
        uint64_t out[2] = {0, 0}, count = plb_min(bits - first, 64);
        for (uint64_t i = 0; i < count; i++, low++) {
            /* The carried parts are disjoint from the block's, so adding is joining. */
            uint32_t start = start_of_hi[low->hi];
            unsigned rank = rank_of_low[low->lo];
            for (int p = 0; p < planes; p++) {
                uint64_t bit =
                    start == dead_block ? dead[p] : source[p][start + rank / 64] >> (rank % 64) & 1;
                out[p] |= bit << i;
            }
        }
        for (int p = 0; p < planes; p++) target[p][at] = out[p];
    }
}

int plb_permute(plb_permuter *permuter, const plb_symmetry *symmetry, int element,
                const plb_slab *from, const plb_slab *to, int planes, uint64_t *const source[],
                const bool dead[], uint64_t *const target[]) {
    int error = find_blocks(permuter, from);
    if (error) return error;
    carrying c;
    c.from = from;
    c.to = to;
    c.start_of_hi = permuter->start_of_hi;
    carry_stones(&c, symmetry, element);
    for (size_t block = 0; block < to->blocks; block++) {
        if (planes == 1)
            carry_block(&c, block, 1, source, dead, target);
        else
            carry_block(&c, block, 2, source, dead, target);
    }
    return PLB_OK;
}
