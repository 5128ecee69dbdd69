/* SPDX-License-Identifier: MIT
 *
 * Classes of columns. Some columns of a board with gravity are filled, others not yet. Whatever
 * these will hold, all of them together either cannot be filled one stone at a time, x and o in
 * turn, x first; or they can, and then the number of stones says whose stone is the last. Filled
 * columns for which that is the same with every filling of the others make a class. In a layer are
 * the classes of so many columns; with a column more they lead to one of the next layer.
 *
 * Must not know: games, positions.
 */
#ifndef PLB_TABLES_REACH_COLUMN_CLASSES_H
#define PLB_TABLES_REACH_COLUMN_CLASSES_H

#include <signal.h>

#include "tables/reach/column_words.h"
#include "tables/tuple_set.h"

enum {
    PLB_DEAD_CLASS = 0,  /* of every layer: whatever is added, there is no order */
    PLB_EMPTY_CLASS = 1, /* of empty columns */
    PLB_EVEN_CLASS = 1,  /* of the last layer: in order, with as many x as o */
    PLB_ODD_CLASS = 2,   /* of the last layer: in order, with an x more */
};

typedef struct plb_column_classes {
    int width; /* columns */
    const plb_column_words *words;
    plb_tuple_set *layers; /* [width] of layer n a row for each class, with a number for each word:
                            the class of layer n + 1 that it leads to. A number is a uint32_t, in
                            the last of these layers, whose rows are many, a uint8_t */
} plb_column_classes;

/* The classes of boards of `width` columns, at most PLB_MAX_COLUMNS.
 *
 * most  [in]  classes that a layer may have
 * stop  [in]  becomes not 0 when the work shall end, or NULL
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ETOOBIG if a layer has more. The caller frees them, and
 * lets `words` outlive them. Cost: 7x6 with groups of four 40 ms, 4x11 15 s and 0.5 GB. */
int plb_column_classes_make(int width, const plb_column_words *words, uint32_t most,
                            const volatile sig_atomic_t *stop, plb_column_classes *classes);

void plb_column_classes_free(plb_column_classes *classes);

/* The class after a column more. */
static inline uint32_t plb_column_class_next(const plb_column_classes *classes, int layer,
                                             uint32_t number, int word) {
    const void *row = plb_tuple_set_at(&classes->layers[layer], number);
    return layer == classes->width - 1 ? ((const uint8_t *)row)[word]
                                       : ((const uint32_t *)row)[word];
}

#endif
