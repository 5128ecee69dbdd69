/* SPDX-License-Identifier: MIT
 *
 * A hash table of exact keys. With gravity a column of h stones is the number (1 << h) - 1 plus its
 * x stones as bits, in height + 1 bits; without gravity a cell is a digit to the base 3. A key is a
 * sum over the stones, so a move updates the keys of all images by addition. The least of them is
 * the key of all images.
 *
 *     hash = mix(low ^ multiple of high)   bijective in low, so that (hash, high) is the position
 *
 *     bucket, 64 bytes:  slot | slot | slot | slot | slot | slot | slot | slot   narrow
 *                        slot | slot | slot | slot | rest | rest | rest | rest   wide
 *     slot, 64 bits:     hash without the bucket's number | age 2 | effort 6 | known 4
 *     rest, 64 bits:     upper + 128, 8 | lower + 128, 8 | high 48
 *
 * The bucket's number is the top of the hash, so that bucket and slot together identify the
 * position. An entry has bounds of the score, so that null windows with different horizons share
 * it. A narrow slot has room for bounds of the sign only; buckets are wide for keys of over 64
 * bits, and for scores.
 */
#include "tools/search/known_positions.h"

#include <string.h>
#include <sys/mman.h>

#include "tables/bits.h"

enum {
    BUCKET_BYTES = 8 * KNOWN_BUCKET,
    MIN_BUCKET_BITS = 12,
    LARGE_BYTES = 32 << 20 /* from this size on huge pages pay */
};
_Static_assert(KNOWN_MIN_BYTES == BUCKET_BYTES << MIN_BUCKET_BITS, "size");

enum { KNOWN_BITS = 4, EFFORT_BITS = 6, AGE_BITS = 2, HIGH_BITS = 48 };
enum { META_BITS = KNOWN_BITS + EFFORT_BITS + AGE_BITS }; /* as much as the bucket number */

/* ---- keys ---- */

/* What an o stone adds to a key; an x stone adds twice as much. Columns of one cell are also digits
 * to the base 3, because with two bits each, keys of wide boards would not fit. */
static known_key key_of_cell(const search_rules *rules, int cell) {
    if (rules->gravity && rules->height > 1) return (known_key)1 << (cell + cell / rules->height);
    known_key power = 1;
    for (int i = 0; i < cell; i++) power *= 3;
    return power;
}

void known_set_root(known_positions *known, const uint64_t stones[2], int ply) {
    memset(known->keys[ply], 0, sizeof known->keys[ply]);
    for (int player = 0; player < 2; player++)
        for (uint64_t left = stones[player]; left; left &= left - 1)
            for (int i = 0; i < known->images; i++)
                known->keys[ply][i] += known->key_steps[player][plb_lowest(left)][i];
}

/* ---- slots ---- */

typedef struct span {
    int lower, upper; /* bounds of a score */
} span;

enum { BOUND_MAX = KNOWN_MAX_SCORE + 1 };
static const span anything = {-BOUND_MAX, BOUND_MAX};

static bool is_wide(const known_positions *known) {
    return known->bucket_slots < KNOWN_BUCKET;
}

static uint64_t *rest_of(const known_positions *known, uint64_t *slot) {
    return slot + known->bucket_slots;
}

/* The `known` bits of a narrow slot: two for "at least a draw", two for "a win"; 1 yes, 2 no, 0
 * unknown. In a wide slot they are 1. All 0: the slot is free. */
static unsigned known_of(uint64_t slot) {
    return slot & ((1 << KNOWN_BITS) - 1);
}

static unsigned known_of_span(span scores) {
    unsigned draw = scores.lower >= 0 ? 1 : scores.upper < 0 ? 2 : 0;
    unsigned win = scores.lower > 0 ? 1 : scores.upper <= 0 ? 2 : 0;
    return draw | win << 2;
}

static span scores_of(const known_positions *known, uint64_t *slot) {
    unsigned draw = known_of(*slot) & 3, win = known_of(*slot) >> 2;
    if (!is_wide(known))
        return (span){win == 1    ? 1
                      : draw == 1 ? 0
                                  : -BOUND_MAX,
                      draw == 2  ? -1
                      : win == 2 ? 0
                                 : BOUND_MAX};
    uint64_t rest = *rest_of(known, slot);
    return (span){(int)(rest >> HIGH_BITS & 255) - 128, (int)(rest >> 56) - 128};
}

static uint64_t *find_slot(const known_positions *known, const known_hash *hash) {
    uint64_t *bucket = known_bucket(known, hash), tag = hash->low << known->bucket_bits;
    for (int i = 0; i < known->bucket_slots; i++)
        if ((bucket[i] ^ tag) >> META_BITS == 0 && known_of(bucket[i]) &&
            (!is_wide(known) ||
             (*rest_of(known, &bucket[i]) ^ hash->high) << (64 - HIGH_BITS) == 0))
            return bucket + i;
    return NULL;
}

bool known_recall(const known_positions *known, const known_hash *hash, int bound, bool *answer) {
    uint64_t *slot = find_slot(known, hash);
    if (!slot) return false;
    span scores = scores_of(known, slot);
    *answer = scores.lower >= bound;
    return *answer || scores.upper < bound;
}

/* ---- growth ---- */

static size_t size_bytes(int bucket_bits) {
    return (size_t)BUCKET_BYTES << bucket_bits;
}

void *known_map_pages(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    if (bytes >= LARGE_BYTES) madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

void known_release_pages(void *old, size_t copied) {
    enum { HUGE_PAGE = 2 << 20 };
    if (copied && copied % HUGE_PAGE == 0)
        madvise((char *)old + copied - HUGE_PAGE, HUGE_PAGE, MADV_DONTNEED);
}

/* Double the number of buckets. The top bit of a slot's hash chooses one of two new buckets, which
 * has room. If there is no memory, the table stays as it is. */
static void grow(known_positions *known) {
    uint64_t *old = known->buckets;
    uint64_t *buckets = known_map_pages(size_bytes(known->bucket_bits + 1));
    if (!buckets) known->max_bucket_bits = known->bucket_bits;
    if (!buckets) return;
    for (uint64_t b = 0; b >> known->bucket_bits == 0; b++) {
        known_release_pages(old, b * BUCKET_BYTES);
        for (int i = 0; i < known->bucket_slots; i++) {
            uint64_t *from = &old[b * KNOWN_BUCKET + i], meta = *from & plb_low_bits(META_BITS);
            if (!known_of(*from)) continue;
            uint64_t *to = &buckets[(b << 1 | *from >> 63) * KNOWN_BUCKET];
            while (*to) to++;
            *to = (*from ^ meta) << 1 | meta;
            if (is_wide(known)) *rest_of(known, to) = *rest_of(known, from);
        }
    }
    munmap(old, size_bytes(known->bucket_bits));
    known->buckets = buckets;
    known->bucket_bits++;
}

/* ---- replacement ---- */

/* The binary logarithm of its nodes, less 4 for each later search. The slot of least worth is
 * replaced. */
static int slot_worth(const known_positions *known, uint64_t slot) {
    if (!known_of(slot)) return -100;
    int effort = slot >> KNOWN_BITS & ((1 << EFFORT_BITS) - 1);
    int age = (known->age - (unsigned)(slot >> (KNOWN_BITS + EFFORT_BITS))) & ((1 << AGE_BITS) - 1);
    return effort - 4 * age;
}

void known_remember(known_positions *known, const known_hash *hash, int bound, bool answer,
                    uint64_t nodes) {
    uint64_t *slot = find_slot(known, hash);
    span scores = slot ? scores_of(known, slot) : anything;
    if (answer && scores.lower < bound) scores.lower = bound;
    if (!answer && scores.upper >= bound) scores.upper = bound - 1;
    if (!slot) {
        slot = known_bucket(known, hash);
        for (uint64_t *other = slot + known->bucket_slots - 1; other > known_bucket(known, hash);
             other--)
            if (slot_worth(known, *other) < slot_worth(known, *slot)) slot = other;
        known->entries += !known_of(*slot);
    }
    uint64_t effort = 63 - __builtin_clzll(nodes | 1);
    uint64_t age = known->age & ((1 << AGE_BITS) - 1);
    unsigned signs = is_wide(known) ? 1 : known_of_span(scores);
    *slot = hash->low << known->bucket_bits | age << (KNOWN_BITS + EFFORT_BITS) |
            effort << KNOWN_BITS | signs;
    if (is_wide(known))
        *rest_of(known, slot) = (uint64_t)(scores.upper + 128) << 56 |
                                (uint64_t)(scores.lower + 128) << HIGH_BITS | hash->high;
    if (known->bucket_bits < known->max_bucket_bits &&
        known->entries >> known->bucket_bits >= (uint64_t)known->bucket_slots / 4)
        grow(known);
}

/* ---- opening ---- */

void known_begin(known_positions *known, bool scores) {
    known->age++;
    /* Narrow or wide buckets? A change clears the table. */
    int slots = (scores || known->long_keys) ? KNOWN_BUCKET / 2 : KNOWN_BUCKET;
    if (known->bucket_slots == slots) return;
    if (known->bucket_slots) madvise(known->buckets, size_bytes(known->bucket_bits), MADV_DONTNEED);
    known->bucket_slots = slots;
    known->entries = 0;
}

int known_open(const search_rules *rules, size_t bytes, known_positions *known) {
    known->images = rules->symmetries;
    for (int i = 0; i < known->images; i++)
        for (int cell = 0; cell < rules->cells; cell++) {
            known_key step = key_of_cell(rules, rules->image[i][cell]);
            known->key_steps[0][cell][i] = 2 * step;
            known->key_steps[1][cell][i] = step;
        }
    known->long_keys = rules->gravity && rules->height > 1
                           ? rules->cells + rules->cells / rules->height > 64
                           : rules->cells > 40;
    known->bucket_bits = known->max_bucket_bits = MIN_BUCKET_BITS;
    while (bytes >> known->max_bucket_bits >= 2 * BUCKET_BYTES) known->max_bucket_bits++;
    known->buckets = known_map_pages(size_bytes(known->bucket_bits));
    return known->buckets ? PLB_OK : PLB_ENOMEM;
}

void known_close(known_positions *known) {
    if (known->buckets) munmap(known->buckets, size_bytes(known->bucket_bits));
}
