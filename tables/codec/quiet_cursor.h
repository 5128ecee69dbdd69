/* SPDX-License-Identifier: MIT
 *
 * Goes through the quiet positions of a block (colour_features.h), up to 64 entries at a time, in
 * the order of their entries. Must not know: values, bytes, files.
 */
#ifndef PLB_TABLES_CODEC_QUIET_CURSOR_H
#define PLB_TABLES_CODEC_QUIET_CURSOR_H

#include "tables/codec/colour_features.h"
#include "tables/format/block_layout.h"
#include "tables/index/index.h"

/* A block of a ply, with the layout of the ply. */
typedef struct plb_ply_block {
    const plb_block_layout *layout; /* of its ply */
    int ply;
    uint64_t number; /* in the ply */
} plb_ply_block;

/* all: entries of the block. The others are the cursor's own. */
typedef struct plb_quiet_cursor {
    const plb_index *index;
    const plb_ply_block *block;
    plb_colour_cursor *colours;
    uint64_t slab, first, last; /* ranks [first, last) of the slab are gone through */
    uint64_t all, entries;      /* of the block: all that there are, and are gone through */
    uint64_t begin;             /* in the block: where those ranks begin */
    const plb_colour_batch *batch;
    int word, words;
} plb_quiet_cursor;

/* Up to 64 entries, the first of which is bit 0. */
typedef struct plb_quiet_word {
    uint64_t quiet, features[PLB_FEATURES]; /* quiet: not 0 */
    uint64_t offset;                        /* of the first entry in the block */
    const uint8_t *low_stones;              /* of each entry; there are 64 that can be read */
} plb_quiet_word;

/* Begin at a block, of which entries [0, until), or all that there are, are wanted. The cursor of
 * colours is that of the index's game and is the cursor's as long as it goes on; all must outlive
 * it. */
plb_quiet_cursor plb_quiet_cursor_begin(const plb_index *index, plb_colour_cursor *colours,
                                        const plb_ply_block *block, uint64_t until);

/* The next entries of the block of which one is quiet; false: there are none. */
bool plb_quiet_cursor_next(plb_quiet_cursor *cursor, plb_quiet_word *word);

#endif
