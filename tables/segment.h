/* SPDX-License-Identifier: MIT
 *
 * Segments as bytes, little-endian:
 *
 *     [end of block 0 | end of block 1 | ..]   32 bits each, counted from behind this directory
 *     [block 0][block 1]..                     XXH3-64 of the payload (big-endian), payload
 *
 * A payload is a zstd frame without its magic number; its content is one plane of 64-bit words for
 * each bit of a code (scale.h): bit i of a plane is that of the position with offset i. A block in
 * which no value need be stored is empty; a segment of such
 * blocks has no bytes at all, not even a directory. The hash is
 * seeded with ply and block number, so that a block in the wrong place is found out.
 */
#ifndef PLB_TABLES_SEGMENT_H
#define PLB_TABLES_SEGMENT_H

#include <stddef.h>

#include "tables/message.h"

/* 64-bit words of one plane of a block. */
static inline uint64_t plb_segment_plane_words(uint64_t positions) {
    return (positions + 63) / 64;
}

typedef struct plb_packer plb_packer; /* makes segments; one thread at a time */

/* Errors: PLB_ENOMEM. Free with plb_packer_close, which accepts NULL. */
int plb_packer_open(int level, plb_packer **packer);
void plb_packer_close(plb_packer *packer);

/* Begin a segment whose first block has a number in its ply. */
int plb_packer_begin(plb_packer *packer, int ply, uint64_t first_block, uint64_t blocks);

/* Add the next block: `words` words of planes, or NULL where nothing need be stored. */
int plb_packer_add(plb_packer *packer, const uint64_t *planes, uint64_t words);

/* Add the blocks of another packer, which was begun with the number of the next block. */
int plb_packer_join(plb_packer *packer, const plb_packer *part);

/* The finished segment, owned by the packer until the next begin. Errors: PLB_ETOOBIG. */
int plb_packer_end(plb_packer *packer, const uint8_t **bytes, size_t *size);

/* Has a segment a directory that fits its size, or no bytes at all? Any bytes are safe. */
bool plb_segment_is_sound(const uint8_t *bytes, size_t size, uint64_t blocks);

/* Is anything stored in a block of a sound segment? */
bool plb_segment_has_block(const uint8_t *bytes, size_t size, uint64_t block);

typedef struct plb_unpacker plb_unpacker; /* reads blocks; one thread at a time */
int plb_unpacker_open(plb_unpacker **unpacker);
void plb_unpacker_close(plb_unpacker *unpacker);

/* Read a block of a segment.
 *
 * bytes, size   [in]   the segment; anything is safe
 * blocks        [in]   blocks in the segment
 * first_block   [in]   number of its first block in the ply
 * block         [in]   in [0, blocks)
 * words         [in]   words of the block's planes
 * planes        [out]  them
 *
 * Errors: PLB_ECORRUPT when hash, directory or size is not right, or nothing is stored there. */
int plb_unpack_block(plb_unpacker *unpacker, const uint8_t *bytes, size_t size, int ply,
                     uint64_t blocks, uint64_t first_block, uint64_t block, uint64_t words,
                     uint64_t *planes);

#endif
