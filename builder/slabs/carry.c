/* SPDX-License-Identifier: MIT */
#include "builder/slabs/carry.h"

size_t plb_carry_directory_bytes(int high_stones) {
    return plb_divide_up(1ULL << high_stones, 64) * sizeof(plb_hi_group);
}

void plb_carry_fill_directory(const plb_slab *from, void *directory) {
    plb_hi_group *group = directory;
    size_t bytes = plb_carry_directory_bytes(from->stones - from->low), block = 0;
    for (size_t g = 0; g < bytes / sizeof *group; g++) {
        group[g] = (plb_hi_group){0, block};
        for (; block < from->blocks && from->hi[block] / 64 == g; block++)
            group[g].live |= 1ULL << (from->hi[block] % 64);
    }
}
