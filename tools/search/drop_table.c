/* SPDX-License-Identifier: MIT */
#include "tools/search/drop_table.h"

#include <sys/mman.h>

#include "tools/search/known_positions.h"

enum {
    SCORE_OFFSET = 31,
    SCORE_BITS = 6,
    COLUMN_BITS = 4,
    WORK_BITS = 4,
    REST_BITS = 64 - DROP_DATA_BITS,
    FIRST_BUCKET_BITS = 12, /* of a new table: 128 KiB */
};

static int max_bucket_bits(const drop_board *board, size_t bytes) {
    int bits = 0;
    while (bits < board->width * board->stride &&
           bytes >> (bits + 1) >= DROP_BUCKET * sizeof(uint64_t))
        bits++;
    return bits;
}

bool drop_table_suits(const drop_board *board, size_t bytes) {
    return board->width * board->stride - max_bucket_bits(board, bytes) <= REST_BITS;
}

static size_t size_bytes(int bucket_bits) {
    return sizeof(uint64_t[DROP_BUCKET]) << bucket_bits;
}

bool drop_table_open(const drop_board *board, size_t bytes, bool shared, drop_table *table) {
    int key_bits = board->width * board->stride, max_bits = max_bucket_bits(board, bytes);
    int first_bits =
        key_bits - REST_BITS > FIRST_BUCKET_BITS ? key_bits - REST_BITS : FIRST_BUCKET_BITS;
    if (first_bits > max_bits) first_bits = max_bits;
    *table = (drop_table){
        known_map_pages(size_bytes(first_bits)), first_bits, max_bits, key_bits, 0, shared};
    return table->buckets;
}

void drop_table_close(drop_table *table) {
    if (table->buckets) munmap(table->buckets, size_bytes(table->bucket_bits));
    table->buckets = NULL;
}

/* Double the number of buckets. The lowest bit of the rest of an entry's key chooses one of two new
 * buckets, which has room. If there is no memory, the table stays as it is. */
static void grow(drop_table *table) {
    uint64_t(*old)[DROP_BUCKET] = table->buckets;
    uint64_t(*buckets)[DROP_BUCKET] = known_map_pages(size_bytes(table->bucket_bits + 1));
    if (!buckets) table->max_bucket_bits = table->bucket_bits;
    if (!buckets) return;
    for (uint64_t from = 0; from >> table->bucket_bits == 0; from++) {
        known_release_pages(old, from * sizeof old[0]);
        for (int i = 0; i < DROP_BUCKET; i++) {
            uint64_t word = old[from][i], rest = word >> DROP_DATA_BITS;
            if (!word) continue;
            uint64_t *slot = buckets[from | (rest & 1) << table->bucket_bits];
            while (*slot) slot++;
            *slot = rest >> 1 << DROP_DATA_BITS | (word & plb_low_bits(DROP_DATA_BITS));
        }
    }
    munmap(old, size_bytes(table->bucket_bits));
    table->buckets = buckets;
    table->bucket_bits++;
}

uint64_t drop_table_space(const drop_table *table) {
    bool grows = table->shared && table->bucket_bits < table->max_bucket_bits;
    return grows ? (uint64_t)DROP_BUCKET << table->bucket_bits : UINT64_MAX;
}

void drop_table_fit(drop_table *table, uint64_t searched) {
    if (!table->shared) return;
    table->entries += searched;
    while (table->entries > drop_table_space(table)) grow(table);
}

/* A bijection: multiplying by an odd factor and xor with a right shift can both be inverted. */
static uint64_t mix(uint64_t key, int bits) {
    uint64_t all = plb_low_bits(bits);
    key ^= key >> (bits / 2);
    key = key * 0x9E3779B97F4A7C15ULL & all;
    key ^= key >> (bits / 2);
    key = key * 0xD6E8FEB86659FD93ULL & all;
    return key ^ key >> (bits / 2);
}

/* In each column the key has a bit right above the stones, and below it the mover's stones. */
uint64_t drop_table_key(const drop_table *table, const drop_board *board, uint64_t mine,
                        uint64_t occupied, bool both_images) {
    uint64_t key = mine + occupied + board->bottom;
    if (both_images) {
        uint64_t image = 0, columns = key;
        for (int column = 0; column < board->width; column++, columns >>= board->stride)
            image = image << board->stride | (columns & plb_low_bits(board->stride));
        if (image < key) key = image;
    }
    return mix(key, table->key_bits);
}

static uint64_t load(const uint64_t *entry) {
    return __atomic_load_n(entry, __ATOMIC_RELAXED);
}

static uint64_t *bucket_of(const drop_table *table, uint64_t key) {
    return table->buckets[key & plb_low_bits(table->bucket_bits)];
}

bool drop_table_get(const drop_table *table, uint64_t key, drop_entry *entry) {
    const uint64_t *bucket = bucket_of(table, key);
    uint64_t rest = key >> table->bucket_bits;
    for (int i = 0; i < DROP_BUCKET; i++) {
        uint64_t word = load(&bucket[i]);
        if (word >> DROP_DATA_BITS != rest || !word) continue;
        entry->column = word >> WORK_BITS & plb_low_bits(COLUMN_BITS);
        word >>= WORK_BITS + COLUMN_BITS;
        entry->upper = (int)(word & plb_low_bits(SCORE_BITS)) - SCORE_OFFSET;
        entry->lower = (int)(word >> SCORE_BITS & plb_low_bits(SCORE_BITS)) - SCORE_OFFSET;
        return true;
    }
    return false;
}

void drop_table_put(drop_table *table, uint64_t key, const drop_entry *entry, uint64_t work) {
    uint64_t *bucket = bucket_of(table, key), rest = key >> table->bucket_bits;
    uint64_t *slot = bucket, min_work = ~0ULL;
    for (int i = 0; i < DROP_BUCKET; i++) {
        uint64_t word = load(&bucket[i]), slot_work = word & plb_low_bits(WORK_BITS);
        bool same = word && word >> DROP_DATA_BITS == rest;
        if (same || slot_work < min_work) slot = &bucket[i];
        if (same) break;
        if (slot_work < min_work) min_work = slot_work;
    }
    uint64_t effort = plb_bit_length(work | 1) / 2 + 1, max_effort = plb_low_bits(WORK_BITS);
    uint64_t word = rest << SCORE_BITS | (uint64_t)(entry->lower + SCORE_OFFSET);
    word = word << SCORE_BITS | (uint64_t)(entry->upper + SCORE_OFFSET);
    word = word << COLUMN_BITS | (uint64_t)entry->column;
    word = word << WORK_BITS | (effort < max_effort ? effort : max_effort);
    bool grows = !table->shared && table->bucket_bits < table->max_bucket_bits;
    if (grows) table->entries += !*slot;
    __atomic_store_n(slot, word, __ATOMIC_RELAXED);
    if (grows && table->entries > DROP_BUCKET / 2ULL << table->bucket_bits) grow(table);
}
