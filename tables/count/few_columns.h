/* SPDX-License-Identifier: MIT
 *
 * Counts the positions of boards of two to five columns and at most 13 rows. Either no group spans
 * several columns; or the board has four or five columns and groups of four, so that a group that
 * spans columns has a stone in each middle column. Must not know: games, frontiers.
 */
#pragma once

#include "tables/count/count_types.h"
#include "tables/reach/column_words.h"

/* Is this such a board? */
bool plb_few_columns_can_count(const plb_count_board *board);

/* Add the number of positions of each ply to `plies`. words: the words of a column.
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. */
int plb_few_columns_count(const plb_count_board *board, const plb_column_words *words,
                          const plb_count_work *work, plb_ply_count *plies);

/* Estimate the processor time in seconds. words: number of words of a column. */
double plb_few_columns_seconds(const plb_count_board *board, double words);
