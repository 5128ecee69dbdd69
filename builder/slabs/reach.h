/* SPDX-License-Identifier: MIT
 *
 * The forward pass over a ply: positions that moves from open positions of the ply before lead to.
 * An open position is one that is reachable and in which the game is not over.
 */
#ifndef PLB_BUILDER_SLABS_REACH_H
#define PLB_BUILDER_SLABS_REACH_H

#include "builder/slabs/pass.h"

/* Reachable positions of a ply, all of each orbit; the notes of a reach file. */
typedef struct plb_reach_counts {
    uint64_t open, terminal; /* terminal: a group is complete */
} plb_reach_counts;

/* Run the pass: p->neighbour is read with gravity only, and not for ply 0; p->made gets the open
 * positions, one plane. Errors: those of plb_pass_run. */
int plb_reach_ply(plb_pass *p, plb_reach_counts *counts);

#endif
