/* SPDX-License-Identifier: MIT
 *
 * Rank permutations by runs. Colourings that differ only in their prefix are a run of bits in the
 * source and in the target. Runs with the same number of ones in the prefix have the same
 * permutation. A short run is looked up in tables, or with AVX-512 shuffled by instructions that
 * select 64 bits of a word; long ones are transposed, 64 at a time.
 */
#include <string.h>

#include "builder/planes/bit_transpose.h"
#include "builder/planes/permute_common.h"
#include "tables/bits.h"
#include "tables/cpu_dispatch.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    BLOCK_RUNS = 1 << (PLB_LOW - PLB_MIN_PREFIX), /* maximum runs of a block */
    SHORT_RUN = 36,     /* runs of at most this many bits are looked up in tables */
    TABLE_BITS = 6,     /* bits per table lookup */
    SHUFFLED_WORDS = 4, /* words of the longest run that is shuffled */
};

/* ---- the runs of a block ---- */

/* A run of a block of `to`. */
typedef struct block_run {
    uint16_t bit;  /* first bit in the block */
    uint16_t low;  /* low stones of its first colouring in `from`, without coming ones */
    uint16_t ones; /* ones in the prefix */
} block_run;

/* Runs that come from the same block of `from`. */
typedef struct run_group {
    uint32_t hi;  /* their leaving stones, as bits of a hi of `from` */
    uint32_t end; /* end of the group in run_list.run */
} run_group;

/* The runs of a block with a number of ones among the low stones, grouped by source block. */
typedef struct run_list {
    bool made;
    int runs, groups;
    block_run run[BLOCK_RUNS];
    run_group group[BLOCK_RUNS];
} run_list;

/* List the runs in which the leaving stones have some colours: one run for each colouring of the
 * staying stones. Both kinds are low stones of `to` above the prefix; leaving ones are high stones
 * of `from`, staying ones low stones. */
static void list_group(const plb_permutation_plan *c, int ones, unsigned leaving, unsigned stay,
                       run_list *list) {
    unsigned staying = 0;
    do {
        int j = ones - plb_popcount(leaving | staying);
        if (j >= 0 && j <= c->prefix) {
            unsigned first = (unsigned)plb_low_bits(j); /* prefix of the run's first colouring */
            list->run[list->runs++] =
                (block_run){.bit = plb_low_rank[leaving | staying | first],
                            .low = (uint16_t)(plb_permute_low(c, staying) | first),
                            .ones = (uint16_t)j};
        }
        staying = (staying - stay) & stay;
    } while (staying);
    uint32_t hi = (uint32_t)(plb_permute_low(c, leaving) >> c->from->low);
    list->group[list->groups++] = (run_group){hi, (uint32_t)list->runs};
}

/* ---- permuting a run ---- */

/* The bits of a word of a permuted run that come from a word of the source: which, and from where.
 */
typedef struct word_shuffle {
    uint64_t bits;
    uint8_t from[64];
} word_shuffle;

/* The permutation of runs with a number of ones in the prefix. */
typedef struct run_kind {
    plb_bit_transpose transpose;
    uint64_t tables[SHORT_RUN / TABLE_BITS][1 << TABLE_BITS]; /* for short runs */
    word_shuffle shuffles[SHUFFLED_WORDS][SHUFFLED_WORDS];    /* [target word][source word] */
} run_kind;

static void make_kind(const plb_permutation_plan *c, int j, run_kind *kind) {
    plb_bit_transpose *transpose = &kind->transpose;
    transpose->bits = transpose->source_bits[0] = (int)plb_masks_block_bits(c->prefix, j);
    transpose->sources = 1;
    transpose->queued = 0;
    bool is_short = transpose->bits <= SHORT_RUN;
    if (is_short) memset(kind->tables, 0, sizeof kind->tables);
    memset(kind->shuffles, 0, sizeof kind->shuffles);
    for (int i = 0; i < transpose->bits; i++) {
        int from = plb_low_rank[plb_permute_low(c, plb_low_colourings[j][i])];
        transpose->order[i] = (uint16_t)plb_transpose_place(from);
        if (is_short) kind->tables[from / TABLE_BITS][1 << (from % TABLE_BITS)] = 1ULL << i;
        if (transpose->bits > 64 * SHUFFLED_WORDS) continue;
        word_shuffle *shuffle = &kind->shuffles[i / 64][from / 64];
        shuffle->bits |= 1ULL << (i % 64);
        shuffle->from[i % 64] = (uint8_t)(from % 64);
    }
    for (int table = 0; is_short && table * TABLE_BITS < transpose->bits; table++) {
        uint64_t *becomes = kind->tables[table];
        for (int x = 1; x < 1 << TABLE_BITS; x++)
            becomes[x] = becomes[x & (x - 1)] | becomes[x & -x];
    }
}

static inline void permute_short(const plb_permutation_plan *c, const run_kind *kind, uint64_t from,
                                 uint64_t to) {
    int count = kind->transpose.bits;
    for (int p = 0; p < c->planes; p++) {
        uint64_t bits = 0, run = plb_read_bits(c->source[p], from, count);
        for (int i = 0; i * TABLE_BITS < count; i++, run >>= TABLE_BITS)
            bits |= kind->tables[i][run % (1 << TABLE_BITS)];
        plb_write_bits(c->target[p], to, count, bits);
    }
}

#ifdef __x86_64__
/* Inlined for each number of words, so that they stay in registers. There are no branches: whether
 * a word of a run spans two words of a plane cannot be predicted. */
PLB_AVX512 PLB_ALWAYS_INLINE void shuffle_words(const plb_permutation_plan *c, const run_kind *kind,
                                                uint64_t from, uint64_t to, int words) {
    int last_bits = kind->transpose.bits - 64 * (words - 1);
    for (int p = 0; p < c->planes; p++) {
        const uint64_t *source = c->source[p] + from / 64;
        uint64_t *target = c->target[p] + to / 64;
        __m512i run[SHUFFLED_WORDS];
        for (int w = 0; w < words; w++) {
            uint64_t end = w + 1 < words ? 64 : last_bits;
            uint64_t next = source[w + (from % 64 + end - 1) / 64] << 1 << (63 - from % 64);
            run[w] = _mm512_set1_epi64((long long)(source[w] >> from % 64 | next));
        }
        for (int t = 0; t < words; t++) {
            uint64_t bits = 0, end = t + 1 < words ? 64 : last_bits;
            for (int w = 0; w < words; w++) {
                const word_shuffle *shuffle = &kind->shuffles[t][w];
                bits |= _mm512_mask_bitshuffle_epi64_mask(shuffle->bits, run[w],
                                                          _mm512_loadu_si512(shuffle->from));
            }
            target[t] |= bits << to % 64;
            target[t + (to % 64 + end - 1) / 64] |= bits >> 1 >> (63 - to % 64);
        }
    }
}

PLB_AVX512 static inline void shuffle_run(const plb_permutation_plan *c, const run_kind *kind,
                                          uint64_t from, uint64_t to) {
    switch ((kind->transpose.bits + 63) / 64) {
#define SHUFFLE(words)                             \
    case words:                                    \
        shuffle_words(c, kind, from, to, (words)); \
        break;
        SHUFFLE(1) SHUFFLE(2) SHUFFLE(3) SHUFFLE(4)
#undef SHUFFLE
    }
}
#else
#define shuffle_run permute_short
#endif

/* Write a run of positions in a missing block: ones, to planes in which they are ones. */
static void fill_run(const plb_permutation_plan *c, int bits, uint64_t to) {
    for (int p = 0; p < c->planes; p++)
        for (int i = 0; c->missing[p] && i < bits; i += 64) {
            int count = (int)plb_min(bits - i, 64);
            plb_write_bits(c->target[p], to + i, count, plb_low_bits(count));
        }
}

/* ---- permuting blocks ---- */

/* A block of `to`: its high stones, mapped; and its first bit in a plane. */
typedef struct target_block {
    uint64_t high, bit;
} target_block;

typedef struct run_range {
    const block_run *first, *end;
} run_range;

PLB_ALWAYS_INLINE void permute_group(const plb_permutation_plan *c, run_range runs, uint64_t start,
                                     target_block to, run_kind kinds[], bool shuffles) {
    const block_run *run = runs.first, *end = runs.end;
    const uint16_t *rank_of_low = plb_low_rank + (to.high & plb_low_bits(c->from->low));
    if (start == PLB_MISSING_BLOCK) {
        for (; run < end; run++) fill_run(c, kinds[run->ones].transpose.bits, to.bit + run->bit);
        return;
    }
    for (; run < end; run++) {
        run_kind *kind = &kinds[run->ones];
        uint64_t from = start + rank_of_low[run->low];
        if (shuffles && kind->transpose.bits <= 64 * SHUFFLED_WORDS)
            shuffle_run(c, kind, from, to.bit + run->bit);
        else if (!shuffles && kind->transpose.bits <= SHORT_RUN)
            permute_short(c, kind, from, to.bit + run->bit);
        else
            for (int p = 0; p < c->planes; p++) {
                plb_bit_transpose_set_source(&kind->transpose, 0, c->source[p], from);
                plb_bit_transpose_add(&kind->transpose, c->target[p], to.bit + run->bit);
            }
    }
}

PLB_ALWAYS_INLINE void permute_runs_of_block(const plb_permutation_plan *c,
                                             const plb_hi_group *directory, size_t block,
                                             const run_list *list, run_kind kinds[],
                                             bool shuffles) {
    target_block to = {plb_permute_hi(c, block), 64 * c->to->start[block]};
    const block_run *run = list->run;
    uint64_t start[BLOCK_RUNS];
    /* Look up all source blocks first, so that their cache misses overlap. */
    for (int g = 0; g < list->groups; g++) {
        /* Bits of mapped low and of mapped high stones are disjoint, so adding is OR. */
        start[g] =
            plb_permute_find_block(c, directory, (to.high >> c->from->low) + list->group[g].hi);
        for (int p = 0; p < c->planes && start[g] != PLB_MISSING_BLOCK; p++)
            __builtin_prefetch(c->source[p] + start[g] / 64);
    }
    for (int g = 0; g < list->groups; g++) {
        const block_run *end = list->run + list->group[g].end;
        /* NOLINTNEXTLINE: the analyzer does not see that the list is the same in both loops */
        permute_group(c, (run_range){run, end}, start[g], to, kinds, shuffles);
        run = end;
    }
}

PLB_ALWAYS_INLINE void permute(const plb_permutation_plan *c, const void *directory,
                               plb_block_range blocks, bool shuffles) {
    run_list lists[PLB_LOW + 1];
    run_kind kinds[PLB_LOW + 1];
    uint64_t first = c->to->start[blocks.first], words = c->to->start[blocks.last] - first;
    for (int j = 0; j <= c->prefix; j++) make_kind(c, j, &kinds[j]);
    for (int ones = 0; ones <= c->to->low; ones++) lists[ones].made = false;
    for (int p = 0; p < c->planes; p++)
        memset(c->target[p] + first, 0, words * sizeof *c->target[p]);
    for (size_t block = blocks.first; block < blocks.last; block++) {
        int ones = plb_slab_low_ones(c->to, block);
        if (!lists[ones].made) {
            run_list *list = &lists[ones];
            unsigned leave = plb_permute_leaving(c), leaving = 0;
            unsigned stay =
                (1U << c->to->low) - (1U << c->prefix) - leave; /* NOLINT: to->low >= prefix */
            list->made = true;
            list->runs = list->groups = 0;
            do {
                list_group(c, ones, leaving, stay, list);
                leaving = (leaving - leave) & leave;
            } while (leaving);
        }
        permute_runs_of_block(c, directory, block, &lists[ones], kinds, shuffles);
    }
    for (int j = 0; j <= c->prefix; j++) plb_bit_transpose_flush(&kinds[j].transpose);
}

PLB_AVX512 static void permute_avx512(const plb_permutation_plan *c, const void *directory,
                                      plb_block_range blocks) {
    permute(c, directory, blocks, true);
}

void plb_permute_by_runs(const plb_permutation_plan *c, const void *directory,
                         plb_block_range blocks) {
    if (c->shuffles)
        permute_avx512(c, directory, blocks);
    else
        permute(c, directory, blocks, false);
}
