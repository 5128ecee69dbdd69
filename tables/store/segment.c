/* SPDX-License-Identifier: MIT */
#include "tables/store/segment.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/bits.h"

uint64_t plb_segment_checksum(const plb_block_name *name, const uint8_t *payload, size_t size) {
    uint8_t key[PLB_BLOCK_KEY];
    plb_checksum_block_key(name->ply, name->number, key);
    return plb_checksum(name->identity, key, sizeof key, payload, size);
}

uint64_t plb_segment_groups(uint64_t blocks) {
    return plb_divide_up(blocks, PLB_SEGMENT_GROUP);
}

/* ---- checking ---- */

bool plb_segment_is_sound(const plb_segment *segment) {
    uint64_t size = segment->size, stored = 0,
             groups = plb_segment_groups(segment->blocks) * PLB_SEGMENT_GROUP_BYTES;
    if (size == 0) return true;
    if (groups > size) return false;
    /* Do the bits and numbers of the groups agree? */
    for (uint64_t g = 0; g < plb_segment_groups(segment->blocks); g++) {
        const uint8_t *group = segment->bytes + g * PLB_SEGMENT_GROUP_BYTES;
        uint64_t bits = plb_get64(group), left = segment->blocks - g * PLB_SEGMENT_GROUP;
        if (plb_get32(group + PLB_SEGMENT_BITS_BYTES) != stored) return false;
        if (left < PLB_SEGMENT_GROUP && bits >> left) return false;
        stored += plb_popcount(bits);
    }
    const uint8_t *ends = segment->bytes + groups;
    uint64_t directory = groups + (stored + 1) * PLB_SEGMENT_END_BYTES;
    if (directory > size || plb_get32(ends) != directory ||
        plb_get32(ends + stored * PLB_SEGMENT_END_BYTES) != size)
        return false;
    for (uint64_t b = 0; b < stored; b++)
        if (plb_get32(ends + b * PLB_SEGMENT_END_BYTES) >
            plb_get32(ends + (b + 1) * PLB_SEGMENT_END_BYTES))
            return false;
    return true;
}

bool plb_segment_has_block(const plb_segment *segment, uint64_t block) {
    return segment->size > 0 &&
           plb_get64(segment->bytes + block / PLB_SEGMENT_GROUP * PLB_SEGMENT_GROUP_BYTES) >>
                   block % PLB_SEGMENT_GROUP &
               1;
}

/* ---- finding a block ---- */

static int read_next(plb_block_search *search, uint64_t offset, uint64_t size) {
    search->where = (plb_extent){offset, size};
    return offset + size <= search->segment.size ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_search(const plb_segment *segment, uint64_t block, plb_block_search *search) {
    *search = (plb_block_search){.segment = *segment, .block = block};
    return read_next(search, block / PLB_SEGMENT_GROUP * PLB_SEGMENT_GROUP_BYTES,
                     PLB_SEGMENT_GROUP_BYTES);
}

static int end_search(plb_block_search *search, uint64_t begin, uint64_t end) {
    search->is_found = true;
    return begin <= end ? read_next(search, begin, end - begin) : PLB_ECORRUPT;
}

int plb_segment_search_step(plb_block_search *search, const uint8_t *bytes) {
    if (search->has_group)
        return end_search(search, plb_get32(bytes), plb_get32(bytes + PLB_SEGMENT_END_BYTES));
    /* bytes are a group: its bits give the place of the two numbers that bound the block. */
    uint64_t bits = plb_get64(bytes), bit = search->block % PLB_SEGMENT_GROUP;
    uint64_t before =
        plb_get32(bytes + PLB_SEGMENT_BITS_BYTES) + plb_popcount(bits & plb_low_bits((int)bit));
    search->has_group = true;
    if (!(bits >> bit & 1)) return end_search(search, 0, 0);
    return read_next(search,
                     plb_segment_groups(search->segment.blocks) * PLB_SEGMENT_GROUP_BYTES +
                         before * PLB_SEGMENT_END_BYTES,
                     2 * PLB_SEGMENT_END_BYTES);
}

int plb_segment_find_block(const plb_segment *segment, uint64_t block, plb_extent *where) {
    plb_block_search search;
    int error = plb_segment_search(segment, block, &search);
    while (!error && !search.is_found)
        error = plb_segment_search_step(&search, segment->bytes + search.where.offset);
    *where = search.where;
    return error;
}

/* ---- reading blocks ---- */

static const uint8_t zstd_magic[PLB_SEGMENT_MAGIC_BYTES] = {0x28, 0xB5, 0x2F, 0xFD};

struct plb_segment_reader {
    ZSTD_DCtx *context;
    uint8_t *buffer; /* [capacity] checksum and payload of a block */
    size_t capacity;
};

int plb_segment_reader_open(plb_segment_reader **reader) {
    plb_segment_reader *made = calloc(1, sizeof *made);
    if (made) made->context = ZSTD_createDCtx();
    int error = made && made->context ? PLB_OK : PLB_ENOMEM;
    /* cppcheck-suppress memleak ; the caller gets it */
    return PLB_HAND_OVER(error, made, reader, plb_segment_reader_close);
}

void plb_segment_reader_close(plb_segment_reader *reader) {
    if (!reader) return;
    ZSTD_freeDCtx(reader->context);
    free(reader->buffer);
    free(reader);
}

size_t plb_segment_reader_max_bytes(uint64_t words) {
    return plb_size(PLB_CHECKSUM_BYTES + ZSTD_COMPRESSBOUND(words * sizeof(uint64_t)));
}

uint8_t *plb_segment_reader_buffer(plb_segment_reader *reader, size_t size) {
    if (reader->capacity < size || !reader->buffer) {
        free(reader->buffer);
        reader->buffer = malloc(size);
        reader->capacity = reader->buffer ? size : 0;
    }
    return reader->buffer;
}

int plb_segment_reader_payload(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                               const uint8_t **payload, size_t *payload_size) {
    if (size <= PLB_CHECKSUM_BYTES) return PLB_ECORRUPT;
    const uint8_t *begin = reader->buffer + PLB_CHECKSUM_BYTES;
    if (plb_get_number(reader->buffer, PLB_CHECKSUM_BYTES) !=
        plb_segment_checksum(name, begin, size - PLB_CHECKSUM_BYTES))
        return PLB_ECORRUPT;
    *payload = begin;
    *payload_size = size - PLB_CHECKSUM_BYTES;
    return PLB_OK;
}

/* After the comparison the end of the checksum is overwritten by the magic number of the frame. */
int plb_segment_reader_unpack(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                              uint64_t words, uint64_t *planes) {
    const uint8_t *payload;
    size_t payload_size;
    int error = plb_segment_reader_payload(reader, size, name, &payload, &payload_size);
    if (error) return error;
    uint8_t *frame = reader->buffer + PLB_CHECKSUM_BYTES - PLB_SEGMENT_MAGIC_BYTES;
    memcpy(frame, zstd_magic, PLB_SEGMENT_MAGIC_BYTES);
    size_t size_of_frame = PLB_SEGMENT_MAGIC_BYTES + payload_size;
    if (ZSTD_findFrameCompressedSize(frame, size_of_frame) != size_of_frame) return PLB_ECORRUPT;
    size_t wanted = plb_size(words * sizeof *planes);
    size_t read = ZSTD_decompressDCtx(reader->context, planes, wanted, frame, size_of_frame);
    return read == wanted ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_reader_copy_block(plb_segment_reader *reader, const plb_segment *segment,
                                  uint64_t block, uint64_t words, size_t *size) {
    plb_extent where;
    int error = plb_segment_find_block(segment, block, &where);
    if (error) return error;
    if (where.size > plb_segment_reader_max_bytes(words)) return PLB_ECORRUPT;
    uint8_t *buffer = plb_segment_reader_buffer(reader, (size_t)where.size);
    if (!buffer) return PLB_ENOMEM;
    memcpy(buffer, segment->bytes + where.offset, (size_t)where.size);
    *size = (size_t)where.size;
    return PLB_OK;
}

int plb_segment_reader_unpack_block(plb_segment_reader *reader, const plb_segment *segment,
                                    uint64_t block, const plb_block_name *name, uint64_t words,
                                    uint64_t *planes) {
    size_t size;
    int error = plb_segment_reader_copy_block(reader, segment, block, words, &size);
    return error ? error : plb_segment_reader_unpack(reader, size, name, words, planes);
}
