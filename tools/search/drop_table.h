/* SPDX-License-Identifier: MIT
 *
 * The results of a drop search: for a position the least and the greatest score that it can have,
 * and the best move. A key is mixed by a bijection; some of its bits choose the bucket and the
 * others are stored, so that positions are distinguished exactly.
 *
 *     entry, 64 bits   [rest of the key | least 6 | most 6 | column 4 | work 4]    0: empty
 *
 * A table begins small and grows while it fills, so that a short search stays in the processor's
 * caches. Threads that share a table read and write whole entries; it grows while they wait.
 */
#ifndef PLB_TOOLS_SEARCH_DROP_TABLE_H
#define PLB_TOOLS_SEARCH_DROP_TABLE_H

#include <stddef.h>

#include "tools/search/drop_board.h"

enum { DROP_BUCKET = 4, DROP_DATA_BITS = 20, DROP_NO_COLUMN = 15 };

typedef struct drop_table {
    uint64_t (*buckets)[DROP_BUCKET];
    int bucket_bits, max_bucket_bits, key_bits;
    uint64_t entries; /* that are not empty; if it is shared, at most */
    bool shared;
} drop_table;

typedef struct drop_entry {
    int least, most; /* scores */
    int column;      /* of the best move, or DROP_NO_COLUMN */
} drop_entry;

/* Can positions of a board be told from one another in a table of this size? */
bool drop_table_suits(const drop_board *board, size_t bytes);

/* A table of at most so many bytes, but not less than one bucket; for threads that share it, or for
 * one. False: out of memory. */
bool drop_table_open(const drop_board *board, size_t bytes, bool shared, drop_table *table);
void drop_table_close(drop_table *table);

/* The key of a position, from the stones of its mover and all stones; of both images of a position
 * with few stones. */
uint64_t drop_table_key(const drop_table *table, const drop_board *board, uint64_t mine,
                        uint64_t occupied, bool both_images);

static inline void drop_table_prefetch(const drop_table *table, uint64_t key) {
    __builtin_prefetch(table->buckets[key & plb_low_bits(table->bucket_bits)]);
}

/* False: nothing is known of the position. */
bool drop_table_get(const drop_table *table, uint64_t key, drop_entry *entry);

/* Of a shared table: how many positions may be searched before it should grow; and let it, after so
 * many were. Threads: none uses the table. */
uint64_t drop_table_space(const drop_table *table);
void drop_table_fit(drop_table *table, uint64_t searched);

/* work: positions that were searched for it; where a bucket is full, the least work goes. */
void drop_table_put(drop_table *table, uint64_t key, const drop_entry *entry, uint64_t work);

#endif
