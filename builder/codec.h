/* SPDX-License-Identifier: MIT
 *
 * Planes as items of scratch files. The words are cut into chunks, each an LZ4 block of its own,
 * so that threads can share an item:
 *
 *     [end of chunk 0 | end of chunk 1 | ..]   64 bits each, counted from behind this directory
 *     [chunk 0][chunk 1]..
 *
 * An item of a few words is stored as it is.
 */
#ifndef PLB_BUILDER_CODEC_H
#define PLB_BUILDER_CODEC_H

#include <stdbool.h>

#include "builder/memory.h"
#include "builder/team.h"

/* What the threads of a team compress with; the team must outlive it. Errors: PLB_ENOMEM. Close
 * accepts NULL. */
typedef struct plb_codec plb_codec;
int plb_codec_open(const plb_team *team, plb_codec **codec);
void plb_codec_close(plb_codec *codec);

enum { PLB_CHUNKS = 16 }; /* that are packed at a time */

/* An item in packed form, and room to make it; zeroed at first. */
typedef struct plb_packed {
    plb_bytes item;
    plb_bytes chunks[PLB_CHUNKS];
} plb_packed;

void plb_packed_free(plb_packed *packed);

/* Pack words. Errors: PLB_ENOMEM. */
int plb_codec_pack(const plb_codec *codec, const uint64_t *words, size_t count, plb_packed *packed);

/* Unpack an item of a known number of words; false if the item is not one. Any bytes are safe. */
bool plb_codec_unpack(const plb_codec *codec, const plb_bytes *item, uint64_t *words, size_t count);

#endif
