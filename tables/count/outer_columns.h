/* SPDX-License-Identifier: MIT
 *
 * The words of the outer columns of a board of few columns that have an order (column_automaton.h)
 * together with the columns between them. The outer columns are a left and a right one, or the
 * right one alone; then the left one counts as empty.
 *
 *     branch     words of the left column, its *members*, that lead from a class of the columns
 *                between (column_classes.h) to the same class; a class has few branches
 *     partners   of a class of all columns but the right one: words of the right column with which
 *                there is an order
 *
 * Sets of words are bit masks, by the balance of the word (number of x less number of o):
 *
 *     set       min_balance | min_balance + 1 | ...
 *     balance   chunks of 512 bits each
 *     chunk     8 lanes of 64 bits: words with 0 or 1, 2 or 3, ... stones (the words of a balance
 *               have all even or all odd lengths); the first chunk has the first 64 of each length
 *
 * All members of a branch have the same balance. So have all partners that make the number of
 * stones even; those that make it odd have the next balance. An index [x] is 0 for o and 1 for x.
 * Must not know: games.
 */
#pragma once

#include <stddef.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/cpu_dispatch.h"
#include "tables/reach/column_classes.h"

/* ---- lanes ----
 *
 * Sets of words are processed PLB_WIDE_LANES lanes of 64 bits at a time, as several vectors. */

/* Vectors are passed only to functions that are always inlined, so their ABI does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint64_t plb_lanes __attribute__((vector_size(8 * PLB_WIDE_LANES), aligned(8)));

/* The lanes of chunk `number` of a set that begins at `first`. */
PLB_ALWAYS_INLINE plb_lanes plb_lanes_at(const uint64_t *first, int number) {
    return *(const plb_lanes *)(first + (size_t)number * PLB_WIDE_LANES);
}

PLB_ALWAYS_INLINE void plb_lanes_put(uint64_t *first, int number, plb_lanes lanes) {
    *(plb_lanes *)(first + (size_t)number * PLB_WIDE_LANES) = lanes;
}

/* A count for each lane. */
typedef uint32_t plb_lane_counts __attribute__((vector_size(4 * PLB_WIDE_LANES), aligned(4)));

/* ---- words without stones in some rows ----
 *
 * A table of sets, indexed by the bit mask of the low rows, followed by one for the high rows. The
 * words without a stone of a colour in any rows are the intersection of two entries. */

enum {
    PLB_FEW_ROWS = 13, /* of a board, at most */
    PLB_LOW_ROWS = 7,  /* of the first table */
    PLB_ROWS_WITHOUT = (1 << PLB_LOW_ROWS) + (1 << (PLB_FEW_ROWS - PLB_LOW_ROWS)),
};

/* Enter a word, number `bit` of a chunk, that has a colour's stones in these rows. without:
 * [PLB_ROWS_WITHOUT] chunks. */
static inline void plb_rows_without_put(uint64_t *without, uint32_t stones, size_t bit) {
    for (uint32_t i = 0; i < PLB_ROWS_WITHOUT; i++, without += PLB_WIDE_LANES) {
        uint32_t rows = i >> PLB_LOW_ROWS ? (i - (1U << PLB_LOW_ROWS)) << PLB_LOW_ROWS : i;
        if ((stones & rows) == 0) without[bit / 64] |= 1ULL << (bit % 64);
    }
}

/* The words of a chunk that have no stone of the colour in these rows. */
PLB_ALWAYS_INLINE plb_lanes plb_rows_without(const uint64_t *without, uint32_t rows) {
    int low = (int)(rows & plb_low_bits(PLB_LOW_ROWS)), high = (int)(rows >> PLB_LOW_ROWS);
    return plb_lanes_at(without, low) & plb_lanes_at(without, (1 << PLB_LOW_ROWS) + high);
}

/* ---- outer columns ---- */

enum {
    PLB_OUTER_LANES = PLB_WIDE_LANES,
    PLB_OUTER_BALANCES = 2 * PLB_FEW_ROWS + 1, /* at most */
};

/* From here on, balances are counted from min_balance: 0, 1, .. */

typedef struct plb_outer_branch {
    uint32_t next; /* class with the left column */
    int balance;   /* of the members */
} plb_outer_branch;

typedef struct plb_outer_columns {
    const plb_column_classes *classes; /* of all columns */
    int between;                       /* number of columns between */
    bool has_left;
    int min_balance, balances;      /* of words; number of balances */
    int chunks;                     /* of each balance */
    int filled[PLB_OUTER_BALANCES]; /* [balances] chunks that have words */
    uint16_t *places;               /* [words] bit in the sets of their balance */
    uint64_t *without;  /* [balances][chunks][x][PLB_ROWS_WITHOUT] chunks (plb_rows_without) */
    uint64_t *partners; /* [classes with left][growing][odd] a set of one balance; growing: only
                           the partners whose top stone can be the last of the order */
    uint64_t *members;  /* [branches] a set of one balance */
    plb_outer_branch *branches; /* by class of the columns between; even numbers of stones first */
    uint32_t *first;            /* [classes between][odd] index of the first branch; then their
                                   number */
} plb_outer_columns;

/* classes: of a board of at most PLB_FEW_ROWS rows; must outlive `outer`. Errors: PLB_ENOMEM. Free
 * even after an error. */
int plb_outer_columns_make(const plb_column_classes *classes, bool has_left,
                           plb_outer_columns *outer);
void plb_outer_columns_free(plb_outer_columns *outer);

/* The lane of words with this number of stones. */
static inline int plb_outer_lane(int stones) {
    return stones / 2;
}

/* The number of 64-bit lanes of a balance. */
static inline size_t plb_outer_size(const plb_outer_columns *o) {
    return (size_t)o->chunks * PLB_OUTER_LANES;
}

/* The class after the columns between and this word of the left column. */
static inline uint32_t plb_outer_next(const plb_outer_columns *o, uint32_t class, int word) {
    return o->has_left ? plb_column_class_next(o->classes, o->between, class, word) : class;
}

static inline const uint64_t *plb_outer_members(const plb_outer_columns *o, uint32_t branch) {
    return o->members + branch * plb_outer_size(o);
}

/* PLB_DEAD_CLASS has no partners. */
static inline const uint64_t *plb_outer_partners(const plb_outer_columns *o, uint32_t class,
                                                 bool growing, bool odd) {
    return o->partners + ((size_t) class * 4 + growing * 2 + odd) * plb_outer_size(o);
}

/* [PLB_ROWS_WITHOUT] chunks for plb_rows_without. */
static inline uint64_t *plb_outer_without(const plb_outer_columns *o, int balance, int chunk,
                                          int x) {
    size_t at = ((size_t)balance * o->chunks + chunk) * 2 + x;
    return o->without + at * PLB_ROWS_WITHOUT * PLB_OUTER_LANES;
}
