/* SPDX-License-Identifier: MIT
 *
 * Divides the segments of a ply among ranks so that each has equal work, estimated from a sample of
 * entries. No byte of a table depends on it.
 */
#ifndef PLB_BUILDER_SLABS_RANK_CUTS_H
#define PLB_BUILDER_SLABS_RANK_CUTS_H

#include "builder/planes/slab_shape.h"
#include "builder/ply_parts.h"
#include "tables/index/index.h"

/* The block of a position of a ply: is it live, and are its values solved (slab_shape.h)? */
typedef struct plb_block_kind {
    bool live, solved;
} plb_block_kind;
plb_block_kind plb_block_kind_of(const plb_game *game, plb_position p, int ply, plb_block_set set);

/* How a ply is cut. */
typedef struct plb_rank_cuts {
    const plb_index *index;
    plb_block_set set; /* whose values are solved */
    uint64_t block_entries;
    int ranks;
} plb_rank_cuts;

/* Cut some segments of a ply. first [ranks + 1]: the first segment of each rank, and after the last
 * one where they end. A rank may have none. Errors: PLB_ENOMEM. */
int plb_rank_cuts_make(const plb_rank_cuts *cuts, int ply, plb_segment_run run, uint64_t *first);

/* The rank that has a segment. */
int plb_rank_cuts_find(const uint64_t *first, int ranks, uint64_t segment);

#endif
