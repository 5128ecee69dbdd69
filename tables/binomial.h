/* SPDX-License-Identifier: MIT
 *
 * Binomial coefficients, and the colex rank that is built from them.
 *
 * Among the words with a given number of ones, in numeric order, a word's rank is the sum of
 * C(position, i) over its ones, the i-th one (from 1, lowest first) at `position`: that many
 * words agree above the one and lack it. This is the combinatorial number system.
 */
#ifndef PLB_TABLES_BINOMIAL_H
#define PLB_TABLES_BINOMIAL_H

#include <stdint.h>

#include "tables/bits.h"

/* plb_binomial[n][k] for n, k in [0, 64]; 0 for k > n. All fit: C(64, 32) < 2^61. Filled when the
 * first game is made (plb_game_parse), and constant from then on. */
extern uint64_t plb_binomial[65][65];

/* Fill them if they are not. Threads: safe. */
void plb_binomial_fill(void);

/* Rank of a word among the words with as many ones, from 0. Cost: one step per one. */
static inline uint64_t plb_binomial_rank(uint64_t word) {
    uint64_t rank = 0;
    for (int i = 1; word; i++, word &= word - 1) rank += plb_binomial[plb_lowest(word)][i];
    return rank;
}

/* The same of the word that plb_gather_bits makes of cells, which mask includes. */
static inline uint64_t plb_binomial_rank_within(uint64_t cells, uint64_t mask) {
    uint64_t rank = 0;
    for (int i = 1; cells; i++, cells &= cells - 1)
        rank += plb_binomial[plb_popcount(mask & ((cells & -cells) - 1))][i];
    return rank;
}

/* The word of n bits with the given number of ones and rank < C(n, ones). Inverse of rank. */
static inline uint64_t plb_binomial_unrank(int n, int ones, uint64_t rank) {
    uint64_t word = 0;
    for (int position = n - 1; ones > 0 && position >= 0; position--) {
        uint64_t below = plb_binomial[position][ones];
        if (rank < below) continue;
        rank -= below;
        word |= 1ULL << position;
        ones--;
    }
    return word;
}

/* The cells of mask that plb_scatter_bits makes of that word; the inverse of rank_within. Whether a
 * cell is one of them cannot be foreseen, so there is no branch on it. */
static inline uint64_t plb_binomial_unrank_within(uint64_t mask, int ones, uint64_t rank) {
    uint64_t cells = 0;
    for (int position = plb_popcount(mask) - 1; position >= 0; position--) {
        uint64_t highest = 1ULL << (plb_bit_length(mask) - 1), below = plb_binomial[position][ones];
        uint64_t taken = -(uint64_t)(rank >= below);
        rank -= below & taken;
        cells |= highest & taken;
        ones += (int)taken;
        mask ^= highest;
    }
    return cells;
}

#endif
