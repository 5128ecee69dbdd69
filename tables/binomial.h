/* SPDX-License-Identifier: MIT
 *
 * Binomial coefficients, and the colexicographic rank of a word (combinatorial number system).
 *
 * List all words with a given number of ones in numeric order, from 0 on. The rank of a word, its
 * place in the list, is the sum of C(position, i) over its ones; the i-th one, from 1 on and lowest
 * first, is at bit `position`. C(position, i) is the number of words with the same higher ones
 * whose other i ones are all below `position`.
 */
#pragma once

#include <stdint.h>

#include "tables/bits.h"

/* plb_binomial[n][k] for n, k in [0, 64]; 0 for k > n. All fit: C(64, 32) < 2^61. plb_game_parse
 * fills the table; from then on it is constant. */
extern uint64_t plb_binomial[65][65];

/* Fill the table, if that is not done yet. Threads: safe. */
void plb_binomial_fill(void);

/* Rank of a word among the words with the same number of ones. Cost: one step per one. */
static inline uint64_t plb_binomial_rank(uint64_t word) {
    uint64_t rank = 0;
    for (int i = 1; word; i++, word &= word - 1) rank += plb_binomial[plb_lowest(word)][i];
    return rank;
}

/* The rank of plb_gather_bits(cells, mask); cells is a subset of mask. */
static inline uint64_t plb_binomial_rank_within(uint64_t cells, uint64_t mask) {
    uint64_t rank = 0;
    for (int i = 1; cells; i++, cells &= cells - 1)
        rank += plb_binomial[plb_popcount(mask & ((cells & -cells) - 1))][i];
    return rank;
}

/* The inverse of plb_binomial_rank: the word of n bits with `ones` ones; rank < C(n, ones). */
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

/* The inverse of plb_binomial_rank_within. A processor cannot predict whether a cell is taken, so
 * the loop has no branch on it. */
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
