/* SPDX-License-Identifier: MIT
 *
 * The layout of a ply: how its index is divided into blocks and segments. A block is the unit of
 * compression: consecutive entries of the index, which are read together. A segment is one record
 * of the file: the blocks of some whole slabs.
 *
 *     big slabs     slab 0              slab 1              each slab has blocks of its own,
 *                   [block|block|blo]   [block|block|blo]   the last one shorter
 *     small slabs   [slab 0 slab 1 slab 2] [slab 3 ...      a block holds several whole slabs
 *
 * With slabs of 10 entries and blocks of at most 64 a block holds 6 slabs, so that rank 3 of slab 7
 * is entry 13 of block 1. With slabs of 126 entries each has blocks of 64 and 62, and rank 100 of
 * slab 2 is entry 36 of block 5.
 *
 * So a segment is made from its slabs alone. Blocks and segments are numbered from 0 in each ply.
 */
#pragma once

#include "tables/index/index.h"

typedef struct plb_block_layout {
    uint64_t slab_size, slabs; /* of the ply */
    uint64_t block_entries;    /* of a full block */
    uint64_t slabs_per_block;  /* 0 for big slabs */
    uint64_t blocks_per_slab;  /* 0 for small slabs */
    uint64_t slabs_per_segment, blocks_per_segment, segments;
} plb_block_layout;

/* Where the value of an entry is stored. */
typedef struct plb_block_address {
    int ply;
    uint64_t block, offset; /* number of the block in its ply, entry within it */
} plb_block_address;

/* Entries of a segment (about), and of a block (at most): so many that the directory and the record
 * of a segment take hardly any space. */
enum { PLB_SEGMENT_ENTRIES = 1 << 20 };

/* block_entries: maximum for a block, a multiple of 64 up to PLB_SEGMENT_ENTRIES. */
plb_block_layout plb_block_layout_ply(const plb_index *index, int ply, uint64_t block_entries);

/* The same from the number of slabs, which may be 0, and their size. */
plb_block_layout plb_block_layout_make(uint64_t slab_size, uint64_t slabs, uint64_t block_entries);

/* The number of segments of all plies of a game, computed without its index; 0 if the index would
 * be too big for 64 bits. */
uint64_t plb_block_layout_count_segments(const plb_game *game, const plb_symmetry *symmetry,
                                         uint64_t block_entries);

/* The address of an entry of the ply; and the inverse. */
plb_block_address plb_block_layout_find(const plb_block_layout *layout, plb_entry entry);
plb_entry plb_block_layout_entry(const plb_block_layout *layout, plb_block_address address);

/* Slabs [*first, *last) of a segment. */
void plb_block_layout_slabs(const plb_block_layout *layout, uint64_t segment, uint64_t *first,
                            uint64_t *last);

/* Blocks of a segment (the last one may have fewer), and entries of a block of the ply. */
uint64_t plb_block_layout_blocks(const plb_block_layout *layout, uint64_t segment);
uint64_t plb_block_layout_block_entries(const plb_block_layout *layout, uint64_t block);
