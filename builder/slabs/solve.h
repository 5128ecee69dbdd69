/* SPDX-License-Identifier: MIT
 *
 * The backward pass over a ply: outcomes from those of the next ply, and the segments of the table.
 */
#ifndef PLB_BUILDER_SLABS_SOLVE_H
#define PLB_BUILDER_SLABS_SOLVE_H

#include "builder/slabs/reach.h"

/* The blocks whose values are solved. Distances need those that are won, too: one of them may be
 * the first of its ply that is as far from the end as any. */
plb_slab_part plb_solve_part(const plb_game *game, plb_value_kind values);

/* Run the pass.
 *
 * p->neighbour  [in]   values of the next ply; NULL for the last ply
 * p->reach      [in]   open positions of this ply from the forward pass; NULL if there was none:
 *                      then they are found here, but where there should have been such a pass, all
 *                      in which nobody has a group count
 * p->made       [out]  values of this ply; those in memory are not in the scratch file yet
 * p->table      [out]  segments of this ply
 * counts        [in]   of this ply; those that are reached freely are counted here [out]
 *
 * Errors: those of plb_pass_run; PLB_ECORRUPT if the counts are known and other ones were found. */
int plb_solve_ply(plb_pass *p, plb_reach_counts *counts, plb_ply_results *results);

/* Write the values of p->made that are only in memory to its scratch file; not to be stopped.
 * Errors: as above. */
int plb_solve_save_ply(plb_pass *p);

#endif
