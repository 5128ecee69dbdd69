/* SPDX-License-Identifier: MIT
 *
 * For three columns u, v, w the fourth columns with which they have an order
 * (fourth_column_sets.h), and which of these make no group with them: a group that crosses columns
 * is a line of one stone in each, so three stones of one colour on a line forbid a row of the
 * fourth column to that colour. Of a position and its mirror image the one is counted where v has a
 * lower number than w, and both where v is w.
 *
 * Open positions are the words that are left; terminal ones follow (terminal_counts.h).
 */
#include "tables/count/four_columns.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tables/count/column_lines.h"
#include "tables/count/column_parts.h"
#include "tables/count/fourth_column_kernels.h"
#include "tables/count/fourth_column_sets.h"
#include "tables/count/terminal_counts.h"
#include "tables/cpu_dispatch.h"
#include "tables/vocabulary.h"

enum { COLUMNS = 4 };

typedef struct four_columns {
    const plb_count_board *board;
    const plb_column_words *words;
    plb_column_classes classes;
    plb_fourth_columns fourth;
    struct column *columns[3]; /* [words] each: as the first, second, third column */
} four_columns;

bool plb_four_columns_can_count(const plb_count_board *board) {
    return board->width == COLUMNS && board->k >= COLUMNS && board->height <= PLB_LACKS_ROWS &&
           !board->cylinder;
}

/* ---- sums ---- */

/* Blocks are summed up by the number of full ones of three columns, their stones, the balance of
 * the fourth, and the number of the block. */
static size_t sums_at(const four_columns *f, int full, int stones, int balance, int block) {
    size_t at = (size_t)full * (3 * f->board->height + 1) + stones;
    return (at * f->fourth.balances + balance) * f->fourth.blocks + block;
}

/* A thread's. */
typedef struct counter {
    const four_columns *f;
    plb_block_sums *sums[2]; /* [sums_at(f, COLUMNS, 0, 0, 0)] each: the second ones of columns that
                                stand for their mirror image, too */
    plb_fourth_runs runs;
} counter;

/* ---- three columns ---- */

/* A word as one of the three columns. */
typedef struct column {
    plb_lines top;      /* that its top stone lies on, in the row of the fourth column */
    plb_lines lines[2]; /* by colour, 1 for x, in rows of the third column */
    int x;              /* colour of the top stone */
    int balance;        /* x less o */
    ptrdiff_t sums;     /* what it adds to where the sums of three columns begin */
} column;

/* Two columns: what is the same for all third ones. */
typedef struct two_columns {
    const four_columns *f;
    const uint32_t *classes; /* [words] of three */
    const uint32_t *less[2]; /* [words] without the top of u, of v */
    const column *of[2];
    int balance;    /* of fourth columns if the third is empty, less the least */
    ptrdiff_t sums; /* where they begin then */
    plb_lines lines[2];
} two_columns;

/* Three columns. */
typedef struct three_columns {
    const two_columns *two;
    const column *of[3];
    const uint64_t *set;       /* of fourth columns */
    const uint64_t *before[3]; /* sets without these tops, from the first fourth column on with
                                  which that was the last stone; or empty ones */
    int balance;               /* of fourth columns, less the least */
    plb_block_sums *sums;
    plb_lines lines[2];
    uint32_t rows[2]; /* of the fourth column where a stone makes a group */
} three_columns;

/* [words] The classes with a third column. */
static const uint32_t *classes_after(const four_columns *f, int u, int v) {
    uint32_t one = plb_column_class_next(&f->classes, 0, PLB_EMPTY_CLASS, u);
    uint32_t two = plb_column_class_next(&f->classes, 1, one, v);
    return plb_tuple_set_at(&f->classes.layers[2], two);
}

static column make_column(const four_columns *f, const plb_column_word *w, int place) {
    int full = w->stones == f->board->height, to_third = COLUMNS - 2 - place;
    bool has_lines = f->board->k == COLUMNS;
    column c = {
        .top = w->stones ? plb_lines_through(1U << (w->stones - 1), to_third + 1) : 0,
        .x = w->stones && plb_column_word_x_on_top(w),
        .balance = w->balance,
        .sums = (ptrdiff_t)sums_at(f, full, w->stones, 0, 0) - w->balance * f->fourth.blocks,
    };
    for (int x = 0; x < 2 && has_lines; x++)
        c.lines[x] = plb_lines_through(plb_column_word_stones(w, x), to_third);
    return c;
}

static int make_columns(four_columns *f) {
    int count = f->words->count;
    f->columns[0] = calloc(3 * (size_t)count, sizeof *f->columns[0]);
    if (!f->columns[0]) return PLB_ENOMEM;
    for (int place = 0; place < 3; place++) {
        f->columns[place] = f->columns[0] + (size_t)place * count;
        for (int i = 0; i < count; i++)
            f->columns[place][i] = make_column(f, &f->words->items[i], place);
    }
    return PLB_OK;
}

static two_columns join_two(const four_columns *f, int u, int v) {
    const plb_column_word *items = f->words->items;
    const column *of[2] = {&f->columns[0][u], &f->columns[1][v]};
    two_columns two = {.f = f, .of = {of[0], of[1]}, .classes = classes_after(f, u, v)};
    const uint32_t *dead = plb_tuple_set_at(&f->classes.layers[2], PLB_DEAD_CLASS);
    two.less[0] = u ? classes_after(f, items[u].below, v) : dead;
    two.less[1] = v ? classes_after(f, u, items[v].below) : dead;
    two.balance = -f->fourth.least - of[0]->balance - of[1]->balance;
    two.sums = of[0]->sums + of[1]->sums - f->fourth.least * f->fourth.blocks;
    for (int x = 0; x < 2; x++) two.lines[x] = of[0]->lines[x] & of[1]->lines[x];
    return two;
}

/* The set of a class. */
static inline const uint64_t *set_of(const plb_fourth_columns *f, uint32_t class) {
    return f->sets + plb_fourth_at(f, 2 * (size_t) class, 0);
}

/* Without the top of column c, from the first block on with which that was the last stone. */
static inline const uint64_t *set_before(const three_columns *t, int c, uint32_t class) {
    const plb_fourth_columns *f = &t->two->f->fourth;
    int begin = t->of[c]->x ? 0 : plb_fourth_begin(f, t->balance - 1, 1);
    return set_of(f, class) + begin * PLB_FOURTH_LANES;
}

static three_columns join_three(const two_columns *two, int w, plb_block_sums *sums) {
    const four_columns *f = two->f;
    three_columns t = {.two = two, .of = {two->of[0], two->of[1], &f->columns[2][w]}};
    t.set = set_of(&f->fourth, two->classes[w]);
    t.balance = two->balance - t.of[2]->balance;
    t.sums = sums + two->sums + t.of[2]->sums;
    for (int x = 0; x < 2; x++) {
        t.lines[x] = plb_lines_next(two->lines[x] & t.of[2]->lines[x]);
        t.rows[x] = plb_lines_rows(t.lines[x]) & (uint32_t)plb_low_bits(f->board->height);
    }
    for (int c = 0; c < 2; c++) t.before[c] = set_before(&t, c, two->less[c][w]);
    t.before[2] = set_before(&t, 2, w ? two->classes[f->words->items[w].below] : PLB_DEAD_CLASS);
    return t;
}

/* ---- runs ---- */

/* Fourth columns that are not higher than where both colours make a group. */
static inline int highest(const four_columns *f, const uint32_t rows[2]) {
    return plb_lowest((rows[0] & rows[1]) | 1U << f->board->height);
}

static inline void add_open(const three_columns *t, plb_fourth_runs *runs) {
    const plb_fourth_columns *f = &t->two->f->fourth;
    plb_open_run *r = plb_open_run_next(runs);
    int most = highest(t->two->f, t->rows), tops = 0;
    r->set = t->set;
    r->lacks = plb_fourth_lacks(f, t->balance, 0);
    r->sums = t->sums;
    r->odd = plb_fourth_begin(f, t->balance, 1);
    for (int x = 0; x < 2; x++) r->rows[x] = t->rows[x];
    for (int c = 0; c < 3; c++) {
        r->before[c] = t->before[c];
        tops |= t->of[c]->x << c;
    }
    plb_open_run_add(runs, plb_fourth_until(f, t->balance, 0, most),
                     plb_fourth_until(f, t->balance, 1, most) - r->odd, tops);
}

/* The top stones of some of the three columns, and maybe of the fourth, lie on a line. */
static inline void add_repeats(const three_columns *t, int x, int line, plb_fourth_runs *runs) {
    const plb_fourth_columns *f = &t->two->f->fourth;
    plb_repeat_run *r = plb_repeat_run_next(runs);
    int row = line % PLB_LINE_ROWS, begin = plb_fourth_begin(f, t->balance, x), tops = 0;
    int block = plb_fourth_until(f, t->balance, x, row) - 1;
    if (block < begin) block = begin;
    r->set = t->set + block * PLB_FOURTH_LANES;
    r->growing = r->set + plb_fourth_at(f, 1, 0);
    r->lacks = plb_fourth_lacks(f, t->balance, block);
    r->stones = f->stones + plb_fourth_at(f, t->balance, block);
    r->sums = t->sums + block;
    for (int i = 0; i < 2; i++) r->rows[i] = t->rows[i];
    r->rows[x] &= ~(1U << row);
    for (int c = 0; c < 3; c++) {
        int on_line = (int)(t->of[c]->top >> line & 1);
        r->before[c] = on_line ? t->before[c] + (block - begin) * PLB_FOURTH_LANES : f->sets;
        tops += on_line;
    }
    r->x = x;
    r->row = row;
    r->is_on_top = tops == 1;
    int most = highest(t->two->f, r->rows);
    if (tops == 1 && most > row + 1) most = row + 1;
    int blocks = plb_fourth_until(f, t->balance, x, most) - block;
    plb_repeat_run_add(runs, blocks > 0 ? blocks : 0);
}

/* Where the top stones of columns of a balance can lie: in every second row. */
static plb_lines top_rows(const four_columns *f, int balance) {
    return ((f->fourth.least + balance) % 2 ? 0x5555 : 0xAAAA) * plb_each_direction;
}

static inline void add_line_repeats(const three_columns *t, plb_fourth_runs *runs) {
    const four_columns *f = t->two->f;
    plb_lines rows = plb_low_bits(f->board->height) * plb_each_direction, of[3], tops[2];
    for (int c = 0; c < 3; c++) of[c] = t->of[c]->top & rows;
    plb_lines twice = (of[0] & of[1]) | (of[0] & of[2]) | (of[1] & of[2]);
    for (int x = 0; x < 2; x++)
        tops[x] = plb_lines_alone(t->lines[x]) & (of[0] | of[1] | of[2]) &
                  (twice | top_rows(f, t->balance + x));
    while (tops[0] | tops[1]) {
        int x = tops[0] == 0;
        add_repeats(t, x, plb_lowest(tops[x]), runs);
        tops[x] &= tops[x] - 1;
    }
}

/* With all third columns from v on. */
static void count_two(const four_columns *f, int u, int v, counter *k) {
    two_columns two = join_two(f, u, v);
    for (int w = v; w < f->words->count; w++) {
        if (two.classes[w] == PLB_DEAD_CLASS) continue;
        three_columns t = join_three(&two, w, k->sums[w != v]);
        add_open(&t, &k->runs);
        if (!false) add_line_repeats(&t, &k->runs);
    }
}

/* ---- a thread ---- */

/* A step is a word of the first column. */
static int count_first(void *context, uint32_t u, double *share) {
    counter *k = context;
    const four_columns *f = k->f;
    *share = 1.0 / f->words->count;
    for (int v = 0; v < f->words->count; v++) count_two(f, (int)u, v, k);
    plb_fourth_runs_flush(&k->runs);
    return PLB_OK;
}

static void end_counter(void *context) {
    counter *k = context;
    if (!k) return;
    for (int i = 0; i < 2; i++) free(k->sums[i]);
    free(k);
}

static void *begin_counter(void *context) {
    const four_columns *f = context;
    counter *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    k->f = f;
    for (int i = 0; i < 2; i++)
        k->sums[i] = calloc(sums_at(f, COLUMNS, 0, 0, 0), sizeof *k->sums[i]);
    plb_fourth_runs_begin(&k->runs, &f->fourth, false, plb_best_vectors());
    if (k->sums[0] && k->sums[1]) return k;
    end_counter(k);
    return NULL;
}

static void add_sums(const four_columns *f, const plb_block_sums *s, int times,
                     plb_ply_count *plies) {
    int most = 3 * f->board->height, blocks = f->fourth.balances * f->fourth.blocks;
    for (int full = 0; full < COLUMNS; full++)
        for (int stones = 0; stones <= most; stones++)
            for (int block = 0; block < blocks; block++)
                for (int lane = 0; lane < PLB_FOURTH_LANES; lane++) {
                    int height = (int)f->fourth.stones[block * PLB_FOURTH_LANES + lane];
                    int free = COLUMNS - full - (height == f->board->height);
                    const plb_block_sums *of = &s[sums_at(f, full, stones, 0, block)];
                    plb_counted_positions counted = {
                        of->open[lane], of->lasts[lane] + of->repeats[lane], free, times};
                    plb_add_positions(&counted, false, &plies[stones + height]);
                }
}

static void add_counts(const void *context, plb_ply_count *plies) {
    const counter *k = context;
    for (int i = 0; i < 2; i++) add_sums(k->f, k->sums[i], i + 1, plies);
}

/* ---- the whole ---- */

int plb_four_columns_count(const plb_count_board *board, const plb_column_words *words,
                           const plb_count_work *work, plb_ply_count *plies) {
    /* 64 bits of sums suffice: a board of 13 rows has less than 2^45 positions */
    four_columns f = {.board = board, .words = words};
    int error = plb_column_classes_make(COLUMNS, words, UINT32_MAX, work->stop, &f.classes);
    if (error) return error;
    const plb_part_counter by_first = {
        (uint32_t)words->count, begin_counter, count_first, add_counts, end_counter, &f};
    error = plb_fourth_columns_make(&f.classes, &f.fourth);
    if (!error) error = make_columns(&f);
    plb_tuple_set_free(&f.classes.layers[3]);
    if (!error) error = plb_count_by_parts(&by_first, work, plies);
    free(f.columns[0]);
    plb_fourth_columns_free(&f.fourth);
    plb_column_classes_free(&f.classes);
    return error;
}

/* Fitted to boards with k 4 of 8 to 11 rows. */
double plb_four_columns_seconds(double words) {
    return 1.4e-8 * words * words * words;
}
