/* SPDX-License-Identifier: MIT
 *
 * Counts won and lost positions by the ply at which the game ends, from the planes of slabs, and
 * finds a longest win and a longest loss. Positions are not visited one by one: a set of positions
 * is split by the planes of the round (tables/format/outcome_code.h) until all positions of a part
 * end at the same ply.
 *
 *     rounds 5 .. 9, binary  0101 0110 0111 1000 1001
 *                            [ bit 3 off  ] [ bit 3 ]     n ends take n - 1 splits, and parts
 *                            [ bit 1 ..   ] [ bit 0 ]     that are empty none
 */
#ifndef PLB_BUILDER_SLABS_OUTCOME_TALLY_H
#define PLB_BUILDER_SLABS_OUTCOME_TALLY_H

#include "builder/planes/slab_shape.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

/* A position of a ply that is far from the end. */
typedef struct plb_far_position {
    int plies; /* to the end; PLB_NO_DTM: there is none */
    uint64_t slab, rank;
} plb_far_position;

/* ends and longest: of codes with distances only. */
typedef struct plb_outcome_tally {
    uint64_t positions;               /* all that were counted */
    uint64_t won[2];                  /* by winner: PLB_X_WINS, PLB_O_WINS */
    uint64_t ends[PLB_MAX_CELLS + 1]; /* of those, by the ply at which the game ends */
    plb_far_position longest[2];      /* by winner a longest one: of several the first, that is the
                                         least slab, in it the least rank */
} plb_outcome_tally;

/* Begin with nothing. */
void plb_outcome_tally_clear(plb_outcome_tally *tally);

/* Positions of a slab to be counted. */
typedef struct plb_outcome_tally_slab {
    const plb_outcome_code *coding;
    int ply, cells;
    uint64_t number, orbit;   /* of the slab in its ply; slabs that it stands for */
    const plb_planes *planes; /* whole */
} plb_outcome_tally_slab;

/* Count a range of a slab.
 *
 * open  [in]  the words of the range: positions to be counted; in none of them the game is over  */
void plb_outcome_tally_add(const plb_outcome_tally_slab *slab, plb_block_range range,
                           const uint64_t *open, plb_outcome_tally *tally);

/* Add what another thread has counted: the sum does not depend on who counted what. */
void plb_outcome_tally_merge(const plb_outcome_tally *other, plb_outcome_tally *tally);

/* ---- what a ply has ---- */

/* The stats of a ply, of which the open positions of some blocks were counted; those of all others
 * are won for the mover. reached: total and terminal. */
plb_ply_stats plb_outcome_tally_stats(const plb_outcome_tally *tally,
                                      const plb_outcome_code *coding, int ply,
                                      const plb_ply_stats *reached);

/* The distances of a ply whose open positions were all counted. */
plb_ply_distances plb_outcome_tally_distances(const plb_outcome_tally *tally,
                                              const plb_index *index, int ply,
                                              const plb_ply_stats *reached);

#endif
