/* SPDX-License-Identifier: MIT
 *
 * What play can reach. An open position is one that is reachable and in which the game is not over.
 * A forward pass finds them from ply to ply: positions that moves from open positions of the ply
 * before lead to. It is not needed where the backward pass finds the open positions of a slab by
 * itself: without gravity, when any order of moves will do; and by the automaton of columns
 * (reach_masks.h), if there is one and the counts of positions are known
 * (tables/count/position_count.h), where automaton and counts together take less than the forward
 * pass.
 */
#ifndef PLB_BUILDER_SLABS_REACH_PLY_H
#define PLB_BUILDER_SLABS_REACH_PLY_H

#include "builder/slabs/ply_pass.h"

/* How open positions are found; wanted: of the two ways that boards with counts have, or
 * PLB_REACH_BEST. */
plb_reach_way plb_reach_choose(const plb_index *index, plb_reach_way wanted);

/* About how many seconds of processor time automaton and counts take, which the backward pass needs
 * to find the open positions of a board by columns. */
double plb_reach_ahead_seconds(const plb_game *game);

/* Run the forward pass: p->neighbour is read, but not for ply 0; p->made gets the open positions,
 * one plane. Errors: those of plb_pass_run. */
int plb_reach_ply(plb_pass *p);

/* Without gravity: find the open positions of the slab that the worker has begun, w->open, one
 * plane of its live blocks. What was reached is counted. Errors: PLB_ENOMEM. */
int plb_reach_freely(const plb_pass *p, plb_slab_worker *w, uint64_t occupied);

/* The sum of what the threads have counted in a pass: total and terminal. */
plb_ply_stats plb_reach_sum(const plb_slab_engine *engine);

#endif
