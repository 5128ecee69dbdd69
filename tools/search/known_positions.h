/* SPDX-License-Identifier: MIT
 *
 * Known positions: the transposition table of the forward search. All symmetric images of a
 * position share an entry; no two other positions are ever mistaken for each other.
 *
 * An entry has a lower and an upper bound of the score. Scores are numbers from -KNOWN_MAX_SCORE to
 * KNOWN_MAX_SCORE, and 0 is a draw. Must not know: how a position is searched.
 *
 *     known_begin(&known, false);
 *     known_set_root(&known, stones, ply);
 *     known_step(&known, ply, cell);  // before the hash of the position after the move
 *     known_hash hash = known_hash_of(&known, ply + 1);
 *     if (!known_recall(&known, &hash, bound, &answer)) {
 *         answer = ...
 *         known_remember(&known, &hash, bound, answer, nodes);
 *     }
 *
 * It grows as it fills, so that a short search stays in the caches. One thread uses it at a time.
 */
#pragma once

#include <stddef.h>

#include "tools/search/search_rules.h"

enum {
    KNOWN_MAX_SCORE = PLB_MAX_CELLS,
    KNOWN_MIN_BYTES = 1 << 18,
    KNOWN_IMAGES = SEARCH_SYMMETRIES,
    KNOWN_BUCKET = 8, /* 64-bit words of a bucket, which is one cache line */
};

typedef unsigned __int128 known_key;

/* The fields are private to this module. */
typedef struct known_positions {
    int images; /* the key of an image is the sum of key_steps over the stones */
    known_key key_steps[2][PLB_MAX_CELLS][KNOWN_IMAGES];
    known_key keys[PLB_MAX_CELLS + 1][KNOWN_IMAGES]; /* [ply] of the path that is searched */

    uint64_t *buckets;
    int bucket_bits, max_bucket_bits, bucket_slots;
    uint64_t entries; /* slots that are not free */
    bool long_keys;   /* over 64 bits */
    unsigned age;     /* number of calls of known_begin */
} known_positions;

/* The hash of a position: the top bits of `low` are the number of its bucket, the other bits
 * identify the position in it. */
typedef struct known_hash {
    uint64_t low, high;
} known_hash;

/* Map zeroed pages, huge ones if there are many; the kernel takes memory on first use. Free them
 * with munmap. NULL: out of memory. */
void *known_map_pages(size_t bytes);

/* While a table is copied to one of twice its size, the pages of the old one are released, so that
 * both together take no more memory than the new one: call it before each part, with the number of
 * bytes that were copied so far. */
void known_release_pages(void *old, size_t copied);

/* Open a table for positions of a game.
 *
 * rules  [in]   not kept
 * bytes  [in]   maximal size: rounded down to a power of two, but at least KNOWN_MIN_BYTES
 * known  [out]  zeroed by the caller; close it with known_close, also after an error
 *
 * Errors:  PLB_ENOMEM.  */
int known_open(const search_rules *rules, size_t bytes, known_positions *known);
void known_close(known_positions *known);

/* Begin a search; call it before anything else. Entries of earlier searches are replaced sooner.
 * Without scores entries keep only signs (bounds 0 and 1), in half the room if keys are short. If
 * the form of the entries changes, the table is cleared. */
void known_begin(known_positions *known, bool scores);

/* Begin the path that is searched with these stones: [0] of x, [1] of o. */
void known_set_root(known_positions *known, const uint64_t stones[2], int ply);

/* Extend the path from its position at ply by a stone in a cell. */
static inline void known_step(known_positions *known, int ply, int cell) {
    for (int i = 0; i < known->images; i++)
        known->keys[ply + 1][i] = known->keys[ply][i] + known->key_steps[ply & 1][cell][i];
}

/* `mix` of the layout in known_positions.c. */
static inline uint64_t known_mix(uint64_t v) {
    v *= 0x9E3779B97F4A7C15ULL;
    v ^= v >> 32;
    v *= 0xD6E8FEB86659FD93ULL;
    return v ^ (v >> 29);
}

/* The hash of the path's position at ply. */
static inline known_hash known_hash_of(const known_positions *known, int ply) {
    known_key key = known->keys[ply][0];
    for (int i = 1; i < known->images; i++)
        if (known->keys[ply][i] < key) key = known->keys[ply][i];
    uint64_t high = key >> 64;
    return (known_hash){known_mix((uint64_t)key ^ high * 0xC2B2AE3D27D4EB4FULL), high};
}

static inline uint64_t *known_bucket(const known_positions *known, const known_hash *hash) {
    return known->buckets + (hash->low >> (64 - known->bucket_bits)) * KNOWN_BUCKET;
}

/* Fetch the bucket into the cache. */
static inline void known_prefetch(const known_positions *known, const known_hash *hash) {
    __builtin_prefetch(known_bucket(known, hash));
}

/* Is it known whether the position's score is at least the bound? If so, *answer tells. */
bool known_recall(const known_positions *known, const known_hash *hash, int bound, bool *answer);

/* Store whether the score is at least the bound, which took `nodes` to find out. */
void known_remember(known_positions *known, const known_hash *hash, int bound, bool answer,
                    uint64_t nodes);
