/* SPDX-License-Identifier: MIT */
#include "builder/scratch/plane_fold.h"

/* A word whose unknown positions get the bit of the one before them: a one runs on through the
 * unknown positions after it as the carry of a sum does. before: all bits are that of the position
 * before the word. (Only what lies before the first known position waits for it.) */
static inline uint64_t run_on(uint64_t word, uint64_t unknown, uint64_t before) {
    word &= ~unknown;
    uint64_t reached = (word << 1) & unknown, beginning = unknown & ~(unknown + 1);
    word |= unknown & ~(unknown + reached);
    return word | (beginning & before);
}

/* All bits are the last one of a word. */
static inline uint64_t spread_last(uint64_t word) {
    return -(word >> 63);
}

void plb_plane_fold(const uint64_t *restrict x_wins, const uint64_t *restrict o_wins, size_t words,
                    uint64_t *restrict first, uint64_t *restrict second) {
    uint64_t before_first = 0, before_second = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t x = x_wins[w], o = o_wins[w];
        first[w] = run_on(x, x & o, before_first);
        second[w] = run_on(o, x, before_second);
        before_first = spread_last(first[w]);
        before_second = spread_last(second[w]);
    }
}

void plb_plane_unfold(uint64_t *restrict first, uint64_t *restrict second, size_t words) {
    for (size_t w = 0; w < words; w++) second[w] &= ~first[w];
}
