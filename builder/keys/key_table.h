/* SPDX-License-Identifier: MIT
 *
 * The table file of a ply of keys: for each slab a segment with the codes of its keys by their
 * number, then for each slab its set of keys (tables/index/perfect_hash.h).
 *
 *     slab = bucket of a hash     rank = number of the key in the set of the slab
 *
 * Keys come in the order of slabs. Must not know: what codes mean.
 */
#ifndef PLB_BUILDER_KEYS_KEY_TABLE_H
#define PLB_BUILDER_KEYS_KEY_TABLE_H

#include "builder/keys/key_runs.h"
#include "builder/scratch/scratch_file.h"
#include "tables/format/block_layout.h"
#include "tables/store/segment_writer.h"

/* Slabs of a ply and the greatest number of keys of one, from the numbers of keys in the cells of
 * the grid (key_runs.h). */
void plb_key_table_shape(const uint64_t cells[PLB_GRID], uint64_t *slabs, uint64_t *slab_size);

typedef struct plb_key_table {
    plb_scratch *scratch; /* of plb_key_table_records records */
    plb_block_layout layout;
    int ply, planes; /* planes: bits of a code */
    plb_segment_writer *writer;
    plb_key_hash *hashes; /* [capacity] of keys whose slab is not written yet, in order */
    uint8_t *codes;       /* [capacity] */
    uint64_t count, capacity;
    uint64_t slab; /* the next to be written */
} plb_key_table;

uint64_t plb_key_table_records(const plb_block_layout *layout);

/* Begin; scratch and writer stay the caller's. Free accepts a zeroed table. */
void plb_key_table_begin(plb_key_table *table, const plb_block_layout *layout, int ply, int planes);
void plb_key_table_free(plb_key_table *table);

/* Add a key. Errors: PLB_ENOMEM. */
int plb_key_table_add(plb_key_table *table, plb_key_hash hash, unsigned code);

/* All keys of the slabs before one were added: write these. Errors: PLB_ENOMEM, PLB_ETOOBIG, those
 * of errno. */
int plb_key_table_write(plb_key_table *table, uint64_t until, plb_message *message);

#endif
