/* SPDX-License-Identifier: MIT */
#include "tests/support/words.h"

#include <stdlib.h>

#include "tables/bits.h"

uint64_t words_first(const plb_slab *slab) {
    return plb_low_bits(slab->ones);
}

uint64_t words_next(const plb_slab *slab, uint64_t word) {
    int ones = plb_popcount(word);
    for (word++; word >> slab->stones == 0; word++)
        if (plb_popcount(word) == ones) return word;
    return 0;
}

/* The number of smaller words with the same number of ones. */
static int count_smaller(uint64_t word) {
    static int16_t known[1 << PLB_LOW]; /* 1 + the count */
    if (known[word]) return known[word] - 1;
    int smaller = 0;
    for (uint64_t w = 0; w < word; w++) smaller += plb_popcount(w) == plb_popcount(word);
    known[word] = (int16_t)(1 + smaller);
    return smaller;
}

int64_t words_bit(const plb_slab *slab, uint64_t word) {
    size_t low = 0, high = slab->blocks;
    uint64_t hi = word >> slab->low;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (slab->hi[middle] < hi)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == slab->blocks || slab->hi[low] != hi) return -1;
    return (int64_t)slab->start[low] * 64 + count_smaller(word & plb_low_bits(slab->low));
}

bool words_get(const uint64_t *plane, int64_t bit) {
    return plane[bit / 64] >> (bit % 64) & 1;
}

void words_set(uint64_t *plane, int64_t bit) {
    plane[bit / 64] |= 1ULL << (bit % 64);
}

bool words_has_group(const plb_slab *slab, uint64_t word, unsigned colour, int from) {
    uint64_t same = (colour ? word : ~word) & ~plb_low_bits(from);
    for (int g = 0; g < slab->group_count; g++)
        if ((slab->groups[g] & ~same) == 0) return true;
    return false;
}

uint64_t *words_new_plane(const plb_slab *slab) {
    uint64_t *plane = calloc(slab->words + 1, sizeof *plane);
    assert_non_null(plane);
    return plane;
}

plb_planes words_new_planes(const plb_slab *slab, int count) {
    plb_planes planes = {slab, count, calloc(count * slab->words + 1, sizeof *planes.words)};
    assert_non_null(planes.words);
    return planes;
}

unsigned words_get_code(const plb_planes *planes, int64_t bit) {
    unsigned code = 0;
    for (int p = 0; p < planes->count; p++)
        code |= (unsigned)words_get(plb_planes_get(planes, p), bit) << p;
    return code;
}

void words_set_code(const plb_planes *planes, int64_t bit, unsigned code) {
    for (int p = 0; p < planes->count; p++)
        if (code >> p & 1) words_set(plb_planes_get(planes, p), bit);
}

uint64_t *words_random_plane(const plb_slab *slab, uint64_t *random) {
    uint64_t *plane = words_new_plane(slab);
    uint64_t word = words_first(slab);
    do {
        int64_t bit = words_bit(slab, word);
        if (bit >= 0 && support_random(random) & 1) words_set(plane, bit);
    } while ((word = words_next(slab, word)));
    return plane;
}

plb_slab words_shape(const plb_game *game, uint64_t occupied, plb_block_set part) {
    plb_slab slab = {0};
    assert_int_equal(plb_slab_shape(game, occupied, part, NULL, &slab), PLB_OK);
    return slab;
}

uint64_t words_random_set(const plb_game *game, int stones, uint64_t *random) {
    uint64_t occupied = 0;
    while (stones-- > 0) {
        uint64_t cells = plb_game_playable(game, occupied);
        uint64_t skip = support_random_below(random, plb_popcount(cells));
        for (; skip > 0; skip--) cells &= cells - 1;
        occupied |= cells & -cells;
    }
    return occupied;
}
