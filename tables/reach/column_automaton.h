/* SPDX-License-Identifier: MIT
 *
 * A finite automaton that reads the columns of a board with gravity, in any sequence, and decides
 * whether they have an *order*: whether the stones can have been placed one by one, x first, then
 * in turn. It is minimal: there is a layer of states for each number of columns read, and sets of
 * columns share a state if every completion gives the same answer. Groups do not matter, except
 * that a column with a group has no word.
 *
 * Must not know: games, positions.
 */
#pragma once

#include <signal.h>
#include <stddef.h>

#include "tables/reach/column_words.h"

enum {
    PLB_DEAD_COLUMNS = 0, /* the state of every layer from which no completion is accepted */
    PLB_MAX_STATES = 0xFFFF,
};

typedef struct plb_column_layer {
    int states;     /* with the dead one */
    uint16_t *next; /* [states][words] state of the next layer; NULL in the last layer */
} plb_column_layer;

typedef struct plb_column_automaton {
    int width;                /* columns */
    plb_column_words words;   /* of a column */
    uint16_t first;           /* state of layer 0, before any column */
    uint16_t accepting;       /* state of layer `width`: the columns have an order */
    plb_column_layer *layers; /* [width + 1] */
} plb_column_automaton;

/* Make the automaton for boards of `width` columns, at most PLB_MAX_COLUMNS, and `height` rows with
 * groups of k in a column. It is exact (column_classes.h); one from another source can be verified
 * (automaton_proof.h). The states of a layer are numbered in the order in which they are reached
 * from the states of the layer before, in ascending order, by ascending words: so the numbers do
 * not depend on the algorithm.
 *
 * stop  [in]  set to nonzero to interrupt; NULL: never
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ETOOBIG if a layer has more than PLB_MAX_STATES states,
 * or there are too many words. The caller frees it. Cost: 7x6: 40 ms; 4x11: 15 s and 1.3 GB. */
int plb_column_automaton_make(int width, int height, int k, const volatile sig_atomic_t *stop,
                              plb_column_automaton *automaton);

void plb_column_automaton_free(plb_column_automaton *automaton);

/* Estimate the processor time of this in seconds, within a factor of three. */
double plb_column_automaton_seconds(int width, int height, int k);

/* Do the columns of a board have an order? False if a column has a group.
 *
 * x         [in]  the stones of x, a subset of `occupied`
 * occupied  [in]  all stones: bit column * height + row, each column filled from row 0 on; columns
 *                 in any sequence
 *
 * Cost: two look-ups for each column, whatever the answer. */
bool plb_column_automaton_accepts(const plb_column_automaton *automaton, uint64_t x,
                                  uint64_t occupied);

/* The state after one more column. */
static inline int plb_column_next(const plb_column_automaton *automaton, int layer, int state,
                                  int word) {
    return automaton->layers[layer].next[(size_t)state * automaton->words.count + word];
}

/* ---- inclusions: which state of a layer accepts whatever another one accepts? ---- */

typedef struct plb_state_inclusion {
    size_t row;     /* 64-bit words of a row */
    uint64_t *bits; /* [states][row] bit s of row r: s accepts whatever r accepts */
} plb_state_inclusion;

/* Compare all pairs of states of every layer. inclusions: [width + 1] zeros, allocated by the
 * caller. Errors: PLB_ENOMEM, PLB_EINTERRUPTED. Free with plb_state_inclusions_free, even after an
 * error; this also frees the array. */
int plb_state_inclusions_make(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop, plb_state_inclusion *inclusions);

void plb_state_inclusions_free(const plb_column_automaton *automaton,
                               plb_state_inclusion *inclusions);

/* Does state `big` accept whatever `small` accepts? */
static inline bool plb_state_includes(const plb_state_inclusion *in, int small, int big) {
    return in->bits[small * in->row + big / 64] >> (big % 64) & 1;
}
