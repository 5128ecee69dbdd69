/* SPDX-License-Identifier: MIT
 *
 * Blocks of PLB_WIDE_LANES lanes of 64 bits, for counting in sets: a vector of AVX-512, in
 * functions that are compiled for it. Only for files that include nothing else with vectors in
 * their interfaces. Must not know: games.
 */
#ifndef PLB_TABLES_LANE_BLOCK_H
#define PLB_TABLES_LANE_BLOCK_H

#include <stddef.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/row_lacks.h"

/* Vectors are passed to functions that are always inlined: no other code has to agree on how. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint64_t plb_block __attribute__((vector_size(8 * PLB_WIDE_LANES), aligned(8)));

/* The block of a number, of those from the first on. */
PLB_ALWAYS_INLINE plb_block plb_block_at(const uint64_t *first, int number) {
    return *(const plb_block *)(first + (size_t)number * PLB_WIDE_LANES);
}

PLB_ALWAYS_INLINE void plb_block_put(uint64_t *first, int number, plb_block block) {
    *(plb_block *)(first + (size_t)number * PLB_WIDE_LANES) = block;
}

/* Ones of each lane. */
PLB_ALWAYS_INLINE plb_block plb_block_popcount(plb_block set) {
    uint64_t words[PLB_WIDE_LANES];
    memcpy(words, &set, sizeof words);
    for (int i = 0; i < PLB_WIDE_LANES; i++) words[i] = (uint64_t)plb_popcount(words[i]);
    return plb_block_at(words, 0);
}

PLB_ALWAYS_INLINE void plb_block_add(uint64_t *sums, plb_block more) {
    *(plb_block *)sums += more;
}

/* The words of a block that have no stone in these rows. */
PLB_ALWAYS_INLINE plb_block plb_block_lacking(const uint64_t *lacks, uint32_t rows) {
    int low = (int)(rows & plb_low_bits(PLB_LACKS_LOW)), high = (int)(rows >> PLB_LACKS_LOW);
    return plb_block_at(lacks, low) & plb_block_at(lacks, (1 << PLB_LACKS_LOW) + high);
}

#endif
