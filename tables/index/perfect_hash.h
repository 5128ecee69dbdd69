/* SPDX-License-Identifier: MIT
 *
 * A set of keys that does not store the keys: a minimal perfect hash, which numbers them from 0
 * without gaps, and a fingerprint of each, by which other keys are recognized and refused.
 *
 *     level 0   one bit for each of n keys       a key is placed if its bit is no other key's bit
 *     level 1   one bit for each key left over   and so on, until no key is left over
 *     rank      ones before the bit of a key, over all levels
 *
 * (Cascaded bit arrays: Limasset, Rizk, Chikhi, Peterlongo, "Fast and scalable minimal perfect
 * hashing for massive key sets", 2017.) It takes about e = 2.72 bits per key, and half a bit more
 * in memory. A fingerprint takes PLB_FINGERPRINT_BITS: a key that is not a member passes with a
 * probability of at most 2^-16.
 *
 * As bytes, little-endian:
 *
 *     keys, seed, levels, fingerprints (0 or 1)   32 bits each
 *     words of each level                         32 bits each; zeros up to a multiple of 64 bits
 *     levels, one after another                   words of 64 bits
 *     fingerprints by rank, if there are any      16 bits each
 *
 * The same keys in any order give the same bytes. Must not know: games, files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PLB_FINGERPRINT_BITS = 16,
    PLB_PERFECT_HASH_MAX = 1 << 30, /* keys of a set */
    PLB_KEY_LEVELS = 64,            /* at most */
};

/* The hash of a key: XXH3-128 of its two words, 8 bytes each, little-endian. Sets use only the hash
 * of a key. */
typedef struct plb_key_hash {
    uint64_t low, high;
} plb_key_hash;

plb_key_hash plb_key_hash_make(uint64_t first, uint64_t second);

/* The bucket of a hash, in [0, buckets). Buckets have about equally many keys, and are ranges of
 * `high`. */
static inline uint64_t plb_key_bucket(plb_key_hash hash, uint64_t buckets) {
    return (uint64_t)(((unsigned __int128)hash.high * buckets) >> 64);
}

typedef struct plb_perfect_hash {
    uint64_t keys;
    uint32_t seed;
    int levels;
    uint32_t words[PLB_KEY_LEVELS];      /* of each level */
    uint64_t first_word[PLB_KEY_LEVELS]; /* of each level; an index of `bits` */
    const uint64_t *bits;                /* [all words] */
    uint32_t *before;                    /* [all words / 8 + 1] ones before each 8 words */
    const uint16_t *fingerprints;        /* [keys], or NULL */
    uint8_t *bytes; /* [size] the record; bits and fingerprints point into it */
    size_t size;
} plb_perfect_hash;

/* Make the set of keys with distinct hashes.
 *
 * hashes  [in,out]  [count], count at most PLB_PERFECT_HASH_MAX; their order changes
 *
 * Errors: PLB_ENOMEM; PLB_EARGUMENT: two hashes are equal. Cost: about 0.1 us for each key. The
 * caller frees *set with plb_perfect_hash_free, also after an error. */
int plb_perfect_hash_make(plb_key_hash *hashes, uint64_t count, bool fingerprints,
                          plb_perfect_hash *set);

/* Read a set from a record, which may be anything and is aligned as by malloc. The set then owns
 * bytes, also after an error.
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_perfect_hash_read(uint8_t *bytes, size_t size, plb_perfect_hash *set);

/* Accepts a zeroed set. */
void plb_perfect_hash_free(plb_perfect_hash *set);

/* The number of a member, in [0, keys). False: the key is not a member. In a set without
 * fingerprints only members may be looked up. Threads: safe. */
bool plb_perfect_hash_find(const plb_perfect_hash *set, plb_key_hash hash, uint64_t *rank);
