/* SPDX-License-Identifier: MIT */
#include "tables/index/perfect_hash.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "tables/array.h"
#include "tables/vocabulary.h"

enum {
    MARK_WORDS = 8,    /* words for each number in `before` */
    SEEDS = 16,        /* are tried, until all keys are placed */
    HEAD_NUMBERS = 4,  /* of 32 bits, before the words of each level */
    MIN_CAPACITY = 64, /* words of all levels */
};

plb_key_hash plb_key_hash_make(uint64_t first, uint64_t second) {
    const uint64_t words[2] = {first, second};
    XXH128_hash_t hash = XXH3_128bits(words, sizeof words);
    return (plb_key_hash){hash.low64, hash.high64};
}

/* ---- where a key goes ---- */

/* A different hash of a key for each number (the finalizer of MurmurHash3, Appleby 2011). */
static uint64_t mix(plb_key_hash hash, uint64_t number) {
    uint64_t h = hash.low + number * (hash.high | 1);
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdULL;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return h ^ h >> 33;
}

static uint64_t bit_of(const plb_perfect_hash *set, plb_key_hash hash, int level) {
    uint64_t number = (uint64_t)set->seed * PLB_KEY_LEVELS + level + 1;
    return (uint64_t)(((unsigned __int128)mix(hash, number) * (64ULL * set->words[level])) >> 64);
}

static uint16_t fingerprint_of(plb_key_hash hash) {
    return (uint16_t)mix(hash, 0);
}

static bool test_bit(const uint64_t *words, uint64_t bit) {
    return words[bit / 64] >> (bit % 64) & 1;
}

/* ---- reading ---- */

static uint64_t all_words(const plb_perfect_hash *set) {
    if (!set->levels) return 0;
    return set->first_word[set->levels - 1] + set->words[set->levels - 1];
}

/* Fill `before`. Checks that there are as many ones as keys, and that each level has as many words
 * as the keys that are left for it need. */
static int fill_marks(plb_perfect_hash *set) {
    uint64_t w = 0, ones = 0;
    set->before = calloc(plb_size(all_words(set) / MARK_WORDS + 1), sizeof *set->before);
    if (!set->before) return PLB_ENOMEM;
    for (int level = 0; level < set->levels; level++) {
        if (ones >= set->keys || set->words[level] != plb_divide_up(set->keys - ones, 64))
            return PLB_ECORRUPT;
        for (uint64_t end = w + set->words[level]; w < end; w++) {
            if (w % MARK_WORDS == 0) set->before[w / MARK_WORDS] = (uint32_t)ones;
            ones += plb_popcount(set->bits[w]);
        }
    }
    return ones == set->keys ? PLB_OK : PLB_ECORRUPT;
}

static size_t head_bytes(int levels) {
    return (size_t)(HEAD_NUMBERS + levels + levels % 2) * sizeof(uint32_t); /* whole words */
}

static size_t bytes_of(const plb_perfect_hash *set, bool fingerprints) {
    return plb_size(head_bytes(set->levels) + 8 * all_words(set) +
                    (fingerprints ? 2 * set->keys : 0));
}

/* Set the pointers to levels and fingerprints in the bytes. */
static void find_parts(plb_perfect_hash *set, bool fingerprints) {
    set->bits = (const uint64_t *)(set->bytes + head_bytes(set->levels));
    set->fingerprints = fingerprints ? (const uint16_t *)(set->bits + all_words(set)) : NULL;
}

int plb_perfect_hash_read(uint8_t *bytes, size_t size, plb_perfect_hash *set) {
    uint32_t head[HEAD_NUMBERS] = {0};
    *set = (plb_perfect_hash){.bytes = bytes, .size = size};
    if (size < sizeof head) return PLB_ECORRUPT;
    memcpy(head, bytes, sizeof head);
    if (head[0] > PLB_PERFECT_HASH_MAX || head[2] > PLB_KEY_LEVELS || head[3] > 1)
        return PLB_ECORRUPT;
    set->keys = head[0];
    set->seed = head[1];
    if (size < head_bytes((int)head[2])) return PLB_ECORRUPT;
    set->levels = (int)head[2];
    memcpy(set->words, bytes + sizeof head, set->levels * sizeof *set->words);
    for (int l = 0; l < set->levels; l++)
        set->first_word[l] = l ? set->first_word[l - 1] + set->words[l - 1] : 0;
    if (size != bytes_of(set, head[3])) return PLB_ECORRUPT;
    for (size_t b = sizeof head + set->levels * sizeof *set->words; b < head_bytes(set->levels);
         b++)
        if (bytes[b]) return PLB_ECORRUPT;
    find_parts(set, head[3]);
    return fill_marks(set);
}

void plb_perfect_hash_free(plb_perfect_hash *set) {
    free(set->before);
    free(set->bytes);
    *set = (plb_perfect_hash){0};
}

bool plb_perfect_hash_find(const plb_perfect_hash *set, plb_key_hash hash, uint64_t *rank) {
    for (int l = 0; l < set->levels; l++) {
        uint64_t bit = bit_of(set, hash, l), word = set->first_word[l] + bit / 64;
        if (!(set->bits[word] >> (bit % 64) & 1)) continue;
        *rank = set->before[word / MARK_WORDS];
        for (uint64_t w = word / MARK_WORDS * MARK_WORDS; w < word; w++)
            *rank += plb_popcount(set->bits[w]);
        *rank += plb_popcount(set->bits[word] & plb_low_bits((int)(bit % 64)));
        return !set->fingerprints || set->fingerprints[*rank] == fingerprint_of(hash);
    }
    return false;
}

/* ---- making ---- */

/* The levels while they are made. */
typedef struct levels {
    uint64_t *bits;   /* [capacity] of all levels */
    uint64_t *shared; /* [capacity] of the current level: bits that several keys have */
    uint64_t capacity;
} levels;

/* Make room for another level, and clear its bits. */
static bool reserve(levels *made, uint64_t first, uint64_t words) {
    uint64_t capacity = plb_max(first + words, MIN_CAPACITY);
    if (capacity > made->capacity) {
        capacity = plb_max(capacity, made->capacity + made->capacity / 2);
        if (!PLB_ARRAY_RESIZE(made->bits, capacity) || !PLB_ARRAY_RESIZE(made->shared, capacity))
            return false;
        made->capacity = capacity;
    }
    memset(made->bits + first, 0, plb_size(words * sizeof *made->bits));
    memset(made->shared, 0, plb_size(words * sizeof *made->shared));
    return true;
}

/* Add levels until all keys are placed. PLB_EARGUMENT: that takes too many levels. */
static int place_keys(plb_perfect_hash *set, levels *made, plb_key_hash *hashes, uint64_t count) {
    set->levels = 0;
    while (count) {
        if (set->levels == PLB_KEY_LEVELS) return PLB_EARGUMENT;
        uint64_t first = all_words(set), words = plb_divide_up(count, 64);
        if (!reserve(made, first, words)) return PLB_ENOMEM;
        set->first_word[set->levels] = first;
        set->words[set->levels++] = (uint32_t)words;
        /* Place the keys that are alone in their bit; move the others to the front of hashes. */
        int level = set->levels - 1;
        uint64_t *bits = made->bits + set->first_word[level], left = 0;
        for (uint64_t i = 0; i < count; i++) {
            uint64_t bit = bit_of(set, hashes[i], level);
            if (test_bit(bits, bit)) made->shared[bit / 64] |= 1ULL << (bit % 64);
            bits[bit / 64] |= 1ULL << (bit % 64);
        }
        for (uint64_t w = 0; w < set->words[level]; w++) bits[w] &= ~made->shared[w];
        for (uint64_t i = 0; i < count; i++) {
            plb_key_hash hash = hashes[i];
            if (test_bit(bits, bit_of(set, hash, level))) continue;
            hashes[i] = hashes[left];
            hashes[left++] = hash;
        }
        count = left;
    }
    return PLB_OK;
}

static int write_bytes(plb_perfect_hash *set, const levels *made, bool fingerprints) {
    const uint32_t head[HEAD_NUMBERS] = {(uint32_t)set->keys, set->seed, (uint32_t)set->levels,
                                         fingerprints};
    set->size = bytes_of(set, fingerprints);
    set->bytes = calloc(1, set->size);
    if (!set->bytes) return PLB_ENOMEM;
    memcpy(set->bytes, head, sizeof head);
    memcpy(set->bytes + sizeof head, set->words, set->levels * sizeof *set->words);
    find_parts(set, fingerprints);
    if (made->bits)
        memcpy(set->bytes + head_bytes(set->levels), made->bits, plb_size(8 * all_words(set)));
    return fill_marks(set);
}

int plb_perfect_hash_make(plb_key_hash *hashes, uint64_t count, bool fingerprints,
                          plb_perfect_hash *set) {
    levels made = {0};
    int error = PLB_EARGUMENT;
    *set = (plb_perfect_hash){.keys = count};
    for (uint32_t seed = 0; error == PLB_EARGUMENT && seed < SEEDS; seed++) {
        set->seed = seed;
        error = place_keys(set, &made, hashes, count);
    }
    if (!error) error = write_bytes(set, &made, fingerprints);
    if (!error && fingerprints) {
        plb_perfect_hash all = *set; /* finds every member, whatever its fingerprint */
        all.fingerprints = NULL;
        uint16_t *to = (uint16_t *)(set->bytes + (set->size - 2 * set->keys));
        for (uint64_t i = 0, rank = 0; i < set->keys; i++)
            if (plb_perfect_hash_find(&all, hashes[i], &rank)) to[rank] = fingerprint_of(hashes[i]);
    }
    free(made.bits);
    free(made.shared);
    return error;
}
