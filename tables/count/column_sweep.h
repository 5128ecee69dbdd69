/* SPDX-License-Identifier: MIT
 *
 * A transfer matrix over the columns of a board, from left to right, to count in how many ways they
 * can be filled: after each column there is a set of frontiers (frontier.h) that the columns so far
 * may leave, with their weights (frontier_weights.h) by states of the sweep (sweep_states.h).
 *
 * A column is filled from its height downwards, stone by stone. What was to the left of a cell that
 * is filled, or left empty, matters to the frontier no more, so that many frontiers become the
 * same, whose weights are added up before anything else is done with them. Only when the word is
 * whole do the states change; how, a rule decides.
 *
 * Frontiers that differ only by an exchange of colours are one, and positions that do are counted
 * together: weights hold both, by states with two orientations (sweep_states.h).
 *
 * Columns that begin with the same stones from above are a subtree, which an idle thread takes
 * over; what all threads found is put together when the column is done. Must not know: games.
 */
#ifndef PLB_TABLES_COUNT_COLUMN_SWEEP_H
#define PLB_TABLES_COUNT_COLUMN_SWEEP_H

#include "tables/count/count_types.h"
#include "tables/count/frontier.h"
#include "tables/count/frontier_weights.h"
#include "tables/count/sweep_states.h"
#include "tables/threads.h"

/* Which mark a whole column adds. */
typedef enum plb_new_mark { PLB_MARK_NONE, PLB_MARK_FIRST, PLB_MARK_MORE } plb_new_mark;

/* The weights of a frontier go through a word to another frontier. */
typedef struct plb_transition {
    const plb_weights *weights;
    uint32_t from; /* the owner of these weights */
    int word;
    plb_new_mark mark;
    int times;     /* they count so often */
    bool last;     /* no further marks may come */
    bool exchange; /* they leave it with colours exchanged; set by plb_sweep_add */
    int place;     /* so many times also into states whose cut has its place, from those without
                      alone; 0: states keep what they are */
} plb_transition;

typedef struct plb_sweep_worker plb_sweep_worker;

/* Of a frontier after a whole word: which transitions (plb_sweep_add) it means. Threads: several at
 * the same time, each with a worker of its own. */
typedef struct plb_transition_rule {
    int (*apply)(const void *context, plb_sweep_worker *worker, const plb_transition *transition,
                 const plb_frontier *frontier);
    const void *context;
} plb_transition_rule;

typedef struct plb_sweep {
    plb_frontier_board board; /* its columns are owned by the sweep */
    const plb_column_automaton *automaton;
    plb_sweep_states states;
    /* [width] how often a position counts whose only mark is in the column; it needs no group */
    uint8_t single_marks[PLB_MAX_COLUMNS];
    int unmarked_end; /* from this column on nothing unmarked goes on, but for its marks; width: all
                         does */
    bool placed;      /* count states whose cut has its place, else the others */
    bool exchanges;   /* both colours may lie in the same cells, so that frontiers that differ only
                         by an exchange of colours are one; else they are kept apart */
    const plb_transition_rule *rule;
    int column;   /* that is being filled */
    double share; /* of it that is done */
    plb_threads threads;
    plb_sweep_worker *workers; /* [threads.count] */
    pthread_mutex_t lock;      /* guards `share` */
    const plb_count_work *work;
} plb_sweep;

/* Frontiers after a part of a column. */
typedef struct plb_frontier_set {
    plb_frontier_table frontiers;
    plb_weights weights; /* the owners are the frontiers */
} plb_frontier_set;

/* What one thread has found in a column. */
enum { PLB_SPARE_SETS = 8 };
struct plb_sweep_worker {
    plb_sweep *sweep;
    plb_frontier_table frontiers; /* after the column */
    plb_weights parts;            /* of each transition: the weights that go to .. */
    int64_t *parts_to;            /* .. which of these frontiers */
    uint32_t parts_capacity;
    plb_weight_sums sums;
    plb_frontier_set spare[PLB_SPARE_SETS]; /* empty, but their memory serves again: fresh memory
                                               takes a sixth of the time */
    int spares;
};

/* Errors of all: PLB_ENOMEM, PLB_EINTERRUPTED. */

/* Begin to sweep boards with groups of k in several columns, k 1: none. limbs: words of a number.
 * automaton and work must outlive the sweep. In any case to be ended. */
int plb_sweep_begin(const plb_column_automaton *automaton, int k, int limbs,
                    const plb_count_work *work, plb_sweep *sweep);
void plb_sweep_end(plb_sweep *sweep);

/* Sweep over all columns, as board.columns says, and add what was found, so many times, to the
 * counts of each ply: those that have an order, and those that have one with colours exchanged. */
int plb_sweep_count(plb_sweep *sweep, const plb_transition_rule *rule, int times,
                    plb_ply_count *plies);

/* For rules: the frontier gets the weights of the transition. */
int plb_sweep_add(plb_sweep_worker *worker, const plb_transition *transition,
                  const plb_frontier *to);

#endif
