/* SPDX-License-Identifier: MIT
 *
 * The three columns u, v, w in the middle of five, by the class (column_classes.h) that they make:
 * a class of three comes from couples of u and w, which make one of two, and words v. Of threes
 * that are mirror images there is the one where u has no higher number than w.
 *
 *     class of three    cells: class of two, v                 v: of a slice of all words
 *     class of two      couples, by full columns and stones
 *
 * Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_MIDDLE_COLUMNS_H
#define PLB_TABLES_COUNT_MIDDLE_COLUMNS_H

#include "tables/reach/column_classes.h"

/* Words u and w. */
typedef struct plb_couple {
    uint16_t u, w;
} plb_couple;

typedef struct plb_middle_cell {
    uint32_t two; /* class of the couples */
    uint32_t v;
} plb_middle_cell;

typedef struct plb_middle_columns {
    const plb_column_classes *classes;
    plb_couple *couples;    /* by classes, full columns, stones */
    uint32_t *couple_end;   /* [classes of two][full][stones], see plb_middle_couples */
    plb_middle_cell *cells; /* by classes */
    uint64_t *cell_end;     /* [classes of three] */
    double threes;          /* that there are with these cells */
} plb_middle_columns;

/* Make the couples, and no cells. Errors: PLB_ENOMEM; to be freed in any case. The classes, of five
 * columns, must outlive them, but for their last layer. */
int plb_middle_columns_make(const plb_column_classes *classes, plb_middle_columns *middle);

/* Make cells with the words of a slice, instead of those there were. Errors: PLB_ENOMEM. */
int plb_middle_columns_take(plb_middle_columns *middle);

void plb_middle_columns_free(plb_middle_columns *middle);

/* Couples of a class, so many of them full columns, with so many stones: [first, end). */
typedef struct plb_couples {
    const plb_couple *first, *end;
} plb_couples;

static inline plb_couples plb_middle_couples(const plb_middle_columns *m, uint32_t two, int full,
                                             int stones) {
    int most = 2 * m->classes->words->height;
    if (full < 0 || full > 2 || stones < 0 || stones > most) return (plb_couples){NULL, NULL};
    size_t at = ((size_t)two * 3 + full) * (most + 1) + stones;
    return (plb_couples){m->couples + m->couple_end[at], m->couples + m->couple_end[at + 1]};
}

/* Cells of a class: [first, end). */
typedef struct plb_middle_cells {
    const plb_middle_cell *first, *end;
} plb_middle_cells;

static inline plb_middle_cells plb_middle_cells_of(const plb_middle_columns *m, uint32_t class) {
    return (plb_middle_cells){m->cells + m->cell_end[class], m->cells + m->cell_end[class + 1]};
}

#endif
