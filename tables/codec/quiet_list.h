/* SPDX-License-Identifier: MIT
 *
 * The quiet positions of a block (colour_features.h): a cursor goes through them, up to 64 entries
 * at a time, in the order of their entries; a list has them side by side with their codes, as an
 * encoder needs them. Must not know: models, bytes, files.
 */
#ifndef PLB_TABLES_CODEC_QUIET_LIST_H
#define PLB_TABLES_CODEC_QUIET_LIST_H

#include <stddef.h>

#include "tables/codec/colour_features.h"
#include "tables/cpu_dispatch.h"
#include "tables/format/block_layout.h"
#include "tables/index/index.h"

/* ---- cursor ---- */

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

/* ---- list ---- */

/* Codes of a block: plane p is words [p * stride, ..) of planes, as many as those of stored, the
 * positions whose codes must be kept. */
typedef struct plb_block_codes {
    const uint64_t *planes, *stored;
    uint64_t stride;
} plb_block_codes;

enum { PLB_NOT_STORED = 1 << 7 }; /* a bit above all codes */

/* [count] each, in the order of the entries. */
typedef struct plb_quiet_list {
    size_t count;
    uint8_t *features;   /* as numbers: feature f is bit f */
    uint8_t *low_stones; /* the lowest eight */
    uint8_t *codes;      /* with PLB_NOT_STORED, or without; and two draws before the first */
} plb_quiet_list;

/* Room for a block of so many entries. Errors: PLB_ENOMEM; to be freed in any case. */
int plb_quiet_list_open(uint64_t entries, plb_quiet_list *list);
void plb_quiet_list_free(plb_quiet_list *list);

/* List all that a cursor at its beginning comes to. planes: of a code. vectors: that
 * the processor has. */
void plb_quiet_list_make(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                         plb_vectors vectors, plb_quiet_list *list);

#endif
