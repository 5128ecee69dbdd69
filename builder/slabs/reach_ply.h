/* SPDX-License-Identifier: MIT
 *
 * Which positions can arise. A position is open if it can arise and the game is not over. The
 * forward pass finds the open positions of a ply: moves from the open positions of the previous ply
 * lead to them. It is not needed if the backward pass can find them itself: without gravity, where
 * any order of moves is possible; and with the automaton of columns (reach_masks.h), if automaton
 * and counts of positions (tables/count/position_count.h) together take less time than the forward
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
