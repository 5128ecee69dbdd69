/* SPDX-License-Identifier: MIT
 *
 * For three columns u, v, w in the middle of five, the pairs of outer columns with which they have
 * an order and make no group (outer_pair_counts.h). A group that crosses columns is a line of one
 * stone in each of u, v, w and in an outer column, so that the two outer ones have to do with each
 * other by the order alone. Threes of one class with as many stones and full columns are gone
 * through together, as most of what there is to be counted is the same for many of them.
 *
 * Terminal positions follow from open ones (terminal_counts.h). A line through all five columns may
 * make two groups; they share the stones of u, v and w.
 */
#include "tables/count/five_columns.h"

#include <math.h>
#include <stdlib.h>

#include "tables/count/column_lines.h"
#include "tables/count/column_parts.h"
#include "tables/count/middle_columns.h"
#include "tables/count/outer_tasks.h"
#include "tables/count/terminal_counts.h"
#include "tables/cpu_dispatch.h"
#include "tables/stop.h"
#include "tables/vocabulary.h"

enum { COLUMNS = 5, GROUP = 4, MIDDLE = PLB_OUTER_BETWEEN, FULL_COUNTS = MIDDLE + 1 };

/* A word as one of the three columns. */
typedef struct column {
    plb_lines lines[2]; /* by colour, in rows of w */
    plb_lines top;      /* through the top stone */
    plb_lines next;     /* through a stone more */
} column;

typedef struct five_columns {
    const plb_count_board *board;
    const plb_column_words *words;
    const volatile sig_atomic_t *stop;
    plb_column_classes classes;
    plb_outer_columns outer;
    plb_middle_columns middle;
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
            c->next = plb_lines_through(1U << w->stones, to_third);
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
    plb_outer_tasks_open(&f->outer, false, plb_best_vectors(), f->stop, &k->tasks);
    if (k->sums) return k;
    end_counter(k);
    return NULL;
}

/* ---- three columns ---- */

static uint32_t class_of(const five_columns *f, const int of[MIDDLE]) {
    uint32_t class = PLB_EMPTY_CLASS;
    for (int c = 0; c < MIDDLE; c++) class = plb_column_class_next(&f->classes, c, class, of[c]);
    return class;
}

/* Classes without one of the tops that lie on these lines. */
static void find_before(const five_columns *f, const int of[MIDDLE], plb_lines lines,
                        plb_outer_three *t) {
    for (int c = 0; c < MIDDLE; c++) {
        int less[MIDDLE] = {of[0], of[1], of[2]};
        less[c] = f->words->items[of[c]].below;
        if (t->top[c] & lines) t->before[c] = class_of(f, less);
    }
}

/* A stone more on one column, on lines with stones of the two others. */
static plb_outer_next next_of(const five_columns *f, const int of[MIDDLE], int c, int x) {
    const plb_column_word *w = &f->words->items[of[c]];
    plb_outer_next next = {w->with[x] != PLB_NO_WORD, w->stones + 1 == f->board->height,
                           f->columns[c][of[c]].next};
    for (int other = 0; other < MIDDLE; other++)
        if (other != c) next.lines &= f->columns[other][of[other]].lines[x];
    return next;
}

static plb_outer_three join_three(const five_columns *f, const int of[MIDDLE]) {
    plb_outer_three t = {.lines = {~0ULL, ~0ULL}};
    for (int c = 0; c < MIDDLE; c++)
        for (int x = 0; x < 2; x++) t.lines[x] &= f->columns[c][of[c]].lines[x];
    if (false) return t;
    for (int c = 0; c < MIDDLE; c++) {
        t.top[c] = f->columns[c][of[c]].top;
        for (int x = 0; x < 2; x++) t.next[c][x] = next_of(f, of, c, x);
    }
    find_before(f, of, t.lines[0] | t.lines[1], &t);
    return t;
}

/* ---- threes of a class ---- */

static plb_outer_kind kind_of(const counter *k, uint32_t class, const int of[MIDDLE]) {
    plb_outer_kind kind = {.class = class};
    int full = 0, stones = 0;
    for (int c = 0; c < MIDDLE; c++) {
        const plb_column_word *w = &k->f->words->items[of[c]];
        kind.balance += w->balance;
        full += w->stones == k->f->board->height;
        stones += w->stones;
    }
    kind.sums = k->sums + sums_at(k->f, full, stones);
    for (int fills = 0; fills < 2 && full < MIDDLE; fills++)
        kind.more[fills] = k->sums + sums_at(k->f, full + fills, stones + 1);
    return kind;
}

/* Couples with a word v. Counted are all threes of a kind; *count is how many there were. */
static int count_couples(counter *k, uint32_t class, int v, plb_couples couples, double *count) {
    int error = PLB_OK;
    for (const plb_couple *c = couples.first; c < couples.end && !error; c++) {
        const int of[MIDDLE] = {c->u, v, c->w};
        plb_outer_three three = join_three(k->f, of);
        if ((*count)++ == 0) {
            plb_outer_kind kind = kind_of(k, class, of);
            plb_outer_tasks_begin(&k->tasks, &kind);
        }
        error = plb_outer_tasks_add(&k->tasks, &three, c->u == c->w ? 1 : 2);
    }
    return error;
}

/* Those with so many full columns and stones. */
static int count_kind(counter *k, uint32_t class, int full, int stones, double *count) {
    const five_columns *f = k->f;
    plb_middle_cells cells = plb_middle_cells_of(&f->middle, class);
    int error = PLB_OK;
    for (const plb_middle_cell *c = cells.first; c < cells.end && !error; c++) {
        const plb_column_word *v = &f->words->items[c->v];
        plb_couples couples = plb_middle_couples(
            &f->middle, c->two, full - (v->stones == f->board->height), stones - v->stones);
        error = count_couples(k, class, (int)c->v, couples, count);
    }
    return error;
}

/* A step is a class of three, the dead one left out. */
static int count_class(void *context, uint32_t step, double *share) {
    counter *k = context;
    double all = 0;
    int error = PLB_OK;
    for (int full = 0; full < FULL_COUNTS; full++)
        for (int stones = 0; stones <= MIDDLE * k->f->board->height; stones++) {
            double count = 0;
            if (!error && !plb_is_stopped(k->f->stop))
                error = count_kind(k, PLB_DEAD_CLASS + 1 + step, full, stones, &count);
            all += count;
        }
    if (!error) plb_outer_tasks_flush(&k->tasks);
    *share = all > 0 ? all / k->f->middle.threes : 0;
    return error;
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
            plb_add_positions(&counted, false, &plies[a + b]);
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
    const plb_part_counter by_middle = {f.classes.layers[MIDDLE].count - (PLB_DEAD_CLASS + 1),
                                        begin_counter,
                                        count_class,
                                        add_counts,
                                        end_counter,
                                        &f};
    error = plb_outer_columns_make(&f.classes, &f.outer);
    plb_tuple_set_free(&f.classes.layers[COLUMNS - 1]);
    if (!error) error = make_columns(&f);
    if (!error) error = plb_middle_columns_make(&f.classes, &f.middle);
    if (!error) error = plb_middle_columns_take(&f.middle);
    if (!error) error = plb_count_by_parts(&by_middle, work, plies);
    free(f.columns[0]);
    plb_middle_columns_free(&f.middle);
    plb_outer_columns_free(&f.outer);
    plb_column_classes_free(&f.classes);
    return error;
}

/* Fitted to boards of 5 to 9 rows. */
double plb_five_columns_seconds(double words) {
    return 1.6e-8 * words * words * words * sqrt(words);
}
