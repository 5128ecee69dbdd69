/* SPDX-License-Identifier: MIT
 *
 * Counting positions of boards of four columns, up to 13 rows high, with groups of four or more: a
 * group that crosses columns has a stone in each of the four. Must not know: games, frontiers.
 */
#ifndef PLB_TABLES_COUNT_FOUR_COLUMNS_H
#define PLB_TABLES_COUNT_FOUR_COLUMNS_H

#include "tables/count/count_types.h"
#include "tables/reach/column_words.h"

/* Can this board be counted so? */
bool plb_four_columns_can_count(const plb_count_board *board);

/* Add the positions of a board to the counts of each ply. words: of its columns. Parts that the
 * keeper gets are those of slices of the words of the first column.
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED, those of the keeper. */
int plb_four_columns_count(const plb_count_board *board, const plb_column_words *words,
                           const plb_count_work *work, plb_ply_count *plies);

/* About how many seconds of processor time that takes. */
double plb_four_columns_seconds(double words);

#endif
