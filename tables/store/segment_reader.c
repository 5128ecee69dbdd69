/* SPDX-License-Identifier: MIT
 *
 * Unpacking of blocks: the checksum is compared before anything is unpacked.
 */
#include "tables/store/segment_reader.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/bits.h"
#include "tables/byte_order.h"

enum { MAGIC_BYTES = PLB_SEGMENT_MAGIC_BYTES };
static const uint8_t zstd_magic[MAGIC_BYTES] = {0x28, 0xB5, 0x2F, 0xFD};

struct plb_segment_reader {
    ZSTD_DCtx *context;
    uint8_t *room; /* checksum and payload */
    size_t capacity;
};

int plb_segment_reader_open(plb_segment_reader **reader) {
    plb_segment_reader *made = calloc(1, sizeof *made);
    if (made) made->context = ZSTD_createDCtx();
    if (!made || !made->context) {
        free(made);
        return PLB_ENOMEM;
    }
    *reader = made;
    return PLB_OK;
}

void plb_segment_reader_close(plb_segment_reader *reader) {
    if (!reader) return;
    ZSTD_freeDCtx(reader->context);
    free(reader->room);
    free(reader);
}

size_t plb_segment_reader_most_bytes(uint64_t words) {
    return plb_size(PLB_CHECKSUM_BYTES + ZSTD_COMPRESSBOUND(words * sizeof(uint64_t)));
}

uint8_t *plb_segment_reader_room(plb_segment_reader *reader, size_t size) {
    if (reader->capacity < size || !reader->room) {
        free(reader->room);
        reader->room = malloc(size);
        reader->capacity = reader->room ? size : 0;
    }
    return reader->room;
}

int plb_segment_reader_open_block(plb_segment_reader *reader, size_t size,
                                  const plb_block_name *name, const uint8_t **payload,
                                  size_t *payload_size) {
    if (size <= PLB_CHECKSUM_BYTES) return PLB_ECORRUPT;
    const uint8_t *begin = reader->room + PLB_CHECKSUM_BYTES;
    if (plb_get_number(reader->room, PLB_CHECKSUM_BYTES) !=
        plb_segment_checksum(name, begin, size - PLB_CHECKSUM_BYTES))
        return PLB_ECORRUPT;
    *payload = begin;
    *payload_size = size - PLB_CHECKSUM_BYTES;
    return PLB_OK;
}

/* Once the checksum has been compared, the magic number of the frame takes its place. */
int plb_segment_reader_unpack(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                              uint64_t words, uint64_t *planes) {
    const uint8_t *payload;
    size_t payload_size;
    int error = plb_segment_reader_open_block(reader, size, name, &payload, &payload_size);
    if (error) return error;
    uint8_t *frame = reader->room + PLB_CHECKSUM_BYTES - MAGIC_BYTES;
    memcpy(frame, zstd_magic, MAGIC_BYTES);
    size_t size_of_frame = MAGIC_BYTES + payload_size;
    if (ZSTD_findFrameCompressedSize(frame, size_of_frame) != size_of_frame) return PLB_ECORRUPT;
    size_t wanted = plb_size(words * sizeof *planes);
    size_t read = ZSTD_decompressDCtx(reader->context, planes, wanted, frame, size_of_frame);
    return read == wanted ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_reader_take_block(plb_segment_reader *reader, const plb_segment *segment,
                                  uint64_t block, uint64_t words, size_t *size) {
    plb_extent where;
    int error = plb_segment_find_block(segment, block, &where);
    if (error) return error;
    if (where.size > plb_segment_reader_most_bytes(words)) return PLB_ECORRUPT;
    uint8_t *room = plb_segment_reader_room(reader, (size_t)where.size);
    if (!room) return PLB_ENOMEM;
    memcpy(room, segment->bytes + where.offset, (size_t)where.size);
    *size = (size_t)where.size;
    return PLB_OK;
}

int plb_segment_reader_unpack_block(plb_segment_reader *reader, const plb_segment *segment,
                                    uint64_t block, const plb_block_name *name, uint64_t words,
                                    uint64_t *planes) {
    size_t size;
    int error = plb_segment_reader_take_block(reader, segment, block, words, &size);
    return error ? error : plb_segment_reader_unpack(reader, size, name, words, planes);
}
