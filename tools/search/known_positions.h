/* SPDX-License-Identifier: MIT
 *
 * Known positions: what a search has learned of positions, for when it meets them again.
 * A position and its symmetric images are one, and no two others are ever taken for one another.
 *
 * Known is whether the score of a position is at least some bound; scores and bounds are numbers
 * from -KNOWN_MAX_SCORE to KNOWN_MAX_SCORE, and 0 is a draw. Must not know: how a
 * position is searched.
 *
 *     known_begin(&known, false);
 *     known_set_root(&known, stones, ply);
 *     known_step(&known, ply, cell);  // a move, before the position after it is found
 *     known_hash hash = known_hash_of(&known, ply + 1);
 *     if (!known_recall(&known, &hash, bound, &answer)) {
 *         answer = ...
 *         known_remember(&known, &hash, bound, answer, nodes);
 *     }
 *
 * Memory is used as it fills, so that a short search stays in the processor's caches. A
 * known_positions is used by one thread at a time.
 */
#ifndef PLB_TOOLS_SEARCH_KNOWN_POSITIONS_H
#define PLB_TOOLS_SEARCH_KNOWN_POSITIONS_H

#include <stddef.h>

#include "tools/search/search_rules.h"

enum {
    KNOWN_MAX_SCORE = PLB_MAX_CELLS,
    KNOWN_MIN_BYTES = 1 << 18,
    KNOWN_IMAGES = SEARCH_SYMMETRIES,
    KNOWN_BUCKET = 8, /* words of a bucket, which is one cache line */
};

typedef unsigned __int128 known_key;

/* Its members are for this module alone. */
typedef struct known_positions {
    int images; /* key of an image: sum of key_steps over the stones */
    known_key key_steps[2][PLB_MAX_CELLS][KNOWN_IMAGES];
    known_key keys[PLB_MAX_CELLS + 1][KNOWN_IMAGES]; /* [ply] of the path being searched */

    uint64_t *buckets;
    int bucket_bits, max_bucket_bits, bucket_slots;
    uint64_t entries; /* slots that are not free */
    bool long_keys;   /* over 64 bits */
    unsigned age;     /* calls of known_begin */
} known_positions;

/* A position's hash: the top of `low` is its bucket, the rest distinguishes it from the others
 * there. */
typedef struct known_hash {
    uint64_t low, high;
} known_hash;

/* Zeros, which take memory as they are first used, in huge pages where these pay. NULL: there is no
 * memory; to be freed with munmap. */
void *known_map_pages(size_t bytes);

/* Room for positions of a game.
 *
 * rules  [in]   not kept
 * bytes  [in]   at most; rounded down to a power of two, and up to KNOWN_MIN_BYTES
 * known  [out]  zeroed before; to be closed with known_close, after an error, too
 *
 * Errors:  PLB_ENOMEM.  */
int known_open(const search_rules *rules, size_t bytes, known_positions *known);
void known_close(known_positions *known);

/* Another search begins: what is known from before is worth less when room is needed. Without
 * scores only the signs are kept, where keys are short, for bounds of 0 and 1, in half the room;
 * after a change of what is kept nothing is known. Comes before anything is recalled. */
void known_begin(known_positions *known, bool scores);

/* The path that is searched begins with these stones: [0] of x, [1] of o. */
void known_set_root(known_positions *known, const uint64_t stones[2], int ply);

/* The path continues from its position at ply with a stone in a cell. */
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

/* Fetch a bucket that is needed soon into the cache. */
static inline void known_prefetch(const known_positions *known, const known_hash *hash) {
    __builtin_prefetch(known_bucket(known, hash));
}

/* Is it known whether the position's score is at least the bound? Only then *answer means
 * something. */
bool known_recall(const known_positions *known, const known_hash *hash, int bound, bool *answer);

/* Keep that the score is at least the bound, or is not, which took `nodes` to find out. Another
 * position may be forgotten for it. */
void known_remember(known_positions *known, const known_hash *hash, int bound, bool answer,
                    uint64_t nodes);

#endif
