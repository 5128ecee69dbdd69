/* SPDX-License-Identifier: MIT
 *
 * The quiet positions of a block (colour_features.h). A cursor visits them in the order of their
 * entries, up to 64 at a time. A list has arrays of their features and codes, for an encoder. Must
 * not know: models, bytes, files.
 */
#pragma once

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

/* Except `all`, the fields are private to the cursor. */
typedef struct plb_quiet_cursor {
    const plb_index *index;
    const plb_ply_block *block;
    plb_colour_cursor *colours;
    uint64_t slab, first, last; /* ranks [first, last) of the current slab are visited */
    const uint64_t *quiet;      /* a plane of the quiet entries; NULL: not known */
    uint64_t all, entries;      /* entries of the block; entries [0, entries) are visited */
    uint64_t begin;             /* entry of rank `first` in the block */
    const plb_colour_batch *batch;
    int word, words;
} plb_quiet_cursor;

/* Up to 64 consecutive entries as bit masks; bit 0 is the first entry. */
typedef struct plb_quiet_word {
    uint64_t quiet, features[PLB_FEATURES]; /* quiet: not 0 */
    uint64_t offset;                        /* of the first entry in the block */
    const uint8_t *low_stones;              /* of each entry; 64 bytes are readable */
} plb_quiet_word;

/* Begin a block; entries [0, until) are visited, or all if there are fewer. colours: a cursor for
 * the game of the index, for this use alone. quiet: a plane of the quiet entries, and one more word
 * that may be read, or NULL. All arguments must outlive the cursor. */
plb_quiet_cursor plb_quiet_cursor_begin(const plb_index *index, plb_colour_cursor *colours,
                                        const plb_ply_block *block, uint64_t until,
                                        const uint64_t *quiet);

/* The next word with a quiet entry. False: there are no more. */
bool plb_quiet_cursor_next(plb_quiet_cursor *cursor, plb_quiet_word *word);

/* ---- list ---- */

/* Codes of a block. Plane p begins at word p * stride of planes. stored: the positions whose codes
 * must be kept; as many words as a plane. marks_quiet: instead, all quiet positions; the codes of
 * those in which both players win are not kept. One more word may be read. */
typedef struct plb_block_codes {
    const uint64_t *planes, *stored;
    uint64_t stride;
    bool marks_quiet;
} plb_block_codes;

enum { PLB_NOT_STORED = 1 << 7 }; /* a bit above all codes */

/* Arrays of [count], in the order of the entries. */
typedef struct plb_quiet_list {
    size_t count;
    uint8_t *features;   /* bit f is feature f */
    uint8_t *low_stones; /* the lowest eight */
    uint8_t *codes;      /* or'ed with PLB_NOT_STORED; codes[-1] and codes[-2] are draws */
} plb_quiet_list;

/* Allocate a list for a block of `entries` entries. Errors: PLB_ENOMEM; *list is written, too. */
int plb_quiet_list_open(uint64_t entries, plb_quiet_list *list);
void plb_quiet_list_free(plb_quiet_list *list);

/* List all positions of a cursor that was just begun. planes: of a code. vectors: that the
 * processor supports. */
void plb_quiet_list_make(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                         plb_vectors vectors, plb_quiet_list *list);
