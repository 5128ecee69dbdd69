/* SPDX-License-Identifier: MIT
 *
 * The cut of a cylinder that is cut open in front of column 0: runs may go on from the last column
 * into column 0. What stands in column 0 is known, and for each of its stones and each direction to
 * the right how long the run is that begins there:
 *
 *     . . . . | x . .        to the last column: a level run of two x may go on into the lower
 *     . . x x | x x o        x by 2 stones, and a rising one into the upper x by 1
 *      last     0 1 2
 *
 * There are far fewer such ways than contents of the columns 0 to k - 2. In each of them these
 * columns may be filled in some ways only; of others nothing is known. On a cylinder of less than k
 * columns a run may be longer than a lap. Must not know: games, positions.
 */
#ifndef PLB_TABLES_COUNT_CYLINDER_CUT_H
#define PLB_TABLES_COUNT_CYLINDER_CUT_H

#include "tables/count/frontier_table.h"
#include "tables/reach/column_words.h"

typedef struct plb_cylinder_cut {
    int width, height, k;
    const plb_column_words *words;
    int first;                          /* the word of column 0 */
    int lowest;                         /* words before this one are in no column */
    plb_board_column *columns;          /* [width] how they may be filled otherwise */
    uint32_t (*exempt)[PLB_DIRECTIONS]; /* [width] rows of stones that make no group in a
                                           direction */
} plb_cylinder_cut;

/* All ways in which runs can go on, each as a frontier: runs[d][n] are the rows of column 0 where a
 * run of n + 1 stones or more begins; runs that cannot be part of a group through the cut are left
 * out. Errors: PLB_ENOMEM. The caller frees the list, also after an error. */
int plb_cylinder_cut_find_runs(const plb_cylinder_cut *cut, plb_frontier_table *runs);

/* The columns of a board on which runs go on in one of these ways. False if there is none. */
bool plb_cylinder_cut_set_board(const plb_cylinder_cut *cut, const plb_frontier *runs,
                                const plb_frontier_board *board);

/* May a column have a word? */
bool plb_cylinder_cut_may_have(const plb_cylinder_cut *cut, int column, int word);

#endif
