/* SPDX-License-Identifier: MIT
 *
 * The masks, filled before main. The moves of a mask word are those of the compress operation
 * by parallel suffix (H. S. Warren, Hacker's Delight, 2nd edition, section 7-4).
 */
#include "builder/planes/masks.h"

#include "tables/binomial.h"
#include "tables/bits.h"

plb_mask plb_masks[PLB_LOW + 1][PLB_LOW + 1][PLB_LOW][2];

uint64_t plb_masks_block_bits(int m, int j) {
    return j < 0 || j > m ? 0 : plb_binomial[m][j];
}

int plb_masks_block_words(int m, int j) {
    return (int)((plb_masks_block_bits(m, j) + 63) / 64);
}

/* In step s the bits whose distance to their final place has bit s move down by 2^s. */
static void fill_moves(uint64_t mask, uint64_t moves[PLB_MOVE_STEPS]) {
    uint64_t zeros_below = ~mask << 1;
    for (int step = 0; step < PLB_MOVE_STEPS; step++) {
        uint64_t parity = zeros_below;
        for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
        uint64_t move = parity & mask;
        moves[step] = move;
        mask = (mask ^ move) | (move >> (1 << step));
        zeros_below &= ~parity;
    }
}

static void fill_mask(plb_mask *mask, int m, int j, int i, unsigned b) {
    uint64_t rank = 0;
    for (unsigned word = 0; word < 1u << m; word++) {
        if (plb_popcount(word) != j) continue;
        if ((word >> i & 1) == b) mask->bits[rank / 64] |= 1ULL << (rank % 64);
        rank++;
    }
    mask->words = plb_masks_block_words(m, j);
    for (int w = 0; w < mask->words; w++) {
        mask->ones[w] = plb_popcount(mask->bits[w]);
        fill_moves(mask->bits[w], mask->moves[w]);
    }
}

uint16_t plb_low_words[PLB_LOW + 1][PLB_LOW_CHOICES];
uint16_t plb_low_rank[1 << PLB_LOW];

__attribute__((constructor)) static void fill_low_words(void) {
    int count[PLB_LOW + 1] = {0};
    for (int word = 0; word < 1 << PLB_LOW; word++) {
        int ones = plb_popcount(word);
        plb_low_rank[word] = count[ones];
        plb_low_words[ones][count[ones]++] = word;
    }
}

__attribute__((constructor(PLB_BINOMIAL_PRIORITY + 1))) static void fill_masks(void) {
    for (int m = 1; m <= PLB_LOW; m++)
        for (int j = 0; j <= m; j++)
            for (int i = 0; i < m; i++)
                for (unsigned b = 0; b < 2; b++) fill_mask(&plb_masks[m][j][i][b], m, j, i, b);
}
