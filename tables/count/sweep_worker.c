/* SPDX-License-Identifier: MIT
 *
 * What one thread finds: frontiers after words that are whole, and their weights.
 */
#include <stdlib.h>

#include "tables/count/column_sweep.h"
#include "tables/vocabulary.h"

/* What a run adds, wherever it goes to: its numbers, from a number of half stones on. */
typedef struct summand {
    const plb_weight_run *run;
    const uint8_t *values;
    int first;
    int times;
} summand;

static int add_state(plb_sweep_worker *w, int64_t state, const summand *add) {
    if (state <= 0) return (int)state; /* PLB_NO_STATE: nothing */
    plb_weight_run run = {(uint32_t)state, add->first, add->run->count, add->run->bytes};
    return plb_weight_sums_add(&w->sums, &run, add->values, add->times);
}

/* A run of weights on its way through a word. */
typedef struct passing_run {
    const plb_transition *transition;
    const plb_weight_run *run;
    const uint8_t *values;
    bool odd;   /* stones of its state */
    int stones; /* of the word */
} passing_run;

/* With a marking of the column; its stones count so many more or less. */
static int add_marking(plb_sweep_worker *w, const passing_run *p, plb_column_marking marking,
                       int more_stones, int times) {
    const plb_transition *t = p->transition;
    plb_sweep_states *states = &w->sweep->states;
    int column = w->sweep->column;
    /* Half the stones, rounded down. */
    int first = (2 * p->run->first + p->odd + p->stones + more_stones) / 2;
    summand add = {p->run, p->values, first, times};
    int64_t state =
        plb_sweep_states_next(states, column, p->run->state, t->word, marking, t->exchange);
    int error = add_state(w, state, &add);
    if (error || t->place == 0 || state <= 0) return error;
    add.times *= t->place;
    return add_state(w, plb_sweep_states_place(states, column + 1, (uint32_t)state), &add);
}

/* The marked positions with one mark, in this column. */
static int add_single_marks(plb_sweep_worker *w, const passing_run *p) {
    int times = w->sweep->single_marks[w->sweep->column], error = PLB_OK;
    if (p->stones < w->sweep->board.height) {
        error = add_marking(w, p, PLB_COLUMN_MORE_O, 0, times);
        if (!error) error = add_marking(w, p, PLB_COLUMN_MORE_X, 0, times);
    }
    if (error || p->stones == 0) return error;
    return add_marking(w, p, PLB_COLUMN_LESS, -1, -times);
}

/* One run. Only what is unmarked begins a line. */
static int add_run(plb_sweep_worker *w, const plb_transition *t, const plb_weight_run *run,
                   const uint8_t *values) {
    const plb_sweep *s = w->sweep;
    const plb_sweep_state *state = &s->states.layers[s->column].items[run->state];
    bool unmarked = state->colour == PLB_UNMARKED, is_first = t->mark == PLB_MARK_FIRST;
    bool is_late = s->column == s->board.width - 1 && state->placed != s->placed;
    if ((is_first && !unmarked) || (t->place && state->placed)) return PLB_OK;
    if (is_late && !t->place) return PLB_OK;
    plb_column_marking marking = t->mark == PLB_MARK_NONE
                                     ? (t->last ? PLB_COLUMN_LAST : PLB_COLUMN_UNMARKED)
                                     : (t->last ? PLB_COLUMN_MARKED_LAST : PLB_COLUMN_MARKED);
    passing_run p = {t, run, values, state->odd, s->automaton->words.items[t->word].stones};
    /* The first mark is a stone less, every further one changes the sign. */
    int error =
        add_marking(w, &p, marking, -is_first, t->mark == PLB_MARK_MORE ? -t->times : t->times);
    bool may_be_single = s->single_marks[s->column] && t->mark == PLB_MARK_NONE && unmarked;
    return error || !may_be_single ? error : add_single_marks(w, &p);
}

static int reserve(plb_sweep_worker *w) {
    if (w->parts.owners < w->parts_capacity) return PLB_OK;
    uint32_t capacity = 2 * w->parts_capacity + 1024;
    int64_t *to = realloc(w->parts_to, capacity * sizeof *to);
    if (!to) return PLB_ENOMEM;
    w->parts_to = to, w->parts_capacity = capacity;
    return PLB_OK;
}

int plb_sweep_add(plb_sweep_worker *w, const plb_transition *transition, const plb_frontier *to) {
    const plb_weights *weights = transition->weights;
    plb_transition t = *transition;
    plb_frontier frontier = *to;
    uint32_t number;
    t.exchange = w->sweep->exchanges && plb_frontier_is_exchanged(to);
    if (t.exchange) plb_frontier_exchange(&frontier);
    int error = reserve(w);
    const uint8_t *values = plb_weights_values(weights, t.from);
    for (size_t i = plb_weights_runs_begin(weights, t.from); i < weights->runs_end[t.from]; i++) {
        if (!error) error = add_run(w, &t, &weights->runs[i], values);
        values += plb_weight_run_size(&weights->runs[i]);
    }
    if (error || w->sums.touched_count == 0) return error;
    error = plb_frontier_table_find(&w->frontiers, &frontier, &number);
    if (!error) error = plb_weight_sums_take(&w->sums, &w->parts);
    if (!error) w->parts_to[w->parts.owners - 1] = number;
    return error;
}
