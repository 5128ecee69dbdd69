/* SPDX-License-Identifier: MIT
 *
 * Reading of blocks, which are written with one of two codecs:
 *
 *     zstd         all planes                                              segment.h
 *     prediction   only codes of quiet positions, predicted by a model     block_entropy.h
 *                  of their ply
 *
 * A block says which codec wrote it; the writer takes the smaller result. Models are records of the
 * table; a ply has at most one. Both codecs give the same planes. Must not know: rules on single
 * positions.
 */
#pragma once

#include "tables/codec/block_entropy.h"
#include "tables/format/meta.h"
#include "tables/store/segment.h"

/* The properties of a table that are needed to read its blocks. */
typedef struct plb_block_codec {
    const plb_index *index;
    uint64_t identity;
    uint64_t block_entries;
    int planes;                                  /* bits of a code */
    plb_block_layout layouts[PLB_MAX_CELLS + 1]; /* of each ply */
    plb_block_model *models[PLB_MAX_CELLS + 1];  /* NULL: no block of the ply needs one */
} plb_block_codec;

/* The codec of a new table, without models; index must outlive it. NULL: out of memory. */
plb_block_codec *plb_block_codec_make(const plb_index *index, const plb_meta *meta);

/* The codec of a table in a file, with its models. Errors: PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_block_codec_open(const plb_index *index, const plb_meta *meta, const plb_store *store,
                         plb_block_codec **codec, plb_message *message);

/* Set the model of a ply from its record. Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_block_codec_add_model(plb_block_codec *codec, int ply, const uint8_t *bytes, size_t size);

/* NULL is allowed. */
void plb_block_codec_close(plb_block_codec *codec);

/* The number of words of all planes of a block, and of the largest block. */
uint64_t plb_block_codec_words(const plb_block_codec *codec, int ply, uint64_t number);
uint64_t plb_block_codec_max_words(const plb_block_codec *codec);

/* Reads blocks; one thread at a time. */
typedef struct plb_block_reader plb_block_reader;

/* codec must outlive it. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_block_reader_open(const plb_block_codec *codec, plb_block_reader **reader);
void plb_block_reader_close(plb_block_reader *reader);

/* The maximum memory of a reader, in bytes. */
uint64_t plb_block_reader_bytes(const plb_block_codec *codec);

/* A buffer of `size` bytes for the block to be unpacked next. NULL: out of memory. */
uint8_t *plb_block_reader_buffer(plb_block_reader *reader, size_t size);

/* Unpack the block in the buffer.
 *
 * size         [in]   bytes of the block, as for plb_block_reader_buffer; they may be anything
 * ply, number  [in]   which block of the table it is
 * until        [in]   UINT64_MAX: all entries are wanted; else only the quiet ones of [0, until),
 *                     which is faster, and the other entries of planes are undefined
 * planes       [out]  its planes, one after the other. The code of an entry is the same for every
 *                     `until` after it, also if the payload is wrong
 *
 * Errors: PLB_ECORRUPT: the checksum or the payload is wrong. The end of a predicted payload is
 * checked only if all entries are wanted. */
int plb_block_reader_unpack_until(plb_block_reader *reader, size_t size, int ply, uint64_t number,
                                  uint64_t until, uint64_t *planes);

/* Unpack a whole block, in [0, blocks), of a segment that is in memory and begins with block
 * `first` of the ply. Errors: PLB_ECORRUPT (also: the directory or the size is wrong, or the block
 * is not stored), PLB_ENOMEM. */
int plb_block_reader_unpack_block(plb_block_reader *reader, const plb_segment *segment,
                                  uint64_t block, int ply, uint64_t first, uint64_t *planes);
