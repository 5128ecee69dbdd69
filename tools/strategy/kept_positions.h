/* SPDX-License-Identifier: MIT
 *
 * The positions in which a named strategy keeps its claim: all that arise when its player follows
 * it, with the opponent to move, up to symmetry. From them a strategy file is extracted
 * (tools/strategy/extract.h). That a position and its images have the same value makes one of them
 * do for all, though a rule may tell left from right.
 */
#ifndef PLB_TOOLS_STRATEGY_KEPT_POSITIONS_H
#define PLB_TOOLS_STRATEGY_KEPT_POSITIONS_H

#include "tables/index/position_set.h"
#include "tools/strategy/strategy_walk.h"

typedef struct kept_positions {
    const plb_symmetry *symmetry;
    plb_position_set set; /* canonical positions; without the empty board */
} kept_positions;

/* Walk through a strategy and keep what arises. options: visit and context are not read.
 *
 * kept    [out]  written in any case; free it with kept_positions_free
 * result  [out]  of the walk
 *
 * Errors: those of rule_walk; memory_bytes is for the walk and again for what is kept. */
int kept_positions_collect(const rule_walk_options *options, const plb_symmetry *symmetry,
                           kept_positions *kept, rule_walk_result *result, plb_message *message);

void kept_positions_free(kept_positions *kept);

#endif
