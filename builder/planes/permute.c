/* SPDX-License-Identifier: MIT
 *
 * Rank permutations, by one of three methods. By runs, if the symmetry permutes the lowest stones
 * (the prefix) among themselves, as a mirror image does, because mirror pairs of columns are
 * neighbours in the order of stones. By whole blocks, if it permutes nearly all low stones among
 * themselves, for example if a mirror pair has more stones than there are low ones. Bit by bit
 * otherwise, for most rotations.
 */
#include "builder/planes/permute.h"

#include <stdlib.h>
#include <string.h>

#include "builder/planes/permute_common.h"
#include "tables/bits.h"
#include "tables/cpu_dispatch.h"

enum {
    MIN_WORDS = 24,            /* words of all planes: with fewer, tables for runs do not pay off */
    MIN_BLOCK_WORDS = 1 << 10, /* likewise, the order of bits for blocks */
    MANY_STONES = 24,          /* from here on these limits do not apply: the directory of bits is
                                  too large */
    SHARED_BLOCKS = 1 << 12    /* target blocks per task of a thread */
};

/* ---- bit by bit ---- */

/* A colouring of the low stones of `to`, mapped to `from`. */
typedef struct mapped_low {
    uint32_t hi;
    uint16_t lo;
} mapped_low;

/* [number of ones] the colourings of the low stones in numeric order; computed when needed. */
typedef struct low_lists {
    bool made[PLB_LOW + 1];
    mapped_low low[PLB_LOW + 1][PLB_LOW_CHOICES];
} low_lists;

static const uint32_t missing_start = UINT32_MAX;

/* The directory has the first word of the block of each hi, or missing_start. A smaller one would
 * be too slow, because it is looked up for every bit. */
static size_t bits_directory_bytes(const plb_permutation_plan *c) {
    return sizeof(uint32_t) << (c->from->stones - c->from->low);
}

static void bits_directory_fill(const plb_permutation_plan *c, void *directory) {
    const plb_slab *from = c->from;
    uint32_t *start_of_hi = directory;
    memset(start_of_hi, 0xff, bits_directory_bytes(c));
    for (size_t block = 0; block < from->blocks; block++)
        start_of_hi[from->hi[block]] = (uint32_t)from->start[block];
}

static const mapped_low *list_low(const plb_permutation_plan *c, low_lists *lists, int j) {
    if (lists->made[j]) return lists->low[j];
    uint64_t words = plb_masks_block_bits(c->to->low, j), low_bits = plb_low_bits(c->from->low);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t mapped = plb_permute_low(c, plb_low_colourings[j][i]);
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
            /* Bits of mapped low and of mapped high stones are disjoint, so adding is OR. */
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

/* A slab with low stones only: one block, which comes from one block. */
static inline void permute_only_block(const plb_permutation_plan *c, int planes) {
    const uint16_t *low = plb_low_colourings[c->to->ones];
    uint64_t bits = plb_masks_block_bits(c->to->low, c->to->ones);
    for (uint64_t first = 0; first < bits; first += 64) {
        uint64_t out[PLB_PLANES] = {0}, count = plb_min(bits - first, 64);
        for (uint64_t i = 0; i < count; i++, low++) {
            unsigned rank = plb_low_rank[plb_permute_low(c, *low)];
            for (int p = 0; p < planes; p++)
                out[p] |= (c->source[p][rank / 64] >> (rank % 64) & 1) << i;
        }
        for (int p = 0; p < planes; p++) c->target[p][first / 64] = out[p];
    }
}

/* Compiled once for each number of planes, because the loop over planes is the innermost one. */
static void permute_by_bits(const plb_permutation_plan *c, const void *directory,
                            plb_block_range blocks) {
    low_lists lists;
    bool is_only = c->to->stones <= PLB_LOW && c->from->blocks;
    memset(lists.made, 0, sizeof lists.made);
    switch (c->planes) {
#define PERMUTE(count)                                                              \
    case count:                                                                     \
        if (is_only) permute_only_block(c, (count));                                \
        for (size_t block = blocks.first; block < blocks.last && !is_only; block++) \
            permute_bits_of_block(c, directory, &lists, block, (count));            \
        break;
        PERMUTE(1) PERMUTE(2) PERMUTE(3) PERMUTE(4) PERMUTE(5) PERMUTE(6) PERMUTE(7)
#undef PERMUTE
    }
}

/* ---- by runs or blocks: permute_by_runs.c, permute_by_blocks.c ---- */

/* A plb_hi_group for each 64 neighbouring hi, from the first to the last block of `from`. */
static size_t block_directory_bytes(const plb_permutation_plan *c) {
    return c->groups * sizeof(plb_hi_group);
}

static void block_directory_fill(const plb_permutation_plan *c, void *directory) {
    plb_hi_group *group = directory;
    size_t block = 0;
    for (uint64_t g = 0; g < c->groups; g++) {
        group[g] = (plb_hi_group){0, block};
        for (; block < c->from->blocks && c->from->hi[block] / 64 - c->first_group == g; block++)
            group[g].live |= 1ULL << (c->from->hi[block] % 64);
    }
}

/* ---- choice of the method ---- */

void plb_permuter_free(plb_permuter *permuter) {
    if (!permuter) return;
    free(permuter->directory);
    permuter->directory = NULL;
    permuter->capacity = 0;
}

/* bits[stone of `to`] = bit of its image in a colouring of `from`. Returns the number of stones. */
static int find_bits(const plb_symmetry *symmetry, int element, uint64_t to, uint64_t from,
                     uint64_t bits[PLB_MAX_CELLS]) {
    int stone = 0;
    for (; to; to &= to - 1, stone++) {
        int cell = symmetry->image[element][plb_lowest(to)];
        bits[stone] = 1ULL << plb_slab_stone(from, cell);
    }
    return stone;
}

/* The length of the longest prefix of at most `low` stones. */
static int find_prefix(const uint64_t bits[], int low) {
    int prefix = 0;
    uint64_t reached = 0;
    for (int stone = 0; stone < low; stone++) {
        reached |= bits[stone];
        if (reached == plb_low_bits(stone + 1)) prefix = stone + 1;
    }
    return prefix;
}

typedef struct method {
    size_t (*directory_bytes)(const plb_permutation_plan *c);
    void (*fill_directory)(const plb_permutation_plan *c, void *directory);
    void (*permute)(const plb_permutation_plan *c, const void *directory, plb_block_range blocks);
} method;
static const method by_runs = {block_directory_bytes, block_directory_fill, plb_permute_by_runs},
                    by_blocks = {block_directory_bytes, block_directory_fill,
                                 plb_permute_by_blocks},
                    by_bits = {bits_directory_bytes, bits_directory_fill, permute_by_bits};

/* words: those of all planes together. By runs if there are about two runs of each kind, so that
 * computing their order pays off; by blocks if few low stones of `to` are high ones of `from`. */
static const method *choose_method(const uint64_t bits[], int stones, uint64_t words) {
    int prefix = find_prefix(bits, (int)plb_min(stones, PLB_LOW)), leaving = 0;
    if (stones >= MANY_STONES) words = plb_max(words, MIN_BLOCK_WORDS);
    for (int stone = 0; stone < PLB_LOW && stone < stones; stone++)
        leaving += bits[stone] >> PLB_LOW != 0;
    if (prefix >= PLB_MIN_PREFIX && words >= MIN_WORDS && 64 * words >= 2ULL << prefix)
        return &by_runs;
    bool few_leave = stones > PLB_LOW && leaving <= PLB_MAX_LEAVING;
    return few_leave && words >= MIN_BLOCK_WORDS ? &by_blocks : &by_bits;
}

bool plb_permute_goes_by_bits(const plb_symmetry *symmetry, int element, uint64_t occupied,
                              uint64_t words) {
    uint64_t bits[PLB_MAX_CELLS];
    uint64_t from = plb_symmetry_map(symmetry, element, occupied);
    int stones = find_bits(symmetry, element, occupied, from, bits);
    return choose_method(bits, stones, words) == &by_bits;
}

size_t plb_permute_directory_bytes(bool some_by_bits, int stones) {
    if (stones <= PLB_LOW) return 0;
    return some_by_bits ? sizeof(uint32_t) << (stones - PLB_LOW)
                        : plb_divide_up(1ULL << (stones - PLB_LOW), 64) * sizeof(plb_hi_group);
}

typedef struct permutation {
    const plb_permuter *permuter;
    const method *method;
    const plb_permutation_plan *c;
    const void *directory;
} permutation;

/* Blocks of a chunk, the work of a thread: if not all ranges are wanted, a range. */
static size_t chunk_blocks(const plb_permuter *permuter) {
    return permuter->wants ? PLB_RANGE_BLOCKS : SHARED_BLOCKS;
}

/* Permute a chunk of the blocks of the target. */
static int permute_chunk(void *context, size_t chunk) {
    const permutation *p = context;
    size_t first = chunk * chunk_blocks(p->permuter);
    plb_block_range blocks = {first, plb_min(first + chunk_blocks(p->permuter), p->c->to->blocks)};
    if (!p->permuter->wants || p->permuter->wants(p->permuter->context, chunk))
        p->method->permute(p->c, p->directory, blocks);
    return PLB_OK;
}

int plb_permute(plb_permuter *permuter, const plb_symmetry *symmetry, int element,
                const plb_planes *from, unsigned missing, const plb_planes *to) {
    plb_permutation_plan c = {.from = from->shape,
                              .to = to->shape,
                              .planes = to->count,
                              .shuffles = plb_has_avx512() && !permuter->avoids_avx512};
    for (int p = 0; p < to->count; p++) {
        c.source[p] = plb_planes_get(from, p);
        c.target[p] = plb_planes_get(to, p);
        c.missing[p] = missing >> p & 1;
    }
    int stones = find_bits(symmetry, element, c.to->occupied, c.from->occupied, c.bit_of_stone);
    memset(&c.bit_of_stone[stones], 0, (PLB_MAX_CELLS - stones) * sizeof c.bit_of_stone[0]);
    for (int h = 0; h < 2; h++) {
        c.half[h][0] = 0;
        for (int half = 1; half < PLB_HALF_COLOURINGS; half++)
            c.half[h][half] = c.half[h][half & (half - 1)] |
                              c.bit_of_stone[h * PLB_HALF_STONES + plb_lowest(half)];
    }
    c.prefix = find_prefix(c.bit_of_stone, c.to->low);
    const method *method = choose_method(c.bit_of_stone, c.to->stones, c.to->words * c.planes);
    if (c.from->blocks) {
        c.first_group = c.from->hi[0] / 64;
        c.groups = c.from->hi[c.from->blocks - 1] / 64 + 1 - c.first_group;
    }
    size_t bytes = method->directory_bytes(&c) + 1;
    if (permuter->capacity < bytes) {
        plb_permuter_free(permuter);
        permuter->directory = malloc(bytes);
        if (permuter->directory) permuter->capacity = bytes;
    }
    void *directory = permuter->directory;
    if (!directory) return PLB_ENOMEM;
    method->fill_directory(&c, directory);
    permutation all = {permuter, method, &c, directory};
    return plb_threads_share(permuter->threads, plb_divide_up(c.to->blocks, chunk_blocks(permuter)),
                             permute_chunk, &all);
}
