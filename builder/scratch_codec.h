/* SPDX-License-Identifier: MIT
 *
 * Planes as records of scratch files. The words are cut into chunks, each an LZ4 block of its own,
 * so that threads can share a record:
 *
 *     [end of chunk 0 | end of chunk 1 | ..]   64 bits each, counted from the end of this directory
 *     [chunk 0][chunk 1]..
 *
 * A record of a few words is stored as it is.
 */
#ifndef PLB_BUILDER_SCRATCH_CODEC_H
#define PLB_BUILDER_SCRATCH_CODEC_H

#include <stdbool.h>

#include "builder/memory.h"
#include "builder/threads.h"

/* What the threads compress with; they must outlive it. Errors: PLB_ENOMEM.
 * Close accepts NULL. */
typedef struct plb_scratch_codec plb_scratch_codec;
int plb_scratch_codec_open(const plb_threads *threads, plb_scratch_codec **codec);
void plb_scratch_codec_close(plb_scratch_codec *codec);

enum { PLB_CHUNKS = 16 }; /* that are packed at a time */

/* A record in packed form, and room to make it; zeroed at first. */
typedef struct plb_packed_record {
    plb_bytes record;
    plb_bytes chunks[PLB_CHUNKS];
} plb_packed_record;

void plb_packed_record_free(plb_packed_record *packed);

/* Pack words. Errors: PLB_ENOMEM. */
int plb_scratch_codec_pack(const plb_scratch_codec *codec, const uint64_t *words, size_t count,
                           plb_packed_record *packed);

/* Unpack a record of a known number of words; false if the record is not one. Any bytes are safe.
 */
bool plb_scratch_codec_unpack(const plb_scratch_codec *codec, const plb_bytes *record,
                              uint64_t *words, size_t count);

#endif
