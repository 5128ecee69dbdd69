/* SPDX-License-Identifier: MIT
 *
 * States of a sweep: what is known about the orders (column_automaton.h) of the columns so far. One
 * sweep counts two kinds of fillings:
 *
 *     unmarked  The columns must have an order.
 *     marked    The top stones of some columns are marked, all of one colour. The columns must have
 *               an order without any one of these stones. For each mark the state holds the
 *               automaton's state of the columns without this stone; of these only the most
 *               restrictive are kept. While further marks may come, it also holds that of the
 *               columns with all stones.
 *
 * Groups are the same if x and o are exchanged, but orders are not: x begins. A state has two
 * orientations: what is known of the columns as they are, and with colours exchanged. So the sweep
 * can exchange the colours at any time. Of each filling and the same with colours exchanged it
 * counts one, as many times as orientations are accepted.
 *
 * The states of a layer are numbered in the order in which they are found, each together with the
 * same state with colours exchanged. Must not know: games, positions, frontiers.
 */
#pragma once

#include <pthread.h>

#include "tables/reach/column_automaton.h"
#include "tables/tuple_set.h"

enum {
    PLB_MAX_MARKS = 8,
    PLB_UNMARKED = 2,       /* in place of the colour of marks */
    PLB_EDGE_BLOCK = 256,   /* states whose edges for one word are allocated together */
    PLB_NO_STATE = 0,       /* no filling of the remaining columns is counted */
    PLB_FIRST_STATE = 2,    /* number of the first state of a layer */
    PLB_NO_COLUMNS = 0xFFFF /* in place of an automaton's state that is no longer needed */
};

/* How a column is marked. */
typedef enum plb_column_marking {
    PLB_COLUMN_UNMARKED,    /* no mark; further marks may follow */
    PLB_COLUMN_MARKED,      /* the top stone is marked; further marks may follow */
    PLB_COLUMN_LESS,        /* the top stone is the only mark of all columns */
    PLB_COLUMN_MORE_O,      /* an o above the column, not in its word, is the only mark */
    PLB_COLUMN_MORE_X,      /* likewise an x */
    PLB_COLUMN_LAST,        /* no mark; no further marks may follow */
    PLB_COLUMN_MARKED_LAST, /* the top stone is marked; no further marks may follow */
    PLB_COLUMN_MARKINGS
} plb_column_marking;

/* What is known about the orders of the columns in one orientation. All zeros: there is none. */
typedef struct plb_orientation {
    uint16_t whole;               /* automaton's state of the columns with all stones */
    uint16_t count;               /* of lost */
    uint16_t lost[PLB_MAX_MARKS]; /* [count] ascending; without one of the marked stones */
} plb_orientation;

typedef struct plb_sweep_state {
    uint8_t colour;                  /* of the marks, 1: x; or PLB_UNMARKED */
    uint8_t odd;                     /* parity of the stones; one marked stone is not counted */
    uint16_t rotated;                /* 1: the rotations of a cylinder are counted already */
    plb_orientation orientations[2]; /* [1]: with colours exchanged */
} plb_sweep_state;

typedef struct plb_state_layer {
    /* plb_sweep_state, numbered from PLB_FIRST_STATE on: 2n + 1 is 2n with colours exchanged;
     * unused if that is the same state */
    plb_tuple_set states;
    size_t blocks; /* for all words together */
    /* [marking][blocks] edges of PLB_EDGE_BLOCK states for one word, to states of the next layer;
     * an edge is 0, and a block NULL, while not computed. Blocks, since a word is applied to many
     * consecutive states. */
    uint32_t **next[PLB_COLUMN_MARKINGS];
} plb_state_layer;

typedef struct plb_sweep_states {
    const plb_column_automaton *automaton;
    plb_state_inclusion *inclusions; /* [width + 1] */
    plb_state_layer *layers;         /* [width + 1] */
    pthread_mutex_t lock;            /* guards the addition of states and blocks */
} plb_sweep_states;

/* A state other than PLB_NO_STATE. */
static inline const plb_sweep_state *plb_sweep_state_at(const plb_sweep_states *states, int layer,
                                                        uint32_t state) {
    return plb_tuple_set_at(&states->layers[layer].states, state - PLB_FIRST_STATE);
}

/* Errors: PLB_ENOMEM, PLB_EINTERRUPTED. Call plb_sweep_states_end even after an error. */
int plb_sweep_states_begin(const plb_column_automaton *automaton, const volatile sig_atomic_t *stop,
                           plb_sweep_states *states);

void plb_sweep_states_end(plb_sweep_states *states);

/* The three functions below return the number of a state, which may be PLB_NO_STATE, or the
 * negative PLB_ENOMEM. */

/* The state of layer 0, before the first column. */
int64_t plb_sweep_states_first(plb_sweep_states *states);

/* The state of the next layer after a column. exchange: exchange the colours afterwards.
 * PLB_COLUMN_LESS, MORE_O and MORE_X are for unmarked states only. A column whose top stone is
 * marked is not empty. Threads: safe while all threads work on the same layer. */
int64_t plb_sweep_states_next(plb_sweep_states *states, int layer, uint32_t state, int word,
                              plb_column_marking marking, bool exchange);

/* The same state, but rotated. Threads: safe, for states of the next layer. */
int64_t plb_sweep_states_rotate(plb_sweep_states *states, int layer, uint32_t state);

/* The number of orientations, 0 to 2, in which a state of the last layer has an order. Of a marked
 * state: an order without any one marked stone, after which the colour of the marks is to move. */
int plb_sweep_states_accept(const plb_sweep_states *states, uint32_t state);
