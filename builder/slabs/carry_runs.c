/* SPDX-License-Identifier: MIT
 *
 * Rank permutations by runs. Words that differ in their prefix alone are a run of bits in the
 * source and in the target, and runs with as many ones in the prefix are all permuted alike. A
 * short run is looked up in tables, piece by piece. Long ones wait for one another until there are
 * 64; their bits are transposed, so that a word of memory has one bit of each run, and to permute
 * them is to copy words.
 *
 *     run 0   a b c ..   transpose   a a .. a   permute, and     run 0   c a b ..
 *     run 1   a b c ..      ->       b b .. b   transpose back   run 1   c a b ..
 *     ..                             c c .. c        ->          ..
 *     run 63  a b c ..               ..                          run 63  c a b ..
 */
#include <string.h>

#include "builder/slabs/carry.h"
#include "tables/bits.h"

enum {
    BLOCK_RUNS = 1 << (PLB_LOW - PLB_LEAST_PREFIX), /* runs of a block, at most */
    SHORT_RUN = 36,   /* bits of a run that is better looked up than made to wait */
    PIECE = 6,        /* bits that are looked up at once */
    MOST_WAITING = 64 /* runs that are transposed at once */
};

/* ---- where they are ---- */

/* 64 neighbouring hi. */
typedef struct hi_group {
    uint64_t live;   /* those that have a block */
    uint64_t blocks; /* blocks of smaller hi */
} hi_group;

static const uint64_t missing_block = UINT64_MAX;

size_t plb_carry_runs_directory_bytes(int high_stones) {
    return plb_divide_up(1ULL << high_stones, 64) * sizeof(hi_group);
}

void plb_carry_runs_fill_directory(const plb_slab *from, void *directory) {
    hi_group *group = directory;
    size_t bytes = plb_carry_runs_directory_bytes(from->stones - from->low), block = 0;
    for (size_t g = 0; g < bytes / sizeof *group; g++) {
        group[g] = (hi_group){0, block};
        for (; block < from->blocks && from->hi[block] / 64 == g; block++)
            group[g].live |= 1ULL << (from->hi[block] % 64);
    }
}

/* The first bit of the block of a hi, or missing_block. */
static uint64_t find_block(const plb_carrying *c, const hi_group *directory, uint64_t hi) {
    hi_group group = directory[hi / 64];
    if (!(group.live >> (hi % 64) & 1)) return missing_block;
    return 64 * c->from->start[group.blocks + plb_popcount(group.live & plb_low_bits(hi % 64))];
}

/* A run of a block of `to`. */
typedef struct block_run {
    uint16_t bit;  /* the first one in the block */
    uint16_t low;  /* its word, carried: the part that falls on low stones of `from` */
    uint16_t ones; /* of the prefix */
} block_run;

/* Runs that come from the same block of `from`. */
typedef struct run_group {
    uint32_t hi;  /* their words, carried: the part that falls on high stones of `from` */
    uint32_t end; /* runs to the end of the group */
} run_group;

/* The runs of a block with some number of ones among the low stones, by where they come from. */
typedef struct run_list {
    bool made;
    int runs, groups;
    block_run run[BLOCK_RUNS];
    run_group group[BLOCK_RUNS];
} run_list;

/* A run for each choice of the low stones above the prefix that stay low stones, when the others
 * are as `leaving` has them. */
static void list_group(const plb_carrying *c, int ones, unsigned leaving, unsigned stay,
                       run_list *list) {
    unsigned staying = 0;
    do {
        int j = ones - plb_popcount(leaving | staying);
        if (j >= 0 && j <= c->prefix) {
            unsigned first = (unsigned)plb_low_bits(j); /* prefix of the run's first word */
            list->run[list->runs++] =
                (block_run){.bit = plb_low_rank[leaving | staying | first],
                            .low = (uint16_t)(plb_carry_low(c, staying) | first),
                            .ones = (uint16_t)j};
        }
        staying = (staying - stay) & stay;
    } while (staying);
    uint32_t hi = (uint32_t)(plb_carry_low(c, leaving) >> c->from->low);
    list->group[list->groups++] = (run_group){hi, (uint32_t)list->runs};
}

static void make_list(const plb_carrying *c, int ones, run_list *list) {
    unsigned leave = 0, leaving = 0;
    for (int stone = c->prefix; stone < c->to->low; stone++)
        if (c->bit_of_stone[stone] >> c->from->low) leave |= 1U << stone;
    unsigned stay = (1U << c->to->low) - (1U << c->prefix) - leave; /* NOLINT: to->low >= prefix */
    list->made = true;
    list->runs = list->groups = 0;
    do {
        list_group(c, ones, leaving, stay, list);
        leaving = (leaving - leave) & leave;
    } while (leaving);
}

/* ---- how they are permuted ---- */

/* The runs with some number of ones in the prefix. Short ones become what `pieces` say, long ones
 * wait. */
typedef struct run_kind {
    int bits;                                       /* of a run */
    uint16_t order[PLB_LOW_CHOICES];                /* [bits] the bit of the source for each one */
    uint64_t pieces[SHORT_RUN / PIECE][1 << PIECE]; /* of short runs: what they become */
    int waiting;                                    /* long runs, and where they begin: */
    const uint64_t *source[MOST_WAITING];           /* the word .. */
    uint64_t *target[MOST_WAITING];
    uint8_t source_shift[MOST_WAITING], target_shift[MOST_WAITING]; /* .. and its bit */
} run_kind;

static void make_pieces(run_kind *kind) {
    memset(kind->pieces, 0, sizeof kind->pieces);
    for (int i = 0; i < kind->bits; i++)
        kind->pieces[kind->order[i] / PIECE][1 << (kind->order[i] % PIECE)] = 1ULL << i;
    for (int piece = 0; piece * PIECE < kind->bits; piece++) {
        uint64_t *becomes = kind->pieces[piece];
        for (int x = 1; x < 1 << PIECE; x++) becomes[x] = becomes[x & (x - 1)] | becomes[x & -x];
    }
}

static void make_kind(const plb_carrying *c, int j, run_kind *kind) {
    kind->bits = (int)plb_masks_block_bits(c->prefix, j);
    kind->waiting = 0;
    for (int i = 0; i < kind->bits; i++)
        kind->order[i] = plb_low_rank[plb_carry_low(c, plb_low_words[j][i])];
    if (kind->bits <= SHORT_RUN) make_pieces(kind);
}

/* Up to 64 bits of a plane; the bits above them are anything. */
static inline uint64_t read_bits(const uint64_t *plane, int shift, int count) {
    uint64_t bits = plane[0] >> shift;
    return shift + count > 64 ? bits | plane[1] << (64 - shift) : bits;
}

/* Write up to 64 bits where there are zeros; the bits above them are 0. */
static inline void write_bits(uint64_t *plane, int shift, int count, uint64_t bits) {
    plane[0] |= bits << shift;
    if (shift + count > 64) plane[1] |= bits >> (64 - shift);
}

static inline void swap_bits(uint64_t *row, uint64_t *later, int distance, uint64_t mask) {
    uint64_t moved = (*row >> distance ^ *later) & mask;
    *row ^= moved << distance;
    *later ^= moved;
}

/* Three of the six steps of a transposition for eight rows that they mix: bits go to rows 4, 2
 * and 1 strides away. */
static inline void transpose_eight(uint64_t rows[], int stride, const uint64_t masks[3]) {
    uint64_t r[8];
    for (int i = 0; i < 8; i++) r[i] = rows[i * stride];
    for (int i = 0; i < 4; i++) swap_bits(&r[i], &r[i + 4], 4 * stride, masks[0]);
    for (int i = 0; i < 2; i++) swap_bits(&r[i], &r[i + 2], 2 * stride, masks[1]);
    for (int i = 4; i < 6; i++) swap_bits(&r[i], &r[i + 2], 2 * stride, masks[1]);
    for (int i = 0; i < 8; i += 2) swap_bits(&r[i], &r[i + 1], stride, masks[2]);
    for (int i = 0; i < 8; i++) rows[i * stride] = r[i];
}

/* Transpose 64 words. Source: H. S. Warren, Hacker's Delight, section 7-3; three steps at a time,
 * so that the compiler keeps rows in registers. */
static void transpose(uint64_t rows[64]) {
    static const uint64_t far[3] = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF};
    static const uint64_t near[3] = {0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555};
    for (int i = 0; i < 8; i++) transpose_eight(rows + i, 8, far);
    for (int i = 0; i < 64; i += 8) transpose_eight(rows + i, 1, near);
}

/* Permute the runs that wait. */
static void flush(run_kind *kind) {
    uint64_t columns[PLB_BLOCK_WORDS * 64], rows[MOST_WAITING];
    for (int first = 0; first < kind->bits; first += 64) {
        uint64_t *column = columns + first;
        int count = (int)plb_min(kind->bits - first, 64);
        for (int r = 0; r < kind->waiting; r++)
            column[r] = read_bits(kind->source[r] + first / 64, kind->source_shift[r], count);
        memset(column + kind->waiting, 0, (MOST_WAITING - kind->waiting) * sizeof *column);
        transpose(column);
    }
    for (int first = 0; first < kind->bits; first += 64) {
        int count = (int)plb_min(kind->bits - first, 64);
        for (int i = 0; i < count; i++) rows[i] = columns[kind->order[first + i]];
        memset(rows + count, 0, (MOST_WAITING - count) * sizeof *rows);
        transpose(rows);
        for (int r = 0; r < kind->waiting; r++)
            write_bits(kind->target[r] + first / 64, kind->target_shift[r], count, rows[r]);
    }
    kind->waiting = 0;
}

static void carry_long(const plb_carrying *c, run_kind *kind, uint64_t from, uint64_t to) {
    for (int p = 0; p < c->planes; p++) {
        int r = kind->waiting++;
        kind->source[r] = c->source[p] + from / 64;
        kind->target[r] = c->target[p] + to / 64;
        kind->source_shift[r] = from % 64;
        kind->target_shift[r] = to % 64;
        if (kind->waiting == MOST_WAITING) flush(kind);
    }
}

static inline void carry_short(const plb_carrying *c, const run_kind *kind, uint64_t from,
                               uint64_t to) {
    for (int p = 0; p < c->planes; p++) {
        uint64_t bits = 0, run = read_bits(c->source[p] + from / 64, from % 64, kind->bits);
        for (int i = 0; i * PIECE < kind->bits; i++, run >>= PIECE)
            bits |= kind->pieces[i][run % (1 << PIECE)];
        write_bits(c->target[p] + to / 64, to % 64, kind->bits, bits);
    }
}

/* A run of ones in the planes whose missing positions are ones. */
static void fill_run(const plb_carrying *c, int bits, uint64_t to) {
    for (int p = 0; p < c->planes; p++)
        for (int i = 0; c->missing[p] && i < bits; i += 64) {
            int count = (int)plb_min(bits - i, 64);
            write_bits(c->target[p] + (to + i) / 64, (to + i) % 64, count, plb_low_bits(count));
        }
}

/* ---- all of them ---- */

/* A block of `to`: its high stones, carried, and its first bit. */
typedef struct target_block {
    uint64_t high, bit;
} target_block;

static void carry_group(const plb_carrying *c, const block_run *run, const block_run *end,
                        uint64_t start, target_block to, run_kind kinds[]) {
    const uint16_t *rank_of_low = plb_low_rank + (to.high & plb_low_bits(c->from->low));
    if (start == missing_block) {
        for (; run < end; run++) fill_run(c, kinds[run->ones].bits, to.bit + run->bit);
        return;
    }
    for (; run < end; run++) {
        run_kind *kind = &kinds[run->ones];
        uint64_t from = start + rank_of_low[run->low];
        if (kind->bits <= SHORT_RUN)
            carry_short(c, kind, from, to.bit + run->bit);
        else
            carry_long(c, kind, from, to.bit + run->bit);
    }
}

static void carry_runs_of_block(const plb_carrying *c, const hi_group *directory, size_t block,
                                const run_list *list, run_kind kinds[]) {
    target_block to = {plb_carry_hi(c, block), 64 * c->to->start[block]};
    const block_run *run = list->run;
    for (int g = 0; g < list->groups; g++) {
        const block_run *end = list->run + list->group[g].end;
        /* The carried parts are disjoint from the block's, so adding is joining. */
        uint64_t start = find_block(c, directory, (to.high >> c->from->low) + list->group[g].hi);
        carry_group(c, run, end, start, to, kinds);
        run = end;
    }
}

void plb_carry_runs(const plb_carrying *c, const void *directory, plb_run blocks) {
    run_list lists[PLB_LOW + 1];
    run_kind kinds[PLB_LOW + 1];
    uint64_t first = c->to->start[blocks.first], words = c->to->start[blocks.last] - first;
    for (int j = 0; j <= c->prefix; j++) make_kind(c, j, &kinds[j]);
    for (int ones = 0; ones <= c->to->low; ones++) lists[ones].made = false;
    for (int p = 0; p < c->planes; p++)
        memset(c->target[p] + first, 0, words * sizeof *c->target[p]);
    for (size_t block = blocks.first; block < blocks.last; block++) {
        int ones = plb_slab_low_ones(c->to, block);
        if (!lists[ones].made) make_list(c, ones, &lists[ones]);
        carry_runs_of_block(c, directory, block, &lists[ones], kinds);
    }
    for (int j = 0; j <= c->prefix; j++)
        if (kinds[j].waiting) flush(&kinds[j]);
}
