/* SPDX-License-Identifier: MIT
 *
 * States of a sweep: what is known, of the columns so far, about the orders in which their stones
 * can have been placed. Two counts share a sweep:
 *
 *     unmarked  the columns shall have an order;
 *     marked    top stones of some columns are marked, all of one colour, and the columns shall
 * have an order whichever of these stones they lose. The state holds those of the automaton for
 * each mark, of which only the ones that accept least matter; and while further marks may come,
 * that of the columns with all their stones.
 *
 * Whether stones make a group does not depend on who is x and who is o, but for an order it
 * matters: x begins. So colours can be exchanged at any time, where it is known of the columns both
 * whether they have an order and whether they would with x for o and o for x: these are the
 * orientations of a state. Of columns and the same with colours exchanged the sweep has one, which
 * counts as often as it has orientations that are accepted.
 *
 * States are numbered by layers, as they are met, and each together with that of the columns with
 * colours exchanged. Must not know: games, positions, frontiers.
 */
#ifndef PLB_TABLES_COUNT_SWEEP_STATES_H
#define PLB_TABLES_COUNT_SWEEP_STATES_H

#include <pthread.h>

#include "tables/reach/column_automaton.h"
#include "tables/tuple_set.h"

enum {
    PLB_MAX_MARKS = 8,
    PLB_UNMARKED = 2,       /* as the colour of marks */
    PLB_EDGE_BLOCK = 256,   /* states whose edges to a word have room together */
    PLB_NO_STATE = 0,       /* of a count: the number of the one that nothing completes */
    PLB_FIRST_STATE = 2,    /* the number of the first other one */
    PLB_NO_COLUMNS = 0xFFFF /* of the automaton: not needed any more */
};

/* What a column adds. */
typedef enum plb_column_marking {
    PLB_COLUMN_UNMARKED, /* no stone of it is marked */
    PLB_COLUMN_MARKED,   /* its top stone is, and further marks may come */
    PLB_COLUMN_LESS,     /* its top stone is the only mark */
    PLB_COLUMN_MORE_O,   /* an o that falls onto it later is the only mark */
    PLB_COLUMN_MORE_X,   /* an x that does */
    PLB_COLUMN_LAST,     /* no stone of it is marked, and no further marks may come */
    PLB_COLUMN_MARKED_LAST,
    PLB_COLUMN_MARKINGS
} plb_column_marking;

/* What is known about the orders of columns as they are, or with colours exchanged. All zeros:
 * nothing gives them one. */
typedef struct plb_orientation {
    uint16_t whole;               /* state of the columns with all their stones */
    uint16_t count;               /* of lost */
    uint16_t lost[PLB_MAX_MARKS]; /* [count] after the loss of a marked stone, ascending */
} plb_orientation;

typedef struct plb_sweep_state {
    uint8_t colour;                  /* of the marks, 1: x; or PLB_UNMARKED */
    uint8_t odd;                     /* number of stones, without one marked stone */
    uint16_t placed;                 /* 1: the cut of a cylinder has its place */
    plb_orientation orientations[2]; /* [1]: with colours exchanged */
} plb_sweep_state;

typedef struct plb_state_layer {
    /* plb_sweep_state, from PLB_FIRST_STATE on: 2n + 1 is 2n with colours exchanged; unused where
     * 2n is that */
    plb_tuple_set states;
    size_t blocks; /* of edges, of all words */
    /* [blocks] edges of PLB_EDGE_BLOCK states each to those after a column, 0: not known yet; NULL:
     * no such word came so. A word comes after many states, one after another. */
    uint32_t **next[PLB_COLUMN_MARKINGS];
} plb_state_layer;

typedef struct plb_sweep_states {
    const plb_column_automaton *automaton;
    plb_state_inclusion *inclusions; /* [width + 1] */
    plb_state_layer *layers;         /* [width + 1] */
    pthread_mutex_t lock;            /* guards what is found */
} plb_sweep_states;

/* A state other than PLB_NO_STATE. */
static inline const plb_sweep_state *plb_sweep_state_at(const plb_sweep_states *states, int layer,
                                                        uint32_t state) {
    return plb_tuple_set_at(&states->layers[layer].states, state - PLB_FIRST_STATE);
}

/* Errors: PLB_ENOMEM, PLB_EINTERRUPTED; in any case to be ended. */
int plb_sweep_states_begin(const plb_column_automaton *automaton, const volatile sig_atomic_t *stop,
                           plb_sweep_states *states);

void plb_sweep_states_end(plb_sweep_states *states);

/* Each gives the number of a state, PLB_NO_STATE included, or the negative PLB_ENOMEM. That of
 * layer 0, before the first column: */
int64_t plb_sweep_states_first(plb_sweep_states *states);

/* The state, of the next layer, after a column, and colours are exchanged then. Threads: safe,
 * while all are at one layer; states of the next one are for later. PLB_COLUMN_LESS and those after
 * it but the last two are for unmarked states; a column that is marked or loses a stone is not
 * empty. */
int64_t plb_sweep_states_next(plb_sweep_states *states, int layer, uint32_t state, int word,
                              plb_column_marking marking, bool exchange);

/* The same state, but placed. Threads: safe, as above, with states of the next layer. */
int64_t plb_sweep_states_place(plb_sweep_states *states, int layer, uint32_t state);

/* Of the last layer: on how many orientations an order exists; for a marked state, one in which the
 * player of the marked stone is to move when it is lost. */
int plb_sweep_states_accept(const plb_sweep_states *states, uint32_t state);

#endif
