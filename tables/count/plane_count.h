/* SPDX-License-Identifier: MIT
 *
 * Counts the positions of a board that is no cylinder, by one sweep over its columns
 * (column_sweep.h). Must not know: games.
 */
#pragma once

#include "tables/count/column_sweep.h"

/* Kinds of marked positions (plane_count.c), as a bit mask. A sweep for each kind takes less memory
 * than one sweep for all. */
typedef enum plb_marks {
    PLB_MARKS_SINGLE = 1, /* open positions, and those with one mark */
    PLB_MARKS_LEVEL = 2,  /* several marks on a level line; 1 << direction (frontier.h) */
    PLB_MARKS_RISING = 4, /* several marks on a rising or falling line */
    PLB_MARKS_ALL = PLB_MARKS_SINGLE | PLB_MARKS_LEVEL | PLB_MARKS_RISING
} plb_marks;

/* Add twice the number of positions of each ply. To count a board, count every kind once.
 *
 * sweep  [in,out]  begun, with the k of groups that span columns; cannot be used again
 * marks  [in]      kinds to count
 * plies  [in,out]  [cells + 2]
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_plane_count(plb_sweep *sweep, plb_marks marks, plb_ply_count *plies);
