/* SPDX-License-Identifier: MIT
 *
 * Counting positions of a board whose left and right columns are edges, by one sweep over its
 * columns (column_sweep.h). Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_PLANE_COUNT_H
#define PLB_TABLES_COUNT_PLANE_COUNT_H

#include "tables/count/column_sweep.h"

/* What is counted: open positions and those with one mark; those with more, on level lines, on
 * rising ones. Each may have a sweep of its own, which takes less memory than one of all. */
typedef enum plb_marks {
    PLB_MARKS_SINGLE = 1,
    PLB_MARKS_LEVEL = 2, /* 1 << direction (frontier.h) */
    PLB_MARKS_RISING = 4,
    PLB_MARKS_ALL = PLB_MARKS_SINGLE | PLB_MARKS_LEVEL | PLB_MARKS_RISING
} plb_marks;

/* Add twice the positions of each ply.
 *
 * sweep  [in]      begun, with the k of groups in several columns; used up
 * marks  [in]      a set of them; all must be counted, each once
 * plies  [in,out]  [cells + 2]
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_plane_count(plb_sweep *sweep, plb_marks marks, plb_ply_count *plies);

#endif
