/* SPDX-License-Identifier: MIT
 *
 * Divides the segments of a ply among ranks, so that all have about equal work. The work is
 * estimated from a sample of entries. No byte of a table depends on the division.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "builder/ply_parts.h"
#include "tables/index/index.h"

/* The block of a position of a ply: is it live, and are its values solved (slab_shape.h)? */
typedef struct plb_block_kind {
    bool live, solved;
} plb_block_kind;
plb_block_kind plb_block_kind_of(const plb_game *game, plb_position p, int ply, plb_block_set set);

/* What a division depends on. */
typedef struct plb_rank_cuts {
    const plb_index *index;
    plb_block_set set; /* the blocks whose values are solved */
    uint64_t block_entries;
    int ranks;
} plb_rank_cuts;

/* Divide a run of segments. first [ranks + 1]: rank r gets segments [first[r], first[r + 1]), maybe
 * none. Errors: PLB_ENOMEM. */
int plb_rank_cuts_make(const plb_rank_cuts *cuts, int ply, plb_segment_run run, uint64_t *first);

/* The rank that has a segment. */
int plb_rank_cuts_find(const uint64_t *first, int ranks, uint64_t segment);
