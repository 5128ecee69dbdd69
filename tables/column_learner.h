/* SPDX-License-Identifier: MIT
 *
 * Learning the automaton of columns from single questions (column_order.h): states that answer all
 * questions asked so far alike are taken for one, until a counterexample tells them apart (Angluin;
 * Kearns and Vazirani, An Introduction to Computational Learning Theory, chapter 8; Rivest and
 * Schapire). What it arrives at is a conjecture, for column_proof.h to prove or to refute.
 * Must not know: games, positions.
 */
#ifndef PLB_TABLES_COLUMN_LEARNER_H
#define PLB_TABLES_COLUMN_LEARNER_H

#include "tables/column_automaton.h"
#include "tables/column_order.h"

/* What tells the states of a layer apart: a tree of completions. */
typedef struct plb_learner_node {
    int parent, child[2]; /* by the answer; of a leaf, child[0] is -1 */
    int item;             /* the state of a leaf, else the completion that is asked for */
} plb_learner_node;

typedef struct plb_learner_layer {
    int depth, completions, nodes; /* depth: columns read */
    int state_room, completion_room, node_room;
    uint16_t *access;         /* [states][depth] columns that lead to a state */
    uint16_t *completion;     /* [completions][width - depth] */
    plb_learner_node *tree;   /* [nodes], the first is the root */
    int *leaf;                /* [states] */
    int64_t *arrivals, *link; /* [states] first arrow that arrives; [states][words] next such one,
                                of the arrows that leave; -1 ends a list */
    uint64_t *moved; /* [states][words / 64, rounded up] a bit for each arrow: it, or one behind it,
                        has led elsewhere since it was last seen to commute with others */
} plb_learner_layer;

typedef struct plb_learner {
    plb_column_automaton *automaton; /* the conjecture */
    plb_column_order order;
    plb_learner_layer *layers; /* [width + 1] */
    const volatile sig_atomic_t *stop;
    int splits; /* states that were told apart */
} plb_learner;

/* The first conjecture, for an automaton of which width and words are given, with
 * layers[width + 1] of zeros. Errors: PLB_ENOMEM, PLB_ETOOBIG, PLB_EINTERRUPTED, also of what
 * follows. */
int plb_learner_begin(plb_column_automaton *automaton, const volatile sig_atomic_t *stop,
                      plb_learner *learner);

void plb_learner_end(plb_learner *learner);

/* Improve the conjecture by columns [width] that it may answer wrongly. */
int plb_learner_correct(plb_learner *learner, const uint16_t *columns);

/* Improve it until the order in which two columns are read never matters. */
int plb_learner_make_commute(plb_learner *learner);

#endif
