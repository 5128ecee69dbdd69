/* SPDX-License-Identifier: MIT
 *
 * Counting positions of boards of two to five columns, up to 13 rows high, where a group that
 * crosses columns has a stone in each of those in the middle: of boards of four and five columns
 * with groups of four, and where no group crosses columns. Must not know: games, frontiers.
 */
#ifndef PLB_TABLES_COUNT_FEW_COLUMNS_H
#define PLB_TABLES_COUNT_FEW_COLUMNS_H

#include "tables/count/count_types.h"
#include "tables/reach/column_words.h"

/* Can this board be counted so? */
bool plb_few_columns_can_count(const plb_count_board *board);

/* Add the positions of a board to the counts of each ply. words: of its columns.
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_few_columns_count(const plb_count_board *board, const plb_column_words *words,
                          const plb_count_work *work, plb_ply_count *plies);

/* About how many seconds of processor time that takes. */
double plb_few_columns_seconds(const plb_count_board *board, double words);

#endif
