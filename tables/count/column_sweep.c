/* SPDX-License-Identifier: MIT */
#include "tables/count/column_sweep.h"

#include <stdlib.h>

#include "tables/array.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

enum { MIN_SHARED = 64 }; /* frontiers of a subtree that is shared with other threads */

typedef plb_frontier_set frontier_set;

static frontier_set empty_set(const plb_sweep *s) {
    return (frontier_set){plb_frontier_table_of(&s->board), {.limbs = s->workers->sums.limbs}};
}

static void free_set(frontier_set *set) {
    plb_tuple_set_free(&set->frontiers.set);
    plb_weights_free(&set->weights);
}

static void recycle_set(plb_sweep_worker *w, frontier_set *set) {
    if (w->spares == PLB_SPARE_SETS) {
        free_set(set);
        return;
    }
    plb_tuple_set_clear(&set->frontiers.set);
    plb_weights_clear(&set->weights);
    w->spare[w->spares++] = *set;
}

static void free_spares(plb_sweep_worker *w) {
    while (w->spares) free_set(&w->spare[--w->spares]);
}

/* The relative time to fill a column, fitted to boards with k 4. There are most frontiers after k
 * columns, and fewer near the right edge, where some no longer matter. */
static double effort(const plb_frontier_board *board, int column) {
    static const double at_left[] = {1, 0.3, 0.02}, at_right[] = {0.05, 0.6, 1, 0.5};
    int missing = board->k - 1 - column, left = board->width - 1 - column;
    return at_left[missing < 0 ? 0 : missing > 2 ? 2 : missing] * at_right[left > 3 ? 3 : left];
}

/* Report that a further share of the current column is done. */
static void advance(plb_sweep *s, double share) {
    if (!s->work->advance) return;
    pthread_mutex_lock(&s->lock);
    s->share += share;
    double all = 0, done = s->share * effort(&s->board, s->column);
    for (int column = 0; column < s->board.width; column++) {
        all += effort(&s->board, column);
        if (column < s->column) done += effort(&s->board, column);
    }
    s->work->advance(s->work->context, done / all);
    pthread_mutex_unlock(&s->lock);
}

/* ---- after a complete column: transitions ---- */

static int add_state(plb_sweep_worker *w, int64_t state, plb_weight_run run, const uint8_t *values,
                     int times) {
    if (state <= 0) return (int)state; /* PLB_NO_STATE: nothing */
    run.state = (uint32_t)state;
    return plb_weight_sums_add(&w->sums, &run, values, times);
}

/* A run of weights that goes through a transition. */
typedef struct passing_run {
    const plb_transition *transition;
    const plb_weight_run *run;
    const uint8_t *values;
    bool odd;   /* parity of the stones of its state */
    int stones; /* of the word */
} passing_run;

/* Add `times` times the run, with this marking of the column. more_stones: correction of the number
 * of stones. */
static int add_marking(plb_sweep_worker *w, const passing_run *p, plb_column_marking marking,
                       int more_stones, int times) {
    const plb_transition *t = p->transition;
    plb_sweep_states *states = &w->sweep->states;
    int column = w->sweep->column;
    plb_weight_run run = *p->run;
    run.first = (2 * p->run->first + p->odd + p->stones + more_stones) / 2;
    int64_t state = plb_sweep_states_next(states, column, run.state, t->word, marking, t->exchange);
    int error = add_state(w, state, run, p->values, times);
    if (error || t->rotations == 0 || state <= 0) return error;
    state = plb_sweep_states_rotate(states, column + 1, (uint32_t)state);
    return add_state(w, state, run, p->values, times * t->rotations);
}

/* Add the positions with one mark, which is in this column. */
static int add_single_marks(plb_sweep_worker *w, const passing_run *p) {
    int times = w->sweep->single_marks[w->sweep->column], error = PLB_OK;
    if (p->stones < w->sweep->board.height) {
        error = add_marking(w, p, PLB_COLUMN_MORE_O, 0, times);
        if (!error) error = add_marking(w, p, PLB_COLUMN_MORE_X, 0, times);
    }
    if (error || p->stones == 0) return error;
    return add_marking(w, p, PLB_COLUMN_LESS, -1, -times);
}

/* Add one run. Only states without marks can begin a line. */
static int add_run(plb_sweep_worker *w, const plb_transition *t, const plb_weight_run *run,
                   const uint8_t *values) {
    const plb_sweep *s = w->sweep;
    const plb_sweep_state *state = plb_sweep_state_at(&s->states, s->column, run->state);
    bool unmarked = state->colour == PLB_UNMARKED, is_first = t->mark == PLB_MARK_FIRST;
    bool is_last_column = s->column == s->board.width - 1;
    if ((is_first && !unmarked) || (t->rotations && state->rotated)) return PLB_OK;
    if (is_last_column && state->rotated != s->rotated && !t->rotations) return PLB_OK;
    if (unmarked && t->mark == PLB_MARK_NONE && s->column >= s->unmarked_end) return PLB_OK;
    plb_column_marking marking = t->mark == PLB_MARK_NONE
                                     ? (t->last ? PLB_COLUMN_LAST : PLB_COLUMN_UNMARKED)
                                     : (t->last ? PLB_COLUMN_MARKED_LAST : PLB_COLUMN_MARKED);
    passing_run p = {t, run, values, state->odd, s->automaton->words.items[t->word].stones};
    /* The first mark is one stone less, and every further mark changes the sign. */
    int error =
        add_marking(w, &p, marking, -is_first, t->mark == PLB_MARK_MORE ? -t->times : t->times);
    bool may_be_single = s->single_marks[s->column] && t->mark == PLB_MARK_NONE && unmarked;
    return error || !may_be_single ? error : add_single_marks(w, &p);
}

int plb_sweep_add(plb_sweep_worker *w, const plb_transition *transition, const plb_frontier *to) {
    const plb_weights *weights = transition->weights;
    plb_transition t = *transition;
    plb_frontier frontier = *to;
    uint32_t number;
    t.exchange = w->sweep->exchanges && plb_frontier_is_exchanged(to);
    if (t.exchange) plb_frontier_exchange(&frontier);
    bool fits = PLB_ARRAY_EXTEND(w->parts_to, w->parts.owners, w->parts_capacity);
    int error = fits ? PLB_OK : PLB_ENOMEM;
    const uint8_t *values = plb_weights_values(weights, t.from);
    for (size_t i = plb_weights_runs_begin(weights, t.from); i < weights->runs_end[t.from]; i++) {
        if (!error) error = add_run(w, &t, &weights->runs[i], values);
        values += plb_weight_run_size(&weights->runs[i]);
    }
    if (error || w->sums.touched_count == 0) return error;
    error = plb_frontier_table_find(&w->frontiers, &frontier, 1, &number);
    if (!error) error = plb_weight_sums_take(&w->sums, &w->parts);
    if (!error) w->parts_to[w->parts.owners - 1] = number;
    return error;
}

/* ---- a column stone by stone ---- */

/* A step that is applied to all frontiers of a set. */
typedef struct change {
    enum { BEGIN_COLUMN, END_COLUMN, PUT_STONE } step;
    int row; /* END_COLUMN: height of the column; PUT_STONE: of the stone */
    bool x;
} change;

/* Apply a change to up to PLB_ADDED_TOGETHER frontiers from number `first` on. places: their
 * numbers in `to`, or PLB_NOWHERE. */
static int change_frontiers(const plb_sweep *s, change change, const frontier_set *from,
                            uint32_t first, frontier_set *to, int64_t *places) {
    plb_frontier next[PLB_ADDED_TOGETHER];
    uint32_t numbers[PLB_ADDED_TOGETHER], which[PLB_ADDED_TOGETHER];
    uint64_t end = plb_min((uint64_t)first + PLB_ADDED_TOGETHER, from->frontiers.set.count);
    int kept = 0;
    for (uint32_t f = first; f < end; f++) {
        plb_frontier_table_get(&from->frontiers, f, &next[kept]);
        places[f] = PLB_NOWHERE;
        bool goes_on =
            change.step == BEGIN_COLUMN ? plb_frontier_begin_column(&s->board, &next[kept])
            : change.step == END_COLUMN
                ? plb_frontier_end_column(&s->board, s->column, change.row, &next[kept])
                : plb_frontier_put(&s->board, s->column, change.row, change.x, &next[kept]);
        if (goes_on) which[kept++] = f;
    }
    if (kept == 0) return PLB_OK;
    int error = plb_frontier_table_find(&to->frontiers, next, kept, numbers);
    for (int f = 0; f < kept && !error; f++) places[which[f]] = numbers[f];
    return error;
}

static int change_set(plb_sweep_worker *w, change change, const frontier_set *from,
                      frontier_set *to) {
    uint32_t all = from->frontiers.set.count;
    int64_t *places = malloc(((size_t)all + 1) * sizeof *places);
    int error = places ? PLB_OK : PLB_ENOMEM;
    /* the set recycled last mostly had as many stones, so its memory fits */
    *to = w->spares ? w->spare[--w->spares] : empty_set(w->sweep);
    for (uint64_t f = 0; f < all && !error; f += PLB_ADDED_TOGETHER)
        error = change_frontiers(w->sweep, change, from, (uint32_t)f, to, places);
    plb_weight_source source = {&from->weights, places};
    if (!error)
        error = plb_weights_gather(&source, 1, to->frontiers.set.count, &w->sums, &to->weights);
    free(places);
    return error;
}

/* Change a set in place. Its memory is freed, not recycled: it is too large for the sets made from
 * it. */
static int replace_set(plb_sweep_worker *w, change change, frontier_set *set) {
    frontier_set from = *set;
    int error = change_set(w, change, &from, set);
    free_set(&from);
    return error;
}

/* Call the rule for each frontier after a complete column. */
static int apply_rule(plb_sweep_worker *w, const frontier_set *set, int word) {
    const plb_transition_rule *rule = w->sweep->rule;
    int error = PLB_OK;
    for (uint32_t f = 0; f < set->frontiers.set.count && !error; f++) {
        plb_transition t = {.weights = &set->weights, .from = f, .word = word, .times = 1};
        plb_frontier frontier;
        if (plb_is_stopped(w->sweep->work->stop)) return PLB_EINTERRUPTED;
        plb_frontier_table_get(&set->frontiers, f, &frontier);
        error = rule->apply(rule->context, w, &t, &frontier);
    }
    return error;
}

/* ---- all words of a height, from the top down ---- */

/* All fillings of the current column with these stones in the rows from `row` to height - 1. */
typedef struct subtree {
    plb_sweep *sweep;
    const frontier_set *from; /* frontiers after these stones */
    uint32_t x;               /* bit mask of the rows with an x */
    int height, row;
    double share; /* of the work for the column */
} subtree;

static int fill_down(const subtree *t);

/* Fill the fillings of a subtree that have this stone in the row below. Any thread may call it. */
static int fill_cell(void *context, size_t x_below) {
    const subtree *t = context;
    plb_sweep *s = t->sweep;
    plb_sweep_worker *w = &s->workers[plb_threads_number()];
    int row = t->row - 1, k = s->automaton->words.k;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a row of the board */
    uint32_t x = t->x | (uint32_t)x_below << row;
    uint32_t group = (uint32_t)plb_low_bits(k), lowest = x >> row & group;
    bool has_group = row + k <= t->height && (lowest == 0 || lowest == group);
    frontier_set next;
    if (has_group || !(s->board.columns[s->column].allowed[x_below] >> row & 1)) {
        advance(s, t->share / 2);
        return PLB_OK;
    }
    int error = change_set(w, (change){PUT_STONE, row, x_below}, t->from, &next);
    if (!error) error = fill_down(&(subtree){s, &next, x, t->height, row, t->share / 2});
    recycle_set(w, &next);
    return error;
}

static int fill_down(const subtree *t) {
    plb_sweep *s = t->sweep;
    static const plb_threads alone = {.count = 1};
    uint32_t frontiers = t->from->frontiers.set.count;
    if (t->row == 0 || frontiers == 0) advance(s, t->share);
    if (frontiers == 0) return PLB_OK;
    if (t->row == 0)
        return apply_rule(&s->workers[plb_threads_number()], t->from,
                          plb_column_words_find(&s->automaton->words, t->x, t->height));
    return plb_threads_share(frontiers < MIN_SHARED ? &alone : &s->threads, 2, fill_cell,
                             (void *)t);
}

/* ---- a column ---- */

/* Merge the results of all workers into `set`. */
static int gather_set(plb_sweep *s, frontier_set *set) {
    plb_sweep_worker *first = s->workers;
    int count = s->threads.count, error = PLB_OK;
    plb_weight_source *sources = calloc(count, sizeof *sources);
    if (!sources) return PLB_ENOMEM;
    for (int i = 0; i < count && !error; i++) {
        free_spares(&first[i]);
        if (i) {
            /* Renumber the frontiers of this worker as the first worker does. */
            plb_sweep_worker *w = &first[i];
            uint32_t *numbers = malloc(((size_t)w->frontiers.set.count + 1) * sizeof *numbers);
            error = numbers ? PLB_OK : PLB_ENOMEM;
            for (uint32_t f = 0; f < w->frontiers.set.count && !error; f++) {
                plb_frontier frontier;
                plb_frontier_table_get(&w->frontiers, f, &frontier);
                error = plb_frontier_table_find(&first->frontiers, &frontier, 1, &numbers[f]);
            }
            for (uint32_t o = 0; o < w->parts.owners && !error; o++)
                w->parts_to[o] = numbers[w->parts_to[o]];
            free(numbers);
        }
        sources[i] = (plb_weight_source){&first[i].parts, first[i].parts_to};
    }
    if (!error)
        error = plb_weights_gather(sources, count, first->frontiers.set.count, &first->sums,
                                   &set->weights);
    set->frontiers = first->frontiers;
    first->frontiers = plb_frontier_table_of(&s->board);
    for (int i = 0; i < count; i++) {
        plb_tuple_set_free(&first[i].frontiers.set);
        plb_weights_free(&first[i].parts);
    }
    free(sources);
    return error;
}

/* Replace the set before the current column by the set after it: for every height, the highest
 * first. */
static int fill_column(plb_sweep *s, frontier_set *set) {
    const double share_of_highest = 0.46; /* of the words up to a height; 1 - 1 / 1.84 */
    const plb_board_column *column = &s->board.columns[s->column];
    double left = 1;
    s->share = 0;
    for (int i = 0; i < s->threads.count; i++)
        s->workers[i].sums.stride = (s->column + 1) * s->board.height / 2 + 2;
    int error = replace_set(s->workers, (change){.step = BEGIN_COLUMN}, set);
    for (int height = column->max_stones; height >= column->min_stones && !error; height--) {
        double share = height == column->min_stones ? left : left * share_of_highest;
        left -= share;
        error = replace_set(s->workers, (change){.step = END_COLUMN, .row = height}, set);
        if (!error) error = fill_down(&(subtree){s, set, 0, height, height, share});
    }
    free_set(set);
    *set = empty_set(s);
    return error ? error : gather_set(s, set);
}

/* ---- all columns ---- */

/* One count of a board. */
typedef struct count {
    plb_sweep *sweep;
    int times;
    plb_ply_count *plies;
    int error;
} count;

/* Add the weights of the last set, which has one frontier, to the counts. */
static void add_counts(const plb_sweep *s, const frontier_set *set, const count *to) {
    const uint8_t *value = set->weights.values;
    for (size_t r = 0; r < set->weights.run_count; r++) {
        const plb_weight_run *run = &set->weights.runs[r];
        const plb_sweep_state *state = plb_sweep_state_at(&s->states, s->board.width, run->state);
        int times = state->rotated == s->rotated
                        ? to->times * plb_sweep_states_accept(&s->states, run->state)
                        : 0;
        for (int i = 0; i < (int)run->count; i++, value += run->bytes) {
            int ply = 2 * (run->first + i) + state->odd;
            if (times == 0) continue;
            plb_big_count positions = (plb_big_count)plb_weight_at(value, run->bytes) * times;
            if (state->colour != PLB_UNMARKED) to->plies[++ply].terminal += positions;
            to->plies[ply].total += positions;
        }
    }
}

/* Begin with one empty filling. Only thread 0 sweeps; the others take subtrees from it. */
static void sweep_columns(void *context, int number) {
    count *c = context;
    plb_sweep *s = c->sweep;
    if (number) return;
    const plb_frontier nothing = {.x = {0}};
    const uint8_t one[PLB_WEIGHT_BYTES] = {1};
    uint32_t place;
    frontier_set set = empty_set(s);
    int64_t state = plb_sweep_states_first(&s->states);
    plb_weight_run run = {.state = (uint32_t)state, .count = 1, .bytes = 1};
    c->error =
        state < 0 ? (int)state : plb_frontier_table_find(&set.frontiers, &nothing, 1, &place);
    if (!c->error) c->error = plb_weight_sums_add(&s->workers->sums, &run, one, 1);
    if (!c->error) c->error = plb_weight_sums_take(&s->workers->sums, &set.weights);
    for (s->column = 0; s->column < s->board.width && !c->error; s->column++)
        c->error = fill_column(s, &set);
    if (!c->error) add_counts(s, &set, c);
    free_set(&set);
}

int plb_sweep_count(plb_sweep *sweep, const plb_transition_rule *rule, int times,
                    plb_ply_count *plies) {
    count c = {sweep, times, plies, PLB_OK};
    sweep->rule = rule;
    plb_threads_run(&sweep->threads, sweep_columns, &c);
    return c.error;
}

int plb_sweep_begin(const plb_column_automaton *automaton, int k, int limbs,
                    const plb_count_work *work, plb_sweep *sweep) {
    int width = automaton->width, height = automaton->words.height;
    *sweep = (plb_sweep){.board = {width, height, k, calloc(width, sizeof *sweep->board.columns)},
                         .automaton = automaton,
                         .exchanges = true,
                         .unmarked_end = width,
                         .work = work};
    pthread_mutex_init(&sweep->lock, NULL);
    int error = plb_threads_open(work->threads, &sweep->threads);
    sweep->workers = calloc(sweep->threads.count, sizeof *sweep->workers);
    if (error || !sweep->board.columns || !sweep->workers) return PLB_ENOMEM;
    plb_frontier_board_clear(&sweep->board);
    for (int i = 0; i < sweep->threads.count; i++)
        sweep->workers[i] = (plb_sweep_worker){
            .sweep = sweep,
            .frontiers = plb_frontier_table_of(&sweep->board),
            .parts = {.limbs = limbs},
            .sums = {.limbs = limbs, .stride = 2, .max_stride = width * height / 2 + 2}};
    return plb_sweep_states_begin(automaton, work->stop, &sweep->states);
}

void plb_sweep_end(plb_sweep *sweep) {
    for (int i = 0; sweep->workers && i < sweep->threads.count; i++) {
        plb_sweep_worker *w = &sweep->workers[i];
        plb_tuple_set_free(&w->frontiers.set);
        plb_weights_free(&w->parts);
        plb_weight_sums_free(&w->sums);
        free(w->parts_to);
        free_spares(w);
    }
    free(sweep->workers);
    plb_threads_close(&sweep->threads);
    if (sweep->states.automaton) plb_sweep_states_end(&sweep->states);
    free(sweep->board.columns);
    pthread_mutex_destroy(&sweep->lock);
}
