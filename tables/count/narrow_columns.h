/* SPDX-License-Identifier: MIT
 *
 * Counting positions of boards of two or three columns whose groups all lie in one column, however
 * tall: no group crosses columns, so only orders of moves are to be found. Must not know: games,
 * the automaton of columns.
 */
#ifndef PLB_TABLES_COUNT_NARROW_COLUMNS_H
#define PLB_TABLES_COUNT_NARROW_COLUMNS_H

#include "tables/count/count_types.h"
#include "tables/reach/column_words.h"

/* Can these columns be counted so? Groups in a row or aslant are not asked for. */
bool plb_narrow_can_count(int width, int height);

/* Add the positions of a board to the counts of each ply. words: of its columns.
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED. Cost: for 3x10 with k 4 a tenth of a second, for 3x12 three
 * seconds, about seven times as long with each row more; 54 MB for 3x12, four times as much. */
int plb_narrow_count(const plb_count_board *board, const plb_column_words *words,
                     const volatile sig_atomic_t *stop, plb_ply_count *plies);

/* About how many seconds of processor time that takes. */
double plb_narrow_count_seconds(int width, int height, double words);

#endif
