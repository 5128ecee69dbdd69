/* SPDX-License-Identifier: MIT
 *
 * For three columns u, v, w in the middle of five, the pairs of outer columns with which they have
 * an order and make no group (outer_pairs.h). A group that crosses columns is a line of one stone
 * in each of u, v, w and in an outer column, so that the two outer ones have to do with each other
 * by the order alone. Of a position and its mirror image the one is counted where u has a lower
 * number than w, and both where u is w.
 *
 * Terminal positions follow from open ones (last_stones.h). A line through all five columns may
 * make two groups; they share the stones of u, v and w.
 */
#include "tables/five_columns.h"

#include <math.h>
#include <stdlib.h>

#include "tables/column_lines.h"
#include "tables/column_parts.h"
#include "tables/last_stones.h"
#include "tables/outer_tasks.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"
#include "tables/wide.h"

enum { COLUMNS = 5, GROUP = 4, MIDDLE = PLB_OUTER_BETWEEN, FULL_COUNTS = MIDDLE + 1 };

/* A word as one of the three columns. */
typedef struct column {
    plb_lines lines[2]; /* by colour, in rows of w */
    plb_lines top;      /* through the top stone */
} column;

typedef struct five_columns {
    const plb_count_board *board;
    const plb_column_words *words;
    const volatile sig_atomic_t *stop;
    plb_column_classes classes;
    plb_outer_columns outer;
    column *columns[MIDDLE]; /* [words] each */
} five_columns;

bool plb_five_columns_can_count(const plb_count_board *board) {
    return board->width == COLUMNS && board->k == GROUP && board->height <= PLB_LACKS_ROWS &&
           !board->cylinder;
}

static int make_columns(five_columns *f) {
    int count = f->words->count;
    f->columns[0] = calloc(MIDDLE * (size_t)count, sizeof *f->columns[0]);
    if (!f->columns[0]) return PLB_ENOMEM;
    for (int place = 0; place < MIDDLE; place++) {
        f->columns[place] = f->columns[0] + (size_t)place * count;
        for (int i = 0; i < count; i++) {
            const plb_column_word *w = &f->words->items[i];
            column *c = &f->columns[place][i];
            int to_third = MIDDLE - 1 - place;
            for (int x = 0; x < 2; x++)
                c->lines[x] = plb_lines_through(plb_column_word_stones(w, x), to_third);
            if (w->stones) c->top = plb_lines_through(1U << (w->stones - 1), to_third);
        }
    }
    return PLB_OK;
}

/* ---- a thread ---- */

/* Sums of three columns, by how many of them are full, and by their stones. */
static size_t sums_at(const five_columns *f, int full, int stones) {
    return (size_t)full * (MIDDLE * f->board->height + 1) + stones;
}

typedef struct counter {
    const five_columns *f;
    plb_pair_sums *sums; /* [sums_at(f, FULL_COUNTS, 0)] */
    plb_outer_tasks tasks;
} counter;

static void end_counter(void *context) {
    counter *k = context;
    if (!k) return;
    plb_outer_tasks_free(&k->tasks);
    free(k->sums);
    free(k);
}

static void *begin_counter(void *context) {
    const five_columns *f = context;
    counter *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->f = f;
    k->sums = calloc(sums_at(f, FULL_COUNTS, 0), sizeof *k->sums);
    int error = plb_outer_tasks_open(&f->outer, f->board->open_only, plb_best_vectors(), f->stop,
                                     &k->tasks);
    if (k->sums && !error) return k;
    end_counter(k);
    return NULL;
}

/* ---- three columns ---- */

static uint32_t class_of(const five_columns *f, const int of[MIDDLE]) {
    uint32_t class = PLB_EMPTY_CLASS;
    for (int c = 0; c < MIDDLE; c++) class = plb_column_class_next(&f->classes, c, class, of[c]);
    return class;
}

static plb_outer_three join_three(const five_columns *f, const int of[MIDDLE],
                                  plb_pair_sums *sums) {
    plb_outer_three t = {.class = class_of(f, of), .lines = {~0ULL, ~0ULL}};
    int full = 0, stones = 0;
    for (int c = 0; c < MIDDLE; c++) {
        const plb_column_word *w = &f->words->items[of[c]];
        const column *column = &f->columns[c][of[c]];
        int less[MIDDLE] = {of[0], of[1], of[2]};
        less[c] = w->below;
        t.before[c] = w->stones ? class_of(f, less) : PLB_DEAD_CLASS;
        t.x[c] = w->stones && plb_column_word_x_on_top(w);
        t.top[c] = column->top;
        t.balance = (int8_t)(t.balance + w->balance);
        for (int x = 0; x < 2; x++) t.lines[x] &= column->lines[x];
        full += w->stones == f->board->height;
        stones += w->stones;
    }
    t.sums = sums + sums_at(f, full, stones);
    return t;
}

static void count_middle(void *context, int v) {
    counter *k = context;
    const five_columns *f = k->f;
    for (int u = 0; u < f->words->count && !plb_is_stopped(f->stop); u++) {
        for (int w = u; w < f->words->count; w++) {
            plb_outer_three t = join_three(f, (int[MIDDLE]){u, v, w}, k->sums);
            if (t.class != PLB_DEAD_CLASS) plb_outer_tasks_add(&k->tasks, &t, w == u ? 1 : 2);
        }
    }
}

static void finish_counter(void *context) {
    counter *k = context;
    plb_outer_tasks_flush(&k->tasks);
}

/* ---- counts of plies ---- */

/* Sums of outer columns with so many stones. */
static void add_outer(const five_columns *f, const plb_pair_sums *s, int free,
                      plb_ply_count *plies) {
    int height = f->board->height;
    for (int a = 0; a <= height; a++)
        for (int b = 0; b <= height; b++) {
            int i = plb_outer_lane(a), j = plb_outer_lane(b);
            plb_counted_positions counted = {
                .open = s->open[a % 2][b % 2][i][j],
                .ends = s->ends[a % 2][b % 2][i][j],
                .free = free - (a == height) - (b == height),
                .times = 1,
            };
            plb_add_positions(&counted, f->board->open_only, &plies[a + b]);
        }
}

static void add_counts(const void *context, plb_ply_count *plies) {
    const counter *k = context;
    for (int full = 0; full < FULL_COUNTS; full++)
        for (int stones = 0; stones <= MIDDLE * k->f->board->height; stones++)
            add_outer(k->f, &k->sums[sums_at(k->f, full, stones)], COLUMNS - full, &plies[stones]);
}

/* ---- the whole ---- */

int plb_five_columns_count(const plb_count_board *board, const plb_column_words *words,
                           const plb_count_work *work, plb_ply_count *plies) {
    /* 64 bits of sums suffice: a board of 13 rows has less than 2^57 positions */
    five_columns f = {.board = board, .words = words, .stop = work->stop};
    int error = plb_column_classes_make(COLUMNS, words, UINT32_MAX, work->stop, &f.classes);
    if (error) return error;
    const plb_word_counter by_middle = {begin_counter,
                                        count_middle,
                                        finish_counter,
                                        add_counts,
                                        end_counter,
                                        &f,
                                        plb_five_columns_seconds(board, words->count)};
    error = plb_outer_columns_make(&f.classes, &f.outer);
    plb_row_set_free(&f.classes.layers[COLUMNS - 1]);
    if (!error) error = make_columns(&f);
    if (!error) error = plb_count_by_words(&by_middle, words, COLUMNS * board->height, work, plies);
    free(f.columns[0]);
    plb_outer_columns_free(&f.outer);
    plb_column_classes_free(&f.classes);
    return error;
}

/* Fitted to boards of 5 to 9 rows. */
double plb_five_columns_seconds(const plb_count_board *board, double words) {
    return (board->open_only ? 0.5e-8 : 1.6e-8) * words * words * words * sqrt(words);
}
