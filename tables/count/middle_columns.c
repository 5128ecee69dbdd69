/* SPDX-License-Identifier: MIT
 *
 * Counting sorts.
 */
#include "tables/count/middle_columns.h"

#include <stdlib.h>

#include "tables/vocabulary.h"

enum { TWO = 2, THREE = 3 }; /* columns of a class: so many layers of classes are before it */

static uint32_t class_of_couple(const plb_middle_columns *m, int u, int w) {
    uint32_t one = plb_column_class_next(m->classes, 0, PLB_EMPTY_CLASS, u);
    return plb_column_class_next(m->classes, 1, one, w);
}

/* ---- couples ---- */

/* Of a class of two how many ends there are. */
static size_t ends_of_class(const plb_middle_columns *m) {
    return 3 * (2 * (size_t)m->classes->words->height + 1);
}

static size_t place_of_couple(const plb_middle_columns *m, int u, int w) {
    const plb_column_words *words = m->classes->words;
    int stones[2] = {words->items[u].stones, words->items[w].stones}, height = words->height;
    int full = (stones[0] == height) + (stones[1] == height);
    return class_of_couple(m, u, w) * ends_of_class(m) + (size_t)full * (2 * height + 1) +
           stones[0] + stones[1];
}

/* While they are sorted, the end of a place is two further on, and then one. */
int plb_middle_columns_make(const plb_column_classes *classes, plb_middle_columns *middle) {
    size_t words = classes->words->count;
    *middle = (plb_middle_columns){.classes = classes};
    size_t places = classes->layers[TWO].count * ends_of_class(middle);
    middle->couples = calloc(words * (words + 1) / 2, sizeof *middle->couples);
    uint32_t *end = middle->couple_end = calloc(places + 2, sizeof *end);
    if (!middle->couples || !end) return PLB_ENOMEM;
    for (int u = 0; u < classes->words->count; u++)
        for (int w = u; w < classes->words->count; w++) end[place_of_couple(middle, u, w) + 2]++;
    for (size_t i = 2; i < places + 2; i++) end[i] += end[i - 1];
    for (int u = 0; u < classes->words->count; u++)
        for (int w = u; w < classes->words->count; w++)
            middle->couples[end[place_of_couple(middle, u, w) + 1]++] =
                (plb_couple){(uint16_t)u, (uint16_t)w};
    return PLB_OK;
}

/* ---- cells ---- */

static double count_couples(const plb_middle_columns *m, uint32_t two) {
    size_t ends = ends_of_class(m), first = two * ends;
    return (double)(m->couple_end[first + ends] - m->couple_end[first]);
}

static uint32_t class_of_cell(const plb_middle_columns *m, uint32_t two, int v) {
    return plb_column_class_next(m->classes, TWO, two, v);
}

int plb_middle_columns_take(plb_middle_columns *middle) {
    const plb_column_words *words = middle->classes->words;
    uint32_t twos = middle->classes->layers[TWO].count;
    uint32_t classes = middle->classes->layers[THREE].count;
    uint16_t *taken = calloc(words->count, sizeof *taken); /* words of the slice */
    size_t count = 0;
    free(middle->cells);
    free(middle->cell_end);
    for (int v = 0; v < words->count && taken; v++) taken[count++] = (uint16_t)v;
    middle->cells = malloc((twos * count + 1) * sizeof *middle->cells);
    uint64_t *end = middle->cell_end = calloc((size_t)classes + 2, sizeof *end);
    middle->threes = 0;
    bool is_made = taken && middle->cells && end;
    for (uint32_t two = PLB_DEAD_CLASS + 1; two < twos && is_made; two++)
        for (size_t i = 0; i < count; i++) {
            uint32_t class = class_of_cell(middle, two, taken[i]);
            end[class + 2]++;
            if (class != PLB_DEAD_CLASS) middle->threes += count_couples(middle, two);
        }
    for (uint32_t i = 2; i < classes + 2 && is_made; i++) end[i] += end[i - 1];
    for (uint32_t two = PLB_DEAD_CLASS + 1; two < twos && is_made; two++)
        for (size_t i = 0; i < count; i++)
            middle->cells[end[class_of_cell(middle, two, taken[i]) + 1]++] =
                (plb_middle_cell){two, taken[i]};
    free(taken);
    return is_made ? PLB_OK : PLB_ENOMEM;
}

void plb_middle_columns_free(plb_middle_columns *middle) {
    free(middle->couples);
    free(middle->couple_end);
    free(middle->cells);
    free(middle->cell_end);
    *middle = (plb_middle_columns){.threes = 0};
}
