/* SPDX-License-Identifier: MIT
 *
 * Counts the positions of a cylinder. It is cut open before column 0. For each way in which runs
 * can cross the cut, a sweep (column_sweep.h) counts the fillings of its columns. Must not know:
 * games.
 */
#pragma once

#include "tables/count/column_sweep.h"

/* Add twice the number of positions of each ply. The cylinder has at least two columns, and groups
 * of two or more stones that span columns.
 *
 * sweep  [in,out]  begun, with the k of the groups; cannot be used again
 * plies  [in,out]  [cells + 2]
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_cylinder_count(plb_sweep *sweep, plb_ply_count *plies);
