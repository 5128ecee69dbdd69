/* SPDX-License-Identifier: MIT
 *
 * Reading columns, all frontiers of a layer at once.
 */
#include "tables/column_reading.h"

#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"

typedef struct layer {
    plb_frontier_list frontiers;
    plb_ways ways; /* the owners are the frontiers */
} layer;

static void free_layer(layer *layer) {
    plb_frontier_list_free(&layer->frontiers);
    plb_ways_free(&layer->ways);
}

/* ---- a word that is whole ---- */

/* Half the stones, rounded down, after so many more. */
static int shifted(const plb_way_run *r, bool odd, int stones) {
    return (2 * r->first + odd + stones) / 2;
}

/* What a run adds, wherever it goes to: its numbers, from a number of half stones on. */
typedef struct summand {
    const plb_way_run *run;
    const uint8_t *values;
    int first;
    bool negative;
} summand;

static int add_state(plb_column_reading *c, int64_t state, const summand *add) {
    if (state <= 0) return (int)state; /* PLB_NO_STATE: nothing */
    plb_way_run run = {(uint32_t)state, add->first, add->run->count, add->run->bytes};
    return plb_way_sums_add(&c->sums, &run, add->values, add->negative);
}

static int add_read(plb_column_reading *c, const plb_passage *p, plb_reading reading,
                    const summand *add) {
    int64_t state = plb_count_states_read(&c->states, c->column, add->run->state, p->word, reading);
    int error = add_state(c, state, add);
    if (error || p->settle == 0 || state <= 0) return error;
    state = plb_count_states_settle(&c->states, c->column + 1, (uint32_t)state);
    for (int i = 0; i < p->settle && !error; i++) error = add_state(c, state, add);
    return error;
}

/* The marked positions with one mark, in a column that is just read. */
static int add_single_marks(plb_column_reading *c, const plb_way_run *r, bool odd,
                            const plb_passage *p, const uint8_t *values) {
    int stones = c->automaton->words.items[p->word].stones, error = PLB_OK;
    summand more = {r, values, shifted(r, odd, stones), false};
    if (stones < c->board.height) {
        error = add_read(c, p, PLB_READ_MORE_O, &more);
        if (!error) error = add_read(c, p, PLB_READ_MORE_X, &more);
    }
    if (error || stones == 0) return error;
    summand less = {r, values, shifted(r, odd, stones - 1), true};
    return add_read(c, p, PLB_READ_LESS, &less);
}

static plb_reading reading_of(const plb_passage *p) {
    if (p->way == PLB_WAY_PLAIN) return p->last ? PLB_READ_LAST : PLB_READ_ALL;
    return p->last ? PLB_READ_MARKED_LAST : PLB_READ_MARKED;
}

/* One run. Only what is unmarked begins a line. */
static int pass_run(plb_column_reading *c, const plb_passage *p, const plb_way_run *r,
                    const uint8_t *values) {
    const plb_count_state *s = &c->states.layers[c->column].items[r->state];
    bool unmarked = s->colour == PLB_UNMARKED, odd = s->odd;
    int stones = c->automaton->words.items[p->word].stones;
    bool is_late = c->column == c->board.width - 1 && s->settled != c->settled;
    if ((p->way == PLB_WAY_BEGIN && !unmarked) || (p->settle && s->settled)) return PLB_OK;
    if (is_late && !p->settle) return PLB_OK;
    /* The first mark is a stone less, every further one changes the sign. */
    int first = shifted(r, odd, stones - (p->way == PLB_WAY_BEGIN)), error = PLB_OK;
    summand all = {r, values, first, p->way == PLB_WAY_MARK};
    for (int i = 0; i < p->times && !error; i++) error = add_read(c, p, reading_of(p), &all);
    if (error || !c->single_marks || p->way != PLB_WAY_PLAIN || !unmarked) return error;
    return add_single_marks(c, r, odd, p, values);
}

static int make_parts_room(plb_column_reading *c) {
    if (c->parts.owners < c->parts_room) return PLB_OK;
    uint32_t room = 2 * c->parts_room + 1024;
    int64_t *to = realloc(c->parts_to, room * sizeof *to);
    if (!to) return PLB_ENOMEM;
    c->parts_to = to, c->parts_room = room;
    return PLB_OK;
}

int plb_reading_pass(plb_column_reading *c, const plb_passage *p, const plb_frontier *to) {
    const uint8_t *values = plb_ways_values(p->ways, p->from);
    uint32_t number;
    int error = make_parts_room(c);
    for (size_t r = plb_ways_runs_begin(p->ways, p->from); r < p->ways->runs_end[p->from] && !error;
         r++) {
        error = pass_run(c, p, &p->ways->runs[r], values);
        values += plb_way_run_size(&p->ways->runs[r]);
    }
    if (error || c->sums.touched_count == 0) return error;
    error = plb_frontier_list_find(&c->frontiers, to, &number);
    if (!error) error = plb_way_sums_take(&c->sums, &c->parts);
    if (!error) c->parts_to[c->parts.owners - 1] = number;
    return error;
}

/* ---- a column stone by stone ---- */

/* How all frontiers of a layer change together. */
typedef struct change {
    enum { BEGIN_COLUMN, END_COLUMN, PUT_STONE } kind;
    int row; /* END_COLUMN: height of the column; PUT_STONE: of the stone */
    bool x;
} change;

static bool change_frontier(const plb_column_reading *c, change change, plb_frontier *f) {
    if (change.kind == BEGIN_COLUMN) return plb_frontier_begin_column(&c->board, f);
    if (change.kind == END_COLUMN) return plb_frontier_end_column(&c->board, change.row, f);
    return plb_frontier_put(&c->board, c->column, change.row, change.x, f);
}

static int change_layer(plb_column_reading *c, change change, const layer *from, layer *to) {
    int64_t *places = malloc(((size_t)from->frontiers.count + 1) * sizeof *places);
    int error = places ? PLB_OK : PLB_ENOMEM;
    *to = (layer){plb_frontier_list_of(&c->board), {.limbs = from->ways.limbs}};
    for (uint32_t f = 0; f < from->frontiers.count && !error; f++) {
        plb_frontier next;
        uint32_t number;
        plb_frontier_list_get(&from->frontiers, f, &next);
        places[f] = PLB_NOWHERE;
        if (!change_frontier(c, change, &next)) continue;
        error = plb_frontier_list_find(&to->frontiers, &next, &number);
        places[f] = number;
    }
    if (!error)
        error = plb_ways_gather(&from->ways, places, to->frontiers.count, &c->sums, &to->ways);
    free(places);
    return error;
}

static int replace_layer(plb_column_reading *c, change change, layer *l) {
    layer from = *l;
    int error = change_layer(c, change, &from, l);
    free_layer(&from);
    return error;
}

static int pass_word(plb_column_reading *c, const layer *l, int word) {
    int error = PLB_OK;
    for (uint32_t f = 0; f < l->frontiers.count && !error; f++) {
        plb_passage p = {.ways = &l->ways, .from = f, .word = word, .times = 1};
        plb_frontier frontier;
        if (c->stop && *c->stop) return PLB_EINTERRUPTED;
        plb_frontier_list_get(&l->frontiers, f, &frontier);
        error = c->visitor->visit(c->visitor->context, c, &p, &frontier);
    }
    return error;
}

/* Do the lowest stones of a column so far, which is read down to a row, make a group? */
static bool has_column_group(const plb_column_reading *c, uint32_t x, int height, int row) {
    int k = c->automaton->words.k;
    uint32_t group = k < 32 ? (1U << k) - 1 : ~0U, lowest = x >> row & group;
    return row + k <= height && (lowest == 0 || lowest == group);
}

/* All columns of a height with these stones from a row on. */
static int read_down(plb_column_reading *c, const layer *l, uint32_t x, int height, int row) {
    const plb_board_column *column = &c->board.columns[c->column];
    int error = PLB_OK;
    if (l->frontiers.count == 0) return PLB_OK;
    if (row == 0) return pass_word(c, l, plb_column_words_find(&c->automaton->words, x, height));
    for (int letter = 0; letter < 2 && !error; letter++) {
        uint32_t more = x | (uint32_t)letter << (row - 1);
        layer next;
        if (!(column->may[letter] >> (row - 1) & 1)) continue;
        if (has_column_group(c, more, height, row - 1)) continue;
        error = change_layer(c, (change){PUT_STONE, row - 1, letter}, l, &next);
        if (!error) error = read_down(c, &next, more, height, row - 1);
        free_layer(&next);
    }
    return error;
}

/* One column more: of every height, the highest first. */
static int read_column(plb_column_reading *c, layer *l) {
    const plb_board_column *column = &c->board.columns[c->column];
    c->sums.stride = (c->column + 1) * c->board.height / 2 + 2;
    int error = replace_layer(c, (change){.kind = BEGIN_COLUMN}, l);
    for (int height = column->most; height >= column->least && !error; height--) {
        error = replace_layer(c, (change){.kind = END_COLUMN, .row = height}, l);
        if (!error) error = read_down(c, l, 0, height, height);
    }
    free_layer(l);
    if (!error)
        error = plb_ways_gather(&c->parts, c->parts_to, c->frontiers.count, &c->sums, &l->ways);
    plb_ways_free(&c->parts);
    l->frontiers = c->frontiers;
    c->frontiers = plb_frontier_list_of(&c->board);
    return error;
}

/* ---- the whole ---- */

/* Nothing was read, in one way. */
static int begin_layer(plb_column_reading *c, layer *l) {
    plb_frontier nothing;
    const uint8_t one = 1;
    uint32_t number;
    memset(&nothing, 0, sizeof nothing);
    *l = (layer){plb_frontier_list_of(&c->board), {.limbs = c->sums.limbs}};
    int64_t first = plb_count_states_first(&c->states);
    if (first < 0) return (int)first;
    plb_way_run run = {.state = (uint32_t)first, .count = 1, .bytes = sizeof one};
    int error = plb_frontier_list_find(&l->frontiers, &nothing, &number);
    if (!error) error = plb_way_sums_add(&c->sums, &run, &one, false);
    return error ? error : plb_way_sums_take(&c->sums, &l->ways);
}

/* Of the last layer, which has one frontier. */
static void add_counts(const plb_column_reading *c, const layer *l, int times,
                       plb_ply_count *plies) {
    const uint8_t *value = l->ways.values;
    for (size_t r = 0; r < l->ways.run_count; r++) {
        const plb_way_run *run = &l->ways.runs[r];
        const plb_count_state *s = &c->states.layers[c->board.width].items[run->state];
        bool counts = s->settled == c->settled && plb_count_states_accept(&c->states, run->state);
        for (int i = 0; i < (int)run->count; i++, value += run->bytes) {
            int ply = 2 * (run->first + i) + s->odd;
            if (!counts) continue;
            plb_big_count ways = (plb_big_count)plb_way_number_at(value, run->bytes) * times;
            if (s->colour != PLB_UNMARKED) {
                plies[ply + 1].terminal += ways;
                ply++;
            }
            plies[ply].total += ways;
        }
    }
}

int plb_reading_count(plb_column_reading *c, const plb_word_visitor *visitor, int times,
                      plb_ply_count *plies) {
    layer l;
    c->visitor = visitor;
    int error = begin_layer(c, &l);
    for (c->column = 0; c->column < c->board.width && !error; c->column++)
        error = read_column(c, &l);
    if (!error) add_counts(c, &l, times, plies);
    free_layer(&l);
    return error;
}

int plb_reading_begin(const plb_column_automaton *automaton, int k, int limbs,
                      const volatile sig_atomic_t *stop, plb_column_reading *reading) {
    int width = automaton->width, height = automaton->words.height;
    *reading = (plb_column_reading){
        .board = {width, height, k, calloc(width, sizeof *reading->board.columns)},
        .automaton = automaton,
        .parts = {.limbs = limbs},
        .sums = {.limbs = limbs, .stride = 2, .most = width * height / 2 + 2},
        .stop = stop};
    if (!reading->board.columns) return PLB_ENOMEM;
    plb_frontier_board_clear(&reading->board);
    reading->frontiers = plb_frontier_list_of(&reading->board);
    return plb_count_states_begin(automaton, stop, &reading->states);
}

void plb_reading_end(plb_column_reading *reading) {
    plb_frontier_list_free(&reading->frontiers);
    plb_ways_free(&reading->parts);
    plb_way_sums_free(&reading->sums);
    free(reading->parts_to);
    if (reading->states.automaton) plb_count_states_end(&reading->states);
    free(reading->board.columns);
}
