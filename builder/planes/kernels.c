/* SPDX-License-Identifier: MIT
 *
 * The kernels. This file is compiled twice: for any machine, and with BMI2 and AVX2
 * (PLB_KERNELS_BMI2). Only gather_word and scatter_word differ; the compiler vectorizes the rest.
 */
#include "builder/planes/kernels.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/cpu_dispatch.h"

#ifdef PLB_KERNELS_BMI2
#include <immintrin.h>
static inline uint64_t gather_word(uint64_t word, const plb_mask *mask, int w) {
    return _pext_u64(word, mask->bits[w]);
}
static inline uint64_t scatter_word(uint64_t word, const plb_mask *mask, int w) {
    return _pdep_u64(word, mask->bits[w]);
}
#else
static inline uint64_t gather_word(uint64_t word, const plb_mask *mask, int w) {
    word &= mask->bits[w];
    for (int step = 0; step < PLB_MOVE_STEPS; step++) {
        uint64_t moving = word & mask->moves[w][step];
        word = (word ^ moving) | (moving >> (1 << step));
    }
    return word;
}
static inline uint64_t scatter_word(uint64_t word, const plb_mask *mask, int w) {
    for (int step = PLB_MOVE_STEPS - 1; step >= 0; step--) {
        uint64_t moving = (word << (1 << step)) & mask->moves[w][step];
        word = (word & ~mask->moves[w][step]) | moving;
    }
    return word & mask->bits[w];
}
#endif

enum { BUFFER_WORDS = PLB_BLOCK_WORDS + 1 };
typedef uint64_t block_buffer[BUFFER_WORDS];

/* Inlined, so that it is compiled once for each number of planes. */
#define FOR_EACH_COUNT static inline __attribute__((always_inline))

/* A block of all planes: plane p of it begins at words + p * stride. */
typedef struct block_planes {
    uint64_t *words;
    size_t stride;
} block_planes;

static inline block_planes block_at(const plb_planes *planes, uint64_t start) {
    return (block_planes){planes->words + start, planes->shape->words};
}

/* ---- bits of a block as a stream ---- */

/* Writes the bits of all planes of a block at the same time. */
typedef struct bit_writer {
    uint64_t *next; /* next word of plane 0; those of the others are BUFFER_WORDS apart */
    int used;       /* bits in each partial word, in [0, 63] */
    uint64_t partial[PLB_PLANES];
} bit_writer;

/* Append the lowest `count` bits of a word to each plane; its other bits must be 0. */
FOR_EACH_COUNT void write_bits(int planes, bit_writer *out, const uint64_t *bits, int count) {
    int used = out->used + count;
    bool is_full = used >= 64;
    for (int p = 0; p < planes; p++) {
        uint64_t word = out->partial[p] | bits[p] << out->used;
        out->next[p * BUFFER_WORDS] = word;
        out->partial[p] = is_full ? (bits[p] >> 1) >> (63 - out->used) : word;
    }
    out->next += is_full;
    out->used = used & 63;
}

/* Write the partial words. If they are empty, this clears the word after the last one. */
FOR_EACH_COUNT void end_bits(int planes, const bit_writer *out) {
    for (int p = 0; p < planes; p++) out->next[p * BUFFER_WORDS] = out->partial[p];
}

/* Append the bits of a block that a mask selects. */
FOR_EACH_COUNT void gather_block(int planes, bit_writer *out, block_planes block,
                                 const plb_mask *mask) {
    for (int w = 0; w < mask->words; w++) {
        uint64_t bits[PLB_PLANES];
        for (int p = 0; p < planes; p++)
            bits[p] = gather_word(block.words[p * block.stride + w], mask, w);
        write_bits(planes, out, bits, mask->ones[w]);
    }
}

/* The same for a missing block, all positions of which have the same code. */
FOR_EACH_COUNT void gather_code(int planes, bit_writer *out, unsigned code, const plb_mask *mask) {
    for (int w = 0; w < mask->words; w++) {
        uint64_t bits[PLB_PLANES];
        for (int p = 0; p < planes; p++) bits[p] = code >> p & 1 ? plb_low_bits(mask->ones[w]) : 0;
        write_bits(planes, out, bits, mask->ones[w]);
    }
}

/* ---- finding blocks ---- */

/* Advance *cursor to the first block with at least this hi. Returns whether it has this hi. */
static inline bool find_block(const plb_slab *slab, uint64_t hi, size_t *cursor) {
    while (*cursor < slab->blocks && slab->hi[*cursor] < hi) ++*cursor;
    return *cursor < slab->blocks && slab->hi[*cursor] == hi;
}

/* ---- pull ----
 *
 * Planes 0 and 1 need no comparison: the mover wins if any move wins, and the opponent wins if he
 * wins after all moves. If the same player wins in both of two outcomes, the rounds decide. */

/* to = the better of `from` and `to` for the mover. */
FOR_EACH_COUNT void combine(int planes, unsigned colour, int words, block_planes from,
                            block_planes to) {
    unsigned mover = colour ? PLB_X_WINS : PLB_O_WINS, other = !mover;
    uint64_t *t[PLB_PLANES] = {NULL};
    const uint64_t *f[PLB_PLANES] = {NULL};
    for (int p = 0; p < planes; p++) {
        t[p] = to.words + p * to.stride;
        f[p] = from.words + p * from.stride;
    }
#pragma omp simd
    for (int w = 0; w < words; w++) {
        uint64_t wins = t[mover][w], loses = t[other][w];
        /* NOLINTNEXTLINE: the analyzer cannot see that masks have words */
        uint64_t child_wins = f[mover][w], child_loses = f[other][w];
        uint64_t better = (child_wins & ~wins) | (loses & ~child_loses);
        uint64_t same = ~(child_wins ^ wins) & ~(child_loses ^ loses);
        for (int p = planes - 1; p >= PLB_ROUND; p--) {
            uint64_t differ = f[p][w] ^ t[p][w];
            better |= same & differ & (colour ? f[p][w] : t[p][w]);
            same &= ~differ;
        }
        for (int p = PLB_ROUND; p < planes; p++) t[p][w] ^= (t[p][w] ^ f[p][w]) & better;
        t[mover][w] = wins | child_wins;
        t[other][w] = loses & child_loses;
    }
}

static void fill_block(uint64_t *block, int words, uint64_t bits) {
    memset(block, 0xff, words * sizeof *block);
    block[words - 1] = plb_low_bits((int)(bits - 64 * (words - 1)));
}

static int block_words(const plb_slab *slab, size_t block) {
    return (int)(slab->start[block + 1] - slab->start[block]);
}

/* The new stone is above the low ones: whole blocks correspond. A missing block has the best or the
 * worst code: the worst one changes nothing. */
FOR_EACH_COUNT void pull_high(int planes, plb_step step, plb_block_range range,
                              const plb_planes *from, unsigned missing, const plb_planes *to) {
    const plb_slab *parent = to->shape, *child = from->shape;
    int i = step.stone - PLB_LOW;
    bool missing_wins = missing >> (step.colour ? PLB_X_WINS : PLB_O_WINS) & 1;
    size_t cursor =
        plb_slab_find_block(child, plb_insert_bit(parent->hi[range.first], i, step.colour));
    for (size_t block = range.first; block < range.last; block++) {
        if (find_block(child, plb_insert_bit(parent->hi[block], i, step.colour), &cursor))
            combine(planes, step.colour, block_words(parent, block),
                    block_at(from, child->start[cursor]), block_at(to, parent->start[block]));
        else if (missing_wins) {
            const plb_slab *slab = to->shape;
            uint64_t bits = plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
            int words = block_words(slab, block);
            for (int p = 0; p < planes; p++) {
                uint64_t *plane = plb_planes_get(to, p) + slab->start[block];
                if (missing >> p & 1)
                    fill_block(plane, words, bits);
                else
                    memset(plane, 0, words * sizeof *plane);
            }
        }
    }
}

/* The new stone is a low one: the two halves of a parent block come from two child blocks. */
FOR_EACH_COUNT void pull_low(int planes, plb_step step, plb_block_range range,
                             const plb_planes *from, unsigned missing, const plb_planes *to) {
    const plb_slab *parent = to->shape, *child = from->shape;
    size_t cursor = plb_slab_find_block(child, parent->hi[range.first] * 2);
    for (size_t block = range.first; block < range.last; block++) {
        block_buffer pulled[PLB_PLANES];
        bit_writer out = {.next = pulled[0]};
        int low_ones = plb_slab_low_ones(parent, block) + (int)step.colour;
        for (unsigned top = 0; top < 2; top++) {
            int j = low_ones - (int)top;
            if (j < 0 || j > PLB_LOW) continue;
            bool there = find_block(child, parent->hi[block] * 2 + top, &cursor);
            const plb_mask *mask = &plb_masks[PLB_LOW][j][step.stone][step.colour];
            if (there)
                gather_block(planes, &out, block_at(from, child->start[cursor]), mask);
            else
                gather_code(planes, &out, missing, mask);
        }
        end_bits(planes, &out);
        combine(planes, step.colour, block_words(parent, block),
                (block_planes){pulled[0], BUFFER_WORDS}, block_at(to, parent->start[block]));
    }
}

/* Parent and child are one block each. */
FOR_EACH_COUNT void pull_small(int planes, plb_step step, const plb_planes *from,
                               const plb_planes *to) {
    block_buffer pulled[PLB_PLANES];
    const plb_slab *child = from->shape;
    const plb_mask *mask = &plb_masks[child->stones][child->ones][step.stone][step.colour];
    bit_writer out = {.next = pulled[0]};
    gather_block(planes, &out, block_at(from, 0), mask);
    end_bits(planes, &out);
    combine(planes, step.colour, (int)to->shape->words, (block_planes){pulled[0], BUFFER_WORDS},
            block_at(to, 0));
}

FOR_EACH_COUNT void pull_planes(int planes, plb_step step, plb_block_range range,
                                const plb_planes *from, unsigned missing, const plb_planes *to) {
    if (from->shape->stones <= PLB_LOW)
        pull_small(planes, step, from, to);
    else if (step.stone < PLB_LOW)
        pull_low(planes, step, range, from, missing, to);
    else
        pull_high(planes, step, range, from, missing, to);
}

static void pull(plb_step step, plb_block_range range, const plb_planes *child, unsigned missing,
                 const plb_planes *parent) {
    if (range.first == range.last) return;
    switch (parent->count) {
#define PULL(count)                                                \
    case count:                                                    \
        pull_planes((count), step, range, child, missing, parent); \
        break;
        PULL(2) PULL(3) PULL(4) PULL(5) PULL(6) PULL(7)
#undef PULL
    }
}

static void merge(unsigned colour, plb_block_range range, const plb_planes *from,
                  const plb_planes *to) {
    if (range.first == range.last) return;
    int words = (int)plb_slab_range_words(to->shape, range);
    uint64_t start = plb_slab_range_start(to->shape, range);
    switch (to->count) {
#define MERGE(count)                                                                 \
    case count:                                                                      \
        combine((count), colour, words, block_at(from, start), block_at(to, start)); \
        break;
        MERGE(2) MERGE(3) MERGE(4) MERGE(5) MERGE(6) MERGE(7)
#undef MERGE
    }
}

/* ---- push ---- */

/* block |= the bits of `from` from a bit on, scattered to the ones of the mask. */
static inline void scatter_block(uint64_t *block, const uint64_t *from, uint64_t position,
                                 const plb_mask *mask) {
    for (int w = 0; w < mask->words; w++) {
        block[w] |= scatter_word(plb_read_bits(from, position, mask->ones[w]), mask, w);
        position += mask->ones[w];
    }
}

static void push_high(plb_step step, plb_block_range range, const plb_planes *from,
                      const plb_planes *to) {
    const plb_slab *parent = from->shape, *child = to->shape;
    int i = step.stone - PLB_LOW;
    /* Start at the lowest parent that can be needed: later blocks may have lower bits below bit i,
     * if the first ones have the other colour. */
    size_t cursor = plb_slab_find_block(parent, child->hi[range.first] >> (i + 1) << i);
    for (size_t block = range.first; block < range.last; block++) {
        uint64_t hi = child->hi[block];
        if ((hi >> i & 1) != step.colour) continue;
        if (!find_block(parent, plb_remove_bit(hi, i), &cursor)) continue;
        const uint64_t *source = from->words + parent->start[cursor];
        uint64_t *target = to->words;
        for (uint64_t w = child->start[block]; w < child->start[block + 1]; w++)
            target[w] |= *source++;
    }
}

/* The lowest stone of the child's hi is the highest low stone of the parent: it selects the half of
 * the parent's block. */
static void push_low(plb_step step, plb_block_range range, const plb_planes *from,
                     const plb_planes *to) {
    const plb_slab *parent = from->shape, *child = to->shape;
    size_t cursor = plb_slab_find_block(parent, child->hi[range.first] / 2);
    for (size_t block = range.first; block < range.last; block++) {
        if (!find_block(parent, child->hi[block] / 2, &cursor)) continue;
        int parent_ones = plb_slab_low_ones(parent, cursor);
        uint64_t half = child->hi[block] % 2 ? plb_masks_block_bits(PLB_LOW - 1, parent_ones) : 0;
        int child_ones = plb_slab_low_ones(child, block);
        scatter_block(to->words + child->start[block], from->words + parent->start[cursor], half,
                      &plb_masks[PLB_LOW][child_ones][step.stone][step.colour]);
    }
}

static void push(plb_step step, plb_block_range range, const plb_planes *parent,
                 const plb_planes *child) {
    const plb_slab *slab = child->shape;
    if (range.first == range.last || !parent->shape->blocks) return;
    if (slab->stones <= PLB_LOW)
        scatter_block(child->words, parent->words, 0,
                      &plb_masks[slab->stones][slab->ones][step.stone][step.colour]);
    else if (step.stone < PLB_LOW)
        push_low(step, range, parent, child);
    else
        push_high(step, range, parent, child);
}

/* ---- lines ---- */

/* A block as whole vectors, which stay in registers. */
typedef uint64_t vector __attribute__((vector_size(32)));
enum { BLOCK_VECTORS = PLB_BLOCK_WORDS * sizeof(uint64_t) / sizeof(vector) };

typedef vector block_vectors[BLOCK_VECTORS];
typedef uint64_t any_vector __attribute__((vector_size(32), aligned(8), may_alias));

/* sum |= colourings in which all stones of a non-empty set of low stones have a colour. */
static inline void add_line(block_vectors sum, int low, int j, uint64_t stones, unsigned colour) {
    block_vectors line;
    memset(line, 0xff, sizeof line);
    for (; stones; stones &= stones - 1) {
        const vector *mask = (const vector *)plb_masks[low][j][plb_lowest(stones)][colour].bits;
        for (int v = 0; v < BLOCK_VECTORS; v++) line[v] &= mask[v];
    }
    for (int v = 0; v < BLOCK_VECTORS; v++) sum[v] |= line[v];
}

/* The groups of a call. Those of low stones only have the same lines in all blocks with the same
 * number of ones among the low stones. */
typedef struct line_groups {
    unsigned colour;
    int low_count, high_count;
    const uint64_t *low, *high;       /* [low_count] of low stones only; [high_count] others */
    bool known[PLB_LOW + 1];          /* [ones] lines[ones] is computed */
    block_vectors lines[PLB_LOW + 1]; /* [ones] the lines of `low` */
} line_groups;

static inline const vector *find_low_lines(const plb_slab *slab, int ones, line_groups *groups) {
    vector *sum = groups->lines[ones];
    if (groups->known[ones]) return sum;
    memset(sum, 0, sizeof groups->lines[ones]);
    for (int g = 0; g < groups->low_count; g++)
        add_line(sum, slab->low, ones, groups->low[g], groups->colour);
    groups->known[ones] = true;
    return sum;
}

static inline void lines_of_block(const plb_slab *slab, size_t block, line_groups *groups,
                                  uint64_t *to) {
    uint64_t low_stones = plb_low_bits(slab->low);
    uint64_t other = groups->colour ? ~slab->hi[block] : slab->hi[block];
    int j = plb_slab_low_ones(slab, block), words = block_words(slab, block);
    const vector *low_lines = find_low_lines(slab, j, groups);
    block_vectors sum;
    for (int v = 0; v < BLOCK_VECTORS; v++) sum[v] = low_lines[v];
    for (int g = 0; g < groups->high_count; g++) {
        if ((groups->high[g] >> slab->low) & other) continue;
        if (!(groups->high[g] & low_stones)) {
            fill_block(to, words, plb_masks_block_bits(slab->low, j));
            return;
        }
        add_line(sum, slab->low, j, groups->high[g] & low_stones, groups->colour);
    }
    for (int v = 0; v < BLOCK_VECTORS; v++) ((any_vector *)to)[v] = sum[v];
}

static void lines(const plb_slab *slab, plb_block_range range, const uint64_t *groups, int count,
                  unsigned colour, uint64_t *range_words) {
    uint64_t low[count + 1], high[count + 1];
    line_groups sorted; /* its large array of lines is filled when needed, not initialized */
    sorted.colour = colour;
    sorted.low = low;
    sorted.high = high;
    sorted.low_count = sorted.high_count = 0;
    memset(sorted.known, 0, sizeof sorted.known);
    for (int g = 0; g < count; g++)
        if (groups[g] >> slab->low)
            high[sorted.high_count++] = groups[g];
        else
            low[sorted.low_count++] = groups[g];
    for (size_t block = range.first; block < range.last; block++) {
        lines_of_block(slab, block, &sorted, range_words);
        range_words += block_words(slab, block);
    }
}

/* The lines of both colours at once. */
static void ungrouped(const plb_slab *slab, plb_block_range range, const uint64_t *groups,
                      int count, uint64_t *range_words) {
    uint64_t low_stones = plb_low_bits(slab->low), high[count + 1], line[count + 1];
    uint8_t colour[count + 1];
    bool known[PLB_LOW + 1] = {false};
    block_vectors rest[PLB_LOW + 1]; /* [ones] positions without a group of low stones only */
    int high_count = 0;
    for (int g = 0; g < count; g++)
        if (groups[g] >> slab->low) high[high_count++] = groups[g];
    for (size_t block = range.first; block < range.last; block++) {
        int j = plb_slab_low_ones(slab, block), words = block_words(slab, block), complete = 0;
        uint64_t x = slab->hi[block] << slab->low, o = ~x & ~low_stones;
        block_vectors sum;
        memset(sum, 0, sizeof sum);
        if (!known[j]) {
            for (int g = 0; g < count; g++)
                for (unsigned c = 0; c < 2 && !(groups[g] >> slab->low); c++)
                    add_line(sum, slab->low, j, groups[g], c);
            memset(rest[j], 0, sizeof rest[j]);
            fill_block((uint64_t *)rest[j], words, plb_masks_block_bits(slab->low, j));
            for (int v = 0; v < BLOCK_VECTORS; v++) rest[j][v] &= ~sum[v];
            memset(sum, 0, sizeof sum);
            known[j] = true;
        }
        for (int g = 0; g < high_count; g++) { /* no branches: they would be mispredicted */
            bool all_x = !(high[g] & o), all_o = !(high[g] & x);
            line[complete] = high[g] & low_stones;
            colour[complete] = all_x;
            complete += all_x | all_o;
        }
        for (int i = 0; i < complete; i++) add_line(sum, slab->low, j, line[i], colour[i]);
        for (int v = 0; v < BLOCK_VECTORS; v++)
            ((any_vector *)range_words)[v] = rest[j][v] & ~sum[v];
        range_words += words;
    }
}

/* For each candidate stone add the positions in which no group without it is complete. If groups of
 * high stones are complete, the candidates are the stones that these have in common. */
static void common_stone(const plb_slab *slab, plb_block_range range, const uint64_t *groups,
                         int count, unsigned colour, uint64_t *range_words) {
    uint64_t low_stones = plb_low_bits(slab->low), some[count + 1];
    block_vectors line[count + 1];
    for (size_t block = range.first; block < range.last; block++) {
        uint64_t other = colour ? ~slab->hi[block] : slab->hi[block], any = 0, common = ~0ULL;
        block_vectors sum;
        int j = plb_slab_low_ones(slab, block), n = 0;
        for (int g = 0; g < count; g++) {
            if ((groups[g] >> slab->low) & other) continue;
            if (!(groups[g] & low_stones)) {
                common &= groups[g];
                continue;
            }
            memset(line[n], 0, sizeof line[n]);
            add_line(line[n], slab->low, j, groups[g] & low_stones, colour);
            any |= groups[g];
            some[n++] = groups[g];
        }
        uint64_t stones = common == ~0ULL ? any : common;
        memset(sum, n || !common ? 0 : 0xff, sizeof sum);
        for (; n && stones; stones &= stones - 1) {
            block_vectors without;
            memset(without, 0, sizeof without);
            for (int i = 0; i < n; i++) {
                if (some[i] & stones & -stones) continue;
                for (int v = 0; v < BLOCK_VECTORS; v++) without[v] |= line[i][v];
            }
            for (int v = 0; v < BLOCK_VECTORS; v++) sum[v] |= ~without[v];
        }
        memcpy(range_words, sum, sizeof sum);
        range_words += block_words(slab, block);
    }
}

#ifdef PLB_KERNELS_BMI2
const plb_kernels plb_kernels_bmi2 = {"bmi2", pull, merge, push, lines, ungrouped, common_stone};
#else
const plb_kernels plb_kernels_portable = {"portable", pull,      merge,       push,
                                          lines,      ungrouped, common_stone};

const plb_kernels *plb_kernels_best(void) {
#ifdef __x86_64__
    if (plb_has_avx2()) return &plb_kernels_bmi2;
#endif
    return &plb_kernels_portable;
}
#endif
