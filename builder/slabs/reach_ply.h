/* SPDX-License-Identifier: MIT
 *
 * Which positions can arise. A position is open if it can arise and the game is not over. The
 * forward pass finds the open positions of a ply from those of the previous ply. It is not needed
 * if the backward pass can find them itself: without gravity, where any order of moves is possible;
 * and by columns, with an automaton (reach_masks.h), if this takes less time than the forward pass,
 * together with counting the positions (tables/count/position_count.h).
 */
#pragma once

#include "builder/slabs/ply_pass.h"

/* Choose how open positions are found. wanted: which of two ways, on boards that allow both, or
 * PLB_REACH_BEST. */
plb_reach_way plb_reach_choose(const plb_index *index, plb_reach_way wanted);

/* Processor seconds, about, of automaton and counts, which finding positions by columns needs. */
double plb_reach_ahead_seconds(const plb_game *game);

/* Run the forward pass over a ply: read p->neighbour, the open positions of the previous ply (not
 * for ply 0); write p->made, those of this ply, one plane. Errors: those of plb_pass_run. */
int plb_reach_ply(plb_pass *p);

/* Without gravity: find the open positions of the slab that the worker has begun, and count the
 * reachable ones. w->open gets a plane of its live blocks. Errors: PLB_ENOMEM. */
int plb_reach_freely(const plb_pass *p, plb_slab_worker *w, uint64_t occupied);

/* Sum the counts of all threads in a pass: total and terminal. */
plb_ply_stats plb_reach_sum(const plb_slab_engine *engine);
