/* SPDX-License-Identifier: MIT
 *
 * A hash table of buckets, one cache line each, without chains:
 *
 *     bytes   0      24     48   52   56   60    64
 *             | x x x| o o o|known|known|known|free|       known: lower upper effort winner
 */
#include "probe/bound_cache.h"

#include <stdlib.h>

#include "tables/bits.h"

enum { LINE_BYTES = 64, WAYS = 3 };

/* effort: 1 + binary logarithm of the nodes that were searched; 0: the way is free. */
typedef struct known {
    uint8_t lower, upper, effort, x_wins;
} known;

typedef struct bucket {
    uint64_t x[WAYS], o[WAYS];
    known known[WAYS];
    uint32_t free;
} bucket;
_Static_assert(sizeof(bucket) == LINE_BYTES, "a bucket is a cache line");

struct plb_bound_cache {
    void *memory;
    bucket *buckets; /* [count] in `memory`, aligned to a cache line */
    uint64_t count;
};

/* calloc gets zeroed pages from the system, which take no memory until they are used; after
 * aligned_alloc all of them would have to be cleared. */
int plb_bound_cache_open(uint64_t bytes, plb_bound_cache **cache) {
    plb_bound_cache *made = malloc(sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->count = plb_max(1, bytes / LINE_BYTES);
    made->memory = calloc(plb_size(made->count + 1), LINE_BYTES);
    uintptr_t skipped = -(uintptr_t)made->memory % LINE_BYTES;
    if (made->memory) made->buckets = (bucket *)((char *)made->memory + skipped);
    /* cppcheck-suppress memleak ; the caller gets it */
    return PLB_HAND_OVER(made->memory ? PLB_OK : PLB_ENOMEM, made, cache, plb_bound_cache_close);
}

void plb_bound_cache_close(plb_bound_cache *cache) {
    if (!cache) return;
    free(cache->memory);
    free(cache);
}

static bucket *find_bucket(const plb_bound_cache *cache, plb_position p) {
    uint64_t hash = p.x * 0x9E3779B97F4A7C15ULL ^ p.o * 0xC2B2AE3D27D4EB4FULL;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93ULL;
    return &cache->buckets[(unsigned __int128)hash * cache->count >> 64];
}

/* The way of a position and a winner in a bucket; WAYS: not there. */
static int find_way(const bucket *b, plb_position p, bool x_wins) {
    int way = 0;
    while (way < WAYS && !(b->x[way] == p.x && b->o[way] == p.o && b->known[way].effort &&
                           b->known[way].x_wins == x_wins))
        way++;
    return way;
}

bool plb_bound_cache_get(const plb_bound_cache *cache, plb_position position, bool x_wins,
                         plb_known_bounds *span) {
    const bucket *b = find_bucket(cache, position);
    int way = find_way(b, position, x_wins);
    if (way == WAYS) return false;
    *span = (plb_known_bounds){b->known[way].lower, b->known[way].upper};
    return true;
}

void plb_bound_cache_put(plb_bound_cache *cache, plb_position position, bool x_wins,
                         plb_known_bounds span, uint64_t nodes) {
    bucket *b = find_bucket(cache, position);
    int way = find_way(b, position, x_wins);
    if (way == WAYS) { /* replace the entry that was cheapest to find */
        way = 0;
        for (int other = 1; other < WAYS; other++)
            if (b->known[other].effort < b->known[way].effort) way = other;
    }
    b->x[way] = position.x;
    b->o[way] = position.o;
    b->known[way] = (known){.lower = (uint8_t)span.lower,
                            .upper = (uint8_t)span.upper,
                            .effort = (uint8_t)plb_bit_length(nodes | 1),
                            .x_wins = x_wins};
}
