/* SPDX-License-Identifier: MIT
 *
 * Making of segments, see segment.h.
 */
#ifndef PLB_TABLES_STORE_SEGMENT_WRITER_H
#define PLB_TABLES_STORE_SEGMENT_WRITER_H

#include "tables/store/segment.h"

typedef struct plb_segment_writer plb_segment_writer; /* makes segments; one thread at a time */

/* For the table with an identity. Errors: PLB_ENOMEM. Free with plb_segment_writer_close, which
 * accepts NULL. */
int plb_segment_writer_open(uint64_t identity, int level, plb_segment_writer **writer);
void plb_segment_writer_close(plb_segment_writer *writer);

/* Begin a segment whose first block has a number in its ply. */
int plb_segment_writer_begin(plb_segment_writer *writer, int ply, uint64_t first_block,
                             uint64_t blocks);

/* Add the next block: `words` words of planes, or NULL where nothing need be stored. */
int plb_segment_writer_add(plb_segment_writer *writer, const uint64_t *planes, uint64_t words);

/* Add blocks in which nothing need be stored. */
void plb_segment_writer_skip(plb_segment_writer *writer, uint64_t blocks);

/* The payload that the planes would have; owned by the writer until another block is added. */
int plb_segment_writer_pack(plb_segment_writer *writer, const uint64_t *planes, uint64_t words,
                            const uint8_t **payload, size_t *size);

/* Add the next block with a payload of any kind, which may be one that was packed; of 0 bytes:
 * nothing need be stored. */
int plb_segment_writer_add_payload(plb_segment_writer *writer, const uint8_t *payload, size_t size);

/* Add the blocks of another writer, which was begun with the number of the next block. */
int plb_segment_writer_join(plb_segment_writer *writer, const plb_segment_writer *part);

/* The finished segment, owned by the writer until the next begin.
 * Errors: PLB_ETOOBIG, PLB_ENOMEM. */
int plb_segment_writer_end(plb_segment_writer *writer, const uint8_t **bytes, size_t *size);

#endif
