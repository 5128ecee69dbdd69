/* SPDX-License-Identifier: MIT
 *
 * Equivalence classes of partly filled boards with gravity. Some columns are filled already, the
 * others will be. All columns together either have an order (column_automaton.h) that ends with x,
 * one that ends with o, or none. Fillings of some columns are in one class if this result is the
 * same for every filling of the other columns. Layer n has the classes of n filled columns; with
 * one more column a class leads to a class of the next layer.
 *
 * Must not know: games, positions.
 */
#pragma once

#include <signal.h>

#include "tables/reach/column_words.h"
#include "tables/tuple_set.h"

enum {
    PLB_DEAD_CLASS = 0,  /* of every layer: no filling of the others gives an order */
    PLB_EMPTY_CLASS = 1, /* of every layer but the last: all columns are empty */
    PLB_EVEN_CLASS = 1,  /* of the last layer: an order, with as many x as o */
    PLB_ODD_CLASS = 2,   /* of the last layer: an order, with one x more */
};

typedef struct plb_column_classes {
    int width; /* columns */
    const plb_column_words *words;
    plb_tuple_set *layers; /* [width] in layer n a row for each class: the classes of layer n + 1
                              that it leads to, by word. They are uint32_t, but uint8_t in layer
                              width - 1, which has many rows */
} plb_column_classes;

/* Make the classes for boards of `width` columns, at most PLB_MAX_COLUMNS.
 *
 * words        [in]  must outlive `classes`
 * max_classes  [in]  of a layer
 * stop         [in]  set to nonzero to interrupt; NULL: never
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ETOOBIG if a layer has more than max_classes. The
 * caller frees them. Cost, with groups of four: 7x6: 40 ms; 4x11: 15 s and 0.5 GB. */
int plb_column_classes_make(int width, const plb_column_words *words, uint32_t max_classes,
                            const volatile sig_atomic_t *stop, plb_column_classes *classes);

void plb_column_classes_free(plb_column_classes *classes);

/* The class after one more column. */
static inline uint32_t plb_column_class_next(const plb_column_classes *classes, int layer,
                                             uint32_t number, int word) {
    const void *row = plb_tuple_set_at(&classes->layers[layer], number);
    return layer == classes->width - 1 ? ((const uint8_t *)row)[word]
                                       : ((const uint32_t *)row)[word];
}
