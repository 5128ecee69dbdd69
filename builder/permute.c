/* SPDX-License-Identifier: MIT
 *
 * Rank permutations. A word of the target is carried back stone by stone. The colours of its high
 * stones are carried once per block; those of its low stones come from a list in rank order, as
 * the part that falls on high stones of the source and the part that falls on low ones. A slab
 * makes the lists that its blocks ask for, from two tables of half the low stones each.
 */
#include "builder/permute.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

enum { LOW_WORDS = 1 << PLB_LOW };

enum { HALF_STONES = PLB_LOW / 2, HALF_WORDS = 1 << HALF_STONES };

/* The words of the low stones by number of ones in numeric order, and each one's place there. The
 * words of fewer than PLB_LOW stones are the first of each list. */
static uint16_t low_words[PLB_LOW + 1][924];
static uint16_t low_rank[LOW_WORDS];

__attribute__((constructor)) static void fill_low_rank(void) {
    int count[PLB_LOW + 1] = {0};
    for (int word = 0; word < LOW_WORDS; word++) {
        int ones = plb_popcount(word);
        low_rank[word] = count[ones];
        low_words[ones][count[ones]++] = word;
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
    const uint32_t *start_of_hi;
    uint64_t bit_of_stone[PLB_MAX_CELLS]; /* where a stone of `to` is in a word of `from` */
    uint64_t half[2][HALF_WORDS];         /* words of the lower and the upper low stones, carried */
    bool made[PLB_LOW + 1];               /* which lists of `low` are made */
    carried_low low[PLB_LOW + 1][924];    /* by ones, in numeric order */
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
    memset(&c->bit_of_stone[stone], 0, (PLB_MAX_CELLS - stone) * sizeof c->bit_of_stone[0]);
    for (int h = 0; h < 2; h++) {
        c->half[h][0] = 0;
        for (int word = 1; word < HALF_WORDS; word++)
            c->half[h][word] =
                c->half[h][word & (word - 1)] | c->bit_of_stone[h * HALF_STONES + plb_lowest(word)];
    }
    memset(c->made, 0, sizeof c->made);
}

/* The words of the low stones with j ones, carried. */
static const carried_low *carry_low(carrying *c, int j) {
    if (c->made[j]) return c->low[j];
    uint64_t words = plb_block_bits(c->to->low, j), low_bits = plb_low_bits(c->from->low);
    for (uint64_t i = 0; i < words; i++) {
        unsigned word = low_words[j][i];
        uint64_t carried = c->half[0][word % HALF_WORDS] | c->half[1][word / HALF_WORDS];
        c->low[j][i].hi = (uint32_t)(carried >> c->from->low);
        c->low[j][i].lo = (uint16_t)(carried & low_bits);
    }
    c->made[j] = true;
    return c->low[j];
}

static uint64_t carry_hi(const carrying *c, uint64_t hi) {
    uint64_t word = 0;
    for (; hi; hi &= hi - 1) word |= c->bit_of_stone[c->to->low + plb_lowest(hi)];
    return word;
}

static inline void carry_block(carrying *c, size_t block, int planes, uint64_t *const source[],
                               const bool dead[], uint64_t *const target[]) {
    uint64_t high = carry_hi(c, c->to->hi[block]);
    const uint32_t *start_of_hi = c->start_of_hi + (high >> c->from->low);
    const uint16_t *rank_of_low = low_rank + (high & plb_low_bits(c->from->low));
    int j = plb_slab_low_ones(c->to, block);
    uint64_t bits = plb_block_bits(c->to->low, j), at = c->to->start[block];
    const carried_low *low = carry_low(c, j);
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
