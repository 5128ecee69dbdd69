/* SPDX-License-Identifier: MIT */
#include "tables/store/segment_writer.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/array.h"

struct plb_segment_writer {
    ZSTD_CCtx *context;
    uint64_t identity;
    int ply;
    uint64_t first_block, block, blocks; /* block: the next to be added */
    uint64_t *bits;                      /* [groups] which blocks are stored */
    uint32_t *ends;                      /* [stored] counted from the first block */
    uint8_t *bytes, *finished;           /* the blocks; the whole segment */
    size_t stored, size;                 /* of ends and of bytes */
    size_t bits_capacity, ends_capacity, bytes_capacity, finished_capacity; /* bytes */
};

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

/* Make room for `bytes` bytes in an array. */
static int reserve(void *array, size_t *capacity, size_t bytes) {
    if (bytes <= *capacity) return PLB_OK;
    if (!plb_array_resize(array, 2 * bytes)) return PLB_ENOMEM;
    *capacity = 2 * bytes;
    return PLB_OK;
}

static int reserve_bytes(plb_segment_writer *writer, size_t more) {
    return reserve(&writer->bytes, &writer->bytes_capacity, writer->size + more);
}

static int reserve_ends(plb_segment_writer *writer, size_t more) {
    return reserve(&writer->ends, &writer->ends_capacity,
                   (writer->stored + more) * sizeof *writer->ends);
}

int plb_segment_writer_begin(plb_segment_writer *writer, int ply, uint64_t first_block,
                             uint64_t blocks) {
    uint64_t bytes = plb_segment_groups(blocks) * sizeof *writer->bits;
    writer->ply = ply;
    writer->first_block = first_block;
    writer->block = 0;
    writer->blocks = blocks;
    writer->size = writer->stored = 0;
    if (reserve(&writer->bits, &writer->bits_capacity, bytes)) return PLB_ENOMEM;
    memset(writer->bits, 0, bytes);
    return PLB_OK;
}

/* The frame is written where its block belongs, so that it need not be copied. */
int plb_segment_writer_pack(plb_segment_writer *writer, const uint64_t *planes, uint64_t words,
                            const uint8_t **payload, size_t *size) {
    size_t bound = ZSTD_compressBound(words * sizeof *planes);
    int error = reserve_bytes(writer, PLB_CHECKSUM_BYTES + bound);
    if (error) return error;
    uint8_t *frame = writer->bytes + writer->size + PLB_CHECKSUM_BYTES - PLB_SEGMENT_MAGIC_BYTES;
    size_t made = ZSTD_compress2(writer->context, frame, bound, planes, words * sizeof *planes);
    if (ZSTD_isError(made)) return PLB_ENOMEM;
    *payload = frame + PLB_SEGMENT_MAGIC_BYTES;
    *size = made - PLB_SEGMENT_MAGIC_BYTES;
    return PLB_OK;
}

/* Note that a block is stored, and where it ends. */
static void add_end(plb_segment_writer *writer, uint64_t block, uint64_t end) {
    writer->bits[block / PLB_SEGMENT_GROUP] |= 1ULL << block % PLB_SEGMENT_GROUP;
    writer->ends[writer->stored++] = (uint32_t)end;
}

int plb_segment_writer_add_payload(plb_segment_writer *writer, const uint8_t *payload,
                                   size_t size) {
    if (size) {
        int error = reserve_bytes(writer, PLB_CHECKSUM_BYTES + size);
        if (!error) error = reserve_ends(writer, 1);
        if (error) return error;
        memmove(writer->bytes + writer->size + PLB_CHECKSUM_BYTES, payload, size);
        uint8_t *checksum = writer->bytes + writer->size;
        plb_block_name name = {writer->identity, writer->ply, writer->first_block + writer->block};
        plb_put_number(checksum, plb_segment_checksum(&name, checksum + PLB_CHECKSUM_BYTES, size),
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
    for (uint64_t g = 0; g < plb_segment_groups(part->blocks); g++)
        for (uint64_t bits = part->bits[g]; bits; bits &= bits - 1)
            add_end(writer, writer->block + PLB_SEGMENT_GROUP * g + plb_lowest(bits),
                    writer->size + *end++);
    if (part->size) memcpy(writer->bytes + writer->size, part->bytes, part->size);
    writer->size += part->size;
    writer->block += part->blocks;
    return PLB_OK;
}

int plb_segment_writer_end(plb_segment_writer *writer, const uint8_t **bytes, size_t *size) {
    uint64_t groups = plb_segment_groups(writer->blocks);
    uint64_t directory =
        groups * PLB_SEGMENT_GROUP_BYTES + (writer->stored + 1) * PLB_SEGMENT_END_BYTES;
    uint64_t all = directory + writer->size;
    uint32_t before = 0, end = (uint32_t)directory;
    if (all > UINT32_MAX) return PLB_ETOOBIG;
    if (reserve(&writer->finished, &writer->finished_capacity, all)) return PLB_ENOMEM;
    uint8_t *to = writer->finished;
    for (uint64_t g = 0; g < groups; g++, to += PLB_SEGMENT_GROUP_BYTES) {
        memcpy(to, &writer->bits[g], PLB_SEGMENT_BITS_BYTES);
        memcpy(to + PLB_SEGMENT_BITS_BYTES, &before, sizeof before);
        before += (uint32_t)plb_popcount(writer->bits[g]);
    }
    memcpy(to, &end, PLB_SEGMENT_END_BYTES); /* the directory ends where the first block begins */
    for (size_t b = 0; b < writer->stored; b++) {
        end = (uint32_t)directory + writer->ends[b];
        memcpy(to += PLB_SEGMENT_END_BYTES, &end, PLB_SEGMENT_END_BYTES);
    }
    if (writer->stored) memcpy(to + PLB_SEGMENT_END_BYTES, writer->bytes, writer->size);
    *bytes = writer->finished; /* not NULL, also if nothing is stored */
    *size = writer->stored ? all : 0;
    return PLB_OK;
}
