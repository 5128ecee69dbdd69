/* SPDX-License-Identifier: MIT
 *
 * Segments of arbitrary bytes: reading is safe, and a block is accepted only with a valid hash.
 * Each input is tried as it is, and then with the hash corrected, so that it reaches zstd, too.
 *
 *     [ply][blocks][first block][block][words]  one byte each, words in pairs
 *     [segment]..
 */
#include <xxhash.h>

#include "tables/store/segment.h"
#include "tests/fuzz/fuzz.h"

enum { HEADER_BYTES = 5, GROUP_BYTES = 12, HASH_BYTES = 8 };
static const uint64_t IDENTITY = 0x0123456789ABCDEF; /* of the table */

typedef struct attempt {
    int ply;
    uint64_t blocks, first_block, block, words;
    uint8_t *bytes;
    size_t size;
} attempt;

/* A number of blocks, sometimes far more than any segment has. */
static uint64_t number_of_blocks(uint8_t byte) {
    return byte < 128 ? byte % 16 + 1ULL : (byte - 127ULL) << 55 | 1;
}

static uint32_t number_at(const attempt *a, uint64_t at) {
    uint32_t value;
    memcpy(&value, a->bytes + at, sizeof value);
    return value;
}

/* The number of stored blocks before the block, or -1 if it is not stored. */
static int64_t count_before(const attempt *a) {
    uint64_t bits, group = a->block / 64 * GROUP_BYTES, bit = a->block % 64;
    if (group + GROUP_BYTES > a->size) return -1;
    memcpy(&bits, a->bytes + group, sizeof bits);
    int64_t before = number_at(a, group + sizeof bits);
    for (uint64_t b = 0; b < bit; b++) before += bits >> b & 1;
    return bits >> bit & 1 ? before : -1;
}

/* Find the hash and the payload of the block by the directory. False: the directory is not valid.
 */
static bool find_block(const attempt *a, uint8_t **hash, size_t *payload_size) {
    int64_t before = count_before(a);
    if (before < 0) return false;
    uint64_t at = (a->blocks / 64 + (a->blocks % 64 > 0)) * GROUP_BYTES + (uint64_t)before * 4;
    if (at + 8 > a->size) return false;
    uint64_t begin = number_at(a, at), end = number_at(a, at + 4);
    if (begin > end || end - begin <= HASH_BYTES || end > a->size) return false;
    *hash = a->bytes + begin;
    *payload_size = end - begin - HASH_BYTES;
    return true;
}

/* The hash of the payload. Its seed is the hash of the key (ply and number, big-endian) with the
 * identity as its seed. */
static XXH64_canonical_t compute_hash(const attempt *a, const uint8_t *payload, size_t size) {
    XXH64_canonical_t expected;
    uint8_t key[10] = {0, (uint8_t)a->ply};
    for (int byte = 0; byte < 8; byte++)
        key[2 + byte] = (uint8_t)((a->first_block + a->block) >> (56 - 8 * byte));
    uint64_t seed = XXH3_64bits_withSeed(key, sizeof key, IDENTITY);
    XXH64_canonicalFromHash(&expected, XXH3_64bits_withSeed(payload, size, seed));
    return expected;
}

static bool is_hash_valid(const attempt *a) {
    uint8_t *hash;
    size_t size;
    if (!find_block(a, &hash, &size)) return false;
    XXH64_canonical_t expected = compute_hash(a, hash + HASH_BYTES, size);
    return memcmp(hash, &expected, HASH_BYTES) == 0;
}

static void correct_hash(const attempt *a) {
    uint8_t *hash;
    size_t size;
    if (!find_block(a, &hash, &size)) return;
    XXH64_canonical_t expected = compute_hash(a, hash + HASH_BYTES, size);
    memcpy(hash, &expected, HASH_BYTES);
}

/* In a sound segment, every stored block is found. */
static void check_directory(const attempt *a) {
    plb_segment segment = {a->bytes, a->size, a->blocks};
    if (!plb_segment_is_sound(&segment)) return;
    uint8_t *hash;
    size_t size;
    bool found = a->size > 0 && find_block(a, &hash, &size);
    bool stored = plb_segment_has_block(&segment, a->block);
    FUZZ_REQUIRE(stored || !found);
}

static void unpack(const attempt *a, plb_segment_reader *segment_reader) {
    uint64_t *planes = malloc(a->words * sizeof *planes);
    FUZZ_REQUIRE(planes != NULL);
    memset(planes, 0, a->words * sizeof *planes);
    plb_segment segment = {a->bytes, a->size, a->blocks};
    plb_block_name name = {IDENTITY, a->ply, a->first_block + a->block};
    int error = plb_segment_reader_unpack_block(segment_reader, &segment, a->block, &name, a->words,
                                                planes);
    FUZZ_REQUIRE(error == PLB_OK || error == PLB_ECORRUPT);
    FUZZ_REQUIRE(error || is_hash_valid(a));
    free(planes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER_BYTES) return 0;
    attempt a = {.ply = data[0] % 65,
                 .blocks = number_of_blocks(data[1]),
                 .first_block = data[2],
                 .words = 2 * (1 + data[4] % 64),
                 .size = size - HEADER_BYTES};
    a.block = data[3] % a.blocks;
    a.bytes = fuzz_copy(data + HEADER_BYTES, a.size);
    plb_segment_reader *segment_reader;
    FUZZ_REQUIRE(plb_segment_reader_open(&segment_reader) == PLB_OK);
    check_directory(&a);
    unpack(&a, segment_reader);
    correct_hash(&a);
    unpack(&a, segment_reader);
    plb_segment_reader_close(segment_reader);
    free(a.bytes);
    return 0;
}
