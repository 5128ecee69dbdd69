/* SPDX-License-Identifier: MIT
 *
 * The automaton of columns: reads the columns of a board with gravity one after another, in any
 * order, and decides whether the stones can have been placed one by one, x and o in turn, x first.
 * It has a layer of states for each number of columns read; columns that were read are equivalent
 * when every completion gives the same answer, and there is one state for each class. Groups play
 * no part, but that a column that holds a group by itself has no word.
 *
 * Must not know: games, positions.
 */
#ifndef PLB_TABLES_REACH_COLUMN_AUTOMATON_H
#define PLB_TABLES_REACH_COLUMN_AUTOMATON_H

#include <signal.h>
#include <stddef.h>

#include "tables/reach/column_words.h"

enum {
    PLB_DEAD_COLUMNS = 0, /* the state, of every layer, that nothing completes */
    PLB_MAX_STATES = 0xFFFF,
};

typedef struct plb_column_layer {
    int states;     /* the dead one among them */
    uint16_t *next; /* [states][words] states of the next layer; NULL in the last layer */
} plb_column_layer;

typedef struct plb_column_automaton {
    int width;                /* columns */
    plb_column_words words;   /* of a column */
    uint16_t first;           /* state of layer 0, which has read nothing */
    uint16_t accepting;       /* state of layer `width`: the columns have an order */
    plb_column_layer *layers; /* [width + 1] */
} plb_column_automaton;

/* The automaton of boards of `width` columns and `height` rows with groups of k in a column; width
 * at most PLB_MAX_COLUMNS. Exact (column_classes.h); what is read from elsewhere can be proved
 * (automaton_proof.h). States have the numbers in whose order the columns of states with lower ones
 * lead to them, words ascending, so that they do not depend on how they are found.
 *
 * stop  [in]  becomes not 0 when the work shall end, or NULL
 *
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; PLB_ETOOBIG if the automaton would have more than
 * PLB_MAX_STATES in a layer, or too many words. The caller frees it. Cost: for 7x6 40 ms, for 4x11
 * 15 s and 1.3 GB. */
int plb_column_automaton_make(int width, int height, int k, const volatile sig_atomic_t *stop,
                              plb_column_automaton *automaton);

void plb_column_automaton_free(plb_column_automaton *automaton);

/* About how many seconds of processor time that takes, within a factor of three. */
double plb_column_automaton_seconds(int width, int height, int k);

/* Have the columns of a board an order? x: stones of x, a part of `occupied`; bit column * height +
 * row, the columns in any order, each filled from row 0 on. Of columns without a group in one of
 * them; else false. Cost: two look-ups for each column, whatever the answer. */
bool plb_column_automaton_accepts(const plb_column_automaton *automaton, uint64_t x,
                                  uint64_t occupied);

/* The state after a column more. */
static inline int plb_column_next(const plb_column_automaton *automaton, int layer, int state,
                                  int word) {
    return automaton->layers[layer].next[(size_t)state * automaton->words.count + word];
}

/* ---- which state accepts whatever another one of its layer accepts ---- */

typedef struct plb_state_inclusion {
    size_t row;     /* words of a row */
    uint64_t *bits; /* [states][row] bit s of row r: s accepts whatever r accepts */
} plb_state_inclusion;

/* Compare the states of all layers, for `inclusions` [width + 1].
 * Errors: PLB_ENOMEM, PLB_EINTERRUPTED; what was made is freed by plb_state_inclusions_free. */
int plb_state_inclusions_make(const plb_column_automaton *automaton,
                              const volatile sig_atomic_t *stop, plb_state_inclusion *inclusions);

void plb_state_inclusions_free(const plb_column_automaton *automaton,
                               plb_state_inclusion *inclusions);

static inline bool plb_state_includes(const plb_state_inclusion *in, int small, int big) {
    return in->bits[small * in->row + big / 64] >> (big % 64) & 1;
}

#endif
