/* SPDX-License-Identifier: MIT
 *
 * What is counted in sets of fourth columns, word by word, with each kind of vectors that this
 * machine has: of random columns, with random rows where stones make groups. Which columns have an
 * order, the classes say, which have tests of their own.
 */
#include "tables/count/fourth_column_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "tables/cpu_dispatch.h"
#include "tables/vocabulary.h"
#include "tests/support/support.h"

enum { HEIGHT = 9, K = 4, TRIES = 1000 };

typedef struct fixture {
    plb_column_words words;
    plb_column_classes classes;
    plb_fourth_columns fourth;
    plb_fourth_runs *runs;
    plb_block_sums *sums; /* of a set */
} fixture;

/* Three columns. */
typedef struct three {
    const plb_column_word *of[3];
    uint32_t class, less[3]; /* less: without the top of a column */
    int balance;
    uint32_t rows[2];
} three;

typedef struct tally {
    uint64_t open, lasts, repeats;
} tally;

static const plb_column_word *word_at(const fixture *f, int number) {
    return &f->words.items[number];
}

static bool has_top(const plb_column_word *w, int x) {
    return w->stones && plb_column_word_x_on_top(w) == x;
}

static uint32_t class_of(const fixture *f, int u, int v, int w) {
    uint32_t class = plb_column_class_next(&f->classes, 0, PLB_EMPTY_CLASS, u);
    class = plb_column_class_next(&f->classes, 1, class, v);
    return plb_column_class_next(&f->classes, 2, class, w);
}

static three random_three(const fixture *f, uint64_t *random) {
    three t = {.balance = -f->fourth.least};
    int n[3];
    do {
        for (int c = 0; c < 3; c++) n[c] = (int)(support_random(random) % f->words.count);
        t.class = class_of(f, n[0], n[1], n[2]);
    } while (t.class == PLB_DEAD_CLASS);
    for (int c = 0; c < 3; c++) {
        int less[3] = {n[0], n[1], n[2]};
        t.of[c] = word_at(f, n[c]);
        less[c] = t.of[c]->below;
        t.less[c] = t.of[c]->stones ? class_of(f, less[0], less[1], less[2]) : PLB_DEAD_CLASS;
        t.balance -= t.of[c]->balance;
    }
    for (int x = 0; x < 2; x++)
        t.rows[x] =
            (uint32_t)(support_random(random) & support_random(random) & ((1U << HEIGHT) - 1));
    return t;
}

/* ---- what is expected ---- */

/* Is the fourth column in order with a class, and x the last to move? */
static bool is_last(const fixture *f, uint32_t class, int fourth, int x) {
    if (class == PLB_DEAD_CLASS) return false;
    return plb_column_class_next(&f->classes, 3, class, fourth) ==
           (x ? (uint32_t)PLB_ODD_CLASS : (uint32_t)PLB_EVEN_CLASS);
}

static bool is_open(const three *t, const plb_column_word *w) {
    return (plb_column_word_stones(w, 0) & t->rows[0]) == 0 &&
           (plb_column_word_stones(w, 1) & t->rows[1]) == 0;
}

/* Top stones of some columns, bits 0 to 3, that can have been the last one. */
static int count_lasts(const fixture *f, const three *t, int fourth, int x, int columns) {
    const plb_column_word *w = word_at(f, fourth);
    int lasts = 0;
    for (int c = 0; c < 3; c++)
        lasts += (columns >> c & 1) && has_top(t->of[c], x) && is_last(f, t->less[c], fourth, !x);
    return lasts + ((columns >> 3) && has_top(w, x) && is_last(f, t->class, w->below, !x));
}

static tally expect_open(const fixture *f, const three *t, int stones) {
    tally sum = {0, 0, 0};
    for (int w = 0; w < f->words.count; w++)
        for (int x = 0; x < 2; x++) {
            if (word_at(f, w)->stones != stones || !is_open(t, word_at(f, w))) continue;
            if (!is_last(f, t->class, w, x)) continue;
            sum.open++;
            sum.lasts += count_lasts(f, t, w, x, 15);
        }
    return sum;
}

static uint64_t expect_repeats(const fixture *f, const three *t, const plb_repeat_run *r,
                               int columns, int stones) {
    uint64_t sum = 0;
    for (int w = 0; w < f->words.count; w++) {
        const plb_column_word *word = word_at(f, w);
        bool is_top = word->stones == r->row + 1;
        if (word->stones != stones || !is_open(t, word) || !is_last(f, t->class, w, r->x)) continue;
        if ((plb_column_word_stones(word, r->x) >> r->row & 1) == 0) continue;
        if (r->is_on_top && !is_top) continue;
        int lasts = count_lasts(f, t, w, r->x, columns | is_top << 3);
        sum += lasts > 1 ? lasts - 1 : 0;
    }
    return sum;
}

/* ---- what is counted ---- */

static const uint64_t *set_before(const fixture *f, const three *t, int c) {
    bool x = has_top(t->of[c], 1);
    int block = x ? 0 : plb_fourth_begin(&f->fourth, t->balance - 1, 1);
    return f->fourth.sets + plb_fourth_at(&f->fourth, 2 * (size_t)t->less[c], block);
}

static void add_open(fixture *f, const three *t) {
    const plb_fourth_columns *fourth = &f->fourth;
    plb_open_run *r = plb_open_run_next(f->runs);
    int tops = 0;
    r->set = fourth->sets + plb_fourth_at(fourth, 2 * (size_t)t->class, 0);
    r->lacks = plb_fourth_lacks(fourth, t->balance, 0);
    r->sums = f->sums;
    r->odd = plb_fourth_begin(fourth, t->balance, 1);
    memcpy(r->rows, t->rows, sizeof r->rows);
    for (int c = 0; c < 3; c++) {
        r->before[c] = set_before(f, t, c);
        tops |= has_top(t->of[c], 1) << c;
    }
    plb_open_run_add(f->runs, plb_fourth_until(fourth, t->balance, 0, HEIGHT),
                     plb_fourth_until(fourth, t->balance, 1, HEIGHT) - r->odd, tops);
}

/* columns: whose tops are on the line. Returns the run, until those that wait are counted. */
static const plb_repeat_run *add_repeats(fixture *f, const three *t, int x, int row, int columns,
                                         bool is_on_top) {
    const plb_fourth_columns *fourth = &f->fourth;
    plb_repeat_run *r = plb_repeat_run_next(f->runs);
    int begin = plb_fourth_begin(fourth, t->balance, x);
    r->set = fourth->sets + plb_fourth_at(fourth, 2 * (size_t)t->class, begin);
    r->growing = fourth->sets + plb_fourth_at(fourth, 2 * (size_t)t->class + 1, begin);
    for (int c = 0; c < 3; c++)
        r->before[c] = columns >> c & 1 ? set_before(f, t, c) : fourth->sets;
    r->lacks = plb_fourth_lacks(fourth, t->balance, begin);
    r->stones = fourth->stones + plb_fourth_at(fourth, t->balance, begin);
    r->sums = f->sums + begin;
    memcpy(r->rows, t->rows, sizeof r->rows);
    r->x = x;
    r->row = row;
    r->is_on_top = is_on_top;
    plb_repeat_run_add(f->runs, plb_fourth_until(fourth, t->balance, x, HEIGHT) - begin);
    return r;
}

/* The sums of fourth columns of so many stones. */
static tally tally_of(const fixture *f, int balance, int stones) {
    const uint64_t *of = f->fourth.stones + plb_fourth_at(&f->fourth, balance, 0);
    tally sum = {0, 0, 0};
    for (int i = 0; i < f->fourth.blocks * PLB_FOURTH_LANES; i++) {
        const plb_block_sums *s = &f->sums[i / PLB_FOURTH_LANES];
        if (of[i] != (uint64_t)stones) continue;
        sum.open += s->open[i % PLB_FOURTH_LANES];
        sum.lasts += s->lasts[i % PLB_FOURTH_LANES];
        sum.repeats += s->repeats[i % PLB_FOURTH_LANES];
    }
    return sum;
}

static void flush_and_clear(fixture *f) {
    plb_fourth_runs_flush(f->runs);
    memset(f->sums, 0, f->fourth.blocks * sizeof *f->sums);
}

static uint64_t check_open(fixture *f, plb_vectors v, bool open_only) {
    uint64_t random = 1, all = 0;
    plb_fourth_runs_begin(f->runs, &f->fourth, open_only, v);
    for (int i = 0; i < TRIES; i++) {
        three t = random_three(f, &random);
        add_open(f, &t);
        plb_fourth_runs_flush(f->runs);
        for (int stones = 0; stones <= HEIGHT; stones++) {
            tally expected = expect_open(f, &t, stones), found = tally_of(f, t.balance, stones);
            assert_int_equal(found.open, expected.open);
            assert_int_equal(found.lasts, open_only ? 0 : expected.lasts);
            all += found.open + found.lasts;
        }
        flush_and_clear(f);
    }
    return all;
}

/* A run with random tops on a line, and what there is to be found for each number of stones. */
static three add_random_repeats(fixture *f, uint64_t *random, uint64_t expected[HEIGHT + 1]) {
    three t = random_three(f, random);
    int x = (int)(support_random(random) % 2), row = (int)(support_random(random) % HEIGHT);
    int columns = 0;
    for (int c = 0; c < 3; c++)
        if (has_top(t.of[c], x)) columns |= (support_random(random) % 4 != 0) << c;
    t.rows[x] &= ~(1U << row);
    const plb_repeat_run *r = add_repeats(f, &t, x, row, columns, support_random(random) % 2 != 0);
    for (int stones = 0; stones <= HEIGHT; stones++)
        expected[stones] = expect_repeats(f, &t, r, columns, stones);
    return t;
}

static uint64_t check_repeats(fixture *f, plb_vectors v) {
    uint64_t random = 2, all = 0, expected[HEIGHT + 1];
    plb_fourth_runs_begin(f->runs, &f->fourth, false, v);
    for (int i = 0; i < TRIES; i++) {
        three t = add_random_repeats(f, &random, expected);
        plb_fourth_runs_flush(f->runs);
        for (int stones = 0; stones <= HEIGHT; stones++) {
            assert_int_equal(tally_of(f, t.balance, stones).repeats, expected[stones]);
            all += expected[stones];
        }
        flush_and_clear(f);
    }
    return all;
}

/* ---- tests ---- */

static void open_columns_and_their_last_stones(void **state) {
    for (plb_vectors v = PLB_ANY_VECTORS; v <= plb_best_vectors(); v++)
        assert_true(check_open(*state, v, false) > check_open(*state, v, true));
}

static void stones_that_complete_one_group(void **state) {
    for (plb_vectors v = PLB_ANY_VECTORS; v <= plb_best_vectors(); v++)
        assert_true(check_repeats(*state, v) > 0);
}

/* More of them than wait at a time: the sums are those of each alone. */
static void runs_that_wait(void **state) {
    fixture *f = *state;
    uint64_t random = 3, lasts = 0, repeats = 0, expected[HEIGHT + 1];
    plb_fourth_runs_begin(f->runs, &f->fourth, false, plb_best_vectors());
    for (int i = 0; i < 2 * PLB_FOURTH_MOST_RUNS + 1; i++) {
        three t = random_three(f, &random);
        add_open(f, &t);
        add_random_repeats(f, &random, expected);
        for (int stones = 0; stones <= HEIGHT; stones++) {
            lasts += expect_open(f, &t, stones).lasts;
            repeats += expected[stones];
        }
    }
    plb_fourth_runs_flush(f->runs);
    for (int i = 0; i < f->fourth.blocks * PLB_FOURTH_LANES; i++) {
        lasts -= f->sums[i / PLB_FOURTH_LANES].lasts[i % PLB_FOURTH_LANES];
        repeats -= f->sums[i / PLB_FOURTH_LANES].repeats[i % PLB_FOURTH_LANES];
    }
    assert_int_equal(lasts, 0);
    assert_int_equal(repeats, 0);
    flush_and_clear(f);
}

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    assert_int_equal(plb_column_words_make(HEIGHT, K, &f->words), PLB_OK);
    assert_int_equal(plb_column_classes_make(4, &f->words, UINT32_MAX, NULL, &f->classes), PLB_OK);
    assert_int_equal(plb_fourth_columns_make(&f->classes, &f->fourth), PLB_OK);
    f->runs = calloc(1, sizeof *f->runs);
    f->sums = calloc(f->fourth.blocks, sizeof *f->sums);
    return !f->runs || !f->sums;
}

static int tear_down(void **state) {
    fixture *f = *state;
    free(f->sums);
    free(f->runs);
    plb_fourth_columns_free(&f->fourth);
    plb_column_classes_free(&f->classes);
    plb_column_words_free(&f->words);
    free(f);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_columns_and_their_last_stones),
        cmocka_unit_test(stones_that_complete_one_group),
        cmocka_unit_test(runs_that_wait),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
