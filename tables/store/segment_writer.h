/* SPDX-License-Identifier: MIT
 *
 * Writing of segments, see segment.h.
 */
#pragma once

#include "tables/store/segment.h"

typedef struct plb_segment_writer plb_segment_writer; /* one thread at a time */

/* identity: of the table; level: of zstd. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_segment_writer_open(uint64_t identity, int level, plb_segment_writer **writer);
void plb_segment_writer_close(plb_segment_writer *writer);

/* Begin a segment of `blocks` blocks; first_block is the number of the first one in its ply. */
int plb_segment_writer_begin(plb_segment_writer *writer, int ply, uint64_t first_block,
                             uint64_t blocks);

/* Add the next block: `words` words of planes, or NULL if no value has to be stored. */
int plb_segment_writer_add(plb_segment_writer *writer, const uint64_t *planes, uint64_t words);

/* Add blocks in which no value has to be stored. */
void plb_segment_writer_skip(plb_segment_writer *writer, uint64_t blocks);

/* The zstd payload of planes, without adding it; owned by the writer until a block is added. */
int plb_segment_writer_pack(plb_segment_writer *writer, const uint64_t *planes, uint64_t words,
                            const uint8_t **payload, size_t *size);

/* Add the next block by its payload, which may be that of plb_segment_writer_pack; 0 bytes: no
 * value has to be stored. */
int plb_segment_writer_add_payload(plb_segment_writer *writer, const uint8_t *payload, size_t size);

/* Append the blocks of another writer, whose first block is the next one of this writer. */
int plb_segment_writer_join(plb_segment_writer *writer, const plb_segment_writer *part);

/* The finished segment, owned by the writer until the next begin.
 * Errors: PLB_ETOOBIG, PLB_ENOMEM. */
int plb_segment_writer_end(plb_segment_writer *writer, const uint8_t **bytes, size_t *size);
