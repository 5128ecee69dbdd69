/* SPDX-License-Identifier: MIT
 *
 * What one thread finds: frontiers after words that are whole, and in how many ways.
 */
#include <stdlib.h>

#include "tables/count/column_sweep.h"
#include "tables/vocabulary.h"

/* Half the stones, rounded down, after so many more. */
static int shifted(const plb_way_run *run, bool odd, int stones) {
    return (2 * run->first + odd + stones) / 2;
}

/* What a run adds, wherever it goes to: its numbers, from a number of half stones on. */
typedef struct summand {
    const plb_way_run *run;
    const uint8_t *values;
    int first;
    int times;
} summand;

static int add_state(plb_column_reader *r, int64_t state, const summand *add) {
    if (state <= 0) return (int)state; /* PLB_NO_STATE: nothing */
    plb_way_run run = {(uint32_t)state, add->first, add->run->count, add->run->bytes};
    return plb_way_sums_add(&r->sums, &run, add->values, add->times);
}

static int add_read(plb_column_reader *r, const plb_passage *p, plb_reading reading,
                    const summand *add) {
    plb_count_states *states = &r->reading->states;
    int column = r->reading->column;
    int64_t state =
        plb_count_states_read(states, column, add->run->state, p->word, reading, p->exchange);
    int error = add_state(r, state, add);
    if (error || p->settle == 0 || state <= 0) return error;
    state = plb_count_states_settle(states, column + 1, (uint32_t)state);
    summand settled = *add;
    settled.times *= p->settle;
    return add_state(r, state, &settled);
}

static int stones_of(const plb_column_reader *r, const plb_passage *p) {
    return r->reading->automaton->words.items[p->word].stones;
}

/* The marked positions with one mark, in a column that is just read. */
static int add_single_marks(plb_column_reader *r, const plb_way_run *run, bool odd,
                            const plb_passage *p, const uint8_t *values) {
    int stones = stones_of(r, p), times = r->reading->single_marks[r->reading->column];
    int error = PLB_OK;
    summand more = {run, values, shifted(run, odd, stones), times};
    if (stones < r->reading->board.height) {
        error = add_read(r, p, PLB_READ_MORE_O, &more);
        if (!error) error = add_read(r, p, PLB_READ_MORE_X, &more);
    }
    if (error || stones == 0) return error;
    summand less = {run, values, shifted(run, odd, stones - 1), -times};
    return add_read(r, p, PLB_READ_LESS, &less);
}

static plb_reading reading_of(const plb_passage *p) {
    if (p->way == PLB_WAY_PLAIN) return p->last ? PLB_READ_LAST : PLB_READ_ALL;
    return p->last ? PLB_READ_MARKED_LAST : PLB_READ_MARKED;
}

/* One run. Only what is unmarked begins a line. */
static int pass_run(plb_column_reader *r, const plb_passage *p, const plb_way_run *run,
                    const uint8_t *values) {
    const plb_column_reading *c = r->reading;
    const plb_count_state *s = &c->states.layers[c->column].items[run->state];
    bool unmarked = s->colour == PLB_UNMARKED, odd = s->odd;
    int stones = stones_of(r, p);
    bool is_late = c->column == c->board.width - 1 && s->settled != c->settled;
    if ((p->way == PLB_WAY_BEGIN && !unmarked) || (p->settle && s->settled)) return PLB_OK;
    if (is_late && !p->settle) return PLB_OK;
    /* The first mark is a stone less, every further one changes the sign. */
    int first = shifted(run, odd, stones - (p->way == PLB_WAY_BEGIN));
    summand all = {run, values, first, p->way == PLB_WAY_MARK ? -p->times : p->times};
    int error = add_read(r, p, reading_of(p), &all);
    if (error || !c->single_marks[c->column] || p->way != PLB_WAY_PLAIN || !unmarked) return error;
    return add_single_marks(r, run, odd, p, values);
}

static int make_parts_room(plb_column_reader *r) {
    if (r->parts.owners < r->parts_room) return PLB_OK;
    uint32_t room = 2 * r->parts_room + 1024;
    int64_t *to = realloc(r->parts_to, room * sizeof *to);
    if (!to) return PLB_ENOMEM;
    r->parts_to = to, r->parts_room = room;
    return PLB_OK;
}

static int pass_runs(plb_column_reader *r, const plb_passage *p) {
    const plb_ways *ways = p->ways;
    const uint8_t *values = plb_ways_values(ways, p->from);
    int error = PLB_OK;
    for (size_t i = plb_ways_runs_begin(ways, p->from); i < ways->runs_end[p->from] && !error;
         i++) {
        error = pass_run(r, p, &ways->runs[i], values);
        values += plb_way_run_size(&ways->runs[i]);
    }
    return error;
}

int plb_reader_pass(plb_column_reader *r, const plb_passage *p, const plb_frontier *to) {
    plb_passage passage = *p;
    plb_frontier frontier = *to;
    uint32_t number;
    passage.exchange = r->reading->exchanges && plb_frontier_is_exchanged(to);
    if (passage.exchange) plb_frontier_exchange(&frontier);
    int error = make_parts_room(r);
    if (!error) error = pass_runs(r, &passage);
    if (error || r->sums.touched_count == 0) return error;
    error = plb_frontier_list_find(&r->frontiers, &frontier, &number);
    if (!error) error = plb_way_sums_take(&r->sums, &r->parts);
    if (!error) r->parts_to[r->parts.owners - 1] = number;
    return error;
}
