/* SPDX-License-Identifier: MIT
 *
 * Sets of words, counted PLB_WIDE_LANES lanes of 64 bits at a time: a vector of AVX-512 in
 * functions that are compiled for it (cpu_dispatch.h), several smaller ones else. And which words
 * have no stone of a colour in some rows, looked up for a few rows at a time. Boards of up to 13
 * rows. Only for files that include nothing else with vectors in their interfaces. Must not know:
 * games.
 */
#ifndef PLB_TABLES_COUNT_SET_LANES_H
#define PLB_TABLES_COUNT_SET_LANES_H

#include <stddef.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/cpu_dispatch.h"

/* Vectors are passed to functions that are always inlined: no other code has to agree on how. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint64_t plb_lanes __attribute__((vector_size(8 * PLB_WIDE_LANES), aligned(8)));

/* The lanes of a number, of those from the first on. */
PLB_ALWAYS_INLINE plb_lanes plb_lanes_at(const uint64_t *first, int number) {
    return *(const plb_lanes *)(first + (size_t)number * PLB_WIDE_LANES);
}

PLB_ALWAYS_INLINE void plb_lanes_put(uint64_t *first, int number, plb_lanes lanes) {
    *(plb_lanes *)(first + (size_t)number * PLB_WIDE_LANES) = lanes;
}

/* Ones of each lane. */
PLB_ALWAYS_INLINE plb_lanes plb_lanes_popcount(plb_lanes set) {
    uint64_t words[PLB_WIDE_LANES];
    memcpy(words, &set, sizeof words);
    for (int i = 0; i < PLB_WIDE_LANES; i++) words[i] = (uint64_t)plb_popcount(words[i]);
    return plb_lanes_at(words, 0);
}

PLB_ALWAYS_INLINE bool plb_lanes_are_zero(plb_lanes lanes) {
    typedef uint64_t half __attribute__((vector_size(4 * PLB_WIDE_LANES)));
    half halves[2];
    memcpy(halves, &lanes, sizeof lanes);
    half any = halves[0] | halves[1];
    return (any[0] | any[1] | any[2] | any[3]) == 0;
}

/* ---- rows without stones ---- */

enum {
    PLB_FEW_ROWS = 13, /* at most */
    PLB_LOW_ROWS = 7,  /* that are looked up first */
    PLB_ROWS_WITHOUT = (1 << PLB_LOW_ROWS) + (1 << (PLB_FEW_ROWS - PLB_LOW_ROWS)),
};

/* Put a word with these stones of a colour, whose bit is of these lanes. without:
 * [PLB_ROWS_WITHOUT] lanes, first of the low rows, by the rows that are asked for. */
static inline void plb_rows_without_put(uint64_t *without, uint32_t stones, size_t bit) {
    for (uint32_t i = 0; i < PLB_ROWS_WITHOUT; i++, without += PLB_WIDE_LANES) {
        uint32_t rows = i >> PLB_LOW_ROWS ? (i - (1U << PLB_LOW_ROWS)) << PLB_LOW_ROWS : i;
        if ((stones & rows) == 0) without[bit / 64] |= 1ULL << (bit % 64);
    }
}

/* The words that have no stone of the colour in these rows. */
PLB_ALWAYS_INLINE plb_lanes plb_rows_without(const uint64_t *without, uint32_t rows) {
    int low = (int)(rows & plb_low_bits(PLB_LOW_ROWS)), high = (int)(rows >> PLB_LOW_ROWS);
    return plb_lanes_at(without, low) & plb_lanes_at(without, (1 << PLB_LOW_ROWS) + high);
}

#endif
