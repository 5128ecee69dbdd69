/* SPDX-License-Identifier: MIT
 *
 * Shapes of slabs: the live words of hi are enumerated stone by stone from the top, and a branch
 * is given up at its first complete group.
 */
#include "builder/slabs/slab.h"

#include <stdlib.h>
#include <string.h>

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/rules.h"

/* State of one enumeration. */
typedef struct shaping {
    plb_slab *slab;
    plb_slab_part part;
    unsigned last; /* colour of the last mover */
    int first_group[PLB_MAX_CELLS +
                    1]; /* groups sorted by lowest stone: where each stone's begin */
    bool out_of_memory;
} shaping;

static int compare_lowest(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    uint64_t low_x = x & -x, low_y = y & -y;
    if (low_x != low_y) return low_x < low_y ? -1 : 1;
    return (x > y) - (x < y);
}

/* The groups inside the set, as sets of stones in order of their lowest one. */
static int find_groups(const plb_game *game, plb_slab *slab) {
    if (slab->groups_capacity < game->group_count) {
        free(slab->groups);
        slab->groups_capacity = 0;
        slab->groups = malloc(game->group_count * sizeof *slab->groups);
        if (!slab->groups) return PLB_ENOMEM;
        slab->groups_capacity = game->group_count;
    }
    slab->group_count = 0;
    for (int g = 0; g < game->group_count; g++)
        if ((game->groups[g] & ~slab->occupied) == 0)
            slab->groups[slab->group_count++] = plb_gather_bits(game->groups[g], slab->occupied);
    if (slab->group_count)
        qsort(slab->groups, slab->group_count, sizeof *slab->groups, compare_lowest);
    return PLB_OK;
}

static void find_first_groups(shaping *s) {
    int g = 0;
    for (int stone = 0; stone <= s->slab->stones; stone++) {
        while (g < s->slab->group_count && plb_lowest(s->slab->groups[g]) < stone) g++;
        s->first_group[stone] = g;
    }
}

static bool grow(plb_slab *slab) {
    size_t capacity = slab->capacity ? 2 * slab->capacity : 64;
    uint64_t *hi = realloc(slab->hi, capacity * sizeof *hi);
    if (hi) slab->hi = hi;
    uint64_t *rank = realloc(slab->rank, capacity * sizeof *rank);
    if (rank) slab->rank = rank;
    uint64_t *start = realloc(slab->start, (capacity + 1) * sizeof *start);
    if (start) slab->start = start;
    if (!hi || !rank || !start) return false;
    slab->capacity = capacity;
    return true;
}

static void add_block(shaping *s, uint64_t word, int low_ones, uint64_t rank) {
    plb_slab *slab = s->slab;
    if (slab->blocks == slab->capacity && !grow(slab)) {
        s->out_of_memory = true;
        return;
    }
    slab->hi[slab->blocks] = word >> slab->low;
    slab->rank[slab->blocks] = rank;
    slab->start[slab->blocks] = slab->words;
    slab->words += plb_masks_block_words(slab->low, low_ones);
    slab->blocks++;
}

/* What the groups that end in a newly coloured stone mean for the words below it. */
typedef struct completion {
    bool any;          /* the last mover has a complete group */
    uint64_t by_stone; /* stones that complete every such group when placed last */
} completion;

/* Colour `stone`; false when no wanted block lies below. */
static bool colour_stone(const shaping *s, int stone, unsigned colour, uint64_t word,
                         completion *c) {
    uint64_t same = colour ? word : ~word;
    for (int g = s->first_group[stone]; g < s->first_group[stone + 1]; g++) {
        if (s->slab->groups[g] & ~same) continue;
        if (s->part == PLB_LIVE || colour != s->last) return false;
        c->any = true;
        c->by_stone &= s->slab->groups[g];
        if (!c->by_stone) return false;
    }
    return true;
}

static void enumerate(shaping *s, int stone, int ones, uint64_t word, uint64_t rank, completion c) {
    if (stone == s->slab->low) {
        if (s->part == PLB_LIVE || c.any) add_block(s, word, ones, rank);
        return;
    }
    stone--;
    completion with_o = c, with_x = c;
    if (ones <= stone && colour_stone(s, stone, 0, word, &with_o))
        enumerate(s, stone, ones, word, rank, with_o);
    if (ones == 0) return;
    uint64_t x = word | 1ULL << stone;
    if (colour_stone(s, stone, 1, x, &with_x))
        enumerate(s, stone, ones - 1, x, rank + plb_binomial[stone][ones], with_x);
}

int plb_slab_shape(const plb_game *game, uint64_t occupied, plb_slab_part part, plb_slab *slab) {
    int stones = plb_popcount(occupied);
    slab->occupied = occupied;
    slab->stones = stones;
    slab->ones = plb_ply_ones(stones);
    slab->low = stones < PLB_LOW ? stones : PLB_LOW;
    slab->blocks = slab->words = 0;
    if (find_groups(game, slab) != PLB_OK) return PLB_ENOMEM;
    shaping s = {.slab = slab, .part = part, .last = stones % 2};
    find_first_groups(&s);
    uint64_t removable = plb_gather_bits(plb_game_removable(game, occupied), occupied);
    enumerate(&s, stones, slab->ones, 0, 0, (completion){false, removable});
    if (s.out_of_memory) return PLB_ENOMEM;
    if (slab->start) slab->start[slab->blocks] = slab->words;
    return PLB_OK;
}

void plb_slab_free(plb_slab *slab) {
    if (!slab) return;
    free(slab->groups);
    free(slab->hi);
    free(slab->rank);
    free(slab->start);
    memset(slab, 0, sizeof *slab);
}

void plb_slab_fill_run(const plb_slab *slab, plb_run run, uint64_t *part) {
    for (size_t block = run.first; block < run.last; block++) {
        uint64_t bits = plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
        for (uint64_t w = slab->start[block]; w < slab->start[block + 1]; w++) {
            *part++ = plb_low_bits((int)plb_min(bits, 64));
            bits -= plb_min(bits, 64);
        }
    }
}
