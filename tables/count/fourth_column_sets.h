/* SPDX-License-Identifier: MIT
 *
 * The fourth columns that go with three others: for each class of three (column_classes.h) a set,
 * with a bit for each word. Only two balances count: those that make as many x as o, and those that
 * make an x more.
 *
 *     set       blocks of columns of balance b: even | blocks of balance b + 1: odd
 *                                                                        b: of the class
 *     block     512 bits, the lower columns first
 *     64 bits   of a block: columns with the same number of stones
 *
 * x is 0 for o and 1 for x. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_FOURTH_COLUMN_SETS_H
#define PLB_TABLES_COUNT_FOURTH_COLUMN_SETS_H

#include <stddef.h>

#include "tables/count/rows_without.h"
#include "tables/reach/column_classes.h"

enum {
    PLB_FOURTH_LANES = PLB_WIDE_LANES, /* of 64 bits that a block has */
};

/* Blocks are numbered in each set, and are PLB_FOURTH_LANES words of 64 bits each. */
typedef struct plb_fourth_columns {
    int height, least, balances; /* rows; the first b, and how many */
    int blocks;                  /* of the largest set */
    uint8_t *until;   /* [balances][odd][height + 1] the number after blocks with columns that are
                         even, or odd, and up to so high */
    uint64_t *lacks;  /* [balances][blocks][x][PLB_LACKS] blocks (rows_without.h) */
    uint64_t *stones; /* [balances][blocks] number of stones, for each 64 bits */
    uint64_t *sets;   /* [classes of three columns][2][blocks] those in order with the three; those
                         with whose top stone as the last they are */
} plb_fourth_columns;

/* Sets for the classes of three columns, of boards of four with at most PLB_LACKS_ROWS rows.
 * Errors: PLB_ENOMEM; to be freed in any case. */
int plb_fourth_columns_make(const plb_column_classes *classes, plb_fourth_columns *fourth);
void plb_fourth_columns_free(plb_fourth_columns *fourth);

/* Of a balance: the number after the blocks with odd or even columns that have so many stones at
 * most. The even ones begin with block 0, the odd ones after all even ones. */
static inline int plb_fourth_until(const plb_fourth_columns *f, int balance, int odd, int stones) {
    return f->until[(balance * 2 + odd) * (f->height + 1) + stones];
}

static inline int plb_fourth_begin(const plb_fourth_columns *f, int balance, int odd) {
    return odd ? plb_fourth_until(f, balance, 0, f->height) : 0;
}

/* Where a block is, in words of 64 bits, in arrays [of so many][blocks]. */
static inline size_t plb_fourth_at(const plb_fourth_columns *f, size_t of, int block) {
    return (of * f->blocks + block) * PLB_FOURTH_LANES;
}

/* What the columns of a block lack. */
static inline uint64_t *plb_fourth_lacks(const plb_fourth_columns *f, int balance, int block) {
    return f->lacks + plb_fourth_at(f, balance, block) * 2 * PLB_LACKS;
}

#endif
