/* SPDX-License-Identifier: MIT
 *
 * Counts the ways to fill the columns of a board by a transfer matrix, from left to right. After
 * each column there is a set of frontiers (frontier.h), each with its weights
 * (frontier_weights.h) by states of the sweep (sweep_states.h).
 *
 * For each height, a column is filled from the top stone downwards. Once a cell is filled, or known
 * to be empty, the run that ended to the left of it is forgotten. So many frontiers become equal,
 * and their weights are added up at once. The states change only when the column is complete; a
 * rule (plb_transition_rule) decides how.
 *
 * Frontiers that differ only by an exchange of colours are stored as one, and such positions are
 * counted together: states have two orientations (sweep_states.h).
 *
 * Fillings of a column with the same upper stones are a subtree, which an idle thread can take
 * over. The results of all threads are merged after each column. Must not know: games.
 */
#pragma once

#include "tables/count/count_types.h"
#include "tables/count/frontier.h"
#include "tables/count/frontier_weights.h"
#include "tables/count/sweep_states.h"
#include "tables/threads.h"

/* Which mark a column adds (plane_count.c). */
typedef enum plb_new_mark { PLB_MARK_NONE, PLB_MARK_FIRST, PLB_MARK_MORE } plb_new_mark;

/* A column word takes the weights of one frontier to another frontier. */
typedef struct plb_transition {
    const plb_weights *weights;
    uint32_t from; /* owner in `weights` */
    int word;      /* of the column */
    plb_new_mark mark;
    int times;     /* factor for the weights */
    bool last;     /* no further marks may follow */
    bool exchange; /* exchange the colours afterwards; set by plb_sweep_add */
    int rotations; /* not 0: only from states that are not rotated; the weights go, this many times,
                      also to the rotated state (plb_sweep_state). 0: `rotated` does not change */
} plb_transition;

typedef struct plb_sweep_worker plb_sweep_worker;

/* Callback for a frontier after a complete column: calls plb_sweep_add for each transition.
 * Threads: called by several at the same time, each with its own worker. */
typedef struct plb_transition_rule {
    int (*apply)(const void *context, plb_sweep_worker *worker, const plb_transition *transition,
                 const plb_frontier *frontier);
    const void *context;
} plb_transition_rule;

typedef struct plb_sweep {
    plb_frontier_board board; /* owns its columns */
    const plb_column_automaton *automaton;
    plb_sweep_states states;
    /* [width] factor for positions whose only mark is in the column; they need no group */
    uint8_t single_marks[PLB_MAX_COLUMNS];
    int unmarked_end; /* from this column on, a state without marks is dropped unless the column
                         adds one; width: never dropped */
    bool rotated; /* count the states that are rotated (sweep_states.h), else those that are not */
    bool exchanges; /* treat both colours alike: store frontiers that differ only by an exchange of
                       colours as one */
    const plb_transition_rule *rule;
    int column;   /* the current one */
    double share; /* of the current column that is done, 0 to 1 */
    plb_threads threads;
    plb_sweep_worker *workers; /* [threads.count] */
    pthread_mutex_t lock;      /* guards `share` */
    const plb_count_work *work;
} plb_sweep;

/* Frontiers after a part of a column. */
typedef struct plb_frontier_set {
    plb_frontier_table frontiers;
    plb_weights weights; /* by frontier */
} plb_frontier_set;

/* Per-thread state, and the results of a thread in the current column. */
enum { PLB_SPARE_SETS = 8 };
struct plb_sweep_worker {
    plb_sweep *sweep;
    plb_frontier_table frontiers; /* after the column */
    plb_weights parts;            /* an owner for each transition */
    int64_t *parts_to;            /* [parts.owners] index in `frontiers` */
    uint32_t parts_capacity;
    plb_weight_sums sums;
    plb_frontier_set spare[PLB_SPARE_SETS]; /* empty sets whose memory is used again; page faults
                                               of new memory would take a sixth of the time */
    int spares;
};

/* All errors: PLB_ENOMEM, PLB_EINTERRUPTED. */

/* Begin a sweep. k: stones of a group that spans columns; 1: there are none. limbs: 64-bit words of
 * a number. automaton and work must outlive the sweep. Call plb_sweep_end even after an error. */
int plb_sweep_begin(const plb_column_automaton *automaton, int k, int limbs,
                    const plb_count_work *work, plb_sweep *sweep);
void plb_sweep_end(plb_sweep *sweep);

/* Sweep over all columns of sweep->board, and add `times` times the numbers found to the counts of
 * each ply. A filling counts once if it has an order, and once if its exchange of colours has. */
int plb_sweep_count(plb_sweep *sweep, const plb_transition_rule *rule, int times,
                    plb_ply_count *plies);

/* For rules: add the weights of a transition to frontier `to`. */
int plb_sweep_add(plb_sweep_worker *worker, const plb_transition *transition,
                  const plb_frontier *to);
