/* SPDX-License-Identifier: MIT
 *
 * The backward pass over a ply: outcomes from those of the next ply, and the segments of the table.
 */
#pragma once

#include "builder/slabs/reach_ply.h"

/* The blocks whose values are solved. With distances those of won blocks are solved too: one of
 * their positions may be the longest win of the ply. In misere play no block is won. */
plb_block_set plb_solve_blocks(const plb_game *game, plb_value_kind values);

/* Sample a ply and make the model of its blocks, before its first part is solved. p as for
 * plb_solve_part. Errors: those of plb_pass_run. */
int plb_solve_sample(plb_pass *p);

/* Solve a part.
 *
 * p->neighbour  [in]   values of the next ply; NULL for the last ply
 * p->reach      [in]   open positions of this ply from the forward pass; NULL: they are found here.
 *                      In a trial without its forward pass all positions without a group are open
 * p->made       [out]  values of the part; those in memory are not written to the scratch file yet
 * p->table      [out]  segments of the part
 *
 * The counts are added to engine->sums. Errors: those of plb_pass_run. */
int plb_solve_part(plb_pass *p);

/* The results of a ply, from the sums of all its parts.
 *
 * reached  [in,out]  total and terminal of the ply; without gravity set here
 *
 * Errors: PLB_ECORRUPT if the counts differ from the exact ones. */
int plb_solve_results(const plb_pass *p, plb_ply_stats *reached, plb_ply_results *results);

/* Write the values of a part of p->made that are only in memory to its scratch file. Cannot be
 * stopped. Errors: those of plb_pass_run. */
int plb_solve_save_part(plb_pass *p);
