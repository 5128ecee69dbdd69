/* SPDX-License-Identifier: MIT
 *
 * Counting positions of a cylinder: it is cut open in front of one column, and the sweep
 * goes over its columns as over those of a board (column_sweep.h) for each way in which runs can go
 * on through the cut. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_CYLINDER_COUNT_H
#define PLB_TABLES_COUNT_CYLINDER_COUNT_H

#include "tables/count/column_sweep.h"

/* Add twice the positions of each ply of a cylinder of at least two columns, with groups of two or
 * more stones in several columns.
 *
 * sweep  [in]   begun, with the k of the groups; used up
 * plies  [out]  [cells + 2]
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_cylinder_count(plb_sweep *sweep, plb_ply_count *plies);

#endif
