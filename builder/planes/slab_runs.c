/* SPDX-License-Identifier: MIT */
#include "builder/planes/slab_runs.h"

#include <string.h>

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tables/games/rules.h"

/* A run must not divide the six stones above the low ones: slab_shape.c colours them together. */
int plb_runs_max_bits(int stones) {
    enum { TOGETHER = 6 };
    if (stones <= PLB_LOW) return 0;
    int above = stones - PLB_LOW, bits = above < TOGETHER ? above : above - TOGETHER;
    return bits < PLB_RUN_BITS ? bits : PLB_RUN_BITS;
}

plb_runs plb_runs_all(int bits) {
    plb_runs runs = {.bits = bits};
    for (uint64_t run = 0; run < 1ULL << bits; run++) plb_runs_add(&runs, run);
    return runs;
}

plb_block_range plb_runs_blocks(const plb_slab *slab, int bits, uint64_t run) {
    int shift = slab->stones - slab->low - bits;
    return (plb_block_range){plb_slab_find_block(slab, run << shift),
                             plb_slab_find_block(slab, (run + 1) << shift)};
}

uint64_t plb_runs_first_rank(int stones, int bits, uint64_t run) {
    int ones = plb_ply_ones(stones);
    if (run >> bits) return plb_binomial[stones][ones];
    uint64_t rank = 0, word = run << (stones - bits);
    for (int stone = stones - 1; stone >= stones - bits && ones >= 0; stone--) {
        if (!(word >> stone & 1)) continue;
        if (ones <= stone) rank += plb_binomial[stone][ones];
        ones--;
    }
    return rank;
}

plb_run_map plb_run_map_image(const plb_symmetry *symmetry, int element, uint64_t occupied) {
    plb_run_map map = {.stones = plb_popcount(occupied), .from_stones = plb_popcount(occupied)};
    uint64_t image = plb_symmetry_map(symmetry, element, occupied), cells = occupied;
    for (int stone = 0; cells; cells &= cells - 1, stone++) {
        int cell = symmetry->image[element][plb_lowest(cells)];
        map.from[plb_slab_stone(image, cell)] = (int8_t)stone;
    }
    return map;
}

void plb_run_map_insert(plb_run_map *map, int stone, unsigned colour) {
    memmove(map->from + stone + 1, map->from + stone, map->stones - stone);
    map->from[stone] = (int8_t)(colour ? PLB_RUN_X : PLB_RUN_O);
    map->stones++;
}

double plb_runs_map(const plb_run_map *map, int from_bits, uint64_t run, const double *bytes,
                    plb_runs *to) {
    int first = map->stones - to->bits, from_first = map->from_stones - from_bits;
    uint64_t known = 0, free = 0, rest = 0;
    double sum = 0;
    for (int bit = 0; bit < to->bits; bit++) {
        int stone = map->from[first + bit]; /* NOLINT(bugprone-signed-char-misuse): may be < 0 */
        if (stone == PLB_RUN_X || (stone >= from_first && run >> (stone - from_first) & 1))
            known |= 1ULL << bit;
        else if (stone >= 0 && stone < from_first)
            free |= 1ULL << bit;
    }
    if (plb_runs_have(to, known)) return 0; /* then all of them were added */
    do {
        plb_runs_add(to, known | rest);
        if (bytes) sum += bytes[known | rest];
        rest = (rest - free) & free;
    } while (rest);
    return sum;
}

plb_runs plb_runs_map_all(const plb_run_map *map, const plb_runs *from, int to_bits) {
    plb_runs to = plb_runs_none(to_bits);
    for (uint64_t run = 0; run < 1ULL << from->bits; run++)
        if (plb_runs_have(from, run)) plb_runs_map(map, from->bits, run, NULL, &to);
    return to;
}
