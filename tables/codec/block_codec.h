/* SPDX-License-Identifier: MIT
 *
 * How the blocks of a table are read, whichever of two codecs wrote them:
 *
 *     zstd         the planes as they are                              segment.h
 *     prediction   only codes that follow from nothing, by a model     block_entropy.h
 *                  of their ply
 *
 * Each block says by which codec it was written; the writer takes the smaller one. Models are
 * records of the table; a ply has at most one. Both codecs give the same planes. Must not know:
 * rules on single positions.
 */
#ifndef PLB_TABLES_CODEC_BLOCK_CODEC_H
#define PLB_TABLES_CODEC_BLOCK_CODEC_H

#include "tables/codec/block_entropy.h"
#include "tables/format/meta.h"
#include "tables/store/segment.h"

/* What must be known of a table to read its blocks. */
typedef struct plb_block_codec {
    const plb_index *index;
    uint64_t identity;
    uint64_t block_entries;
    int planes;                                  /* bits of a code */
    plb_block_layout layouts[PLB_MAX_CELLS + 1]; /* of each ply */
    plb_block_model *models[PLB_MAX_CELLS + 1];  /* NULL: no block of the ply needs one */
} plb_block_codec;

/* The codec of a table without models, as one begins; index must outlive it. NULL when out of
 * memory. */
plb_block_codec *plb_block_codec_make(const plb_index *index, const plb_meta *meta);

/* The codec of a table in a file, with its models. Errors: PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_block_codec_open(const plb_index *index, const plb_meta *meta, const plb_store *store,
                         plb_block_codec **codec, plb_message *message);

/* Give a ply a model, from a record of it. Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_block_codec_add_model(plb_block_codec *codec, int ply, const uint8_t *bytes, size_t size);

/* NULL is allowed. */
void plb_block_codec_close(plb_block_codec *codec);

/* Words of all planes of a block, and of the largest one. */
uint64_t plb_block_codec_words(const plb_block_codec *codec, int ply, uint64_t number);
uint64_t plb_block_codec_max_words(const plb_block_codec *codec);

/* Reads blocks; one thread at a time. */
typedef struct plb_block_reader plb_block_reader;

/* codec must outlive it. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_block_reader_open(const plb_block_codec *codec, plb_block_reader **reader);
void plb_block_reader_close(plb_block_reader *reader);

/* Its memory, at most. */
uint64_t plb_block_reader_bytes(const plb_block_codec *codec);

/* Room to put the bytes of a block in, the next to be unpacked. NULL when out of memory. */
uint8_t *plb_block_reader_buffer(plb_block_reader *reader, size_t size);

/* Unpack the block that is in the room.
 *
 * size         [in]   bytes of the block, those for which there is room; anything is safe
 * ply, number  [in]   which block it is; it must be one of the table
 * until        [in]   the quiet ones of entries [0, until) alone are wanted, which takes less time:
 *                     others may be anything; UINT64_MAX: all
 * planes       [out]  its planes, one after the other. Whatever the payload is, an entry has the
 * same code for every `until` beyond it
 *
 * Errors: PLB_ECORRUPT when it is not as written; how the payload ends is looked at if all is
 * wanted.
 */
int plb_block_reader_unpack_until(plb_block_reader *reader, size_t size, int ply, uint64_t number,
                                  uint64_t until, uint64_t *planes);

/* The same of all of a block, in [0, blocks), of a segment that is in memory and begins with block
 * `first` of the ply. Errors: also PLB_ECORRUPT when directory or size is not right, or nothing is
 * stored there; PLB_ENOMEM. */
int plb_block_reader_unpack_block(plb_block_reader *reader, const plb_segment *segment,
                                  uint64_t block, int ply, uint64_t first, uint64_t *planes);

#endif
