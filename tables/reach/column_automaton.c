/* SPDX-License-Identifier: MIT
 *
 * Makes the automaton from the classes of columns (column_classes.h). The colour of the last stone
 * no longer matters, so some classes are merged to one state. States are numbered in the order in
 * which they are reached.
 */
#include "tables/reach/column_automaton.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tables/reach/column_classes.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

/* Merges classes to states. States have temporary numbers until number_states. */
typedef struct merger {
    const plb_column_classes *classes;
    plb_tuple_set *layers; /* [width] rows: the successors of a state, by word; dead one first */
    uint32_t **states;     /* [width + 1][classes] state of a class */
    uint32_t **order;      /* [width + 1][states] states by their final numbers */
} merger;

static int merge(const plb_column_classes *classes, merger *m) {
    int width = classes->width;
    *m = (merger){.classes = classes};
    m->layers = calloc(width, sizeof *m->layers);
    m->states = calloc(width + 1, sizeof *m->states);
    if (!m->layers || !m->states) return PLB_ENOMEM;
    uint32_t *last = m->states[width] = calloc(PLB_ODD_CLASS + 1, sizeof *last);
    if (!last) return PLB_ENOMEM;
    last[PLB_EVEN_CLASS] = last[PLB_ODD_CLASS] = 1;
    int error = PLB_OK;
    for (int layer = width - 1; layer >= 0 && !error; layer--) {
        /* The row of a class: the states of the next layer that it leads to. */
        uint32_t count = m->classes->layers[layer].count;
        int words = m->classes->words->count;
        uint32_t *row = calloc(words, sizeof *row);
        m->states[layer] = calloc(count, sizeof *m->states[layer]);
        error = row && m->states[layer] ? PLB_OK : PLB_ENOMEM;
        m->layers[layer].bytes = words * sizeof *row;
        for (uint32_t class = 0; class < count && !error; class ++) {
            for (int word = 0; word < words; word++)
                row[word] =
                    m->states[layer + 1][plb_column_class_next(m->classes, layer, class, word)];
            int64_t state = plb_tuple_set_add(&m->layers[layer], row);
            m->states[layer][class] = (uint32_t)state;
            if (state < 0) error = (int)state;
        }
        free(row);
    }
    return error;
}

/* Number the states of the next layer, and set the successors of this one, whose states have their
 * final numbers. numbers: [states of the next layer] zeros. */
static void number_successors(merger *m, int layer, uint32_t *numbers, plb_column_automaton *a) {
    int words = a->words.count, live = 0;
    for (int state = PLB_DEAD_COLUMNS + 1; state < a->layers[layer].states; state++) {
        const uint32_t *row = plb_tuple_set_at(&m->layers[layer], m->order[layer][state]);
        uint16_t *next = a->layers[layer].next + (size_t)state * words;
        for (int word = 0; word < words; word++) {
            if (row[word] != PLB_DEAD_CLASS && numbers[row[word]] == 0) {
                numbers[row[word]] = ++live;
                m->order[layer + 1][live] = row[word];
            }
            next[word] = (uint16_t)numbers[row[word]];
        }
    }
    a->layers[layer + 1].states = live + 1;
}

static int number_states(merger *m, plb_column_automaton *a) {
    int error = PLB_OK;
    m->order = calloc(a->width + 1, sizeof *m->order);
    a->layers = calloc(a->width + 1, sizeof *a->layers);
    if (!m->order || !a->layers) return PLB_ENOMEM;
    m->order[0] = calloc(2, sizeof *m->order[0]);
    if (!m->order[0]) return PLB_ENOMEM;
    m->order[0][1] = m->states[0][PLB_EMPTY_CLASS];
    a->layers[0].states = 2;
    a->first = a->accepting = 1;
    for (int layer = 0; layer < a->width && !error; layer++) {
        size_t states = layer + 1 < a->width ? m->layers[layer + 1].count : 2;
        uint32_t *numbers = calloc(states, sizeof *numbers);
        a->layers[layer].next =
            calloc((size_t)a->layers[layer].states * a->words.count, sizeof(uint16_t));
        m->order[layer + 1] = calloc(states, sizeof *m->order[layer + 1]);
        bool has_memory = numbers && a->layers[layer].next && m->order[layer + 1];
        if (has_memory) number_successors(m, layer, numbers, a);
        free(numbers);
        error = has_memory ? PLB_OK : PLB_ENOMEM;
    }
    return error;
}

int plb_column_automaton_make(int width, int height, int k, const volatile sig_atomic_t *stop,
                              plb_column_automaton *automaton) {
    plb_column_automaton a = {.width = width};
    plb_column_classes classes;
    int error = plb_column_words_make(height, k, &a.words);
    if (error) return error;
    error = plb_column_classes_make(width, &a.words, PLB_MAX_STATES, stop, &classes);
    if (!error) {
        merger m;
        error = merge(&classes, &m);
        if (!error) error = number_states(&m, &a);
        for (int n = 0; n <= width; n++) {
            if (m.layers && n < width) plb_tuple_set_free(&m.layers[n]);
            if (m.states) free(m.states[n]);
            if (m.order) free(m.order[n]);
        }
        free(m.layers);
        free(m.states);
        free(m.order);
        plb_column_classes_free(&classes);
    }
    if (error)
        plb_column_automaton_free(&a);
    else
        *automaton = a;
    return error;
}

/* Fitted to boards of 4 to 13 columns and 4 to 11 rows, with k 4. */
double plb_column_automaton_seconds(int width, int height, int k) {
    double words = plb_column_words_estimate(height, k);
    return 4e-7 * width * words * words;
}

bool plb_column_automaton_accepts(const plb_column_automaton *automaton, uint64_t x,
                                  uint64_t occupied) {
    int height = automaton->words.height, state = automaton->first;
    uint64_t column = plb_low_bits(height);
    for (int layer = 0; layer < automaton->width; layer++) {
        int shift = layer * height, stones = plb_popcount(occupied >> shift & column);
        int word = plb_column_words_find(&automaton->words, x >> shift & column, stones);
        if (word == PLB_NO_WORD) return false;
        state = plb_column_next(automaton, layer, state, word);
    }
    return state == automaton->accepting;
}

void plb_column_automaton_free(plb_column_automaton *automaton) {
    for (int layer = 0; automaton->layers && layer <= automaton->width; layer++)
        free(automaton->layers[layer].next);
    free(automaton->layers);
    automaton->layers = NULL;
    plb_column_words_free(&automaton->words);
}

/* ---- inclusions ----
 *
 * From the last layer backwards: a state includes another if its successor does for every word. */

static bool next_includes(const plb_column_automaton *a, int layer, const plb_state_inclusion *next,
                          int small, int big) {
    for (int word = 0; word < a->words.count; word++)
        if (!plb_state_includes(next, plb_column_next(a, layer, small, word),
                                plb_column_next(a, layer, big, word)))
            return false;
    return true;
}

static int find_inclusions(const plb_column_automaton *a, int layer,
                           const volatile sig_atomic_t *stop, plb_state_inclusion *in) {
    int states = a->layers[layer].states;
    in->row = (states + 63) / 64;
    in->bits = calloc(states * in->row, sizeof *in->bits);
    if (!in->bits) return PLB_ENOMEM;
    for (int small = 0; small < states; small++) {
        if (plb_is_stopped(stop)) return PLB_EINTERRUPTED;
        for (int big = 0; big < states; big++)
            if (small == big || (layer == a->width ? big == a->accepting
                                                   : next_includes(a, layer, in + 1, small, big)))
                in->bits[small * in->row + big / 64] |= 1ULL << (big % 64);
    }
    return PLB_OK;
}

int plb_state_inclusions_make(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop, plb_state_inclusion *inclusions) {
    int error = PLB_OK;
    for (int layer = automaton->width; layer >= 0 && !error; layer--)
        error = find_inclusions(automaton, layer, stop, &inclusions[layer]);
    return error;
}

void plb_state_inclusions_free(const plb_column_automaton *automaton,
                               plb_state_inclusion *inclusions) {
    for (int layer = 0; inclusions && layer <= automaton->width; layer++)
        free(inclusions[layer].bits);
    free(inclusions);
}
