/* SPDX-License-Identifier: MIT
 *
 * Bit operations, random numbers, and numbers as bytes, in portable C: they run on every processor.
 * builder/planes/kernels.h has kernels that choose BMI2 instructions at run time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The lowest n bits, n in [0, 64]. */
static inline uint64_t plb_low_bits(int n) {
    return n >= 64 ? ~0ULL : (1ULL << n) - 1;
}

static inline int plb_popcount(uint64_t word) {
    return __builtin_popcountll(word);
}

/* Index of the lowest bit of a word that is not 0. */
static inline int plb_lowest(uint64_t word) {
    return __builtin_ctzll(word);
}

/* Number of bits of a word that is not 0, up to its highest one. */
static inline int plb_bit_length(uint64_t word) {
    return 64 - __builtin_clzll(word);
}

/* Read `count` bits, up to 64, of an array of words. Higher bits of the result are undefined. */
static inline uint64_t plb_read_bits(const uint64_t *words, uint64_t first, int count) {
    int shift = (int)(first % 64);
    uint64_t bits = words[first / 64] >> shift;
    return shift + count > 64 ? bits | words[first / 64 + 1] << (64 - shift) : bits;
}

/* Write `count` bits, up to 64, where the array has zeros. Higher bits of `bits` must be 0. */
static inline void plb_write_bits(uint64_t *words, uint64_t first, int count, uint64_t bits) {
    int shift = (int)(first % 64);
    words[first / 64] |= bits << shift;
    if (shift + count > 64) words[first / 64 + 1] |= bits >> (64 - shift);
}

/* Insert a bit at position i; bits from i on move up. */
static inline uint64_t plb_insert_bit(uint64_t word, int i, unsigned bit) {
    uint64_t low = plb_low_bits(i);
    return (word & low) | ((uint64_t)bit << i) | ((word & ~low) << 1);
}

/* The inverse: remove bit i. */
static inline uint64_t plb_remove_bit(uint64_t word, int i) {
    uint64_t low = plb_low_bits(i);
    return (word & low) | ((word >> 1) & ~low);
}

/* Give each unknown bit of a word the value of the nearest known bit below it. The carry of an
 * addition spreads a one through the unknown bits above it. before: all ones or all zeros, the bit
 * before the word; only the unknown bits below the first known one depend on it. */
static inline uint64_t plb_run_on(uint64_t word, uint64_t unknown, uint64_t before) {
    word &= ~unknown;
    uint64_t reached = (word << 1) & unknown, beginning = unknown & ~(unknown + 1);
    word |= unknown & ~(unknown + reached);
    return word | (beginning & before);
}

/* All 64 bits equal to the highest bit of a word. */
static inline uint64_t plb_spread_last(uint64_t word) {
    return -(word >> 63);
}

/* The next greater word with the same number of ones (Gosper, HAKMEM item 175). There must be one,
 * and the word must not be 0. */
static inline uint64_t plb_next_combination(uint64_t word) {
    uint64_t carried = word + (word & -word);
    return carried | (((word ^ carried) >> 2) >> plb_lowest(word));
}

/* Gather the bits of word that mask selects, at the bottom of the result (PEXT). */
static inline uint64_t plb_gather_bits(uint64_t word, uint64_t mask) {
    uint64_t result = 0;
    for (word &= mask; word; word &= word - 1)
        result |= 1ULL << plb_popcount(mask & ((word & -word) - 1));
    return result;
}

/* Scatter the lowest bits of word to where mask has ones (PDEP), the inverse. */
static inline uint64_t plb_scatter_bits(uint64_t word, uint64_t mask) {
    uint64_t result = 0;
    for (; mask; word >>= 1, mask &= mask - 1)
        if (word & 1) result |= mask & -mask;
    return result;
}

/* The next pseudo-random number; advances the state (splitmix64, public domain, by S. Vigna). */
static inline uint64_t plb_next_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* A random number in [0, bound), each as likely as any other. bound > 0. */
static inline uint64_t plb_random_below(uint64_t *random, uint64_t bound) {
    uint64_t surplus = -bound % bound, number; /* 2^64 mod bound: as many numbers are rejected */
    do number = plb_next_random(random);
    while (number < surplus);
    return number % bound;
}

static inline uint64_t plb_min(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t plb_max(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}
static inline uint64_t plb_divide_up(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

/* Copy bits where the array has zeros. A loop without branches copies whole words, and so one word
 * after the last bit may be read. */
static inline void plb_copy_bits(uint64_t *to, uint64_t to_bit, const uint64_t *from,
                                 uint64_t from_bit, uint64_t count) {
    int head = (int)plb_min(count, -to_bit % 64);
    if (head)
        plb_write_bits(to, to_bit, head, plb_read_bits(from, from_bit, head) & plb_low_bits(head));
    to += (to_bit + head) / 64;
    from_bit += head;
    count -= head;
    from += from_bit / 64;
    int shift = (int)(from_bit % 64), last = (int)(count % 64);
    uint64_t words = count / 64;
    for (uint64_t w = 0; w < words; w++)
        to[w] = from[w] >> shift | from[w + 1] << 1 << (63 - shift);
    if (last) to[words] |= plb_read_bits(from + words, shift, last) & plb_low_bits(last);
}

/* A number of bytes or elements to allocate. If it does not fit a size_t of 32 bits, the result is
 * SIZE_MAX, so that the allocation fails instead of being too small. */
static inline size_t plb_size(uint64_t count) {
    return (size_t)plb_min(count, SIZE_MAX);
}

/* ---- numbers of a fixed width, at any address ----
 *
 * Big-endian in keys, so that their order is numeric, and little-endian in records. */

/* Write the lowest `width` bytes of a number, big-endian. Returns the address after them. */
static inline uint8_t *plb_put_number(uint8_t *to, uint64_t number, int width) {
    for (int byte = width - 1; byte >= 0; byte--) *to++ = (uint8_t)(number >> (8 * byte));
    return to;
}

/* Read a big-endian number of `width` bytes. */
static inline uint64_t plb_get_number(const uint8_t *from, int width) {
    uint64_t number = 0;
    for (int byte = 0; byte < width; byte++) number = number << 8 | from[byte];
    return number;
}

/* Little-endian numbers. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tables are little-endian");

static inline uint16_t plb_get16(const uint8_t *from) {
    uint16_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

static inline uint32_t plb_get32(const uint8_t *from) {
    uint32_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

static inline uint64_t plb_get64(const uint8_t *from) {
    uint64_t number;
    memcpy(&number, from, sizeof number);
    return number;
}
