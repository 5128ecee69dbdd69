/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking of segments: zstd for size, XXH3-64 for trust.
 */
#include "tables/segment.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tables are little-endian");

enum {
    HASH_BYTES = sizeof(XXH64_canonical_t),
    ENTRY_BYTES = sizeof(uint32_t),
    MAGIC_BYTES = 4, /* of a zstd frame */
};
static const uint8_t zstd_magic[MAGIC_BYTES] = {0x28, 0xB5, 0x2F, 0xFD};

struct plb_packer {
    ZSTD_CCtx *context;
    uint8_t *bytes;
    size_t size, capacity;
    int ply;
    uint64_t first_block, block, blocks; /* block: the next to be added */
};

struct plb_unpacker {
    ZSTD_DCtx *context;
    uint8_t *frame; /* a payload with its magic number put back */
    size_t capacity;
};

static uint64_t seed_of_block(int ply, uint64_t number) {
    return (uint64_t)ply << 56 | number;
}

int plb_packer_open(int level, plb_packer **packer) {
    plb_packer *made = calloc(1, sizeof *made);
    if (made) made->context = ZSTD_createCCtx();
    if (!made || !made->context) {
        free(made);
        return PLB_ENOMEM;
    }
    ZSTD_CCtx_setParameter(made->context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(made->context, ZSTD_c_contentSizeFlag, 0);
    *packer = made;
    return PLB_OK;
}

void plb_packer_close(plb_packer *packer) {
    if (!packer) return;
    ZSTD_freeCCtx(packer->context);
    free(packer->bytes);
    free(packer);
}

static int reserve(plb_packer *packer, size_t more) {
    if (packer->size + more <= packer->capacity) return PLB_OK;
    size_t capacity = 2 * (packer->size + more);
    uint8_t *bytes = realloc(packer->bytes, capacity);
    if (!bytes) return PLB_ENOMEM;
    packer->bytes = bytes;
    packer->capacity = capacity;
    return PLB_OK;
}

int plb_packer_begin(plb_packer *packer, int ply, uint64_t first_block, uint64_t blocks) {
    packer->ply = ply;
    packer->first_block = first_block;
    packer->block = 0;
    packer->blocks = blocks;
    packer->size = 0;
    int error = reserve(packer, blocks * ENTRY_BYTES);
    if (!error) packer->size = blocks * ENTRY_BYTES;
    return error;
}

static int add_payload(plb_packer *packer, const uint64_t *planes, uint64_t words) {
    size_t bound = ZSTD_compressBound(words * sizeof *planes);
    int error = reserve(packer, HASH_BYTES + bound);
    if (error) return error;
    uint8_t *hash = packer->bytes + packer->size, *frame = hash + HASH_BYTES;
    size_t size = ZSTD_compress2(packer->context, frame, bound, planes, words * sizeof *planes);
    if (ZSTD_isError(size)) return PLB_ENOMEM;
    size -= MAGIC_BYTES;
    memmove(frame, frame + MAGIC_BYTES, size);
    uint64_t seed = seed_of_block(packer->ply, packer->first_block + packer->block);
    XXH64_canonicalFromHash((XXH64_canonical_t *)hash, XXH3_64bits_withSeed(frame, size, seed));
    packer->size += HASH_BYTES + size;
    return PLB_OK;
}

static uint32_t entry_at(const uint8_t *bytes, uint64_t entry) {
    uint32_t value;
    memcpy(&value, bytes + entry * ENTRY_BYTES, ENTRY_BYTES);
    return value;
}

/* End the next block a number of bytes behind the directory. */
static void end_block(plb_packer *packer, size_t bytes) {
    uint32_t end = (uint32_t)bytes;
    memcpy(packer->bytes + packer->block * ENTRY_BYTES, &end, ENTRY_BYTES);
    packer->block++;
}

static size_t payload_bytes(const plb_packer *packer) {
    return packer->size - packer->blocks * ENTRY_BYTES;
}

int plb_packer_add(plb_packer *packer, const uint64_t *planes, uint64_t words) {
    int error = planes ? add_payload(packer, planes, words) : PLB_OK;
    if (!error) end_block(packer, payload_bytes(packer));
    return error;
}

int plb_packer_join(plb_packer *packer, const plb_packer *part) {
    size_t before = payload_bytes(packer), more = payload_bytes(part);
    int error = reserve(packer, more);
    if (error) return error;
    for (uint64_t b = 0; b < part->blocks; b++)
        end_block(packer, before + entry_at(part->bytes, b));
    memcpy(packer->bytes + packer->size, part->bytes + part->blocks * ENTRY_BYTES, more);
    packer->size += more;
    return PLB_OK;
}

int plb_packer_end(plb_packer *packer, const uint8_t **bytes, size_t *size) {
    if (packer->size > UINT32_MAX) return PLB_ETOOBIG;
    bool is_empty = packer->size == packer->blocks * ENTRY_BYTES;
    *bytes = packer->bytes;
    *size = is_empty ? 0 : packer->size;
    return PLB_OK;
}

/* Where a block begins, counted from behind the directory. */
static uint32_t block_begin(const uint8_t *bytes, uint64_t block) {
    return block ? entry_at(bytes, block - 1) : 0;
}

bool plb_segment_is_sound(const uint8_t *bytes, size_t size, uint64_t blocks) {
    if (size == 0) return true;
    if (blocks > size / ENTRY_BYTES) return false;
    for (uint64_t b = 0; b < blocks; b++)
        if (block_begin(bytes, b) > entry_at(bytes, b)) return false;
    return entry_at(bytes, blocks - 1) == size - blocks * ENTRY_BYTES;
}

bool plb_segment_has_block(const uint8_t *bytes, size_t size, uint64_t block) {
    return size > 0 && block_begin(bytes, block) < entry_at(bytes, block);
}

int plb_unpacker_open(plb_unpacker **unpacker) {
    plb_unpacker *made = calloc(1, sizeof *made);
    if (made) made->context = ZSTD_createDCtx();
    if (!made || !made->context) {
        free(made);
        return PLB_ENOMEM;
    }
    *unpacker = made;
    return PLB_OK;
}

void plb_unpacker_close(plb_unpacker *unpacker) {
    if (!unpacker) return;
    ZSTD_freeDCtx(unpacker->context);
    free(unpacker->frame);
    free(unpacker);
}

/* Put the magic number back before a payload. */
static int make_frame(plb_unpacker *unpacker, const uint8_t *payload, size_t size) {
    if (unpacker->capacity < MAGIC_BYTES + size) {
        free(unpacker->frame);
        unpacker->capacity = 0;
        unpacker->frame = malloc(MAGIC_BYTES + size);
        if (!unpacker->frame) return PLB_ENOMEM;
        unpacker->capacity = MAGIC_BYTES + size;
    }
    memcpy(unpacker->frame, zstd_magic, MAGIC_BYTES);
    memcpy(unpacker->frame + MAGIC_BYTES, payload, size);
    return PLB_OK;
}

int plb_unpack_block(plb_unpacker *unpacker, const uint8_t *bytes, size_t size, int ply,
                     uint64_t blocks, uint64_t first_block, uint64_t block, uint64_t words,
                     uint64_t *planes) {
    if (blocks > size / ENTRY_BYTES) return PLB_ECORRUPT;
    uint64_t directory = blocks * ENTRY_BYTES;
    uint64_t begin = block_begin(bytes, block), end = entry_at(bytes, block);
    if (begin > end || end > size - directory || end - begin <= HASH_BYTES) return PLB_ECORRUPT;
    const uint8_t *hash = bytes + directory + begin, *payload = hash + HASH_BYTES;
    size_t payload_size = end - begin - HASH_BYTES;
    uint64_t seed = seed_of_block(ply, first_block + block);
    if (XXH64_hashFromCanonical((const XXH64_canonical_t *)hash) !=
        XXH3_64bits_withSeed(payload, payload_size, seed))
        return PLB_ECORRUPT;
    int error = make_frame(unpacker, payload, payload_size);
    if (error) return error;
    size_t read = ZSTD_decompressDCtx(unpacker->context, planes, words * sizeof *planes,
                                      unpacker->frame, MAGIC_BYTES + payload_size);
    return read == words * sizeof *planes ? PLB_OK : PLB_ECORRUPT;
}
