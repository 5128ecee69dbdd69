/* SPDX-License-Identifier: MIT
 *
 * Blocks by prediction: a block has only the codes of quiet positions (colour_features.h), and a
 * code takes few bits if a model (block_model.h) predicts it. The rules of the game give these
 * positions and their features.
 *
 *     [state, 32 bits] [16 bits]..         little-endian
 *
 * is read by asymmetric numeral systems with a range (J. Duda, "Asymmetric numeral systems: entropy
 * coding combining speed of Huffman coding with compression rate of arithmetic coding", 2013),
 * FORMAT.md, section 11. Bit 3 of the first byte is one, as in no zstd frame.
 *
 * The contexts of a code are the codes of the last two quiet positions before it in the block, and
 * those of the last ones whose 8, or 5, lowest stones have the same colours.
 *
 * Must not know: files, checksums.
 */
#ifndef PLB_TABLES_CODEC_BLOCK_ENTROPY_H
#define PLB_TABLES_CODEC_BLOCK_ENTROPY_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/codec/block_model.h"
#include "tables/codec/quiet_list.h"

/* Codes blocks of a table, one at a time. */
typedef struct plb_block_coder plb_block_coder;

/* index is one of slabs and must outlive it; block_entries and planes (bits of a code) are the
 * table's. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_block_coder_open(const plb_index *index, uint64_t block_entries, int planes,
                         plb_block_coder **coder);
void plb_block_coder_close(plb_block_coder *coder);

/* The memory of a coder that only decodes, about. */
uint64_t plb_block_coder_bytes(uint64_t block_entries);

/* List the digits of a block's quiet positions, besides those of up to PLB_LISTED_BLOCKS - 1
 * others, for the functions that follow. Positions that are not stored get the code of the one
 * before, which is what plb_block_fill gives them, too.
 *
 * are_listed  [out]  false: a position is stored that is not quiet, or has no code
 *
 * Errors: PLB_ENOMEM. */
enum { PLB_LISTED_BLOCKS = 4 };
int plb_block_coder_list(plb_block_coder *coder, const plb_ply_block *block,
                         const plb_block_codes *codes, bool *are_listed);

/* Count the digits that are listed, of stored positions, and forget them. */
void plb_block_coder_count(plb_block_coder *coder, plb_block_counts *counts);

typedef struct plb_block_bytes {
    const uint8_t *bytes; /* owned by the coder until its next call */
    size_t size;
} plb_block_bytes;

/* Encode the digits that are listed, and forget them: `blocks` in the order in which they were.
 * Some blocks together take less time than one after the other. */
void plb_block_coder_encode(plb_block_coder *coder, const plb_block_encoding *encoding,
                            plb_block_bytes blocks[PLB_LISTED_BLOCKS]);

/* Is a payload, of a byte at least, coded by prediction? */
bool plb_block_is_predicted(const uint8_t *payload);

/* What is to be decoded. */
typedef struct plb_block_payload {
    const uint8_t *bytes;
    size_t size;
    uint64_t until; /* entries [0, until) are wanted; UINT64_MAX: the whole block */
} plb_block_payload;

/* Decode a block: all of its planes, filled (plb_block_fill). If only some entries are wanted,
 * those that are wanted and quiet have their codes, the same however many are wanted with them, and
 * the other bits may be anything. Errors: PLB_ECORRUPT: the whole block is wanted, and these bytes
 * were not encoded with this model for this block, which shows at their end alone; or they do not
 * begin as a payload does. */
int plb_block_coder_decode(plb_block_coder *coder, const plb_ply_block *block,
                           const plb_block_model *model, const plb_block_payload *payload,
                           uint64_t *planes);

#endif
