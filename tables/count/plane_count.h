/* SPDX-License-Identifier: MIT
 *
 * Counting positions of a board whose left and right columns are edges, by one sweep over its
 * columns (column_sweep.h). Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_PLANE_COUNT_H
#define PLB_TABLES_COUNT_PLANE_COUNT_H

#include "tables/count/column_sweep.h"

/* Add twice the positions of each ply.
 *
 * sweep  [in]   begun, with the k of groups in several columns; used up
 * plies  [out]  [cells + 2]
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_plane_count(plb_sweep *sweep, plb_ply_count *plies);

#endif
