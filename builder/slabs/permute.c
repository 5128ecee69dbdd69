/* SPDX-License-Identifier: MIT
 *
 * Rank permutations, in one of two ways: by runs, where the symmetry carries the lowest stones,
 * the prefix, among themselves, as a mirror image does, for slots go in mirror pairs; else bit by
 * bit, as most rotations need.
 */
#include "builder/slabs/permute.h"

#include <stdlib.h>
#include <string.h>

#include "builder/slabs/carry.h"
#include "tables/bits.h"

enum {
    LEAST_WORDS = 24,       /* of the planes: with fewer the tables of runs do not pay */
    SHARED_BLOCKS = 1 << 12 /* of the target, for one thread at a time */
};

uint16_t plb_low_words[PLB_LOW + 1][PLB_LOW_CHOICES];
uint16_t plb_low_rank[1 << PLB_LOW];

__attribute__((constructor)) static void fill_low_rank(void) {
    int count[PLB_LOW + 1] = {0};
    for (int word = 0; word < 1 << PLB_LOW; word++) {
        int ones = plb_popcount(word);
        plb_low_rank[word] = count[ones];
        plb_low_words[ones][count[ones]++] = word;
    }
}

void plb_permuter_free(plb_permuter *permuter) {
    if (!permuter) return;
    free(permuter->directory);
    permuter->directory = NULL;
    permuter->capacity = 0;
}

void *plb_permuter_reserve(plb_permuter *permuter, size_t bytes) {
    if (permuter->capacity < bytes) {
        plb_permuter_free(permuter);
        permuter->directory = malloc(bytes);
        if (permuter->directory) permuter->capacity = bytes;
    }
    return permuter->directory;
}

static void carry_stones(plb_carrying *c, const plb_symmetry *symmetry, int element) {
    int stone = 0;
    for (uint64_t cells = c->to->occupied; cells; cells &= cells - 1, stone++) {
        int cell = symmetry->image[element][plb_lowest(cells)];
        c->bit_of_stone[stone] = 1ULL << plb_slab_stone(c->from->occupied, cell);
    }
    memset(&c->bit_of_stone[stone], 0, (PLB_MAX_CELLS - stone) * sizeof c->bit_of_stone[0]);
    for (int h = 0; h < 2; h++) {
        c->half[h][0] = 0;
        for (int word = 1; word < PLB_HALF_WORDS; word++)
            c->half[h][word] = c->half[h][word & (word - 1)] |
                               c->bit_of_stone[h * PLB_HALF_STONES + plb_lowest(word)];
    }
}

static int find_prefix(const plb_carrying *c) {
    int prefix = 0;
    uint64_t reached = 0;
    for (int stone = 0; stone < c->to->low; stone++) {
        reached |= c->bit_of_stone[stone];
        if (reached == plb_low_bits(stone + 1)) prefix = stone + 1;
    }
    return prefix;
}

/* Do runs pay? About two of a kind make up for finding their order. */
static bool goes_by_runs(const plb_carrying *c) {
    uint64_t words = c->to->words * c->planes;
    return c->prefix >= PLB_LEAST_PREFIX && words >= LEAST_WORDS && 64 * words >= 2ULL << c->prefix;
}

typedef void carry_blocks(const plb_carrying *c, const void *directory, plb_run blocks);

/* Let the threads share the blocks of the target. */
static void share_blocks(const plb_threads *threads, const plb_carrying *c, const void *directory,
                         carry_blocks *carry) {
    size_t parts = plb_divide_up(c->to->blocks, SHARED_BLOCKS);
    size_t tasks = plb_threads_tasks(threads, parts);
#pragma omp taskloop num_tasks(tasks) if (parts > 1) shared(carry)
    for (size_t part = 0; part < parts; part++) {
        size_t first = part * SHARED_BLOCKS;
        carry(c, directory, (plb_run){first, plb_min(first + SHARED_BLOCKS, c->to->blocks)});
    }
}

int plb_permute(plb_permuter *permuter, const plb_symmetry *symmetry, int element,
                const plb_slab *from, const plb_slab *to, int planes, uint64_t *const source[],
                const bool dead[], uint64_t *const target[]) {
    plb_carrying c = {
        .from = from, .to = to, .planes = planes, .source = source, .target = target, .dead = dead};
    carry_stones(&c, symmetry, element);
    c.prefix = find_prefix(&c);
    bool by_runs = goes_by_runs(&c);
    const void *directory = by_runs ? plb_carry_runs_directory(permuter, from)
                                    : plb_carry_bits_directory(permuter, from);
    if (!directory) return PLB_ENOMEM;
    share_blocks(permuter->threads, &c, directory, by_runs ? plb_carry_runs : plb_carry_bits);
    return PLB_OK;
}
