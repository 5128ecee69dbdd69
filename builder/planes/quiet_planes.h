/* SPDX-License-Identifier: MIT
 *
 * Finds the quiet positions of a slab on bit planes: the rules of tables/games/static_value.h for
 * 64 positions at a time.
 */
#pragma once

#include "builder/planes/kernels.h"

/* Game, kernels and buffers; the buffers are zeroed at first. */
typedef struct plb_quiet {
    const plb_game *game;
    const plb_kernels *kernels;
    uint64_t groups[PLB_MAX_GROUPS]; /* groups without the one cell that they lack, as stones */
    uint64_t *one, *two, *plane;     /* [capacity] */
    size_t capacity;
} plb_quiet;

void plb_quiet_free(plb_quiet *quiet);

/* Find the positions in which the mover can complete a group immediately.
 *
 * range        [in]   blocks of the slab
 * range_words  [out]  as for plb_kernels.lines
 *
 * Errors: PLB_ENOMEM. */
int plb_quiet_find_completing(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                              uint64_t *range_words);

/* Keep only the quiet ones of a plane of open positions.
 *
 * completing  [in]      the result of plb_quiet_find_completing, or NULL
 * open        [in,out]  the words of the range
 *
 * Errors: PLB_ENOMEM. */
int plb_quiet_keep(plb_quiet *quiet, const plb_slab *slab, plb_block_range range,
                   const uint64_t *completing, uint64_t *open);
