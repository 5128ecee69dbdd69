/* SPDX-License-Identifier: MIT
 *
 * Computes classes from classes with one stone less, without a search. If columns have an order,
 * its last stone is on top of a column, and without it they have an order that ends with the other
 * colour. So filled columns m have, with some others, an order that ends with x exactly if one of
 * these holds; likewise for o:
 *
 *     own     x is on top of a column of m, and without it m and the others have an order that ends
 *             with o, or no stones (x begins)
 *     other   x is on top of one of the others, and without it m and they have such an order
 *
 * The first depends only on the *descent* of m: for each nonempty column of m, the class of m
 * without its top stone, and the colour of this stone. The second follows by induction on the
 * stones of the others. So columns with the same descent are of one class.
 *
 * The descent of m with one more column, a word w, has two parts: the descent of m with w added to
 * each class; and, with the colour of its top stone, the class of m with w without this stone. So
 * a row is computed for shorter words first. Rows are computed on demand, depth first; descents
 * with equal rows are one class. Must not know: games.
 */
#include "tables/reach/column_classes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "tables/array.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

/* The descents of a layer. A descent is an ascending list of steps, padded with zeros; a step is a
 * class << 1 | the colour of the stone, 1 for x. */
typedef struct descents {
    plb_tuple_set steps; /* rows of `layer` steps */
    uint32_t *classes;   /* [capacity] the class of each descent */
    uint32_t capacity;
} descents;

typedef struct maker {
    plb_column_classes *made;
    descents *descents; /* [width] by layer */
    uint32_t *rows;     /* [width][words] the row of each layer that is being computed */
    uint8_t *narrow;    /* [words] the row of the last layer as bytes */
    uint32_t max_classes;
    const volatile sig_atomic_t *stop;
} maker;

static int make_row(maker *m, int layer, const uint32_t *descent, int count);
static int64_t add_row(const maker *m, int layer);

/* ---- descents ---- */

/* Insert a step, unless it is there or its class is dead. Returns the new count. */
static int add_step(uint32_t *descent, int count, uint32_t class, bool x) {
    uint32_t step = class << 1 | x;
    int at = count;
    if (class == PLB_DEAD_CLASS) return count;
    while (at > 0 && descent[at - 1] > step) at--;
    if (at > 0 && descent[at - 1] == step) return count;
    for (int i = count; i > at; i--) descent[i] = descent[i - 1];
    descent[at] = step;
    return count + 1;
}

/* The class of a descent, which is padded with zeros; or an error. */
static int64_t find_class(maker *m, int layer, const uint32_t *descent, int count) {
    if (count == 0) return PLB_DEAD_CLASS;
    if (layer == m->made->width) {
        /* All columns are filled: only "own" applies. */
        for (int i = 0; i < count; i++) {
            if (descent[i] == (PLB_EVEN_CLASS << 1 | 1)) return PLB_ODD_CLASS;
            if (descent[i] == PLB_ODD_CLASS << 1) return PLB_EVEN_CLASS;
        }
        return PLB_DEAD_CLASS;
    }
    descents *d = &m->descents[layer];
    uint32_t before = d->steps.count;
    int64_t number = plb_tuple_set_add(&d->steps, descent);
    if (number < 0 || number < before) return number < 0 ? number : d->classes[number];
    if (d->capacity < d->steps.capacity) {
        if (!PLB_ARRAY_RESIZE(d->classes, d->steps.capacity)) return PLB_ENOMEM;
        d->capacity = d->steps.capacity;
    }
    int error = make_row(m, layer, descent, count);
    if (error) return error;
    int64_t class = add_row(m, layer);
    if (m->made->layers[layer].count > m->max_classes) return PLB_ETOOBIG;
    if (class >= 0) d->classes[number] = (uint32_t) class;
    return class;
}

/* ---- rows ---- */

static uint32_t *row_of(const maker *m, int layer) {
    return m->rows + (size_t)layer * m->made->words->count;
}

/* The class with the row that was computed, or an error. */
static int64_t add_row(const maker *m, int layer) {
    const uint32_t *row = row_of(m, layer);
    if (layer < m->made->width - 1) return plb_tuple_set_add(&m->made->layers[layer], row);
    for (int w = 0; w < m->made->words->count; w++) m->narrow[w] = (uint8_t)row[w];
    return plb_tuple_set_add(&m->made->layers[layer], m->narrow);
}

/* Compute the row of a descent: the class after each word. count 0: all columns are empty. */
static int make_row(maker *m, int layer, const uint32_t *descent, int count) {
    const plb_column_words *words = m->made->words;
    uint32_t *row = row_of(m, layer);
    for (int w = 0; w < words->count; w++) {
        uint32_t steps[PLB_MAX_COLUMNS + 1];
        int found = 0;
        for (int i = 0; i < count; i++)
            found =
                add_step(steps, found, plb_column_class_next(m->made, layer, descent[i] >> 1, w),
                         descent[i] & 1);
        if (w > 0)
            found = add_step(steps, found, row[words->items[w].below],
                             plb_column_word_x_on_top(&words->items[w]));
        for (int i = found; i <= layer; i++) steps[i] = 0;
        int64_t class =
            count == 0 && w == 0 ? PLB_EMPTY_CLASS : find_class(m, layer + 1, steps, found);
        if (class < 0) return (int)class;
        row[w] = (uint32_t) class;
    }
    return plb_is_stopped(m->stop) ? PLB_EINTERRUPTED : PLB_OK;
}

int plb_column_classes_make(int width, const plb_column_words *words, uint32_t max_classes,
                            const volatile sig_atomic_t *stop, plb_column_classes *classes) {
    maker m = {.made = classes, .max_classes = max_classes, .stop = stop};
    *classes = (plb_column_classes){.width = width, .words = words};
    classes->layers = calloc(width, sizeof *classes->layers);
    m.descents = calloc(width, sizeof *m.descents);
    m.rows = calloc((size_t)width * words->count, sizeof *m.rows);
    m.narrow = calloc(words->count, sizeof *m.narrow);
    int error = classes->layers && m.descents && m.rows && m.narrow ? PLB_OK : PLB_ENOMEM;
    for (int layer = width - 1; layer >= 0 && !error; layer--) {
        /* Add the dead and the empty class, which need those of the next layer. */
        bool last = layer == m.made->width - 1;
        m.made->layers[layer].bytes =
            m.made->words->count * (last ? sizeof(uint8_t) : sizeof(uint32_t));
        m.descents[layer].steps.bytes = layer * sizeof(uint32_t);
        int64_t class = add_row(&m, layer);
        error = class < 0 ? (int)class : make_row(&m, layer, NULL, 0);
        if (!error) class = add_row(&m, layer);
        if (!error) error = class < 0 ? (int)class : PLB_OK;
    }
    for (int layer = 0; m.descents && layer < m.made->width; layer++) {
        plb_tuple_set_free(&m.descents[layer].steps);
        free(m.descents[layer].classes);
    }
    free(m.descents);
    free(m.rows);
    free(m.narrow);
    if (error) plb_column_classes_free(classes);
    return error;
}

void plb_column_classes_free(plb_column_classes *classes) {
    for (int layer = 0; classes->layers && layer < classes->width; layer++)
        plb_tuple_set_free(&classes->layers[layer]);
    free(classes->layers);
    classes->layers = NULL;
}
