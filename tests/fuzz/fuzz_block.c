/* SPDX-License-Identifier: MIT
 *
 * Segments of any bytes: safe to look into, and a block is accepted only with the right hash. Each
 * input is tried as it is, and once more with the hash made right, so that zstd sees it too.
 *
 *     [ply][blocks][first block][block][words]  one byte each, words in pairs
 *     [segment]..
 */
#include <xxhash.h>

#include "tables/segment.h"
#include "tests/fuzz/fuzz.h"

enum { HEADER_BYTES = 5, ENTRY_BYTES = 4, HASH_BYTES = 8 };
static const uint64_t IDENTITY = 0x0123456789ABCDEF; /* of the table */

typedef struct attempt {
    int ply;
    uint64_t blocks, first_block, block, words;
    uint8_t *bytes;
    size_t size;
} attempt;

/* Sometimes far more blocks than any segment has. */
static uint64_t many(uint8_t byte) {
    return byte < 128 ? byte % 16 + 1ULL : (byte - 127ULL) << 55 | 1;
}

static uint32_t entry_at(const attempt *a, uint64_t entry) {
    uint32_t value;
    memcpy(&value, a->bytes + entry * ENTRY_BYTES, sizeof value);
    return value;
}

/* The hash and payload of the block as its directory has them; false where it cannot be. */
static bool find_block(const attempt *a, uint8_t **hash, size_t *payload_size) {
    if (a->blocks > a->size / ENTRY_BYTES) return false;
    uint64_t begin = a->block ? entry_at(a, a->block - 1) : 0, end = entry_at(a, a->block);
    if (begin > end || end - begin <= HASH_BYTES || end > a->size - a->blocks * ENTRY_BYTES)
        return false;
    *hash = a->bytes + a->blocks * ENTRY_BYTES + begin;
    *payload_size = end - begin - HASH_BYTES;
    return true;
}

/* Seeded with that of the key, which is ply and number in big-endian, seeded with the identity. */
static XXH64_canonical_t right_hash(const attempt *a, const uint8_t *payload, size_t size) {
    XXH64_canonical_t right;
    uint8_t key[10] = {0, (uint8_t)a->ply};
    for (int byte = 0; byte < 8; byte++)
        key[2 + byte] = (uint8_t)((a->first_block + a->block) >> (56 - 8 * byte));
    uint64_t seed = XXH3_64bits_withSeed(key, sizeof key, IDENTITY);
    XXH64_canonicalFromHash(&right, XXH3_64bits_withSeed(payload, size, seed));
    return right;
}

static bool has_right_hash(const attempt *a) {
    uint8_t *hash;
    size_t size;
    if (!find_block(a, &hash, &size)) return false;
    XXH64_canonical_t right = right_hash(a, hash + HASH_BYTES, size);
    return memcmp(hash, &right, HASH_BYTES) == 0;
}

static void make_hash_right(const attempt *a) {
    uint8_t *hash;
    size_t size;
    if (!find_block(a, &hash, &size)) return;
    XXH64_canonical_t right = right_hash(a, hash + HASH_BYTES, size);
    memcpy(hash, &right, HASH_BYTES);
}

/* Of a segment that is sound, every block that is there can be found. */
static void look(const attempt *a) {
    plb_segment segment = {a->bytes, a->size, a->blocks};
    if (!plb_segment_is_sound(&segment)) return;
    uint8_t *hash;
    size_t size;
    bool found = a->size > 0 && find_block(a, &hash, &size);
    bool there = plb_segment_has_block(&segment, a->block);
    FUZZ_REQUIRE(there || !found);
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
    FUZZ_REQUIRE(error || has_right_hash(a));
    free(planes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER_BYTES) return 0;
    attempt a = {.ply = data[0] % 65,
                 .blocks = many(data[1]),
                 .first_block = data[2],
                 .words = 2 * (1 + data[4] % 64),
                 .size = size - HEADER_BYTES};
    a.block = data[3] % a.blocks;
    a.bytes = fuzz_copy(data + HEADER_BYTES, a.size);
    plb_segment_reader *segment_reader;
    FUZZ_REQUIRE(plb_segment_reader_open(&segment_reader) == PLB_OK);
    look(&a);
    unpack(&a, segment_reader);
    make_hash_right(&a);
    unpack(&a, segment_reader);
    plb_segment_reader_close(segment_reader);
    free(a.bytes);
    return 0;
}
