/* SPDX-License-Identifier: MIT
 *
 * Reading all columns, slice by slice where memory does not suffice.
 */
#include "tables/count/column_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "tables/count/sweep_layers.h"
#include "tables/vocabulary.h"

typedef plb_frontier_layer layer;

/* ---- counts ---- */

/* Where counts are added, and how often. */
typedef struct counted {
    plb_ply_count *plies;
    int times;
} counted;

/* Of the last layer, which has one frontier. */
static void add_counts(const plb_column_reading *c, const layer *l, const counted *to) {
    const uint8_t *value = l->ways.values;
    for (size_t r = 0; r < l->ways.run_count; r++) {
        const plb_way_run *run = &l->ways.runs[r];
        const plb_count_state *s = &c->states.layers[c->board.width].items[run->state];
        int times = s->settled == c->settled
                        ? to->times * plb_count_states_accept(&c->states, run->state)
                        : 0;
        for (int i = 0; i < (int)run->count; i++, value += run->bytes) {
            int ply = 2 * (run->first + i) + s->odd;
            if (times == 0) continue;
            plb_big_count ways = (plb_big_count)plb_way_number_at(value, run->bytes) * times;
            if (s->colour != PLB_UNMARKED) {
                to->plies[ply + 1].terminal += ways;
                ply++;
            }
            to->plies[ply].total += ways;
        }
    }
}

/* ---- slices ---- */

/* How the words of a column are read slice by slice. */
typedef struct slicing {
    const layer *from;    /* before the column */
    struct slicing *next; /* of the column behind it, where not even a word of this one fits; or
                             NULL, and nothing of it is kept */
    double share;         /* of all words: those of the column before that it is about */
    double too_large;     /* slices that hold such a share of all words, or more, need more memory
                             than there is, as far as is known */
    counted to;
} slicing;

/* False: there is just one. */
static bool use_fewer_threads(plb_column_reading *c) {
    if (c->threads == 1) return false;
    plb_layers_clear_readers(c);
    c->threads /= 2;
    return true;
}

/* Make the layer after a slice, with as many threads as there is memory for. */
static int read_slice(plb_column_reading *c, const layer *from, const plb_column_slice *slice,
                      layer *to) {
    int error = plb_layers_read_slice(c, from, slice, to);
    while (error == PLB_ENOMEM && use_fewer_threads(c)) {
        plb_frontier_layer_free(to);
        error = plb_layers_read_slice(c, from, slice, to);
    }
    c->threads = c->work->threads;
    return error;
}

/* Which share of all words is read with a slice. Where colours may be exchanged, words with an o as
 * their lowest letter are read with the others, and the empty word has no other. */
static double share_of_slice(const plb_column_reading *c, const plb_column_slice *slice) {
    const plb_column_words *words = &c->automaton->words;
    double share = plb_column_slice_share(slice, words);
    if (!slice->given || !c->exchanges) return share;
    if (!(slice->x & 1)) return 0;
    return slice->least ? 2 * share : 2 * share - 1.0 / words->count;
}

/* Read a slice of a column and all columns to the right of it. */
static int count_whole_slice(plb_column_reading *c, slicing *s, const plb_column_slice *slice,
                             const counted *to) {
    layer l;
    int error = plb_layers_read_slice(c, s->from, slice, &l);
    for (int column = slice->column + 1; column < c->board.width && !error; column++)
        error = plb_layers_read_column(c, column, &l);
    if (!error) add_counts(c, &l, to);
    plb_frontier_layer_free(&l);
    return error;
}

static int count_slices(plb_column_reading *c, slicing *s, const plb_column_slice *slice);

/* The same, and the column behind it slice by slice. */
static int count_sliced_twice(plb_column_reading *c, slicing *s, const plb_column_slice *slice,
                              const counted *to) {
    layer l;
    double done = c->done;
    plb_column_slice all = plb_layers_all_words(c, slice->column + 1);
    int error = read_slice(c, s->from, slice, &l);
    s->next->from = &l;
    s->next->to = *to;
    s->next->share = c->slice_share;
    c->sliced_column++;
    if (!error) error = count_slices(c, s->next, &all);
    c->sliced_column--;
    c->done = done;
    plb_frontier_layer_free(&l);
    return error;
}

static void add_plies(const plb_column_reading *c, const plb_ply_count *from, plb_ply_count *to) {
    for (int ply = 0; ply <= c->board.width * c->board.height; ply++) {
        to[ply].total += from[ply].total;
        to[ply].terminal += from[ply].terminal;
    }
}

/* Count a slice in one of these ways, and keep what was found, unless it is the whole, which who
 * asked for it keeps. */
static int count_slice(plb_column_reading *c, slicing *s, const plb_column_slice *slice,
                       bool twice) {
    const plb_count_keeper *keeper = s->next ? c->work->keeper : NULL;
    plb_ply_count *found = calloc(c->board.width * c->board.height + 2, sizeof *found);
    if (!found) return PLB_ENOMEM;
    c->slice_share = s->share * share_of_slice(c, slice);
    int error = (twice ? count_sliced_twice : count_whole_slice)(c, s, slice,
                                                                 &(counted){found, s->to.times});
    if (!error && keeper && slice->given) error = keeper->keep(keeper->context, slice, found);
    if (!error) add_plies(c, found, s->to.plies);
    free(found);
    if (error == PLB_ENOMEM) plb_layers_clear_readers(c);
    if (error == PLB_ENOMEM || slice->given) plb_count_states_forget(&c->states, slice->column);
    return error;
}

static plb_kept find_part(const plb_column_reading *c, const plb_column_slice *slice,
                          plb_ply_count *plies) {
    const plb_count_keeper *keeper = c->work->keeper;
    return keeper ? keeper->find(keeper->context, slice, plies) : PLB_KEPT_NOTHING;
}

/* A slice of a single word, for which there is not enough memory at once: with the next column
 * sliced, too, or with fewer threads. */
static int count_word(plb_column_reading *c, slicing *s, const plb_column_slice *slice) {
    int error = PLB_ENOMEM;
    if (s->next) return count_slice(c, s, slice, true);
    while (error == PLB_ENOMEM && use_fewer_threads(c)) error = count_slice(c, s, slice, false);
    c->threads = c->work->threads;
    return error;
}

/* Count a slice unless it is kept; in smaller slices where some of them are, where it would take
 * longer than a part may, or where memory does not suffice for this one or for one as large before.
 * Low words need most: larger slices of others are tried again, by and by. */
static int count_slices(plb_column_reading *c, slicing *s, const plb_column_slice *slice) {
    const double recovery = 1.125;
    double share = share_of_slice(c, slice);
    if (share == 0) return PLB_OK;
    plb_kept kept = s->next ? find_part(c, slice, s->to.plies) : PLB_KEPT_NOTHING;
    plb_column_slice halves[2];
    bool can_be_cut = plb_column_slice_cut(slice, halves);
    bool takes_long = s->next && can_be_cut && share >= c->part_share;
    bool is_large = (s->next || can_be_cut) && share >= s->too_large;
    int error = kept == PLB_KEPT_ALL ? PLB_OK : PLB_ENOMEM;
    if (kept == PLB_KEPT_NOTHING && !takes_long && !is_large) {
        error = count_slice(c, s, slice, false);
        if (error == PLB_ENOMEM) s->too_large = share / 2;
    }
    if (error == PLB_ENOMEM && can_be_cut) {
        error = count_slices(c, s, &halves[0]);
        return error ? error : count_slices(c, s, &halves[1]);
    }
    if (error == PLB_ENOMEM) error = count_word(c, s, slice);
    if (error) return error;
    if (kept == PLB_KEPT_NOTHING) s->too_large *= recovery;
    c->done += s->share * share;
    return PLB_OK;
}

/* Replace a layer by that after all words of a column, or leave it as it is after an error. */
static int read_first_column(plb_column_reading *c, int column, layer *l) {
    plb_column_slice all = plb_layers_all_words(c, column);
    layer next;
    int error = read_slice(c, l, &all, &next);
    plb_frontier_layer_free(error ? &next : l);
    if (!error) *l = next;
    return error;
}

/* Read the columns before that which is sliced, or up to one whose words do not all fit in memory,
 * which is sliced then. */
static int read_first_columns(plb_column_reading *c, layer *l) {
    int error = plb_layers_begin(c, l), column = 0;
    if (error) return error;
    for (; column < c->sliced_column; column++)
        if ((error = read_first_column(c, column, l))) break;
    if (error != PLB_ENOMEM) return error;
    plb_layers_clear_readers(c);
    c->sliced_column = column;
    return PLB_OK;
}

static int count_all(plb_column_reading *c, const counted *to) {
    layer l;
    int wanted = c->sliced_column, error = read_first_columns(c, &l);
    bool is_last = c->sliced_column == c->board.width - 1, fits = c->sliced_column == wanted;
    slicing next = {.too_large = 0.5};
    slicing first = {&l, is_last ? NULL : &next, 1, fits ? 2 : 0.5, *to};
    plb_column_slice all = plb_layers_all_words(c, c->sliced_column);
    c->done = 0;
    if (!error) error = count_slices(c, &first, &all);
    plb_frontier_layer_free(&l);
    return error;
}

/* The middle one, or the last one before it of which parts are kept. Where these are not all that
 * fits in memory, what is kept of an earlier one serves after that. */
static int column_to_slice(const plb_column_reading *c, plb_ply_count *plies) {
    int middle = (c->board.width - 1) / 2;
    for (int column = middle; column >= 0; column--) {
        plb_column_slice all = plb_layers_all_words(c, column);
        if (find_part(c, &all, plies) == PLB_KEPT_PARTS) return column;
    }
    return middle;
}

int plb_reading_count(plb_column_reading *c, const plb_word_visitor *visitor, int times,
                      plb_ply_count *plies) {
    size_t bytes = (c->board.width * c->board.height + 2) * sizeof *plies;
    plb_ply_count *found = malloc(bytes);
    int error;
    if (!found) return PLB_ENOMEM;
    c->visitor = visitor;
    c->sliced_column = column_to_slice(c, found);
    /* Where not even a word fits, an earlier column leaves more memory. */
    for (;;) {
        memset(found, 0, bytes);
        error = count_all(c, &(counted){found, times});
        if (error != PLB_ENOMEM || c->sliced_column == 0) break;
        plb_layers_clear_readers(c);
        c->sliced_column--;
    }
    if (!error) add_plies(c, found, plies);
    free(found);
    return error;
}

int plb_reading_begin(const plb_column_automaton *automaton, int k, int limbs,
                      const plb_count_work *work, plb_column_reading *reading) {
    int width = automaton->width, height = automaton->words.height, threads = work->threads;
    *reading = (plb_column_reading){
        .board = {width, height, k, calloc(width, sizeof *reading->board.columns)},
        .automaton = automaton,
        .readers = calloc(threads, sizeof *reading->readers),
        .threads = threads,
        .exchanges = true,
        .part_share = 2,
        .work = work};
    pthread_mutex_init(&reading->lock, NULL);
    pthread_cond_init(&reading->one_is_free, NULL);
    if (!reading->board.columns || !reading->readers) return PLB_ENOMEM;
    plb_frontier_board_clear(&reading->board);
    for (int r = 0; r < threads; r++)
        reading->readers[r] = (plb_column_reader){
            .reading = reading,
            .frontiers = plb_frontier_list_of(&reading->board),
            .parts = {.limbs = limbs},
            .sums = {.limbs = limbs, .stride = 2, .most = width * height / 2 + 2}};
    return plb_count_states_begin(automaton, work->stop, &reading->states);
}

void plb_reading_end(plb_column_reading *reading) {
    for (int r = 0; reading->readers && r < reading->work->threads; r++)
        plb_layers_clear_reader(&reading->readers[r]);
    free(reading->readers);
    if (reading->states.automaton) plb_count_states_end(&reading->states);
    free(reading->board.columns);
    pthread_cond_destroy(&reading->one_is_free);
    pthread_mutex_destroy(&reading->lock);
}
