/* SPDX-License-Identifier: MIT
 *
 * The words that the outer columns of a board of few columns can have in an order with the columns
 * between them: there are two of these, a left and a right one, or the right one alone. A class of
 * the columns between (column_classes.h) branches: words of the left column that lead to the same
 * class, of which there are few; a left column that is not there has the empty word alone. A class
 * with the left column has the words of the right one that are in order with it, its partners. Sets
 * of words have a bit for each:
 *
 *     set       balance least | least + 1 | ...                    balance: x less o of a word
 *     balance   chunks of 512 bits each
 *     chunk     8 lanes of 64 bits: words of 0 or 1, 2 or 3, ... stones (those of a balance are all
 *               even or all odd), the first 64 of a number of stones in the first chunk
 *
 * Words of a branch have one balance. Partners with which there are as many x as o have one, too;
 * those with which there is an x more, the next one. x is 0 for o and 1 for x. Must not know:
 * games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_COLUMNS_H
#define PLB_TABLES_COUNT_OUTER_COLUMNS_H

#include <stddef.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/cpu_dispatch.h"
#include "tables/reach/column_classes.h"

/* ---- lanes ----
 *
 * Sets of words, counted PLB_WIDE_LANES lanes of 64 bits at a time: a vector of AVX-512 in
 * functions that are compiled for it (cpu_dispatch.h), several smaller ones else. And which words
 * have no stone of a colour in some rows, looked up for a few rows at a time. Boards of up to 13
 * rows. */

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

/* A number of each lane. */
typedef uint32_t plb_lane_counts __attribute__((vector_size(4 * PLB_WIDE_LANES), aligned(4)));

/* Ones of each lane. */
PLB_ALWAYS_INLINE plb_lane_counts plb_lanes_popcount(plb_lanes set) {
    uint64_t words[PLB_WIDE_LANES];
    memcpy(words, &set, sizeof words);
    for (int i = 0; i < PLB_WIDE_LANES; i++) words[i] = (uint64_t)plb_popcount(words[i]);
    return __builtin_convertvector(plb_lanes_at(words, 0), plb_lane_counts);
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

/* ---- outer columns ---- */

enum {
    PLB_OUTER_LANES = PLB_WIDE_LANES,
    PLB_OUTER_BALANCES = 2 * PLB_FEW_ROWS + 1, /* at most */
};

/* Words of the left column that lead to the same class. */
typedef struct plb_outer_branch {
    uint32_t next; /* class with the left column */
    int balance;   /* of the words, less the least one */
} plb_outer_branch;

typedef struct plb_outer_columns {
    const plb_column_classes *classes; /* of all columns */
    int between;                       /* columns */
    bool has_left;
    int least, balances, chunks;    /* the least balance of a word, how many; chunks of each */
    int filled[PLB_OUTER_BALANCES]; /* [balances] chunks with words */
    uint16_t *places;               /* [words] bits in the sets of their balance */
    uint16_t *words;                /* [balances][chunks of bits] the word of a bit */
    uint64_t *without;  /* [balances][chunks][x][PLB_ROWS_WITHOUT] chunks (plb_rows_without) */
    uint64_t *partners; /* [classes with left][growing][odd] one balance: partners;
                           growing: those with whose top stone as the last they are */
    uint64_t *members;  /* [branches] one balance: words */
    plb_outer_branch *branches; /* by classes of the columns between, even balances first */
    uint32_t *first;            /* [classes between][odd balance] of branches, and their end */
} plb_outer_columns;

/* Errors: PLB_ENOMEM; to be freed in any case. The classes, with at most PLB_FEW_ROWS rows, must
 * outlive them. */
int plb_outer_columns_make(const plb_column_classes *classes, bool has_left,
                           plb_outer_columns *outer);
void plb_outer_columns_free(plb_outer_columns *outer);

/* The lane of words of so many stones. */
static inline int plb_outer_lane(int stones) {
    return stones / 2;
}

/* Words of 64 bits of a balance. */
static inline size_t plb_outer_size(const plb_outer_columns *o) {
    return (size_t)o->chunks * PLB_OUTER_LANES;
}

/* The word of a bit in the sets of a balance. */
static inline int plb_outer_word(const plb_outer_columns *o, int balance, int bit) {
    return o->words[balance * plb_outer_size(o) * 64 + bit];
}

/* The class of the columns between with this word to the left. */
static inline uint32_t plb_outer_next(const plb_outer_columns *o, uint32_t class, int word) {
    return o->has_left ? plb_column_class_next(o->classes, o->between, class, word) : class;
}

static inline const uint64_t *plb_outer_members(const plb_outer_columns *o, uint32_t branch) {
    return o->members + branch * plb_outer_size(o);
}

/* Of PLB_DEAD_CLASS: none. */
static inline const uint64_t *plb_outer_partners(const plb_outer_columns *o, uint32_t class,
                                                 bool growing, bool odd) {
    return o->partners + ((size_t) class * 4 + growing * 2 + odd) * plb_outer_size(o);
}

/* Which words of a chunk have no stones of a colour in rows. */
static inline uint64_t *plb_outer_without(const plb_outer_columns *o, int balance, int chunk,
                                          int x) {
    size_t at = ((size_t)balance * o->chunks + chunk) * 2 + x;
    return o->without + at * PLB_ROWS_WITHOUT * PLB_OUTER_LANES;
}

#endif
