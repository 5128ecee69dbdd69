/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking of segments: zstd for size, checksums for trust.
 */
#include "tables/store/segment.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/bits.h"
#include "tables/byte_order.h"

enum {
    GROUP = PLB_SEGMENT_GROUP,
    GROUP_BYTES = PLB_SEGMENT_GROUP_BYTES,
    BITS_BYTES = 8, /* of a group, which how many are before it follow */
    END_BYTES = PLB_SEGMENT_END_BYTES,
    MAGIC_BYTES = 4, /* of a zstd frame */
};
static const uint8_t zstd_magic[MAGIC_BYTES] = {0x28, 0xB5, 0x2F, 0xFD};

struct plb_segment_writer {
    ZSTD_CCtx *context;
    uint64_t identity;
    int ply;
    uint64_t first_block, block, blocks; /* block: the next to be added */
    uint64_t *bits;                      /* [groups] which blocks are stored */
    uint32_t *ends;                      /* [stored] counted from the first block */
    uint8_t *bytes, *finished;           /* the blocks; the whole segment */
    size_t stored, size;                 /* of ends and bytes, and the rooms of all, in bytes */
    size_t bits_room, ends_room, bytes_room, finished_room;
};

struct plb_segment_reader {
    ZSTD_DCtx *context;
    uint8_t *room; /* checksum and payload */
    size_t capacity;
};

static uint64_t checksum_of(const plb_block_name *name, const uint8_t *payload, size_t size) {
    uint8_t key[PLB_BLOCK_KEY];
    plb_checksum_block_key(name->ply, name->number, key);
    return plb_checksum(name->identity, key, sizeof key, payload, size);
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
    free(writer->bits);
    free(writer->ends);
    free(writer->bytes);
    free(writer->finished);
    free(writer);
}

/* Make room for a number of bytes in an array. */
static int reserve(void *array, size_t *room, size_t bytes) {
    void **words = array;
    if (bytes <= *room) return PLB_OK;
    void *grown = realloc(*words, 2 * bytes);
    if (!grown) return PLB_ENOMEM;
    *words = grown;
    *room = 2 * bytes;
    return PLB_OK;
}

static int reserve_bytes(plb_segment_writer *writer, size_t more) {
    return reserve(&writer->bytes, &writer->bytes_room, writer->size + more);
}

static int reserve_ends(plb_segment_writer *writer, size_t more) {
    return reserve(&writer->ends, &writer->ends_room,
                   (writer->stored + more) * sizeof *writer->ends);
}

static uint64_t count_groups(uint64_t blocks) {
    return plb_divide_up(blocks, GROUP);
}

int plb_segment_writer_begin(plb_segment_writer *writer, int ply, uint64_t first_block,
                             uint64_t blocks) {
    uint64_t bytes = count_groups(blocks) * sizeof *writer->bits;
    writer->ply = ply;
    writer->first_block = first_block;
    writer->block = 0;
    writer->blocks = blocks;
    writer->size = writer->stored = 0;
    if (reserve(&writer->bits, &writer->bits_room, bytes)) return PLB_ENOMEM;
    memset(writer->bits, 0, bytes);
    return PLB_OK;
}

/* The frame goes where its block would, so that it need not be copied. */
int plb_segment_writer_pack(plb_segment_writer *writer, const uint64_t *planes, uint64_t words,
                            const uint8_t **payload, size_t *size) {
    size_t bound = ZSTD_compressBound(words * sizeof *planes);
    int error = reserve_bytes(writer, PLB_CHECKSUM_BYTES + bound);
    if (error) return error;
    uint8_t *frame = writer->bytes + writer->size + PLB_CHECKSUM_BYTES - MAGIC_BYTES;
    size_t made = ZSTD_compress2(writer->context, frame, bound, planes, words * sizeof *planes);
    if (ZSTD_isError(made)) return PLB_ENOMEM;
    *payload = frame + MAGIC_BYTES;
    *size = made - MAGIC_BYTES;
    return PLB_OK;
}

/* A block of the segment is stored, and ends where the bytes do that are there. */
static void add_end(plb_segment_writer *writer, uint64_t block, uint64_t end) {
    writer->bits[block / GROUP] |= 1ULL << block % GROUP;
    writer->ends[writer->stored++] = (uint32_t)end;
}

int plb_segment_writer_add_payload(plb_segment_writer *writer, const uint8_t *payload,
                                   size_t size) {
    if (size) {
        int error = reserve_bytes(writer, PLB_CHECKSUM_BYTES + size); /* as a packed block has */
        if (!error) error = reserve_ends(writer, 1);
        if (error) return error;
        memmove(writer->bytes + writer->size + PLB_CHECKSUM_BYTES, payload, size);
        /* Write the checksum of the payload that follows the room for its checksum. */
        uint8_t *checksum = writer->bytes + writer->size;
        plb_block_name name = {writer->identity, writer->ply, writer->first_block + writer->block};
        plb_put_number(checksum, checksum_of(&name, checksum + PLB_CHECKSUM_BYTES, size),
                       PLB_CHECKSUM_BYTES);
        writer->size += PLB_CHECKSUM_BYTES + size;
        add_end(writer, writer->block, writer->size);
    }
    writer->block++;
    return PLB_OK;
}

void plb_segment_writer_skip(plb_segment_writer *writer, uint64_t blocks) {
    writer->block += blocks;
}

int plb_segment_writer_add(plb_segment_writer *writer, const uint64_t *planes, uint64_t words) {
    const uint8_t *payload = NULL;
    size_t size = 0;
    int error = planes ? plb_segment_writer_pack(writer, planes, words, &payload, &size) : PLB_OK;
    return error ? error : plb_segment_writer_add_payload(writer, payload, size);
}

int plb_segment_writer_join(plb_segment_writer *writer, const plb_segment_writer *part) {
    int error = reserve_bytes(writer, part->size);
    if (!error) error = reserve_ends(writer, part->stored);
    if (error) return error;
    const uint32_t *end = part->ends;
    for (uint64_t g = 0; g < count_groups(part->blocks); g++)
        for (uint64_t bits = part->bits[g]; bits; bits &= bits - 1)
            add_end(writer, writer->block + GROUP * g + plb_lowest(bits), writer->size + *end++);
    if (part->size) memcpy(writer->bytes + writer->size, part->bytes, part->size);
    writer->size += part->size;
    writer->block += part->blocks;
    return PLB_OK;
}

/* ---- directories ---- */

/* Write the directory; returns the byte after it. */
static uint8_t *put_directory(const plb_segment_writer *writer, uint8_t *to, uint32_t directory) {
    uint32_t before = 0;
    for (uint64_t g = 0; g < count_groups(writer->blocks); g++, to += GROUP_BYTES) {
        memcpy(to, &writer->bits[g], BITS_BYTES);
        memcpy(to + BITS_BYTES, &before, sizeof before);
        before += (uint32_t)plb_popcount(writer->bits[g]);
    }
    memcpy(to, &directory, END_BYTES);
    for (size_t b = 0; b < writer->stored; b++) {
        uint32_t end = directory + writer->ends[b];
        memcpy(to += END_BYTES, &end, END_BYTES);
    }
    return to + END_BYTES;
}

int plb_segment_writer_end(plb_segment_writer *writer, const uint8_t **bytes, size_t *size) {
    uint64_t directory =
        count_groups(writer->blocks) * GROUP_BYTES + (writer->stored + 1) * END_BYTES;
    uint64_t all = directory + writer->size;
    if (all > UINT32_MAX) return PLB_ETOOBIG;
    if (reserve(&writer->finished, &writer->finished_room, all)) return PLB_ENOMEM;
    uint8_t *blocks = put_directory(writer, writer->finished, (uint32_t)directory);
    if (writer->stored) memcpy(blocks, writer->bytes, writer->size);
    *bytes = writer->finished; /* an address also where nothing is stored */
    *size = writer->stored ? all : 0;
    return PLB_OK;
}

/* Groups whose bits and numbers fit each other; how many blocks they have. */
static bool groups_are_sound(const plb_segment *segment, uint64_t *stored) {
    *stored = 0;
    for (uint64_t g = 0; g < count_groups(segment->blocks); g++) {
        const uint8_t *group = segment->bytes + g * GROUP_BYTES;
        uint64_t bits = plb_get64(group), left = segment->blocks - g * GROUP;
        if (plb_get32(group + BITS_BYTES) != *stored) return false;
        if (left < GROUP && bits >> left) return false;
        *stored += plb_popcount(bits);
    }
    return true;
}

static bool ends_are_sound(const uint8_t *ends, uint64_t count) {
    for (uint64_t b = 0; b < count; b++)
        if (plb_get32(ends + b * END_BYTES) > plb_get32(ends + (b + 1) * END_BYTES)) return false;
    return true;
}

bool plb_segment_is_sound(const plb_segment *segment) {
    uint64_t size = segment->size, groups = count_groups(segment->blocks) * GROUP_BYTES, stored;
    if (size == 0) return true;
    if (groups > size || !groups_are_sound(segment, &stored)) return false;
    const uint8_t *ends = segment->bytes + groups;
    uint64_t directory = groups + (stored + 1) * END_BYTES;
    return directory <= size && ends_are_sound(ends, stored) && plb_get32(ends) == directory &&
           plb_get32(ends + stored * END_BYTES) == size;
}

bool plb_segment_has_block(const plb_segment *segment, uint64_t block) {
    return segment->size > 0 &&
           plb_get64(segment->bytes + block / GROUP * GROUP_BYTES) >> block % GROUP & 1;
}

/* ---- finding a block ---- */

static int read_next(plb_block_search *search, uint64_t offset, uint64_t size) {
    search->where = (plb_extent){offset, size};
    return offset + size <= search->segment.size ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_search(const plb_segment *segment, uint64_t block, plb_block_search *search) {
    *search = (plb_block_search){.segment = *segment, .block = block};
    return read_next(search, block / GROUP * GROUP_BYTES, GROUP_BYTES);
}

static int find(plb_block_search *search, uint64_t begin, uint64_t end) {
    search->is_found = true;
    return begin <= end ? read_next(search, begin, end - begin) : PLB_ECORRUPT;
}

/* From the bits of its group: where the ends of the block are. */
static int search_group(plb_block_search *search, const uint8_t *group) {
    uint64_t bits = plb_get64(group), bit = search->block % GROUP;
    uint64_t before = plb_get32(group + BITS_BYTES) + plb_popcount(bits & plb_low_bits((int)bit));
    search->has_group = true;
    if (!(bits >> bit & 1)) return find(search, 0, 0);
    return read_next(search,
                     count_groups(search->segment.blocks) * GROUP_BYTES + before * END_BYTES,
                     2 * END_BYTES);
}

int plb_segment_search_on(plb_block_search *search, const uint8_t *bytes) {
    if (!search->has_group) return search_group(search, bytes);
    return find(search, plb_get32(bytes), plb_get32(bytes + END_BYTES));
}

int plb_segment_find_block(const plb_segment *segment, uint64_t block, plb_extent *where) {
    plb_block_search search;
    int error = plb_segment_search(segment, block, &search);
    while (!error && !search.is_found)
        error = plb_segment_search_on(&search, segment->bytes + search.where.offset);
    *where = search.where;
    return error;
}

/* ---- reading ---- */

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
    return PLB_CHECKSUM_BYTES + ZSTD_compressBound(words * sizeof(uint64_t));
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
        checksum_of(name, begin, size - PLB_CHECKSUM_BYTES))
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
    size_t read =
        ZSTD_decompressDCtx(reader->context, planes, words * sizeof *planes, frame, size_of_frame);
    return read == words * sizeof *planes ? PLB_OK : PLB_ECORRUPT;
}

int plb_segment_reader_take_block(plb_segment_reader *reader, const plb_segment *segment,
                                  uint64_t block, uint64_t words, size_t *size) {
    plb_extent where;
    int error = plb_segment_find_block(segment, block, &where);
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
