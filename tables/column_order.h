/* SPDX-License-Identifier: MIT
 *
 * Column order: can given columns be filled one stone at a time, x and o in turn, x first? A search
 * that remembers, for many questions about the same words. Exact but for one chance in 2^64 for
 * each question that two different ones have the same hash: so what is learnt from it must be
 * proved. Must not know: games, positions.
 */
#ifndef PLB_TABLES_COLUMN_ORDER_H
#define PLB_TABLES_COLUMN_ORDER_H

#include "tables/column_words.h"

typedef struct plb_column_order {
    const plb_column_words *words;
    uint64_t *marks; /* [words] of a word: those of columns add up to their hash */
    uint64_t *slots; /* [slot_count] hashes with the answer in the lowest bit, 0: free */
    uint64_t slot_count, filled; /* a power of two; taken ones */
} plb_column_order;

/* Errors: PLB_ENOMEM. `words` must outlive it. */
int plb_column_order_begin(const plb_column_words *words, plb_column_order *order);

void plb_column_order_end(plb_column_order *order);

/* The answer for `count` columns, at most PLB_MOST_COLUMNS, given as numbers of words in any order.
 * Cost: microseconds, mostly. */
bool plb_column_order_exists(plb_column_order *order, const uint16_t *columns, int count);

#endif
