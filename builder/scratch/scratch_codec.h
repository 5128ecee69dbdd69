/* SPDX-License-Identifier: MIT
 *
 * Compresses planes to records of scratch files. The words of a plane are cut into chunks, so that
 * threads can share a record; a chunk has a block for each plane, by LZ4 or as runs of equal bits:
 *
 *     [ends of the blocks of chunk 0 | .. of chunk 1 | ..]   64 bits each, counted from the end of
 *                                                            this directory
 *     [block of plane 0 | block of plane 1 | ..]             chunk 0
 *     [block of plane 0 | block of plane 1 | ..]             chunk 1
 *     ..
 *
 * Records of two planes are outcomes, which are combined first: where both planes have a one, the
 * outcome is never read, and unpacking may return any. Small records are stored unchanged.
 */
#pragma once

#include <stdbool.h>

#include "builder/buffer.h"
#include "tables/cpu_dispatch.h"
#include "tables/format/outcome_code.h"
#include "tables/threads.h"

/* Open a codec, with a buffer for each thread. The threads must outlive it. vectors: the vector
 * instructions to use, which the processor must have; the bytes do not depend on them. Errors:
 * PLB_ENOMEM. Close accepts NULL. */
typedef struct plb_scratch_codec plb_scratch_codec;
int plb_scratch_codec_open(const plb_threads *threads, plb_vectors vectors,
                           plb_scratch_codec **codec);
void plb_scratch_codec_close(plb_scratch_codec *codec);

enum { PLB_CHUNKS = 16 }; /* chunks that are packed at a time */

typedef struct plb_packed_chunk {
    plb_bytes blocks;
    size_t ends[PLB_PLANES]; /* [planes] the end of each block */
} plb_packed_chunk;

/* A compressed record, with buffers for its chunks; zeroed at first. */
typedef struct plb_packed_record {
    plb_bytes record;
    plb_packed_chunk chunks[PLB_CHUNKS];
} plb_packed_record;

void plb_packed_record_free(plb_packed_record *packed);

/* The same range of words of several planes. */
typedef struct plb_plane_words {
    uint64_t *planes; /* the words of the first plane */
    int count;        /* planes */
    size_t words;     /* words of each plane */
    size_t stride;    /* words from one plane to the next */
} plb_plane_words;

/* Pack words of planes. Errors: PLB_ENOMEM. */
int plb_scratch_codec_pack(const plb_scratch_codec *codec, const plb_plane_words *from,
                           plb_packed_record *packed);

/* Unpack a record into planes of the same shape; false if the record is damaged. Any bytes are
 * safe. */
bool plb_scratch_codec_unpack(const plb_scratch_codec *codec, const plb_bytes *record,
                              const plb_plane_words *to);
