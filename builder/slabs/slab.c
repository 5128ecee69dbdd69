/* SPDX-License-Identifier: MIT */
#include "builder/slabs/slab.h"

#include <stdlib.h>
#include <string.h>

void plb_slab_free(plb_slab *slab) {
    if (!slab) return;
    free(slab->groups);
    free(slab->hi);
    free(slab->rank);
    free(slab->start);
    memset(slab, 0, sizeof *slab);
}

void plb_slab_fill_run(const plb_slab *slab, plb_run run, uint64_t *run_words) {
    for (size_t block = run.first; block < run.last; block++) {
        uint64_t bits = plb_masks_block_bits(slab->low, plb_slab_low_ones(slab, block));
        for (uint64_t w = slab->start[block]; w < slab->start[block + 1]; w++) {
            *run_words++ = plb_low_bits((int)plb_min(bits, 64));
            bits -= plb_min(bits, 64);
        }
    }
}

size_t plb_slab_find_block(const plb_slab *slab, uint64_t hi) {
    size_t first = 0, last = slab->blocks;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (slab->hi[middle] < hi)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

void plb_slab_copy_run(const plb_slab *from, const uint64_t *words, const plb_slab *to, plb_run run,
                       uint64_t *run_words) {
    size_t source = run.first < run.last ? plb_slab_find_block(from, to->hi[run.first]) : 0;
    for (size_t block = run.first; block < run.last; block++, source++) {
        while (from->hi[source] != to->hi[block]) source++;
        size_t count = to->start[block + 1] - to->start[block];
        memcpy(run_words, words + from->start[source], count * sizeof *run_words);
        run_words += count;
    }
}
