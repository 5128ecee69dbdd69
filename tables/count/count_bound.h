/* SPDX-License-Identifier: MIT
 *
 * How many positions a ply of a board of Connect-k can have at most: in how many ways its columns
 * can be filled with as many x as o, or one more, so that none holds a group but perhaps one, which
 * its top stone completes. Groups across columns and the order of moves would leave fewer.
 * Must not know: frontiers, states.
 */
#ifndef PLB_TABLES_COUNT_COUNT_BOUND_H
#define PLB_TABLES_COUNT_COUNT_BOUND_H

#include "tables/reach/column_words.h"

/* A number that no ply of a board of so many columns exceeds, but for the rounding of a double.
 * Errors: PLB_ENOMEM. */
int plb_count_bound(const plb_column_words *words, int width, double *bound);

#endif
