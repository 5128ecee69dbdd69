/* SPDX-License-Identifier: MIT
 *
 * The transposition table of a drop search: bounds of the score of a position, and the best move.
 * A key is mixed by a bijection; some of its bits choose the bucket and the others are stored, so
 * no two positions are ever mistaken for each other.
 *
 *     entry, 64 bits   [rest of the key | lower 6 | upper 6 | column 4 | work 4]    0: empty
 *
 * A table begins small and grows as it fills, so that a short search stays in the processor's
 * caches. Threads that share a table read and write whole entries; it grows between searches.
 */
#pragma once

#include <stddef.h>

#include "tables/games/drop_board.h"

enum { DROP_BUCKET = 4, DROP_DATA_BITS = 20, DROP_NO_COLUMN = 15 };

typedef struct drop_table {
    uint64_t (*buckets)[DROP_BUCKET];
    int bucket_bits, max_bucket_bits, key_bits;
    uint64_t entries; /* that are not empty; of a shared table an upper bound */
    bool shared;
} drop_table;

typedef struct drop_entry {
    int lower, upper; /* bounds of the score */
    int column;       /* of the best move, or DROP_NO_COLUMN */
} drop_entry;

/* Does an entry of a table of this size have room for the rest of a key? */
bool drop_table_suits(const drop_board *board, size_t bytes);

/* Open a table of at most so many bytes, but at least one bucket. A shared table is used by several
 * threads. False: out of memory. */
bool drop_table_open(const drop_board *board, size_t bytes, bool shared, drop_table *table);
void drop_table_close(drop_table *table);

/* The key of a position, from the stones of its mover and all stones. With both_images a position
 * and its mirror image have the same key. */
uint64_t drop_table_key(const drop_table *table, const drop_board *board, uint64_t mine,
                        uint64_t occupied, bool both_images);

static inline void drop_table_prefetch(const drop_table *table, uint64_t key) {
    __builtin_prefetch(table->buckets[key & plb_low_bits(table->bucket_bits)]);
}

/* False: nothing is known of the position. */
bool drop_table_get(const drop_table *table, uint64_t key, drop_entry *entry);

/* For a shared table: how many positions may be searched before it has to grow. drop_table_fit
 * grows it after that many were searched, while no thread uses it. */
uint64_t drop_table_space(const drop_table *table);
void drop_table_fit(drop_table *table, uint64_t searched);

/* work: positions that were searched for the entry. A full bucket loses the one with the least. */
void drop_table_put(drop_table *table, uint64_t key, const drop_entry *entry, uint64_t work);
