/* SPDX-License-Identifier: MIT
 *
 * The two outer columns of five: which words they can have in an order with the three between them.
 * A class of these three (column_classes.h) groups the words of one outer column by the class of
 * four columns that they lead to, of which there are few; and a class of four has the words of the
 * other outer column that are in order with it, its partners. Sets of words have a bit for each:
 *
 *     set       balance least | least + 1 | ...                    balance: x less o of a word
 *     balance   chunks of 512 bits each
 *     chunk     8 lanes of 64 bits: words of 0 or 1, 2 or 3, ... stones (those of a balance are all
 *               even or all odd), the first 64 of a number of stones in the first chunk
 *
 * Words of a group have one balance. Partners with which there are as many x as o have one, too;
 * those with which there is an x more, the next one. x is 0 for o and 1 for x. Must not know:
 * games.
 */
#ifndef PLB_TABLES_COUNT_OUTER_COLUMN_SETS_H
#define PLB_TABLES_COUNT_OUTER_COLUMN_SETS_H

#include <stddef.h>

#include "tables/count/rows_without.h"
#include "tables/reach/column_classes.h"

enum {
    PLB_OUTER_BETWEEN = 3, /* columns between the outer ones */
    PLB_OUTER_LANES = PLB_WIDE_LANES,
    PLB_OUTER_BALANCES = 2 * PLB_LACKS_ROWS + 1, /* at most */
};

/* First outer columns that lead to the same class. */
typedef struct plb_outer_group {
    uint32_t next; /* class of four columns */
    int balance;   /* of the words, less the least one */
} plb_outer_group;

typedef struct plb_outer_columns {
    const plb_column_classes *classes; /* of five columns */
    int least, balances, chunks;       /* the least balance of a word, how many; chunks of each */
    int evens;                         /* how many balances are even */
    int rank[PLB_OUTER_BALANCES];      /* [balances] even ones first */
    int filled[PLB_OUTER_BALANCES];    /* [balances] chunks with words */
    uint16_t *word_at;                 /* [bits of a set] the word of a bit */
    uint64_t *lacks;         /* [balances][chunks][x][PLB_LACKS] chunks (rows_without.h) */
    uint64_t *partners;      /* [classes of four][growing][odd] one balance: partners;
                                growing: those with whose top stone as the last they are */
    uint64_t *members;       /* [groups] one balance */
    plb_outer_group *groups; /* by classes of three, by ranks of balances */
    uint32_t *first;         /* [classes of three][ranks] of groups, and their end */
} plb_outer_columns;

/* Errors: PLB_ENOMEM; to be freed in any case. The classes, of five columns with at most
 * PLB_LACKS_ROWS rows, must outlive them, but for their last layer. */
int plb_outer_columns_make(const plb_column_classes *classes, plb_outer_columns *outer);
void plb_outer_columns_free(plb_outer_columns *outer);

/* The lane of words of so many stones. */
static inline int plb_outer_lane(int stones) {
    return stones / 2;
}

/* Words of 64 bits of a balance. */
static inline size_t plb_outer_size(const plb_outer_columns *o) {
    return (size_t)o->chunks * PLB_OUTER_LANES;
}

/* The first group of a class whose balance has a rank or more: even balances come before the odd
 * ones. Of rank 0 the first of all, of the number of balances the end. */
static inline uint32_t plb_outer_first(const plb_outer_columns *o, uint32_t class, int rank) {
    return o->first[(size_t) class * o->balances + rank];
}

/* The groups of a class with words of a balance. */
static inline uint32_t plb_outer_begin(const plb_outer_columns *o, uint32_t class, int balance) {
    return plb_outer_first(o, class, o->rank[balance]);
}
static inline uint32_t plb_outer_end(const plb_outer_columns *o, uint32_t class, int balance) {
    return plb_outer_first(o, class, o->rank[balance] + 1);
}

static inline const uint64_t *plb_outer_members(const plb_outer_columns *o, uint32_t group) {
    return o->members + group * plb_outer_size(o);
}

static inline const uint64_t *plb_outer_partners(const plb_outer_columns *o, uint32_t class,
                                                 bool growing, bool odd) {
    return o->partners + ((size_t) class * 4 + growing * 2 + odd) * plb_outer_size(o);
}

/* The word of a bit of a balance. */
static inline int plb_outer_word(const plb_outer_columns *o, int balance, int chunk, int lane,
                                 int bit) {
    size_t at = ((size_t)balance * o->chunks + chunk) * PLB_OUTER_LANES + lane;
    return o->word_at[at * 64 + bit];
}

/* What words of a chunk lack of a colour. */
static inline uint64_t *plb_outer_lacks(const plb_outer_columns *o, int balance, int chunk, int x) {
    size_t at = ((size_t)balance * o->chunks + chunk) * 2 + x;
    return o->lacks + at * PLB_LACKS * PLB_OUTER_LANES;
}

#endif
