/* SPDX-License-Identifier: MIT
 *
 * The backward pass over a ply: outcomes from those of the next ply, and the segments of the table.
 */
#ifndef PLB_BUILDER_SLABS_SOLVE_H
#define PLB_BUILDER_SLABS_SOLVE_H

#include "builder/slabs/reach.h"

/* Run the pass.
 *
 * p->neighbour  [in]   values of the next ply; NULL for the last ply
 * p->reach      [in]   open positions of this ply; NULL: all in which nobody has a group
 * p->made       [out]  values of this ply; those in memory are not in the scratch file yet
 * p->table      [out]  segments of this ply
 * counts        [in]   of this ply
 *
 * Errors: those of plb_pass_run. */
int plb_solve_ply(plb_pass *p, const plb_reach_counts *counts, plb_ply_results *results);

/* Write the values of p->made that are only in memory to its scratch file; not to be stopped.
 * Errors: as above. */
int plb_solve_save_ply(plb_pass *p);

#endif
