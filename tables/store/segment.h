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
 * A payload is a zstd frame without its magic number, or what block_codec.h says; its content is
 * one plane of 64-bit words for each bit of a code (outcome_code.h): bit i of a plane is that of
 * the position with offset i. Blocks in which no value need be stored are not there, which is most
 * of them on big boards; a segment of such blocks has no bytes at all, not even a directory. The
 * checksum is the block's own (checksum.h), so that a block of another table or in the wrong place
 * is found out.
 */
#ifndef PLB_TABLES_STORE_SEGMENT_H
#define PLB_TABLES_STORE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/store/checksum.h"
#include "tables/store/input_file.h"

/* 64-bit words of one plane of a block. */
static inline uint64_t plb_segment_plane_words(uint64_t positions) {
    return (positions + 63) / 64;
}

/* The bytes of a segment, which may be anything. */
typedef struct plb_segment {
    const uint8_t *bytes;
    size_t size;
    uint64_t blocks;
} plb_segment;

/* Groups of so many blocks. */
uint64_t plb_segment_groups(uint64_t blocks);

/* Has it a directory that fits its size, or no bytes at all? */
bool plb_segment_is_sound(const plb_segment *segment);

/* Is anything stored in a block of a sound segment? */
bool plb_segment_has_block(const plb_segment *segment, uint64_t block);

enum {
    PLB_SEGMENT_GROUP = 64, /* blocks */
    PLB_SEGMENT_GROUP_BYTES = 12,
    PLB_SEGMENT_BITS_BYTES = 8, /* of a group, which how many are before it follow */
    PLB_SEGMENT_END_BYTES = 4,
    PLB_SEGMENT_MAGIC_BYTES = 4,                /* of a zstd frame, which blocks do not have */
    PLB_SEARCH_BYTES = PLB_SEGMENT_GROUP_BYTES, /* that are read at a time, at most */
};

/* A search for a block in a segment of which little is read: what `where` says is read and handed
 * on, until the block is found. */
typedef struct plb_block_search {
    plb_segment segment; /* its bytes are not looked at */
    uint64_t block;
    /* In the segment: what to read next; once found, the block, of size 0 if it is empty. */
    plb_extent where;
    bool has_group, is_found;
} plb_block_search;

/* Begin. Errors, here and below: PLB_ECORRUPT when that cannot be. */
int plb_segment_search(const plb_segment *segment, uint64_t block, plb_block_search *search);

/* Go on, with the bytes that are at search->where. */
int plb_segment_search_on(plb_block_search *search, const uint8_t *bytes);

/* The same in a segment that is in memory. */
int plb_segment_find_block(const plb_segment *segment, uint64_t block, plb_extent *where);

/* Which block it is, in which table. */
typedef struct plb_block_name {
    uint64_t identity;
    int ply;
    uint64_t number; /* in the ply */
} plb_block_name;

/* The checksum of a block with a payload. */
uint64_t plb_segment_checksum(const plb_block_name *name, const uint8_t *payload, size_t size);

/* ---- reading blocks ---- */

typedef struct plb_segment_reader plb_segment_reader; /* reads blocks; one thread at a time */
int plb_segment_reader_open(plb_segment_reader **reader);
void plb_segment_reader_close(plb_segment_reader *reader);

/* Most bytes of a block whose planes have a number of words. */
size_t plb_segment_reader_max_bytes(uint64_t words);

/* Room to put the bytes of a block in, the next to be unpacked. NULL when out of memory. */
uint8_t *plb_segment_reader_room(plb_segment_reader *reader, size_t size);

/* Unpack the block that is in the room.
 *
 * size    [in]   bytes of the block, those for which there is room; anything is safe
 * words   [in]   words of the block's planes
 * planes  [out]  them
 *
 * Errors: PLB_ECORRUPT when the checksum or the size is not right. */
int plb_segment_reader_unpack(plb_segment_reader *reader, size_t size, const plb_block_name *name,
                              uint64_t words, uint64_t *planes);

/* The payload of the block that is in the room, owned by the reader until its next call.
 * Errors: PLB_ECORRUPT when the checksum is not right. */
int plb_segment_reader_open_block(plb_segment_reader *reader, size_t size,
                                  const plb_block_name *name, const uint8_t **payload,
                                  size_t *payload_size);

/* Put a block, in [0, blocks), of a segment that is in memory into the room.
 * Errors: PLB_ECORRUPT when directory or size is not right; PLB_ENOMEM. */
int plb_segment_reader_take_block(plb_segment_reader *reader, const plb_segment *segment,
                                  uint64_t block, uint64_t words, size_t *size);

/* Read a block, in [0, blocks), of a segment that is in memory.
 * Errors: PLB_ECORRUPT when checksum, directory or size is not right, or nothing is stored there;
 * PLB_ENOMEM. */
int plb_segment_reader_unpack_block(plb_segment_reader *reader, const plb_segment *segment,
                                    uint64_t block, const plb_block_name *name, uint64_t words,
                                    uint64_t *planes);

#endif
