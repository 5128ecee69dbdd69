/* SPDX-License-Identifier: MIT
 *
 * Counts won and lost positions by the ply at which the game ends, from the planes of slabs, and
 * finds a longest win and a longest loss. It does not visit positions one by one: it splits a set
 * of positions by the planes of the round (tables/format/outcome_code.h) until all positions of a
 * part end at the same ply.
 *
 *     rounds 5 .. 9, binary  0101 0110 0111 1000 1001
 *                            [ bit 3 off  ] [ bit 3 ]     n ends take n - 1 splits; an empty
 *                            [ bit 1 ..   ] [ bit 0 ]     part takes none
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

/* A position of a ply, and how far it is from the end. */
typedef struct plb_far_position {
    int plies; /* to the end; PLB_NO_DTM: there is none */
    uint64_t slab, rank;
} plb_far_position;

/* Counts of a ply. ends and longest: only with distances. */
typedef struct plb_outcome_tally {
    uint64_t positions;               /* that were counted */
    uint64_t won[2];                  /* by winner: PLB_X_WINS, PLB_O_WINS */
    uint64_t ends[PLB_MAX_CELLS + 1]; /* won positions, by the ply at which the game ends */
    plb_far_position longest[2]; /* by winner; of several the one with the lowest slab, then the
                                    lowest rank */
} plb_outcome_tally;

/* Begin with nothing. */
void plb_outcome_tally_clear(plb_outcome_tally *tally);

/* A slab whose positions are counted. */
typedef struct plb_outcome_tally_slab {
    const plb_outcome_code *coding;
    int ply, cells;
    uint64_t number, orbit;   /* of the slab in its ply; size of its orbit, in slabs */
    const plb_planes *planes; /* of the whole slab or piece, not only of the range */
} plb_outcome_tally_slab;

/* Count a range of a slab.
 *
 * open  [in]  words of the range: the positions to count; the game is over in none of them */
void plb_outcome_tally_add(const plb_outcome_tally_slab *slab, plb_block_range range,
                           const uint64_t *open, plb_outcome_tally *tally);

/* Add the counts of another thread, rank or part. The sum does not depend on the order. */
void plb_outcome_tally_merge(const plb_outcome_tally *other, plb_outcome_tally *tally);

/* ---- results of a ply ---- */

/* The statistics of a ply. Open positions that were not counted are won for the mover. reached:
 * total and terminal. */
plb_ply_stats plb_outcome_tally_stats(const plb_outcome_tally *tally,
                                      const plb_outcome_code *coding, int ply,
                                      const plb_ply_stats *reached);

/* The distances of a ply all of whose open positions were counted. */
plb_ply_distances plb_outcome_tally_distances(const plb_outcome_tally *tally,
                                              const plb_index *index, int ply,
                                              const plb_ply_stats *reached);
