/* SPDX-License-Identifier: MIT
 *
 * Predicted blocks: a block has only the codes of quiet positions (colour_features.h), and a code
 * takes few bits if the model (block_model.h) predicts it well. The rules of the game give the
 * quiet positions and their features.
 *
 *     [state, 32 bits] [16 bits]..         little-endian
 *
 * is decoded by an asymmetric numeral system of the range variant (J. Duda, "Asymmetric numeral
 * systems: entropy coding combining speed of Huffman coding with compression rate of arithmetic
 * coding", 2013); FORMAT.md, section 11. Bit 3 of the first byte is one, which no zstd frame has.
 *
 * The context of a code is the features of the position, the codes of the last two quiet positions
 * before it in the block, and the last codes of positions with the same colours of the 8, or the 5,
 * lowest stones.
 *
 * Must not know: files, checksums.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tables/codec/block_model.h"
#include "tables/codec/quiet_list.h"

/* Encodes and decodes blocks of a table; one thread at a time. */
typedef struct plb_block_coder plb_block_coder;

/* index: of slabs; must outlive the coder. block_entries, planes (bits of a code): of the table.
 * Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_block_coder_open(const plb_index *index, uint64_t block_entries, int planes,
                         plb_block_coder **coder);
void plb_block_coder_close(plb_block_coder *coder);

/* Bytes of memory of a coder that only decodes, about. */
uint64_t plb_block_coder_bytes(uint64_t block_entries);

/* List the digits of a block's quiet positions for plb_block_coder_count or _encode; the coder
 * holds up to PLB_LISTED_BLOCKS blocks. Positions that are not stored get the code of the one
 * before, as from plb_block_fill.
 *
 * are_listed  [out]  false: the block was not listed, because a stored position is not quiet or has
 *                    an impossible code
 *
 * Errors: PLB_ENOMEM. */
enum { PLB_LISTED_BLOCKS = 4 };
int plb_block_coder_list(plb_block_coder *coder, const plb_ply_block *block,
                         const plb_block_codes *codes, bool *are_listed);

/* Add the listed digits of stored positions to counts, and clear the list. */
void plb_block_coder_count(plb_block_coder *coder, plb_block_counts *counts);

typedef struct plb_block_bytes {
    const uint8_t *bytes; /* owned by the coder until its next call */
    size_t size;
} plb_block_bytes;

/* Encode the listed blocks, and clear the list. blocks: [out] in the order in which they were
 * listed. Several blocks together are faster than one after the other. */
void plb_block_coder_encode(plb_block_coder *coder, const plb_block_encoding *encoding,
                            plb_block_bytes blocks[PLB_LISTED_BLOCKS]);

/* Is a payload of at least one byte a predicted block? */
bool plb_block_is_predicted(const uint8_t *payload);

/* A payload to decode. */
typedef struct plb_block_payload {
    const uint8_t *bytes;
    size_t size;
    uint64_t until; /* entries [0, until) are wanted; UINT64_MAX: the whole block */
} plb_block_payload;

/* Decode a block to all of its planes. If the whole block is wanted, they are filled
 * (plb_block_fill). Else only the wanted entries that are quiet have their codes, which do not
 * depend on `until`; all other bits are undefined. Errors: PLB_ECORRUPT: the bytes do not begin as
 * a payload; or the whole block is wanted, and they do not end as one, because they were encoded
 * with another model or for another block. */
int plb_block_coder_decode(plb_block_coder *coder, const plb_ply_block *block,
                           const plb_block_model *model, const plb_block_payload *payload,
                           uint64_t *planes);
