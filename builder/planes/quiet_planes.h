/* SPDX-License-Identifier: MIT
 *
 * Which positions of a slab are quiet, on bit planes: the rules of tables/games/static_value.h for
 * all colourings together.
 */
#ifndef PLB_BUILDER_PLANES_QUIET_PLANES_H
#define PLB_BUILDER_PLANES_QUIET_PLANES_H

#include "builder/planes/kernels.h"

/* The game, the kernels, and memory that is used again and again: zeroed at first. */
typedef struct plb_quiet {
    const plb_game *game;
    const plb_kernels *kernels;
    uint64_t groups[PLB_MAX_GROUPS]; /* sets of stones that lack one cell of a group */
    uint64_t *some, *once, *plane;   /* planes */
    size_t capacity;
} plb_quiet;

void plb_quiet_free(plb_quiet *quiet);

/* Positions in which the mover can complete a group immediately.
 *
 * slab       [in]   shape of blocks
 * range        [in]   some of them
 * range_words  [out]  as those of plb_kernels.lines
 *
 * Errors: PLB_ENOMEM. */
int plb_quiet_find_completing(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                              uint64_t *range_words);

/* open &= quiet.
 *
 * completing  [in]      what plb_quiet_find_completing has found, or NULL
 * open        [in,out]  the words of the range: open positions; those that are not quiet are taken
 * out
 *
 * Errors: PLB_ENOMEM. */
int plb_quiet_keep(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                   const uint64_t *completing, uint64_t *open);

#endif
