/* SPDX-License-Identifier: MIT
 *
 * The backward pass over a ply: outcomes from those of the next ply, and the segments of the table.
 */
#ifndef PLB_BUILDER_SLABS_SOLVE_PLY_H
#define PLB_BUILDER_SLABS_SOLVE_PLY_H

#include "builder/slabs/reach_ply.h"

/* The blocks whose values are solved. Distances need those that are won, too: one of them may be
 * the first of its ply that is as far from the end as any. */
plb_block_set plb_solve_blocks(const plb_game *game, plb_value_kind values);

/* Sample the ply of a pass with predicted blocks, before its first part is solved. What the pass
 * reads must be there. Errors: those of plb_pass_run. */
int plb_solve_sample(plb_pass *p);

/* Solve a part.
 *
 * p->neighbour  [in]   values of the next ply; NULL for the last ply
 * p->reach      [in]   open positions of this ply from the forward pass; NULL if there was none:
 *                      then they are found here, but where there should have been such a pass, all
 *                      in which no player has a group count
 * p->made       [out]  values of the part; those in memory are not in the scratch file yet
 * p->table      [out]  segments of the part
 *
 * What is counted is added to the sums of the engine. Errors: those of plb_pass_run. */
int plb_solve_part(plb_pass *p);

/* The results of a ply, from the sums of all its parts.
 *
 * reached  [in]  total and terminal of the ply; what is reached freely was counted with it [out]
 *
 * Errors: PLB_ECORRUPT if the counts are known and other ones were found. */
int plb_solve_results(const plb_pass *p, plb_ply_stats *reached, plb_ply_results *results);

/* Write the values of a part of p->made that are only in memory to its scratch file; not to be
 * stopped. Errors: those of plb_pass_run. */
int plb_solve_save_part(plb_pass *p);

#endif
