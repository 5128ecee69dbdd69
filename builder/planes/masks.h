/* SPDX-License-Identifier: MIT
 *
 * Precomputed planes over the words of a few stones.
 *
 * For m stones of which j are x there are C(m, j) words, in numeric order. The mask of (m, j, i, b)
 * has a bit for each of them, set where stone i has colour b (1 = x). It serves twice: to gather
 * or scatter the half of a block in which a given stone has a given colour, and as the plane
 * "stone i has colour b". Masks depend on no board and no set of cells; all is filled when the
 * first slab is shaped (slab_shape.h), and constant from then on.
 */
#ifndef PLB_BUILDER_PLANES_MASKS_H
#define PLB_BUILDER_PLANES_MASKS_H

#include <stdint.h>

#include "tables/binomial.h"

enum {
    PLB_LOW = 12,         /* stones that vary within a block of a plane */
    PLB_BLOCK_WORDS = 16, /* 64-bit words that hold the largest block, C(12, 6) = 924 bits: 15,
                             and one more, which makes whole vectors */
    PLB_MOVE_STEPS = 6,   /* log2 of the bits in a word */
};

typedef struct plb_mask {
    _Alignas(32) uint64_t bits[PLB_BLOCK_WORDS];     /* the plane; 0 after its end */
    int words;                                       /* 64-bit words in use */
    uint8_t ones[PLB_BLOCK_WORDS];                   /* ones of each word */
    uint64_t moves[PLB_BLOCK_WORDS][PLB_MOVE_STEPS]; /* how to gather without BMI2: the bits
                                                        to move down by 1, 2, 4 .. */
} plb_mask;

/* The words of the low stones by number of ones in numeric order, and each one's place there. The
 * words of fewer than PLB_LOW stones are the first of each list. */
enum { PLB_LOW_CHOICES = 924 }; /* C(12, 6): words with as many ones, at most */
extern uint16_t plb_low_words[PLB_LOW + 1][PLB_LOW_CHOICES];
extern uint16_t plb_low_rank[1 << PLB_LOW];

/* plb_masks[m][j][i][b], m in [1, 12], j in [0, m], i in [0, m). */
extern plb_mask plb_masks[PLB_LOW + 1][PLB_LOW + 1][PLB_LOW][2];

/* Fill all of these, once: plb_slab_shape does. */
void plb_masks_fill(void);

/* 64-bit words and bits of a block of m stones with j ones; 0 where j is outside [0, m]. */
static inline uint64_t plb_masks_block_bits(int m, int j) {
    return j < 0 || j > m ? 0 : plb_binomial[m][j];
}
static inline int plb_masks_block_words(int m, int j) {
    return (int)((plb_masks_block_bits(m, j) + 63) / 64);
}

#endif
