/* SPDX-License-Identifier: MIT
 *
 * Counting positions, column after column. Each frontier of the columns so far has, for each state
 * of the count and each number of stones, the number of ways in which they can be filled.
 *
 * A column is read from its height downwards, stone by stone. What was to the left of a place that
 * is filled, or left empty, matters to the frontier no more, so that many become the same, whose
 * ways are added up before anything else is done with them. Only when the word is whole do the
 * states change.
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
 * Signed sums are taken modulo 2^64 where no count can reach that, else modulo 2^128.
 */
#include "tables/position_count.h"

#include <stdlib.h>
#include <string.h>

#include "tables/count_states.h"
#include "tables/frontier_ways.h"

typedef struct counter {
    plb_frontier_board board;
    const plb_column_automaton *automaton;
    plb_count_states states;
    bool open_only;              /* nothing is marked */
    int column;                  /* that is being read */
    plb_frontier_list frontiers; /* after it */
    plb_ways parts;              /* of each word: in how many ways it leaves .. */
    int64_t *parts_to;           /* .. which of these frontiers */
    uint32_t parts_room;
    plb_way_sums sums;
    const volatile sig_atomic_t *stop;
} counter;

/* Frontiers of columns, the last one of which may be read in part, and their ways. */
typedef struct layer {
    plb_frontier_list frontiers;
    plb_ways ways; /* the owners are the frontiers */
} layer;

static void free_layer(layer *l) {
    plb_frontier_list_free(&l->frontiers);
    plb_ways_free(&l->ways);
}

/* ---- a word that is whole ---- */

/* Half the stones, rounded down, after so many more. */
static int shifted(const plb_way_run *r, bool odd, int stones) {
    return (2 * r->first + odd + stones) / 2;
}

/* What a run adds: its values, from a number of stones on. */
typedef struct summand {
    int first;
    const uint64_t *values;
    bool negative;
} summand;

static int add_read(counter *c, const plb_way_run *r, int word, plb_reading reading, summand add) {
    int64_t state = plb_count_states_read(&c->states, c->column, r->state, word, reading);
    if (state <= 0) return (int)state; /* PLB_NO_STATE: nothing */
    return plb_way_sums_add(&c->sums, (uint32_t)state, add.first, r->count, add.values,
                            add.negative);
}

/* The marked positions with one mark, in a column that is just read. */
static int add_single_marks(counter *c, const plb_way_run *r, bool odd, int word,
                            const uint64_t *values) {
    int stones = c->automaton->words.items[word].stones, error = PLB_OK;
    summand more = {shifted(r, odd, stones), values, false};
    if (stones < c->board.height) {
        error = add_read(c, r, word, PLB_READ_MORE_O, more);
        if (!error) error = add_read(c, r, word, PLB_READ_MORE_X, more);
    }
    if (error || stones == 0) return error;
    summand less = {shifted(r, odd, stones - 1), values, true};
    return add_read(c, r, word, PLB_READ_LESS, less);
}

typedef enum way { READ, BEGIN, MARK } way; /* of a column: no new mark, the first, a further one */

/* The ways of a frontier through a word to another one: a part. */
typedef struct passage {
    const plb_ways *ways;
    uint32_t from;
    int word;
    way way;
    plb_reading reading;
} passage;

/* One run. Only what is unmarked begins a line. */
static int pass_run(counter *c, const passage *p, const plb_way_run *r, const uint64_t *values) {
    const plb_count_state *s = &c->states.layers[c->column].items[r->state];
    bool unmarked = s->colour == PLB_UNMARKED, odd = s->odd;
    int stones = c->automaton->words.items[p->word].stones;
    if (p->way == BEGIN && !unmarked) return PLB_OK;
    /* The first mark is a stone less, every further one changes the sign. */
    summand all = {shifted(r, odd, stones - (p->way == BEGIN)), values, p->way == MARK};
    int error = add_read(c, r, p->word, p->reading, all);
    if (error || c->open_only || p->way != READ || !unmarked) return error;
    return add_single_marks(c, r, odd, p->word, values);
}

static int make_parts_room(counter *c) {
    if (c->parts.owners < c->parts_room) return PLB_OK;
    uint32_t room = 2 * c->parts_room + 1024;
    int64_t *to = realloc(c->parts_to, room * sizeof *to);
    if (!to) return PLB_ENOMEM;
    c->parts_to = to, c->parts_room = room;
    return PLB_OK;
}

static int pass(counter *c, passage p, const plb_frontier *to) {
    const uint64_t *values = plb_ways_values(p.ways, p.from);
    bool last = !to->line.is_there || !plb_frontier_wants_marks(&c->board, to);
    uint32_t number;
    p.reading = p.way == READ ? (last ? PLB_READ_LAST : PLB_READ_ALL)
                              : (last ? PLB_READ_MARKED_LAST : PLB_READ_MARKED);
    int error = make_parts_room(c);
    for (size_t r = plb_ways_runs_begin(p.ways, p.from); r < p.ways->runs_end[p.from] && !error;
         r++) {
        error = pass_run(c, &p, &p.ways->runs[r], values);
        values += (size_t)p.ways->runs[r].count * p.ways->limbs;
    }
    if (error || c->sums.touched_count == 0) return error;
    error = plb_frontier_list_find(&c->frontiers, to, &number);
    if (!error) error = plb_way_sums_take(&c->sums, &c->parts);
    if (!error) c->parts_to[c->parts.owners - 1] = number;
    return error;
}

/* A frontier whose line goes on: kept if its marks can still be two and its group complete. At the
 * right edge of the board the line ends. */
static int pass_line(counter *c, const passage *p, plb_frontier *to) {
    bool has_marks = to->line.marks == 2;
    if (c->column == c->board.width - 1) {
        if (!has_marks || !plb_frontier_has_group(&c->board, &to->line)) return PLB_OK;
        memset(to, 0, sizeof *to);
    } else if (!has_marks && !plb_frontier_wants_marks(&c->board, to)) {
        return PLB_OK;
    }
    return pass(c, *p, to);
}

static int pass_marked(counter *c, passage p, plb_frontier to) {
    plb_frontier marked = to;
    int error = pass_line(c, &p, &to);
    if (error ||
        !plb_frontier_may_mark(&c->board, &marked, c->automaton->words.items[p.word].stones - 1))
        return error;
    p.way = MARK;
    marked.line.marks = 2;
    return pass_line(c, &p, &marked);
}

static int pass_plain(counter *c, passage p, const plb_frontier *to) {
    const plb_column_word *w = &c->automaton->words.items[p.word];
    int error = pass(c, p, to);
    if (c->open_only) return error;
    p.way = BEGIN;
    for (int d = 0; d < PLB_DIRECTIONS && p.word && !error; d++) {
        plb_frontier begun = *to;
        if (plb_frontier_begin_line(&c->board, w->stones - 1, plb_column_word_x_on_top(w), d,
                                    &begun))
            error = pass_line(c, &p, &begun);
    }
    return error;
}

/* ---- a column stone by stone ---- */

/* How all frontiers of a layer change together. */
typedef struct change {
    enum { BEGIN_COLUMN, END_COLUMN, PUT_STONE } kind;
    int row; /* END_COLUMN: height of the column; PUT_STONE: of the stone */
    bool x;
} change;

static bool change_frontier(const counter *c, change change, plb_frontier *f) {
    if (change.kind == BEGIN_COLUMN) return plb_frontier_begin_column(&c->board, f);
    if (change.kind == END_COLUMN) return plb_frontier_end_column(&c->board, change.row, f);
    return plb_frontier_put(&c->board, c->column, change.row, change.x, f);
}

static int change_layer(counter *c, change change, const layer *from, layer *to) {
    int64_t *places = malloc(((size_t)from->frontiers.count + 1) * sizeof *places);
    int error = places ? PLB_OK : PLB_ENOMEM;
    *to = (layer){.ways = {.limbs = from->ways.limbs}};
    for (uint32_t f = 0; f < from->frontiers.count && !error; f++) {
        plb_frontier next = from->frontiers.items[f];
        uint32_t number;
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

static int replace_layer(counter *c, change change, layer *l) {
    layer from = *l;
    int error = change_layer(c, change, &from, l);
    free_layer(&from);
    return error;
}

static int pass_word(counter *c, const layer *l, int word) {
    int error = PLB_OK;
    for (uint32_t f = 0; f < l->frontiers.count && !error; f++) {
        const plb_frontier *to = &l->frontiers.items[f];
        passage p = {.ways = &l->ways, .from = f, .word = word, .way = READ};
        if (c->stop && *c->stop) return PLB_EINTERRUPTED;
        error = to->line.is_there ? pass_marked(c, p, *to) : pass_plain(c, p, to);
    }
    return error;
}

/* Do the lowest stones of a column so far, which is read down to a row, make a group? */
static bool has_column_group(const counter *c, uint32_t x, int height, int row) {
    int k = c->automaton->words.k;
    uint32_t group = k < 32 ? (1U << k) - 1 : ~0U, lowest = x >> row & group;
    return row + k <= height && (lowest == 0 || lowest == group);
}

/* All columns of a height with these stones from a row on. */
static int read_down(counter *c, const layer *l, uint32_t x, int height, int row) {
    int error = PLB_OK;
    if (row == 0) return pass_word(c, l, plb_column_words_find(&c->automaton->words, x, height));
    for (int letter = 0; letter < 2 && !error; letter++) {
        uint32_t more = x | (uint32_t)letter << (row - 1);
        layer next;
        if (has_column_group(c, more, height, row - 1)) continue;
        error = change_layer(c, (change){PUT_STONE, row - 1, letter}, l, &next);
        if (!error) error = read_down(c, &next, more, height, row - 1);
        free_layer(&next);
    }
    return error;
}

/* One column more: of every height, the highest first. */
static int read_column(counter *c, layer *l) {
    int error = replace_layer(c, (change){.kind = BEGIN_COLUMN}, l);
    for (int height = c->board.height; height >= 0 && !error; height--) {
        error = replace_layer(c, (change){.kind = END_COLUMN, .row = height}, l);
        if (!error) error = read_down(c, l, 0, height, height);
    }
    free_layer(l);
    if (!error)
        error = plb_ways_gather(&c->parts, c->parts_to, c->frontiers.count, &c->sums, &l->ways);
    plb_ways_free(&c->parts);
    l->frontiers = c->frontiers;
    c->frontiers = (plb_frontier_list){.count = 0};
    return error;
}

/* ---- the whole ---- */

/* Nothing was read, in one way. */
static int begin_layer(counter *c, layer *l) {
    plb_frontier nothing;
    const uint64_t one[2] = {1};
    uint32_t number;
    memset(&nothing, 0, sizeof nothing);
    int64_t first = plb_count_states_first(&c->states);
    if (first < 0) return (int)first;
    int error = plb_frontier_list_find(&l->frontiers, &nothing, &number);
    if (!error) error = plb_way_sums_add(&c->sums, (uint32_t)first, 0, 1, one, false);
    return error ? error : plb_way_sums_take(&c->sums, &l->ways);
}

/* Of the last layer, which has one frontier. */
static void read_counts(const counter *c, const layer *l, plb_position_counts *counts) {
    const uint64_t *value = l->ways.values;
    for (size_t r = 0; r < l->ways.run_count; r++) {
        const plb_way_run *run = &l->ways.runs[r];
        const plb_count_state *s = &c->states.layers[c->board.width].items[run->state];
        bool accepted = plb_count_states_accept(&c->states, run->state);
        for (int i = 0; i < run->count; i++, value += l->ways.limbs) {
            plb_big_count ways = value[0];
            int ply = 2 * (run->first + i) + s->odd;
            if (!accepted) continue;
            if (l->ways.limbs == 2) ways |= (plb_big_count)value[1] << 64;
            if (s->colour != PLB_UNMARKED) {
                counts->ply[ply + 1].terminal += ways;
                ply++;
            }
            counts->ply[ply].total += ways;
        }
    }
}

/* Sums of signed numbers are right modulo what a number can hold. */
static void end_counts(int limbs, plb_position_counts *counts) {
    for (int ply = 0; ply < counts->plies; ply++) {
        plb_ply_count *p = &counts->ply[ply];
        if (limbs == 1) p->total = (uint64_t)p->total, p->terminal = (uint64_t)p->terminal;
        counts->all.total += p->total;
        counts->all.terminal += p->terminal;
    }
}

static void end_counter(counter *c) {
    plb_frontier_list_free(&c->frontiers);
    plb_ways_free(&c->parts);
    plb_way_sums_free(&c->sums);
    free(c->parts_to);
    plb_count_states_end(&c->states);
}

static int count_by(const plb_column_automaton *automaton, const plb_count_board *board, int limbs,
                    const volatile sig_atomic_t *stop, plb_position_counts *counts) {
    counter c = {.board = {board->width, board->height, board->k <= board->width ? board->k : 1},
                 .automaton = automaton,
                 .open_only = board->open_only,
                 .parts = {.limbs = limbs},
                 .sums = {.limbs = limbs, .stride = board->width * board->height / 2 + 2},
                 .stop = stop};
    layer l = {.ways = {.limbs = limbs}};
    plb_position_counts made = {.plies = board->width * board->height + 1};
    int error = plb_count_states_begin(automaton, stop, &c.states);
    made.ply = calloc(made.plies + 1, sizeof *made.ply);
    if (!error && !made.ply) error = PLB_ENOMEM;
    if (!error) error = begin_layer(&c, &l);
    for (; c.column < board->width && !error; c.column++) error = read_column(&c, &l);
    if (!error) read_counts(&c, &l, &made);
    if (!error) end_counts(limbs, &made);
    free_layer(&l);
    end_counter(&c);
    if (error)
        free(made.ply);
    else
        *counts = made;
    return error;
}

/* Every count is at most the number of ways to fill all columns and to mark one. */
static int find_limbs(const plb_count_board *board, int *limbs) {
    plb_column_words words;
    int error = plb_column_words_make(board->height, board->k, &words);
    if (error) return error;
    double ways = board->width + 1.0;
    for (int i = 0; i < board->width; i++) ways *= words.count + 1;
    plb_column_words_free(&words);
    *limbs = ways < 0x1p63 ? 1 : 2;
    return ways > 0x1p127 ? PLB_ETOOBIG : PLB_OK;
}

static int count_board(const plb_count_board *board, const volatile sig_atomic_t *stop,
                       plb_position_counts *counts) {
    plb_column_automaton automaton;
    int limbs, error = find_limbs(board, &limbs);
    if (error) return error;
    error = plb_column_automaton_make(board->width, board->height, board->k, stop, &automaton);
    if (error) return error;
    error = count_by(&automaton, board, limbs, stop, counts);
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
    if (error == PLB_ENOMEM)
        return plb_fail(message, error, "out of memory for counting positions");
    return error ? plb_fail(message, error, "%s", plb_error_text(error)) : PLB_OK;
}

/* Fitted to boards with k from 3 to 5 that take from 0.1 to 80 seconds: what the cells of columns
 * that share groups can be, and the automaton. */
double plb_position_count_seconds(const plb_count_board *board) {
    double words = plb_column_words_estimate(board->height, board->k), seconds = 0.9e-8;
    double columns = board->width >= board->k ? board->width - board->k + 1 : 1;
    double automaton = plb_column_automaton_seconds(board->width, board->height, board->k);
    for (int i = 0; i < board->k && i < 4; i++) seconds *= words;
    seconds *= columns * columns * columns;
    return (board->open_only ? seconds / 9 : seconds) + automaton;
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
