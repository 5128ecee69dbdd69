/* SPDX-License-Identifier: MIT
 *
 * Reading of blocks of segments, see segment.h.
 */
#ifndef PLB_TABLES_STORE_SEGMENT_READER_H
#define PLB_TABLES_STORE_SEGMENT_READER_H

#include "tables/store/segment.h"

typedef struct plb_segment_reader plb_segment_reader; /* reads blocks; one thread at a time */
int plb_segment_reader_open(plb_segment_reader **reader);
void plb_segment_reader_close(plb_segment_reader *reader);

/* Most bytes of a block whose planes have a number of words. */
size_t plb_segment_reader_most_bytes(uint64_t words);

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
