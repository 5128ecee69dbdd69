/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking of segments: zstd for size, seals for trust.
 */
#include "tables/segment.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/big_endian.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tables are little-endian");

enum {
    ENTRY_BYTES = PLB_SEGMENT_END_BYTES,
    MAGIC_BYTES = 4, /* of a zstd frame */
};
static const uint8_t zstd_magic[MAGIC_BYTES] = {0x28, 0xB5, 0x2F, 0xFD};

struct plb_segment_writer {
    ZSTD_CCtx *context;
    uint64_t identity;
    uint8_t *bytes;
    size_t size, capacity;
    int ply;
    uint64_t first_block, block, blocks; /* block: the next to be added */
};

struct plb_segment_reader {
    ZSTD_DCtx *context;
    uint8_t *room; /* seal and payload */
    size_t capacity;
};

static uint64_t seal_of(const plb_block_name *name, const uint8_t *payload, size_t size) {
    uint8_t key[PLB_BLOCK_KEY];
    plb_seal_block_key(name->ply, name->number, key);
    return plb_seal(name->identity, key, sizeof key, payload, size);
}

int plb_segment_writer_open(uint64_t identity, int level, plb_segment_writer **writer) {
    plb_segment_writer *made = calloc(1, sizeof *made);
    if (made) made->context = ZSTD_createCCtx();
    if (!made || !made->context) {
        free(made);
        return PLB_ENOMEM;
    }
    ZSTD_CCtx_setParameter(made->context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(made->context, ZSTD_c_contentSizeFlag, 0);
    made->identity = identity;
    *writer = made;
    return PLB_OK;
}

void plb_segment_writer_close(plb_segment_writer *writer) {
    if (!writer) return;
    ZSTD_freeCCtx(writer->context);
    free(writer->bytes);
    free(writer);
}

static int reserve(plb_segment_writer *writer, size_t more) {
    if (writer->size + more <= writer->capacity) return PLB_OK;
    size_t capacity = 2 * (writer->size + more);
    uint8_t *bytes = realloc(writer->bytes, capacity);
    if (!bytes) return PLB_ENOMEM;
    writer->bytes = bytes;
    writer->capacity = capacity;
    return PLB_OK;
}

int plb_segment_writer_begin(plb_segment_writer *writer, int ply, uint64_t first_block,
                             uint64_t blocks) {
    writer->ply = ply;
    writer->first_block = first_block;
    writer->block = 0;
    writer->blocks = blocks;
    writer->size = 0;
    int error = reserve(writer, blocks * ENTRY_BYTES);
    if (!error) writer->size = blocks * ENTRY_BYTES;
    return error;
}

/* Seal the payload that follows the room for its seal. */
static void seal_payload(plb_segment_writer *writer, size_t size) {
    uint8_t *seal = writer->bytes + writer->size;
    plb_block_name name = {writer->identity, writer->ply, writer->first_block + writer->block};
    plb_put_number(seal, seal_of(&name, seal + PLB_SEAL_BYTES, size), PLB_SEAL_BYTES);
    writer->size += PLB_SEAL_BYTES + size;
}

/* The frame goes where its block would, so that it need not be copied. */
int plb_segment_writer_pack(plb_segment_writer *writer, const uint64_t *planes, uint64_t words,
                            const uint8_t **payload, size_t *size) {
    size_t bound = ZSTD_compressBound(words * sizeof *planes);
    int error = reserve(writer, PLB_SEAL_BYTES + bound);
    if (error) return error;
    uint8_t *frame = writer->bytes + writer->size + PLB_SEAL_BYTES - MAGIC_BYTES;
    size_t made = ZSTD_compress2(writer->context, frame, bound, planes, words * sizeof *planes);
    if (ZSTD_isError(made)) return PLB_ENOMEM;
    *payload = frame + MAGIC_BYTES;
    *size = made - MAGIC_BYTES;
    return PLB_OK;
}

static uint32_t entry_at(const uint8_t *bytes, uint64_t entry) {
    uint32_t value;
    memcpy(&value, bytes + entry * ENTRY_BYTES, ENTRY_BYTES);
    return value;
}

/* End the next block a number of bytes after the directory. */
static void end_block(plb_segment_writer *writer, size_t bytes) {
    uint32_t end = (uint32_t)bytes;
    memcpy(writer->bytes + writer->block * ENTRY_BYTES, &end, ENTRY_BYTES);
    writer->block++;
}

static size_t payload_bytes(const plb_segment_writer *writer) {
    return writer->size - writer->blocks * ENTRY_BYTES;
}

int plb_segment_writer_add_payload(plb_segment_writer *writer, const uint8_t *payload,
                                   size_t size) {
    int error = reserve(writer, PLB_SEAL_BYTES + size); /* which a packed block has made */
    if (error) return error;
    if (size) {
        memmove(writer->bytes + writer->size + PLB_SEAL_BYTES, payload, size);
        seal_payload(writer, size);
    }
    end_block(writer, payload_bytes(writer));
    return PLB_OK;
}

int plb_segment_writer_add(plb_segment_writer *writer, const uint64_t *planes, uint64_t words) {
    const uint8_t *payload = NULL;
    size_t size = 0;
    int error = planes ? plb_segment_writer_pack(writer, planes, words, &payload, &size) : PLB_OK;
    return error ? error : plb_segment_writer_add_payload(writer, payload, size);
}

int plb_segment_writer_join(plb_segment_writer *writer, const plb_segment_writer *part) {
    size_t before = payload_bytes(writer), more = payload_bytes(part);
    int error = reserve(writer, more);
    if (error) return error;
    for (uint64_t b = 0; b < part->blocks; b++)
        end_block(writer, before + entry_at(part->bytes, b));
    memcpy(writer->bytes + writer->size, part->bytes + part->blocks * ENTRY_BYTES, more);
    writer->size += more;
    return PLB_OK;
}

int plb_segment_writer_end(plb_segment_writer *writer, const uint8_t **bytes, size_t *size) {
    if (writer->size > UINT32_MAX) return PLB_ETOOBIG;
    bool is_empty = writer->size == writer->blocks * ENTRY_BYTES;
    *bytes = writer->bytes;
    *size = is_empty ? 0 : writer->size;
    return PLB_OK;
}

/* Where a block begins, counted from the end of the directory. */
static uint32_t block_begin(const uint8_t *bytes, uint64_t block) {
    return block ? entry_at(bytes, block - 1) : 0;
}

bool plb_segment_is_sound(const plb_segment *segment) {
    const uint8_t *bytes = segment->bytes;
    uint64_t size = segment->size, blocks = segment->blocks;
    if (size == 0) return true;
    if (blocks > size / ENTRY_BYTES) return false;
    for (uint64_t b = 0; b < blocks; b++)
        if (block_begin(bytes, b) > entry_at(bytes, b)) return false;
    return entry_at(bytes, blocks - 1) == size - blocks * ENTRY_BYTES;
}

bool plb_segment_has_block(const plb_segment *segment, uint64_t block) {
    return segment->size > 0 &&
           block_begin(segment->bytes, block) < entry_at(segment->bytes, block);
}

plb_extent plb_segment_ends(uint64_t block) {
    if (block == 0) return (plb_extent){0, ENTRY_BYTES};
    return (plb_extent){(block - 1) * ENTRY_BYTES, 2 * ENTRY_BYTES};
}

int plb_segment_find_block(const uint8_t *entries, uint64_t block, uint64_t size, uint64_t blocks,
                           plb_extent *where) {
    if (blocks > size / ENTRY_BYTES) return PLB_ECORRUPT;
    uint64_t directory = blocks * ENTRY_BYTES;
    uint64_t begin = block ? entry_at(entries, 0) : 0, end = entry_at(entries, block > 0);
    if (begin > end || end > size - directory) return PLB_ECORRUPT;
    *where = (plb_extent){directory + begin, end - begin};
    return PLB_OK;
}

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
    return PLB_SEAL_BYTES + ZSTD_compressBound(words * sizeof(uint64_t));
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
    if (size <= PLB_SEAL_BYTES) return PLB_ECORRUPT;
    const uint8_t *begin = reader->room + PLB_SEAL_BYTES;
    if (plb_get_number(reader->room, PLB_SEAL_BYTES) != seal_of(name, begin, size - PLB_SEAL_BYTES))
        return PLB_ECORRUPT;
    *payload = begin;
    *payload_size = size - PLB_SEAL_BYTES;
    return PLB_OK;
}

/* Once the seal has been compared, the magic number of the frame takes its place. */
int plb_segment_reader_unpack(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                              uint64_t words, uint64_t *planes) {
    const uint8_t *payload;
    size_t payload_size;
    int error = plb_segment_reader_open_block(reader, size, name, &payload, &payload_size);
    if (error) return error;
    uint8_t *frame = reader->room + PLB_SEAL_BYTES - MAGIC_BYTES;
    memcpy(frame, zstd_magic, MAGIC_BYTES);
    size_t read = ZSTD_decompressDCtx(reader->context, planes, words * sizeof *planes, frame,
                                      MAGIC_BYTES + payload_size);
    return read == words * sizeof *planes ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_reader_take_block(plb_segment_reader *reader, const plb_segment *segment,
                                  uint64_t block, uint64_t words, size_t *size) {
    plb_extent where;
    if (segment->blocks > segment->size / ENTRY_BYTES) return PLB_ECORRUPT;
    int error = plb_segment_find_block(segment->bytes + plb_segment_ends(block).offset, block,
                                       segment->size, segment->blocks, &where);
    if (error) return error;
    if (where.size > plb_segment_reader_most_bytes(words)) return PLB_ECORRUPT;
    uint8_t *room = plb_segment_reader_room(reader, where.size);
    if (!room) return PLB_ENOMEM;
    memcpy(room, segment->bytes + where.offset, where.size);
    *size = where.size;
    return PLB_OK;
}

int plb_segment_reader_unpack_block(plb_segment_reader *reader, const plb_segment *segment,
                                    uint64_t block, const plb_block_name *name, uint64_t words,
                                    uint64_t *planes) {
    size_t size;
    int error = plb_segment_reader_take_block(reader, segment, block, words, &size);
    return error ? error : plb_segment_reader_unpack(reader, size, name, words, planes);
}
