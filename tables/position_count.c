/* SPDX-License-Identifier: MIT
 *
 * Counting positions, column after column. In every layer each frontier has, for each state of the
 * count and each number of stones, the number of ways in which the columns so far can be filled.
 *
 * Open positions are those without a group whose columns have an order. A terminal position P has a
 * group, and a top stone that is part of all groups and without which what is left has an order. If
 * T(P) is the set of such stones, the sum of (-1)^(|S|+1) over the sets S that are not empty and
 * lie in T(P) is 1, so the terminal positions are the sum over all marked positions (P, S):
 *
 * |S| = 1:  (Q, column) where Q is open and the column not full, less those where Q with one stone
 *           more has no group. Both are counted on frontiers without groups: the first marks the
 *           place above a column, the second loses the top stone of a column in the automaton
 * alone. |S| > 1:  all groups lie on the line through S. Its direction and its first mark from the
 * left are chosen; the frontier lets that run become as long as all its groups contain all marks
 * (frontier.c).
 *
 * Signed sums are taken modulo 2^128, and what they come to is less.
 */
#include "tables/position_count.h"

#include <stdlib.h>
#include <string.h>

#include "tables/count_states.h"
#include "tables/frontier.h"

/* ---- frontiers of a layer ---- */

typedef enum way { READ, BEGIN, MARK } way; /* of a column: no new mark, the first, a further one */

typedef struct edge {
    uint32_t from, to; /* frontiers of a layer and of the next one */
    uint16_t word;
    uint8_t way;
} edge;

/* Numbers of ways for one state: by half the stones, as their parity is known. */
typedef struct run {
    uint32_t state;
    uint16_t first, count;
} run;

typedef struct layer {
    plb_frontier *frontiers;
    uint32_t count, room, slot_count, *slots; /* slots: number of a frontier + 1, or 0 */
    size_t *runs_end;                         /* [count] */
    run *runs;
    size_t run_count, run_room;
    plb_big_count *values; /* of all runs, one after another */
    size_t value_count, value_room;
    size_t *values_begin; /* [count] of a frontier's first run */
} layer;

typedef struct counter {
    plb_frontier_board board;
    const plb_column_automaton *automaton;
    plb_count_states states;
    layer now, next;
    edge *edges; /* sorted by `to` */
    size_t edge_count, edge_room;
    /* The sums of one frontier. */
    plb_big_count *sums;  /* [state_room][stride] */
    uint16_t (*spans)[2]; /* [state_room] first and end of what was touched; end 0: nothing */
    uint32_t *touched;    /* [touched_count] states */
    uint32_t state_room, touched_count;
    int stride;
    const volatile sig_atomic_t *stop;
} counter;

static bool should_stop(const counter *c) {
    return c->stop && *c->stop;
}

static void free_layer(layer *l) {
    free(l->frontiers);
    free(l->slots);
    free(l->runs_end);
    free(l->runs);
    free(l->values);
    free(l->values_begin);
    *l = (layer){.count = 0};
}

static uint32_t *find_slot(const layer *l, const plb_frontier *f) {
    uint64_t hash = 0, words[sizeof *f / sizeof(uint64_t) + 1] = {0};
    memcpy(words, f, sizeof *f);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15ULL, hash ^= hash >> 29;
    for (;; hash++) {
        uint32_t *slot = &l->slots[hash & (l->slot_count - 1)];
        if (!*slot || memcmp(&l->frontiers[*slot - 1], f, sizeof *f) == 0) return slot;
    }
}

static int grow_frontiers(layer *l) {
    if (l->count == l->room) {
        uint32_t room = 2 * l->room + 256;
        plb_frontier *frontiers = realloc(l->frontiers, room * sizeof *frontiers);
        if (!frontiers) return PLB_ENOMEM;
        l->frontiers = frontiers, l->room = room;
    }
    if (2 * (l->count + 1) <= l->slot_count) return PLB_OK;
    uint32_t count = l->slot_count ? 4 * l->slot_count : 1024;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(l->slots);
    l->slots = slots, l->slot_count = count;
    for (uint32_t i = 0; i < l->count; i++) *find_slot(l, &l->frontiers[i]) = i + 1;
    return PLB_OK;
}

static int number_frontier(layer *l, const plb_frontier *f, uint32_t *number) {
    if (grow_frontiers(l)) return PLB_ENOMEM;
    uint32_t *slot = find_slot(l, f);
    if (!*slot) {
        l->frontiers[l->count++] = *f;
        *slot = l->count;
    }
    *number = *slot - 1;
    return PLB_OK;
}

/* ---- edges ---- */

static int add_edge(counter *c, uint32_t from, int word, way way, const plb_frontier *to) {
    uint32_t number;
    if (number_frontier(&c->next, to, &number)) return PLB_ENOMEM;
    if (c->edge_count == c->edge_room) {
        size_t room = 2 * c->edge_room + 1024;
        edge *edges = realloc(c->edges, room * sizeof *edges);
        if (!edges) return PLB_ENOMEM;
        c->edges = edges, c->edge_room = room;
    }
    c->edges[c->edge_count++] = (edge){from, number, (uint16_t)word, (uint8_t)way};
    return PLB_OK;
}

/* A frontier whose line goes on: kept if its marks can still be two and its group complete. At the
 * right edge of the board the line ends. */
static int add_line_edge(counter *c, int column, uint32_t from, int word, way way,
                         plb_frontier *to) {
    bool has_marks = to->line.marks == 2;
    if (column == c->board.width - 1) {
        if (!has_marks || !plb_frontier_has_group(&c->board, &to->line)) return PLB_OK;
        memset(to, 0, sizeof *to);
    } else if (!has_marks && !plb_frontier_wants_marks(&c->board, to)) {
        return PLB_OK;
    }
    return add_edge(c, from, word, way, to);
}

static int add_marked_edges(counter *c, int column, uint32_t from, int word) {
    const plb_column_word *w = &c->automaton->words.items[word];
    plb_frontier old = c->now.frontiers[from], to;
    if (!plb_frontier_read(&c->board, &old, column, w, &to)) return PLB_OK;
    if (!to.line.is_there)
        return old.line.marks == 2 && plb_frontier_has_group(&c->board, &old.line)
                   ? add_edge(c, from, word, READ, &to)
                   : PLB_OK;
    plb_frontier marked = to;
    int error = add_line_edge(c, column, from, word, READ, &to);
    if (error || !plb_frontier_may_mark(&c->board, &marked, w)) return error;
    marked.line.marks = 2;
    return add_line_edge(c, column, from, word, MARK, &marked);
}

static int add_plain_edges(counter *c, int column, uint32_t from, int word) {
    const plb_column_word *w = &c->automaton->words.items[word];
    plb_frontier old = c->now.frontiers[from], to;
    int error = PLB_OK;
    if (plb_frontier_read(&c->board, &old, column, w, &to))
        error = add_edge(c, from, word, READ, &to);
    for (int d = 0; d < PLB_DIRECTIONS && word && !error; d++)
        if (plb_frontier_begin_line(&c->board, &old, column, w, d, &to))
            error = add_line_edge(c, column, from, word, BEGIN, &to);
    return error;
}

/* Counting sort. */
static int sort_edges(counter *c) {
    size_t *at = calloc(c->next.count + 1, sizeof *at);
    edge *sorted = malloc((c->edge_count + 1) * sizeof *sorted);
    if (!at || !sorted) {
        free(at);
        free(sorted);
        return PLB_ENOMEM;
    }
    for (size_t e = 0; e < c->edge_count; e++) at[c->edges[e].to + 1]++;
    for (uint32_t t = 0; t < c->next.count; t++) at[t + 1] += at[t];
    for (size_t e = 0; e < c->edge_count; e++) sorted[at[c->edges[e].to]++] = c->edges[e];
    free(at);
    free(c->edges);
    c->edges = sorted;
    c->edge_room = c->edge_count + 1;
    return PLB_OK;
}

static int find_edges(counter *c, int column) {
    int error = PLB_OK;
    c->edge_count = 0;
    for (uint32_t f = 0; f < c->now.count && !error; f++) {
        if (should_stop(c)) return PLB_EINTERRUPTED;
        bool marked = c->now.frontiers[f].line.is_there;
        for (int word = 0; word < c->automaton->words.count && !error; word++)
            error = (marked ? add_marked_edges : add_plain_edges)(c, column, f, word);
    }
    return error ? error : sort_edges(c);
}

/* ---- sums ---- */

static int make_sums_room(counter *c, uint32_t state) {
    if (state < c->state_room) return PLB_OK;
    uint32_t room = 2 * state + 256;
    plb_big_count *sums = realloc(c->sums, (size_t)room * c->stride * sizeof *sums);
    if (!sums) return PLB_ENOMEM;
    c->sums = sums;
    uint16_t(*spans)[2] = realloc(c->spans, room * sizeof *spans);
    if (!spans) return PLB_ENOMEM;
    c->spans = spans;
    uint32_t *touched = realloc(c->touched, room * sizeof *touched);
    if (!touched) return PLB_ENOMEM;
    c->touched = touched;
    memset(sums + (size_t)c->state_room * c->stride, 0,
           (size_t)(room - c->state_room) * c->stride * sizeof *sums);
    memset(spans + c->state_room, 0, (room - c->state_room) * sizeof *spans);
    c->state_room = room;
    return PLB_OK;
}

/* Add numbers of ways to a state, whose number may be an error. */
static int add_run(counter *c, int64_t state, int first, int count, const plb_big_count *values,
                   bool negative) {
    if (state <= 0) return (int)state; /* PLB_NO_STATE: nothing */
    if (make_sums_room(c, (uint32_t)state)) return PLB_ENOMEM;
    plb_big_count *sums = c->sums + (size_t)state * c->stride + first;
    uint16_t *span = c->spans[state];
    if (span[1] == 0) {
        c->touched[c->touched_count++] = (uint32_t)state;
        span[0] = (uint16_t)first;
    }
    if (first < span[0]) span[0] = (uint16_t)first;
    if (first + count > span[1]) span[1] = (uint16_t)(first + count);
    if (negative)
        for (int i = 0; i < count; i++) sums[i] -= values[i];
    else
        for (int i = 0; i < count; i++) sums[i] += values[i];
    return PLB_OK;
}

/* Half the stones, rounded down, after so many more. */
static int shifted(const run *r, bool odd, int stones) {
    return (2 * r->first + odd + stones) / 2;
}

static int add_read(counter *c, int column, const run *r, int word, plb_reading reading, int first,
                    const plb_big_count *values, bool negative) {
    return add_run(c, plb_count_states_read(&c->states, column, r->state, word, reading), first,
                   r->count, values, negative);
}

/* The marked positions with one mark, in a column that is just read. */
static int add_single_marks(counter *c, int column, const run *r, bool odd, int word,
                            const plb_big_count *values) {
    int stones = c->automaton->words.items[word].stones, first = shifted(r, odd, stones);
    int error = PLB_OK;
    if (stones < c->board.height) {
        error = add_read(c, column, r, word, PLB_READ_MORE_O, first, values, false);
        if (!error) error = add_read(c, column, r, word, PLB_READ_MORE_X, first, values, false);
    }
    if (error || stones == 0) return error;
    return add_read(c, column, r, word, PLB_READ_LESS, shifted(r, odd, stones - 1), values, true);
}

static plb_reading reading_of(const counter *c, const edge *e) {
    const plb_frontier *to = &c->next.frontiers[e->to];
    bool last = !to->line.is_there || !plb_frontier_wants_marks(&c->board, to);
    return e->way == READ ? (last ? PLB_READ_LAST : PLB_READ_ALL)
                          : (last ? PLB_READ_MARKED_LAST : PLB_READ_MARKED);
}

/* One run, by an edge. Only what is unmarked begins a line. */
static int follow_edge(counter *c, int column, const edge *e, plb_reading reading, const run *r,
                       const plb_big_count *values) {
    const plb_count_state *s = &c->states.layers[column].items[r->state];
    bool unmarked = s->colour == PLB_UNMARKED, odd = s->odd;
    int stones = c->automaton->words.items[e->word].stones;
    if (e->way == BEGIN && !unmarked) return PLB_OK;
    /* The first mark is a stone less, every further one changes the sign. */
    int first = shifted(r, odd, stones - (e->way == BEGIN));
    int error = add_read(c, column, r, e->word, reading, first, values, e->way == MARK);
    if (error || e->way != READ || !unmarked) return error;
    return add_single_marks(c, column, r, odd, e->word, values);
}

/* All runs of the frontier that an edge comes from. */
static int follow_edge_runs(counter *c, int column, const edge *e) {
    const layer *l = &c->now;
    const plb_big_count *values = l->values + l->values_begin[e->from];
    size_t begin = e->from ? l->runs_end[e->from - 1] : 0;
    plb_reading reading = reading_of(c, e);
    int error = PLB_OK;
    for (size_t r = begin; r < l->runs_end[e->from] && !error; r++) {
        error = follow_edge(c, column, e, reading, &l->runs[r], values);
        values += l->runs[r].count;
    }
    return error;
}

/* ---- from sums to runs ---- */

static int make_runs_room(layer *l, size_t runs, size_t values) {
    if (l->run_count + runs > l->run_room) {
        size_t room = 2 * l->run_room + runs + 1024;
        run *grown = realloc(l->runs, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        l->runs = grown, l->run_room = room;
    }
    if (l->value_count + values > l->value_room) {
        size_t room = l->value_room + l->value_room / 2 + values + 1024;
        plb_big_count *grown = realloc(l->values, room * sizeof *grown);
        if (!grown) return PLB_ENOMEM;
        l->values = grown, l->value_room = room;
    }
    return PLB_OK;
}

/* What is not 0 of the sums of one state. */
static void take_run(counter *c, uint32_t state) {
    layer *l = &c->next;
    int first = c->spans[state][0], end = c->spans[state][1];
    plb_big_count *sums = c->sums + (size_t)state * c->stride;
    c->spans[state][0] = c->spans[state][1] = 0;
    while (first < end && !sums[first]) first++;
    int last = end;
    while (last > first && !sums[last - 1]) last--;
    if (first == last) return;
    l->runs[l->run_count++] = (run){state, (uint16_t)first, (uint16_t)(last - first)};
    memcpy(l->values + l->value_count, sums + first, (last - first) * sizeof *sums);
    l->value_count += last - first;
    memset(sums + first, 0, (last - first) * sizeof *sums);
}

static int take_runs(counter *c) {
    if (make_runs_room(&c->next, c->touched_count, (size_t)c->touched_count * c->stride))
        return PLB_ENOMEM;
    for (uint32_t t = 0; t < c->touched_count; t++) take_run(c, c->touched[t]);
    c->touched_count = 0;
    return PLB_OK;
}

static int sum_frontiers(counter *c, int column) {
    layer *l = &c->next;
    size_t e = 0;
    int error = PLB_OK;
    l->runs_end = calloc(l->count + 1, sizeof *l->runs_end);
    l->values_begin = calloc(l->count + 1, sizeof *l->values_begin);
    if (!l->runs_end || !l->values_begin) return PLB_ENOMEM;
    for (uint32_t to = 0; to < l->count && !error; to++) {
        if (should_stop(c)) return PLB_EINTERRUPTED;
        l->values_begin[to] = l->value_count;
        for (; e < c->edge_count && c->edges[e].to == to && !error; e++)
            error = follow_edge_runs(c, column, &c->edges[e]);
        if (!error) error = take_runs(c);
        l->runs_end[to] = l->run_count;
    }
    return error;
}

/* ---- the whole ---- */

/* Nothing was read, in one way. */
static int begin_layer(counter *c) {
    plb_frontier nothing;
    plb_big_count one = 1;
    uint32_t number;
    memset(&nothing, 0, sizeof nothing);
    int64_t first = plb_count_states_first(&c->states);
    if (first < 0) return (int)first;
    if (number_frontier(&c->next, &nothing, &number)) return PLB_ENOMEM;
    int error = add_run(c, first, 0, 1, &one, false);
    return error ? error : sum_frontiers(c, 0);
}

static int read_columns(counter *c) {
    int error = begin_layer(c);
    for (int column = 0; column < c->board.width && !error; column++) {
        free_layer(&c->now);
        c->now = c->next;
        c->next = (layer){.count = 0};
        error = find_edges(c, column);
        if (!error) error = sum_frontiers(c, column);
    }
    return error;
}

/* Of the last layer, which has one frontier. */
static void read_counts(const counter *c, plb_position_counts *counts) {
    const layer *l = &c->next;
    const plb_big_count *value = l->values;
    for (size_t r = 0; r < l->run_count; r++) {
        const run *run = &l->runs[r];
        const plb_count_state *s = &c->states.layers[c->board.width].items[run->state];
        bool accepted = plb_count_states_accept(&c->states, run->state);
        for (int i = 0; i < run->count; i++, value++) {
            int ply = 2 * (run->first + i) + s->odd;
            if (!accepted) continue;
            if (s->colour != PLB_UNMARKED) {
                counts->ply[ply + 1].terminal += *value;
                ply++;
            }
            counts->ply[ply].total += *value;
        }
    }
    for (int ply = 0; ply < counts->plies; ply++) {
        counts->all.total += counts->ply[ply].total;
        counts->all.terminal += counts->ply[ply].terminal;
    }
}

static int count_by(const plb_column_automaton *automaton, const plb_count_board *board,
                    const volatile sig_atomic_t *stop, plb_position_counts *counts) {
    counter c = {.board = {board->width, board->height, board->k <= board->width ? board->k : 1},
                 .automaton = automaton,
                 .stride = board->width * board->height / 2 + 2,
                 .stop = stop};
    plb_position_counts made = {.plies = board->width * board->height + 1};
    int error = plb_count_states_begin(automaton, stop, &c.states);
    made.ply = calloc(made.plies + 1, sizeof *made.ply);
    if (!error && !made.ply) error = PLB_ENOMEM;
    if (!error) error = read_columns(&c);
    if (!error) read_counts(&c, &made);
    free_layer(&c.now);
    free_layer(&c.next);
    free(c.edges);
    free(c.sums);
    free(c.spans);
    free(c.touched);
    plb_count_states_end(&c.states);
    if (error)
        free(made.ply);
    else
        *counts = made;
    return error;
}

/* Every count is at most the number of ways to fill all columns and to mark one. */
static int check_size(const plb_count_board *board) {
    plb_column_words words;
    int error = plb_column_words_make(board->height, board->k, &words);
    if (error) return error;
    double ways = board->width + 1.0;
    for (int i = 0; i < board->width; i++) ways *= words.count + 1;
    plb_column_words_free(&words);
    return ways > 0x1p127 ? PLB_ETOOBIG : PLB_OK;
}

static int count_board(const plb_count_board *board, const volatile sig_atomic_t *stop,
                       plb_position_counts *counts) {
    plb_column_automaton automaton;
    int error = check_size(board);
    if (error) return error;
    error = plb_column_automaton_make(board->width, board->height, board->k, stop, &automaton);
    if (error) return error;
    error = count_by(&automaton, board, stop, counts);
    plb_column_automaton_free(&automaton);
    return error;
}

/* Limits that are known before anything is made. */
static int check_board(const plb_count_board *board, plb_message *message) {
    if (board->width < 1 || board->width > PLB_MOST_COLUMNS || board->height < 1 ||
        board->height > PLB_COUNT_HEIGHT || board->k < 1)
        return plb_fail(message, PLB_ETOOBIG,
                        "a board of %dx%d cells: boards of 1 to %d columns and 1 to %d rows are "
                        "counted",
                        board->width, board->height, PLB_MOST_COLUMNS, PLB_COUNT_HEIGHT);
    if (board->k <= board->width && board->k > PLB_MOST_RUN + 1)
        return plb_fail(message, PLB_ETOOBIG,
                        "k%d on %d columns: groups that lie in several columns are counted up to "
                        "k%d",
                        board->k, board->width, PLB_MOST_RUN + 1);
    return PLB_OK;
}

int plb_position_count(const plb_count_board *board, const volatile sig_atomic_t *stop,
                       plb_position_counts *counts, plb_message *message) {
    int error = check_board(board, message);
    if (error) return error;
    error = count_board(board, stop, counts);
    if (error == PLB_ETOOBIG)
        return plb_fail(message, error,
                        "%dx%d with k%d is too big to be counted: its columns can be filled in too "
                        "many ways, or a count might exceed 2^127",
                        board->width, board->height, board->k);
    return error ? plb_fail(message, error, "%s", plb_error_text(error)) : PLB_OK;
}

/* Words of a column, by their number of equal letters at the top. */
static double count_words(int height, int k) {
    double words = 1, ending[PLB_MOST_RUN + 1] = {2};
    if (k > PLB_MOST_RUN + 1) k = PLB_MOST_RUN + 1;
    if (k == 1) return 1;
    for (int stones = 1; stones <= height; stones++) {
        double all = 0;
        for (int run = 0; run < k - 1; run++) all += ending[run];
        words += all;
        for (int run = k - 2; run > 0; run--) ending[run] = ending[run - 1];
        ending[0] = all;
    }
    return words;
}

/* Fitted to boards that take from 0.2 to 80 seconds, k 3 to 5: columns that share groups, and what
 * their cells can be. */
double plb_position_count_seconds(const plb_count_board *board) {
    double words = count_words(board->height, board->k), seconds = 1.1e-8;
    double columns = board->width >= board->k ? board->width - board->k + 1 : 1;
    for (int i = 0; i < board->k && i < 4; i++) seconds *= words;
    return seconds * columns * columns * columns;
}

void plb_position_counts_free(plb_position_counts *counts) {
    free(counts->ply);
    *counts = (plb_position_counts){.plies = 0};
}

char *plb_format_big_count(plb_big_count count, char separator, char text[PLB_COUNT_TEXT]) {
    char *at = &text[PLB_COUNT_TEXT - 1];
    int digits = 0;
    *at = 0;
    do {
        if (separator && digits && digits % 3 == 0) *--at = separator;
        *--at = (char)('0' + (int)(count % 10));
        count /= 10;
        digits++;
    } while (count);
    return memmove(text, at, text + PLB_COUNT_TEXT - at);
}
