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
 * The number of terminal positions follows. An open position has a successor for each column that
 * is not full. The successors that are open themselves are counted as the pairs of an open position
 * and a top stone that may have been placed last. So, summed over all open positions,
 *
 *     moves that complete a group = columns that are not full - top stones that may be the last
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

enum { GROUP = 4, BETWEEN = PLB_MAX_BETWEEN, MAX_FULL = BETWEEN + 1 };

/* The lines through a column between that is filled with a word, by rows of the last of these
 * columns. */
typedef struct column {
    plb_lines lines[2]; /* [x] with a stone of this colour */
    plb_lines top;      /* through the top stone */
} column;

/* Per-thread state. */
typedef struct counter {
    plb_pair_sums *sums[2]; /* [sums_at(f, MAX_FULL, 0)] each; sums[1] are of fillings that stand
                               for their mirror images, too, so they count twice */
    plb_between *between;   /* [words] fillings with the same first and second column */
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
    bool is_mirrored;         /* a mirror image exchanges the second and the third column */
    column *columns[BETWEEN]; /* [words] each */
    counter *counters;        /* [threads] */
    int steps;                /* a step: all fillings with one word in the first column */
    pthread_mutex_t lock;     /* guards the fields below */
    int next, done;           /* the next step to begin; number of finished steps */
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

/* Index of the sums of fillings with `full` full columns and `stones` stones. */
static size_t sums_at(const few_columns *f, int full, int stones) {
    return (size_t)full * (BETWEEN * f->board->height + 1) + stones;
}

/* [words] The class after all columns between, by the word of the third. */
static const uint32_t *classes_after(const few_columns *f, int first, int second) {
    const int words[] = {first, second};
    uint32_t class = PLB_EMPTY_CLASS;
    int layer = 0;
    for (int c = 0; c < 2; c++)
        if (f->is_there[c]) class = plb_column_class_next(&f->classes, layer++, class, words[c]);
    return plb_tuple_set_at(&f->classes.layers[layer], class);
}

/* Describe a filling of the columns between to plb_outer_pairs_count.
 *
 * of       words of the columns
 * classes  rows of classes_after: [c] for c < 2 without the top stone of column c; [2] with both */
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

/* Count the fillings with every third column; of two mirror images only the one whose second word
 * is not greater than the third. */
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

/* Take the next step; -1: none is left. is_done: the caller has finished a step before. */
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

/* Add the sums of pairs whose outer columns have `a` and `b` stones. */
static void add_pairs(const few_columns *f, const plb_pair_sums *s, int a, int b, int full,
                      plb_ply_count *ply) {
    int height = f->board->height, i = plb_outer_lane(a), j = plb_outer_lane(b);
    int not_full = f->board->width - full - (a == height) - (b == height);
    plb_big_count open = s->open[a % 2][b % 2][i][j], ends = s->ends[a % 2][b % 2][i][j];
    if (open + ends == 0) return; /* `ply` may lie outside the array */
    ply->total += open - ends;
    ply->terminal -= ends;
    if (open == 0 || not_full == 0) return; /* likewise ply[1] */
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
    /* 64-bit sums suffice: a board of 13 rows has fewer than 2^57 positions */
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

/* Fitted to boards that take 0.01 s to minutes with AVX-512; without it they take up to five times
 * as long. */
double plb_few_columns_seconds(const plb_count_board *board, double words) {
    if (board->width == 5) return 1.6e-8 * words * words * words * sqrt(words);
    if (board->width == 4) return 3e-8 * words * words * words;
    return (board->width == 3 ? 3e-7 : 5e-9) * words * words;
}
