/* SPDX-License-Identifier: MIT
 *
 * The moves of a mask word are those of the compress operation by parallel suffix (H. S. Warren,
 * Hacker's Delight, 2nd edition, section 7-4).
 */
#include "builder/planes/masks.h"

#include "tables/bits.h"

plb_mask plb_masks[PLB_LOW + 1][PLB_LOW + 1][PLB_LOW][2];

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

uint16_t plb_low_words[PLB_LOW + 1][PLB_LOW_CHOICES];
uint16_t plb_low_rank[1 << PLB_LOW];

static void fill_low_words(void) {
    int count[PLB_LOW + 1] = {0};
    for (int word = 0; word < 1 << PLB_LOW; word++) {
        int ones = plb_popcount(word);
        plb_low_rank[word] = count[ones];
        plb_low_words[ones][count[ones]++] = word;
    }
}

static void fill_mask(plb_mask *mask, int m, int j, int i, unsigned b) {
    uint64_t bits = plb_masks_block_bits(m, j);
    for (uint64_t rank = 0; rank < bits; rank++)
        mask->bits[rank / 64] |= (uint64_t)((plb_low_words[j][rank] >> i & 1) == b) << (rank % 64);
    mask->words = plb_masks_block_words(m, j);
    for (int w = 0; w < mask->words; w++) {
        mask->ones[w] = plb_popcount(mask->bits[w]);
        fill_moves(mask->bits[w], mask->moves[w]);
    }
}

void plb_masks_fill(void) {
    fill_low_words();
    for (int m = 1; m <= PLB_LOW; m++)
        for (int j = 0; j <= m; j++)
            for (int i = 0; i < m; i++)
                for (unsigned b = 0; b < 2; b++) fill_mask(&plb_masks[m][j][i][b], m, j, i, b);
}
