/* SPDX-License-Identifier: MIT
 *
 * Enumerates all fillings of the middle columns. For each it counts the pairs of outer columns with
 * which the columns have an order and make no group (outer_pairs.h):
 *
 *     columns   left  between  right
 *        5       1       3       1      a group across columns has a stone in each of the three, so
 *        4               3       1      only the order relates the outer columns to each other
 *        3               2       1      no group crosses columns
 *        2               1       1
 *
 * The number of terminal positions follows. A move in an open position completes a group or leads
 * to an open successor. In a column between the former are counted, in an outer column the latter:
 * they are the open positions whose top stone there may have been placed last. So, summed over all
 * open positions,
 *
 *     moves that complete a group = those between + outer columns that are not full
 *                                   - outer top stones that may be the last
 *
 * Each of these moves leads to a terminal position, but two or more may lead to the same one. Two
 * groups across columns that share more than one stone are on one line, so a terminal position has
 *
 *     a group in a column    its top stone alone completed it
 *     groups on one line     every top stone on the line that is in all groups, and without which
 *                            the columns have an order, may have completed them
 *     other groups           they share one stone, which completed them
 *
 * The moves beyond the first to each position are counted and subtracted: the repeats.
 */
#include "tables/count/few_columns.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "tables/count/outer_pairs.h"
#include "tables/stop.h"
#include "tables/threads.h"
#include "tables/vocabulary.h"

enum { GROUP = 4, BETWEEN = PLB_MAX_BETWEEN };

/* Pairs of numbers below 2^16, sorted by a class that belongs to them. */
typedef struct sorted {
    uint32_t *pairs; /* first << 16 | second */
    uint32_t *end;   /* [classes + 1] the pairs of a class are [end[class], end[class + 1]) */
} sorted;

/* Per-thread state. */
typedef struct counter {
    plb_pair_sums *sums; /* [sums] by the stones of the columns between */
    plb_pair_cases cases;
} counter;

/* The columns between are the first, second and third. If there are only two, the second is absent
 * and stays empty; if there is one, the first is absent, too. */
typedef struct few_columns {
    const plb_count_board *board;
    const plb_column_words *words;
    const plb_count_work *work;
    plb_column_classes classes;
    plb_outer_columns outer;
    bool is_there[BETWEEN];
    bool is_mirrored; /* a mirror image exchanges the second and the third column */
    int couple_layer; /* layer of the classes of couples */
    sorted couples;   /* words of the second and the third column, by their class */
    sorted cells;     /* class of a couple and word of the first column, by the class of all */
    plb_between_column *columns[BETWEEN]; /* [words] each */
    counter *counters;                    /* [threads] */
    int sums;                             /* stones of the columns between, at most, + 1 */
    int steps;                            /* a step: all fillings of one class */
    pthread_mutex_t lock;                 /* guards the fields below */
    int next, done;                       /* the next step to begin; number of finished steps */
    int error;
} few_columns;

bool plb_few_columns_can_count(const plb_count_board *board) {
    if (board->height > PLB_FEW_ROWS || board->width < 2 || board->width > 5) return false;
    if (!plb_count_has_wide_groups(board)) return true;
    return board->k == GROUP && board->width >= GROUP && !board->cylinder;
}

/* ---- columns between ---- */

static int make_columns(few_columns *f) {
    static const int places[2][BETWEEN] = {{0, 1, 2}, {1, 0, 2}}; /* of four and five columns */
    size_t count = f->words->count;
    f->columns[0] = calloc(BETWEEN * count, sizeof *f->columns[0]);
    if (!f->columns[0]) return PLB_ENOMEM;
    for (int c = 0; c < BETWEEN; c++) {
        f->columns[c] = f->columns[0] + c * count;
        int to_last = BETWEEN - 1 - places[f->outer.has_left][c];
        for (size_t i = 0; i < count && f->is_there[c]; i++) {
            const plb_column_word *w = &f->words->items[i];
            plb_between_column *column = &f->columns[c][i];
            bool is_full = w->stones == f->board->height;
            for (int x = 0; x < 2; x++) column->groups[x] = !is_full && w->with[x] == PLB_NO_WORD;
            if (!plb_count_has_wide_groups(f->board)) continue;
            for (int x = 0; x < 2; x++)
                column->lines[x] = plb_lines_through(plb_column_word_stones(w, x), to_last);
            for (int x = 0; x < 2; x++)
                if (w->with[x] != PLB_NO_WORD)
                    column->next[x] = plb_lines_through(1U << w->stones, to_last);
            if (w->stones) column->top = plb_lines_through(1U << (w->stones - 1), to_last);
        }
    }
    return PLB_OK;
}

/* The class after a column between, unless it is absent. */
static uint32_t class_after(const few_columns *f, int column, int *layer, uint32_t class,
                            int word) {
    if (!f->is_there[column]) return class;
    return plb_column_class_next(&f->classes, (*layer)++, class, word);
}

static uint32_t class_of_couple(const few_columns *f, uint32_t second, int third) {
    int layer = 0;
    uint32_t class = class_after(f, 1, &layer, PLB_EMPTY_CLASS, (int)second);
    return class_after(f, 2, &layer, class, third);
}

static uint32_t class_of_cell(const few_columns *f, uint32_t couple, int first) {
    int layer = f->couple_layer;
    return class_after(f, 0, &layer, couple, first);
}

/* Sort all pairs below these numbers by their classes. Counting sort: in the first pass end[i + 2]
 * counts the pairs of class i, in the second end[i + 1] is where the next one goes. */
static int sort_pairs(const few_columns *f, uint32_t firsts, int seconds, int layer,
                      uint32_t (*class_of)(const few_columns *f, uint32_t first, int second),
                      sorted *made) {
    uint32_t classes = f->classes.layers[layer].count;
    if (firsts > 1U << 16) return PLB_ETOOBIG;
    made->end = calloc((size_t)classes + 2, sizeof *made->end);
    made->pairs = malloc(((size_t)firsts * seconds) * sizeof *made->pairs);
    if (!made->end || !made->pairs) return PLB_ENOMEM;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t a = 0; a < firsts; a++)
            for (int b = 0; b < seconds; b++) {
                uint32_t *end = &made->end[class_of(f, a, b)];
                if (pass)
                    made->pairs[end[1]++] = a << 16 | (uint32_t)b;
                else
                    end[2]++;
            }
        for (uint32_t i = 2; i < classes + 2 && !pass; i++) made->end[i] += made->end[i - 1];
    }
    return PLB_OK;
}

static int sort_fillings(few_columns *f) {
    int words = f->words->count, layer = f->couple_layer;
    int error = sort_pairs(f, f->is_there[1] ? (uint32_t)words : 1, words, layer, class_of_couple,
                           &f->couples);
    if (error) return error;
    return sort_pairs(f, f->classes.layers[layer].count, f->is_there[0] ? words : 1,
                      f->outer.between, class_of_cell, &f->cells);
}

/* The class of a filling without the top stone of a column. */
static uint32_t class_before(const few_columns *f, const int of[BETWEEN], int column) {
    int less[BETWEEN] = {of[0], of[1], of[2]};
    less[column] = f->words->items[of[column]].below;
    return class_of_cell(f, class_of_couple(f, (uint32_t)less[1], less[2]), less[0]);
}

static int count_filling(const few_columns *f, counter *k, const int of[BETWEEN]) {
    plb_between b = {.lines = {~0ULL, ~0ULL}};
    int balance = 0;
    for (int c = 0; c < BETWEEN; c++) {
        const plb_column_word *w = &f->words->items[of[c]];
        b.columns[c] = &f->columns[c][of[c]];
        for (int x = 0; x < 2; x++) b.lines[x] &= b.columns[c]->lines[x];
        b.sums += w->stones;
        balance += w->balance;
    }
    for (int c = 0; c < BETWEEN; c++)
        if (b.columns[c]->top & (b.lines[0] | b.lines[1])) b.before[c] = class_before(f, of, c);
    k->cases.balance = balance; /* the same for all fillings of a class */
    return plb_outer_pairs_add(&k->cases, &b, f->is_mirrored && of[1] != of[2] ? 2 : 1);
}

/* Count all fillings of a class; of two mirror images only the one whose second word is not greater
 * than the third, twice. */
static int count_class(const few_columns *f, counter *k, uint32_t class) {
    const sorted *cells = &f->cells, *couples = &f->couples;
    int error = PLB_OK;
    k->cases.class = class;
    for (uint32_t i = cells->end[class]; i < cells->end[class + 1]; i++) {
        uint32_t couple = cells->pairs[i] >> 16, end = couples->end[couple + 1];
        for (uint32_t j = couples->end[couple]; j < end && !error; j++) {
            int first = (int)(cells->pairs[i] & 0xFFFF);
            int second = (int)(couples->pairs[j] >> 16), third = (int)(couples->pairs[j] & 0xFFFF);
            if (f->is_mirrored && second > third) continue;
            error = count_filling(f, k, (int[BETWEEN]){first, second, third});
        }
    }
    return error ? error : plb_pair_cases_count(&k->cases);
}

/* ---- threads ---- */

/* Take the next step; -1: none is left. is_done: the caller has finished a step before. */
static int take_step(few_columns *f, bool is_done, int error) {
    pthread_mutex_lock(&f->lock);
    f->done += is_done;
    if (is_done && f->work->advance) f->work->advance(f->work->context, (double)f->done / f->steps);
    if (plb_is_stopped(f->work->stop)) error = PLB_EINTERRUPTED;
    if (error) f->error = error;
    int step = f->error || f->next == f->steps ? -1 : f->next++;
    pthread_mutex_unlock(&f->lock);
    return step;
}

static void run_thread(void *context, int number) {
    few_columns *f = context;
    int error = PLB_OK;
    for (int step = take_step(f, false, error); step >= 0; step = take_step(f, true, error))
        error = count_class(f, &f->counters[number], PLB_DEAD_CLASS + 1 + (uint32_t)step);
}

/* Add the sums of pairs whose outer columns have `a` and `b` stones. */
static void add_pairs(const few_columns *f, const plb_pair_sums *s, int a, int b,
                      plb_ply_count *ply) {
    int height = f->board->height, i = plb_outer_lane(a), j = plb_outer_lane(b);
    int not_full = (f->outer.has_left && a != height) + (b != height);
    plb_big_count open = s->open[a % 2][b % 2][i][j];
    plb_big_count ends = (plb_big_count)(int64_t)s->ends[a % 2][b % 2][i][j]; /* may be negative */
    if (open == 0 && ends == 0) return; /* `ply` may lie outside the array */
    ply->total += open - ends;
    ply->terminal -= ends;
    if (open == 0 || not_full == 0) return; /* likewise ply[1] */
    ply[1].total += open * not_full;
    ply[1].terminal += open * not_full;
}

static void add_counts(const few_columns *f, const counter *k, plb_ply_count *plies) {
    int height = f->board->height;
    for (int stones = 0; stones < f->sums; stones++)
        for (int a = 0; a <= height; a++)
            for (int b = 0; b <= height; b++)
                add_pairs(f, &k->sums[stones], a, b, &plies[stones + a + b]);
}

static int count_all(few_columns *f, plb_ply_count *plies) {
    plb_threads threads;
    int error = plb_threads_open(f->work->threads, &threads);
    f->counters = calloc(threads.count, sizeof *f->counters);
    for (int t = 0; t < threads.count && f->counters; t++) {
        counter *k = &f->counters[t];
        k->sums = calloc(f->sums, sizeof *k->sums);
        k->cases =
            (plb_pair_cases){.outer = &f->outer, .sums = k->sums, .vectors = plb_best_vectors()};
        if (!k->sums || plb_pair_cases_begin(&k->cases)) error = PLB_ENOMEM;
    }
    if (!f->counters) error = PLB_ENOMEM;
    if (!error) {
        plb_threads_run(&threads, run_thread, f);
        error = f->error;
    }
    for (int t = 0; t < threads.count && f->counters; t++) {
        if (!error) add_counts(f, &f->counters[t], plies);
        free(f->counters[t].sums);
        plb_pair_cases_end(&f->counters[t].cases);
    }
    free(f->counters);
    plb_threads_close(&threads);
    return error;
}

int plb_few_columns_count(const plb_count_board *board, const plb_column_words *words,
                          const plb_count_work *work, plb_ply_count *plies) {
    /* 64-bit sums suffice: a board of 13 rows has fewer than 2^57 positions */
    int width = board->width;
    few_columns f = {.board = board,
                     .words = words,
                     .work = work,
                     .is_there = {width > 2, width > 3, true},
                     .is_mirrored = width > 3,
                     .sums = BETWEEN * board->height + 1,
                     .couple_layer = width > 3 ? 2 : 1,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    int error = plb_column_classes_make(width, words, UINT32_MAX, work->stop, &f.classes);
    if (error) return error;
    error = plb_outer_columns_make(&f.classes, width == 5, &f.outer);
    if (!error) error = make_columns(&f);
    if (!error) error = sort_fillings(&f);
    if (!error) f.steps = (int)f.classes.layers[f.outer.between].count - (PLB_DEAD_CLASS + 1);
    if (!error) error = count_all(&f, plies);
    free(f.couples.pairs);
    free(f.couples.end);
    free(f.cells.pairs);
    free(f.cells.end);
    free(f.columns[0]);
    plb_outer_columns_free(&f.outer);
    plb_column_classes_free(&f.classes);
    return error;
}

/* Fitted to boards that take 0.01 s to minutes. */
double plb_few_columns_seconds(const plb_count_board *board, double words) {
    if (board->width == 5) return 1.6e-8 * words * words * words * sqrt(words);
    if (board->width == 4) return 3e-8 * words * words * words;
    return (board->width == 3 ? 3e-7 : 5e-9) * words * words;
}
