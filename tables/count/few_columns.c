/* SPDX-License-Identifier: MIT
 *
 * The columns in the middle are filled in every way; with each the pairs of outer columns are
 * counted with which they have an order and make no group (outer_pairs.h):
 *
 *     columns   left  between  right
 *        5       1       3       1      a group across columns has a stone in each of the three, so
 *        4               3       1      that outer ones have to do with each other by the order
 * alone 3               2       1      no group crosses columns 2               1       1
 *
 * Terminal positions follow. An open position has a successor for each column that is not full;
 * those successors that are open, too, are open positions with one of their top stones as the last
 * one. So, over all open positions,
 *
 *     stones that complete groups = columns that are not full - top stones that may be the last
 *
 * and terminal positions are completed by these stones; but one may be by two of them or more. Two
 * groups across columns that share more than one stone are on one line, so it has
 *
 *     a group in a column    it was completed by its top stone alone
 *     one on a line          by any of its stones that is a top stone, and without which the
 *                            columns have an order; if there is no group but on the line. Else the
 *                            groups have just one stone in common.
 *
 * Those that are too many are counted, and taken away: the repeats.
 */
#include "tables/count/few_columns.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "tables/count/outer_pairs.h"
#include "tables/stop.h"
#include "tables/threads.h"
#include "tables/vocabulary.h"

enum { GROUP = 4, BETWEEN = PLB_MAX_BETWEEN, MAX_FULL = BETWEEN + 1 };

/* A word as one of the columns between. */
typedef struct column {
    plb_lines lines[2]; /* by colour, in rows of the last one */
    plb_lines top;      /* through the top stone */
} column;

/* What one thread counts. */
typedef struct counter {
    plb_pair_sums *sums[2]; /* [sums_at(f, MAX_FULL, 0)] each: the second ones of columns that
                               stand for their mirror image, too */
    plb_between *between;   /* [words] with the same first and second column */
} counter;

/* The columns between are a first, a second and a third one; where there are two or one of them,
 * the second one, or both, are not there and stay empty. */
typedef struct few_columns {
    const plb_count_board *board;
    const plb_column_words *words;
    const plb_count_work *work;
    plb_column_classes classes;
    plb_outer_columns outer;
    bool is_there[BETWEEN];
    bool is_mirrored;         /* the second and the third one change places in the mirror image */
    column *columns[BETWEEN]; /* [words] each */
    counter *counters;        /* of each thread */
    int steps;                /* words of the first column */
    pthread_mutex_t lock;     /* guards what follows */
    int next, done;           /* the step that is not begun; how many are done */
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
        for (size_t i = 0; i < count && plb_count_has_wide_groups(f->board); i++) {
            const plb_column_word *w = &f->words->items[i];
            column *column = &f->columns[c][i];
            for (int x = 0; x < 2; x++)
                column->lines[x] = plb_lines_through(plb_column_word_stones(w, x), to_last);
            if (w->stones) column->top = plb_lines_through(1U << (w->stones - 1), to_last);
        }
    }
    return PLB_OK;
}

/* Sums of columns between, by how many of them are full, and by their stones. */
static size_t sums_at(const few_columns *f, int full, int stones) {
    return (size_t)full * (BETWEEN * f->board->height + 1) + stones;
}

/* [words] The classes after the first two columns, by the third one. */
static const uint32_t *classes_after(const few_columns *f, int first, int second) {
    const int words[] = {first, second};
    uint32_t class = PLB_EMPTY_CLASS;
    int layer = 0;
    for (int c = 0; c < 2; c++)
        if (f->is_there[c]) class = plb_column_class_next(&f->classes, layer++, class, words[c]);
    return plb_tuple_set_at(&f->classes.layers[layer], class);
}

/* What is asked of pairs with these columns between. classes: after the first two columns, and
 * without the top stone of one of these. */
static plb_between join_columns(const few_columns *f, const int of[BETWEEN],
                                const uint32_t *const classes[BETWEEN], plb_pair_sums *sums) {
    const plb_column_word *items = f->words->items;
    plb_between b = {.class = classes[2][of[2]], .lines = {~0ULL, ~0ULL}};
    int full = 0, stones = 0;
    for (int c = 0; c < BETWEEN; c++) {
        const plb_column_word *w = &items[of[c]];
        const column *column = &f->columns[c][of[c]];
        if (w->stones) b.before[c] = classes[c][c < 2 ? of[2] : w->below];
        b.x[c] = w->stones && plb_column_word_x_on_top(w);
        b.top[c] = column->top;
        b.balance += w->balance;
        for (int x = 0; x < 2; x++) b.lines[x] &= column->lines[x];
        full += w->stones == f->board->height;
        stones += w->stones;
    }
    b.sums = sums + sums_at(f, full, stones);
    return b;
}

/* All third columns; of mirror images the one whose second column is not the greater one. */
static void count_thirds(const few_columns *f, counter *k, int first, int second) {
    const plb_column_word *items = f->words->items;
    const uint32_t *classes[BETWEEN] = {classes_after(f, items[first].below, second),
                                        classes_after(f, first, items[second].below),
                                        classes_after(f, first, second)};
    int count = 0;
    for (int third = f->is_mirrored ? second : 0; third < f->words->count; third++) {
        if (classes[2][third] == PLB_DEAD_CLASS) continue;
        plb_pair_sums *sums = k->sums[f->is_mirrored && third != second];
        k->between[count++] = join_columns(f, (int[BETWEEN]){first, second, third}, classes, sums);
    }
    plb_outer_pairs_count(&f->outer, k->between, count, plb_best_vectors());
}

/* ---- threads ---- */

/* The next step that is not begun, after a last one is done; -1: there is none. */
static int take_step(few_columns *f, bool is_done) {
    pthread_mutex_lock(&f->lock);
    f->done += is_done;
    if (is_done && f->work->advance) f->work->advance(f->work->context, (double)f->done / f->steps);
    if (plb_is_stopped(f->work->stop)) f->error = PLB_EINTERRUPTED;
    int step = f->error || f->next == f->steps ? -1 : f->next++;
    pthread_mutex_unlock(&f->lock);
    return step;
}

static void run_thread(void *context, int number) {
    few_columns *f = context;
    int seconds = f->is_there[1] ? f->words->count : 1;
    for (int first = take_step(f, false); first >= 0; first = take_step(f, true))
        for (int second = 0; second < seconds; second++)
            count_thirds(f, &f->counters[number], first, second);
}

/* ---- counts of plies ---- */

/* Pairs of words with so many stones. */
static void add_pairs(const few_columns *f, const plb_pair_sums *s, int a, int b, int full,
                      plb_ply_count *ply) {
    int height = f->board->height, i = plb_outer_lane(a), j = plb_outer_lane(b);
    int not_full = f->board->width - full - (a == height) - (b == height);
    plb_big_count open = s->open[a % 2][b % 2][i][j], ends = s->ends[a % 2][b % 2][i][j];
    if (open + ends == 0) return; /* there may be no such ply */
    ply->total += open - ends;
    ply->terminal -= ends;
    if (open == 0 || not_full == 0) return; /* nor a next one */
    ply[1].total += open * not_full;
    ply[1].terminal += open * not_full;
}

static void add_counts(const few_columns *f, const counter *k, plb_ply_count *plies) {
    int height = f->board->height;
    for (int i = 0; i < 2; i++)
        for (int times = 0; times <= i; times++)
            for (int full = 0; full < MAX_FULL; full++)
                for (int stones = 0; stones <= BETWEEN * height; stones++)
                    for (int a = 0; a <= height; a++)
                        for (int b = 0; b <= height; b++)
                            add_pairs(f, &k->sums[i][sums_at(f, full, stones)], a, b, full,
                                      &plies[stones + a + b]);
}

/* ---- the whole ---- */

static int count_all(few_columns *f, plb_ply_count *plies) {
    plb_threads threads;
    int error = plb_threads_open(f->work->threads, &threads);
    f->counters = calloc(threads.count, sizeof *f->counters);
    for (int t = 0; t < threads.count && f->counters; t++) {
        counter *k = &f->counters[t];
        for (int i = 0; i < 2; i++)
            k->sums[i] = calloc(sums_at(f, MAX_FULL, 0), sizeof *k->sums[i]);
        k->between = calloc(f->words->count, sizeof *k->between);
        if (!k->sums[0] || !k->sums[1] || !k->between) error = PLB_ENOMEM;
    }
    if (!f->counters) error = PLB_ENOMEM;
    if (!error) {
        plb_threads_run(&threads, run_thread, f);
        error = f->error;
    }
    for (int t = 0; t < threads.count && f->counters; t++) {
        if (!error) add_counts(f, &f->counters[t], plies);
        for (int i = 0; i < 2; i++) free(f->counters[t].sums[i]);
        free(f->counters[t].between);
    }
    free(f->counters);
    plb_threads_close(&threads);
    return error;
}

int plb_few_columns_count(const plb_count_board *board, const plb_column_words *words,
                          const plb_count_work *work, plb_ply_count *plies) {
    /* 64 bits of sums suffice: a board of 13 rows has less than 2^57 positions */
    int width = board->width;
    few_columns f = {.board = board,
                     .words = words,
                     .work = work,
                     .is_there = {width > 2, width > 3, true},
                     .is_mirrored = width > 3,
                     .steps = width > 2 ? words->count : 1,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    int error = plb_column_classes_make(width, words, UINT32_MAX, work->stop, &f.classes);
    if (error) return error;
    error = plb_outer_columns_make(&f.classes, width == 5, &f.outer);
    if (!error) error = make_columns(&f);
    if (!error) error = count_all(&f, plies);
    free(f.columns[0]);
    plb_outer_columns_free(&f.outer);
    plb_column_classes_free(&f.classes);
    return error;
}

/* Fitted to boards that take from a hundredth of a second to minutes, with AVX-512; without it they
 * take up to five times as long. */
double plb_few_columns_seconds(const plb_count_board *board, double words) {
    if (board->width == 5) return 1.6e-8 * words * words * words * sqrt(words);
    if (board->width == 4) return 3e-8 * words * words * words;
    return (board->width == 3 ? 3e-7 : 5e-9) * words * words;
}
