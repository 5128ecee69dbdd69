/* SPDX-License-Identifier: MIT
 *
 * How many positions a ply of a board of Connect-k can have at most, whatever groups lie in several
 * columns: ways to fill the columns with as many x as o, or one more. Of a position with a group
 * that has a stone in one column alone, that column loses it with its top stone.
 * Must not know: frontiers, states.
 */
#ifndef PLB_TABLES_COUNT_BOUND_H
#define PLB_TABLES_COUNT_BOUND_H

#include "tables/column_words.h"

/* A number that no ply of a board of so many columns exceeds, but for the rounding of a double;
 * or HUGE_VAL when memory is out. */
double plb_count_bound(const plb_column_words *words, int width);

#endif
