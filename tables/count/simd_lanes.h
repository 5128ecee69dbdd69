/* SPDX-License-Identifier: MIT
 *
 * Blocks of PLB_WIDE_LANES lanes of 64 bits, for counting in sets: a vector of AVX-512, in
 * functions that are compiled for it. Files with loops over blocks are compiled once more for AVX2,
 * whose vectors count bits by a table that the compiler does not think of (PLB_LANES_AVX2 is
 * defined then). Only for files that include nothing else with vectors in their interfaces. Must
 * not know: games.
 */
#ifndef PLB_TABLES_COUNT_SIMD_LANES_H
#define PLB_TABLES_COUNT_SIMD_LANES_H

#include <stddef.h>
#include <string.h>

#ifdef PLB_LANES_AVX2
#include <immintrin.h>
#endif

#include "tables/bits.h"
#include "tables/count/rows_without.h"

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

#ifdef PLB_LANES_AVX2
typedef union plb_block_halves {
    plb_block block;
    __m256i half[2];
} plb_block_halves;

/* By halves of bytes; then those of each lane are added up. */
PLB_ALWAYS_INLINE __m256i plb_half_popcount(__m256i set) {
    const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, /**/
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15), high = _mm256_srli_epi16(set, 4);
    __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(ones, _mm256_and_si256(set, low)),
                                    _mm256_shuffle_epi8(ones, _mm256_and_si256(high, low)));
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

/* Ones of each lane. */
PLB_ALWAYS_INLINE plb_block plb_block_popcount(plb_block set) {
    plb_block_halves b = {set};
    for (int i = 0; i < 2; i++) b.half[i] = plb_half_popcount(b.half[i]);
    return b.block;
}

/* Each lane so many times; both as signed numbers of 32 bits. */
PLB_ALWAYS_INLINE plb_block plb_block_times(plb_block block, uint64_t times) {
    plb_block_halves b = {block};
    const __m256i all = _mm256_set1_epi64x((int64_t)times);
    for (int i = 0; i < 2; i++) b.half[i] = _mm256_mul_epi32(b.half[i], all);
    return b.block;
}
#else
PLB_ALWAYS_INLINE plb_block plb_block_popcount(plb_block set) {
    uint64_t words[PLB_WIDE_LANES];
    memcpy(words, &set, sizeof words);
    for (int i = 0; i < PLB_WIDE_LANES; i++) words[i] = (uint64_t)plb_popcount(words[i]);
    return plb_block_at(words, 0);
}

PLB_ALWAYS_INLINE plb_block plb_block_times(plb_block block, uint64_t times) {
    return block * times;
}
#endif

/* Lanes of 32 bits. */
typedef uint32_t plb_half_block __attribute__((vector_size(4 * PLB_WIDE_LANES), aligned(4)));

PLB_ALWAYS_INLINE plb_block plb_block_widened(plb_half_block half) {
    return __builtin_convertvector(half, plb_block);
}

/* Numbers below 2^15 in twos: each of PLB_WIDE_LANES times one, the first by the first and the
 * second by the second, added up. */
PLB_ALWAYS_INLINE plb_half_block plb_half_products(const uint16_t *twos, const uint16_t *one) {
#ifdef PLB_LANES_AVX2
    int two;
    memcpy(&two, one, sizeof two);
    __m256i products =
        _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)twos), _mm256_set1_epi32(two));
    return (plb_half_block)products;
#else
    uint32_t products[PLB_WIDE_LANES];
    plb_half_block all;
    for (int i = 0; i < PLB_WIDE_LANES; i++)
        products[i] = (uint32_t)twos[2 * i] * one[0] + (uint32_t)twos[2 * i + 1] * one[1];
    memcpy(&all, products, sizeof all);
    return all;
#endif
}

PLB_ALWAYS_INLINE bool plb_block_is_zero(plb_block block) {
#ifdef PLB_LANES_AVX2
    plb_block_halves b = {block};
    __m256i any = _mm256_or_si256(b.half[0], b.half[1]);
    return _mm256_testz_si256(any, any);
#else
    uint64_t any = 0;
    for (int i = 0; i < PLB_WIDE_LANES; i++) any |= block[i];
    return any == 0;
#endif
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
