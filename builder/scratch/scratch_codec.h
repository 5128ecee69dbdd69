/* SPDX-License-Identifier: MIT
 *
 * Planes as records of scratch files. The words of a plane are cut into chunks, so that threads can
 * share a record; a chunk has a block for each plane, by LZ4 or as runs of equal bits:
 *
 *     [ends of the blocks of chunk 0 | .. of chunk 1 | ..]   64 bits each, counted from the end of
 *                                                            this directory
 *     [block of plane 0 | block of plane 1 | ..]             chunk 0
 *     [block of plane 0 | block of plane 1 | ..]             chunk 1
 *     ..
 *
 * The two planes of outcomes are combined first: at positions where both have a one the outcome is
 * never read, and any outcome may be returned. A record of a few words is stored unchanged.
 */
#ifndef PLB_BUILDER_SCRATCH_SCRATCH_CODEC_H
#define PLB_BUILDER_SCRATCH_SCRATCH_CODEC_H

#include <stdbool.h>

#include "builder/buffer.h"
#include "tables/cpu_dispatch.h"
#include "tables/format/outcome_code.h"
#include "tables/threads.h"

/* What the threads compress with; they must outlive it. vectors: to pack and unpack outcomes with;
 * the processor has them, and the bytes do not depend on them. Errors: PLB_ENOMEM. Close accepts
 * NULL. */
typedef struct plb_scratch_codec plb_scratch_codec;
int plb_scratch_codec_open(const plb_threads *threads, plb_vectors vectors,
                           plb_scratch_codec **codec);
void plb_scratch_codec_close(plb_scratch_codec *codec);

enum { PLB_CHUNKS = 16 }; /* that are packed at a time */

/* A chunk in packed form: its blocks, and where each ends. */
typedef struct plb_packed_chunk {
    plb_bytes blocks;
    size_t ends[PLB_PLANES];
} plb_packed_chunk;

/* A record in packed form, and buffers to make it; zeroed at first. */
typedef struct plb_packed_record {
    plb_bytes record;
    plb_packed_chunk chunks[PLB_CHUNKS];
} plb_packed_record;

void plb_packed_record_free(plb_packed_record *packed);

/* Some words of a few planes: of each as many, from the same word on. */
typedef struct plb_plane_words {
    uint64_t *planes; /* the first of them */
    int count;
    size_t words;  /* of each plane */
    size_t stride; /* from one plane to the next */
} plb_plane_words;

/* Pack words of planes. Errors: PLB_ENOMEM. */
int plb_scratch_codec_pack(const plb_scratch_codec *codec, const plb_plane_words *from,
                           plb_packed_record *packed);

/* Unpack a record of as many words; false if it is not one. Any bytes are safe. */
bool plb_scratch_codec_unpack(const plb_scratch_codec *codec, const plb_bytes *record,
                              const plb_plane_words *to);

#endif
