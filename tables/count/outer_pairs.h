/* SPDX-License-Identifier: MIT
 *
 * Counts the pairs of outer columns that have an order, and make no group, with a filling of the
 * columns between them (outer_columns.h). The counts depend on little of a filling: on its class,
 * and on the rows where a stone of an outer column completes a group. So fillings are taken apart
 * into cases (pair_cases.h), most of which are the same for several fillings. Must not know: games.
 */
#pragma once

#include "tables/count/pair_cases.h"

/* ---- lines ----
 *
 * Sets of lines through neighbouring columns, for groups of four: 16 bits for each direction
 * (falls, is level, rises, to the right), with a bit for the row where a line meets a given column.
 */

enum { PLB_LINE_ROWS = 16 };

typedef uint64_t plb_lines;

/* All rows of one direction. */
static const plb_lines plb_falling = 0xFFFF, plb_level = plb_falling << PLB_LINE_ROWS,
                       plb_rising = plb_falling << 2 * PLB_LINE_ROWS;

/* All lines through these rows of a column, by their rows in the column `columns` to the right. */
static inline plb_lines plb_lines_through(uint32_t rows, int columns) {
    plb_lines r = rows;
    return r >> columns | r << PLB_LINE_ROWS | r << columns << 2 * PLB_LINE_ROWS;
}

/* ---- fillings ---- */

/* A column between that is filled with a word: lines by rows of the last column between. */
typedef struct plb_between_column {
    plb_lines lines[2]; /* [x] with a stone of this colour */
    plb_lines top;      /* through the top stone */
    plb_lines next[2];  /* [x] through one more stone, unless it makes a group in the column */
    int8_t groups[2];   /* [x] does it? */
} plb_between_column;

/* A filling of the columns between. */
typedef struct plb_between {
    const plb_between_column *columns[PLB_MAX_BETWEEN];
    plb_lines lines[2];               /* [x] with this colour in every column */
    uint32_t before[PLB_MAX_BETWEEN]; /* class without the top stone of a column; only for those
                                         with a top stone on `lines` */
    uint32_t sums;                    /* index of the sums to add to: number of stones */
} plb_between;

/* Add the pairs of a filling, whose class is that of the cases, `times` times. */
int plb_outer_pairs_add(plb_pair_cases *cases, const plb_between *between, int times);
