/* SPDX-License-Identifier: MIT
 *
 * Segments as bytes, little-endian:
 *
 *     [group 0 | group 1 | ..]      12 bytes for each 64 blocks: which of them are stored, 64 bits,
 *                                   and how many blocks are in the groups before, 32 bits
 *     [begin | end | end | ..]      of the blocks that are stored, one after another, 32 bits each,
 *                                   counted from the beginning of the segment
 *     [block][block]..              those: checksum of the payload (big-endian), payload
 *
 * A payload is a zstd frame without its magic number, or a predicted block (block_codec.h). Its
 * content is one plane of 64-bit words for each bit of a code (outcome_code.h); bit i of a plane
 * belongs to entry i of the block. A block in which no value has to be stored is left out; on big
 * boards these are most blocks. A segment of such blocks has no bytes, not even a directory. Each
 * block has its own checksum (checksum.h), so that a block of another table or place is refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tables/store/checksum.h"
#include "tables/store/input_file.h"

/* Number of 64-bit words of one plane of a block. */
static inline uint64_t plb_segment_plane_words(uint64_t positions) {
    return (positions + 63) / 64;
}

/* A segment; its bytes may be anything. */
typedef struct plb_segment {
    const uint8_t *bytes;
    size_t size;
    uint64_t blocks;
} plb_segment;

/* The number of groups of `blocks` blocks. */
uint64_t plb_segment_groups(uint64_t blocks);

/* Has it a valid directory, or no bytes at all? */
bool plb_segment_is_sound(const plb_segment *segment);

/* Is a block of a sound segment stored? */
bool plb_segment_has_block(const plb_segment *segment, uint64_t block);

enum {
    PLB_SEGMENT_GROUP = 64, /* blocks */
    PLB_SEGMENT_GROUP_BYTES = 12,
    PLB_SEGMENT_BITS_BYTES = 8, /* of a group; the number of blocks before it follows */
    PLB_SEGMENT_END_BYTES = 4,
    PLB_SEGMENT_MAGIC_BYTES = 4,                /* of a zstd frame; not stored */
    PLB_SEARCH_BYTES = PLB_SEGMENT_GROUP_BYTES, /* read in one step of a search, at most */
};

/* A search for a block in a segment that is not in memory. Until is_found, the caller reads the
 * bytes at `where` and passes them to plb_segment_search_step. */
typedef struct plb_block_search {
    plb_segment segment; /* its bytes are not used */
    uint64_t block;
    plb_extent where; /* in the segment: what to read next, or the block; size 0: not stored */
    bool has_group, is_found;
} plb_block_search;

/* Begin a search. Errors, here and below: PLB_ECORRUPT: the directory is invalid or missing. */
int plb_segment_search(const plb_segment *segment, uint64_t block, plb_block_search *search);

/* Continue with the bytes at search->where. */
int plb_segment_search_step(plb_block_search *search, const uint8_t *bytes);

/* The whole search in a segment that is in memory. */
int plb_segment_find_block(const plb_segment *segment, uint64_t block, plb_extent *where);

/* Identifies a block. */
typedef struct plb_block_name {
    uint64_t identity; /* of the table */
    int ply;
    uint64_t number; /* in the ply */
} plb_block_name;

/* The checksum of the payload of a block. */
uint64_t plb_segment_checksum(const plb_block_name *name, const uint8_t *payload, size_t size);

/* ---- reading blocks ---- */

typedef struct plb_segment_reader plb_segment_reader; /* one thread at a time */
int plb_segment_reader_open(plb_segment_reader **reader);
void plb_segment_reader_close(plb_segment_reader *reader);

/* The maximum size of a block whose planes have `words` words in all. */
size_t plb_segment_reader_max_bytes(uint64_t words);

/* A buffer of `size` bytes for the block to be unpacked next. NULL: out of memory. */
uint8_t *plb_segment_reader_buffer(plb_segment_reader *reader, size_t size);

/* Unpack the block in the buffer.
 *
 * size    [in]   bytes of the block, as for plb_segment_reader_buffer; they may be anything
 * planes  [out]  [words] all planes of the block
 *
 * Errors: PLB_ECORRUPT: the checksum or the size is wrong. */
int plb_segment_reader_unpack(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                              uint64_t words, uint64_t *planes);

/* Compare the checksum of the block in the buffer, and give its payload, which the reader owns
 * until its next call. Errors: PLB_ECORRUPT: the checksum is wrong. */
int plb_segment_reader_payload(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                               const uint8_t **payload, size_t *payload_size);

/* Copy a block, in [0, blocks), of a segment that is in memory to the buffer.
 * Errors: PLB_ECORRUPT: the directory or the size is wrong; PLB_ENOMEM. */
int plb_segment_reader_copy_block(plb_segment_reader *reader, const plb_segment *segment,
                                  uint64_t block, uint64_t words, size_t *size);

/* Unpack a block, in [0, blocks), of a segment that is in memory.
 * Errors: PLB_ECORRUPT: the checksum, the directory or the size is wrong, or the block is not
 * stored; PLB_ENOMEM. */
int plb_segment_reader_unpack_block(plb_segment_reader *reader, const plb_segment *segment,
                                    uint64_t block, const plb_block_name *name, uint64_t words,
                                    uint64_t *planes);
