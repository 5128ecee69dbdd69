/* SPDX-License-Identifier: MIT
 *
 * Pairs of outer columns, one by one, with each kind of vectors that this machine has: the cells of
 * random columns between them are looked at for groups. Which columns have an order, the classes
 * say, which have tests of their own.
 */
#include "tables/count/outer_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "tables/count/position_count.h"
#include "tables/cpu_dispatch.h"
#include "tables/vocabulary.h"
#include "tests/support/failing_malloc.h"
#include "tests/support/support.h"

enum { COLUMNS = 5, BETWEEN = PLB_OUTER_BETWEEN, K = 4, MOST_ROWS = 10 };

typedef struct fixture {
    int height;
    plb_column_words words;
    plb_column_classes classes;
    plb_outer_columns outer;
} fixture;

/* Words of all columns. */
typedef struct board {
    int of[COLUMNS];
} board;

/* By the stones of both outer columns together, and how many of these are full. */
typedef struct tally {
    uint64_t open[3][2 * MOST_ROWS + 1], ends[3][2 * MOST_ROWS + 1];
} tally;

static void begin(int height, fixture *f) {
    f->height = height;
    assert_int_equal(plb_column_words_make(height, K, &f->words), PLB_OK);
    assert_int_equal(plb_column_classes_make(COLUMNS, &f->words, UINT32_MAX, NULL, &f->classes),
                     PLB_OK);
    assert_int_equal(plb_outer_columns_make(&f->classes, &f->outer), PLB_OK);
}

static void end(fixture *f) {
    plb_outer_columns_free(&f->outer);
    plb_column_classes_free(&f->classes);
    plb_column_words_free(&f->words);
}

static const plb_column_word *word_at(const fixture *f, int number) {
    return &f->words.items[number];
}

static uint32_t class_of(const fixture *f, const int *words, int count) {
    uint32_t class = PLB_EMPTY_CLASS;
    for (int c = 0; c < count; c++) class = plb_column_class_next(&f->classes, c, class, words[c]);
    return class;
}

/* ---- what is expected ---- */

/* 0: o; 1: x; -1: nothing. */
static int stone_at(const fixture *f, const board *b, int column, int row) {
    const plb_column_word *w = word_at(f, b->of[column]);
    return row < 0 || row >= w->stones ? -1 : (int)(w->x >> row & 1);
}

/* The group that begins in a cell and goes to the right; false: there is none. */
static bool is_group(const fixture *f, const board *b, int column, int row, int direction) {
    int x = stone_at(f, b, column, row);
    for (int i = 1; i < K; i++)
        if (column + i >= COLUMNS || stone_at(f, b, column + i, row + i * direction) != x)
            return false;
    return x >= 0;
}

/* Columns, by bits, whose top stone is part of all groups, and how many groups there are. */
static int find_common_tops(const fixture *f, const board *b, int *groups) {
    int common = (1 << COLUMNS) - 1;
    *groups = 0;
    for (int column = 0; column < COLUMNS; column++)
        for (int row = 0; row < f->height; row++)
            for (int direction = -1; direction <= 1; direction++) {
                int tops = 0;
                if (!is_group(f, b, column, row, direction)) continue;
                for (int i = 0; i < K; i++)
                    if (word_at(f, b->of[column + i])->stones - 1 == row + i * direction)
                        tops |= 1 << (column + i);
                common &= tops;
                ++*groups;
            }
    return common;
}

/* Tops of some columns that can have been the last stone, x or o. */
static int count_lasts(const fixture *f, const board *b, int columns, int x) {
    int lasts = 0;
    for (int c = 0; c < COLUMNS; c++) {
        const plb_column_word *w = word_at(f, b->of[c]);
        board less = *b;
        less.of[c] = w->below;
        if (!(columns >> c & 1) || !w->stones || plb_column_word_x_on_top(w) != x) continue;
        lasts += class_of(f, less.of, COLUMNS) ==
                 (x ? (uint32_t)PLB_EVEN_CLASS : (uint32_t)PLB_ODD_CLASS);
    }
    return lasts;
}

static void expect_pair(const fixture *f, const board *b, tally *expected) {
    const plb_column_word *left = word_at(f, b->of[0]), *right = word_at(f, b->of[COLUMNS - 1]);
    int full = (left->stones == f->height) + (right->stones == f->height), balance = 0, groups;
    int stones = left->stones + right->stones;
    for (int c = 0; c < COLUMNS; c++) balance += word_at(f, b->of[c])->balance;
    if (balance != 0 && balance != 1) return;
    int tops = find_common_tops(f, b, &groups), lasts = count_lasts(f, b, tops, balance);
    if (groups) {
        expected->ends[full][stones] += lasts > 1 ? lasts - 1 : 0;
    } else {
        expected->open[full][stones] += class_of(f, b->of, COLUMNS) != PLB_DEAD_CLASS;
        expected->ends[full][stones] += lasts;
    }
}

static void expect_pairs(const fixture *f, const board *b, tally *expected) {
    board all = *b;
    memset(expected, 0, sizeof *expected);
    for (all.of[0] = 0; all.of[0] < f->words.count; all.of[0]++)
        for (all.of[COLUMNS - 1] = 0; all.of[COLUMNS - 1] < f->words.count; all.of[COLUMNS - 1]++)
            expect_pair(f, &all, expected);
}

/* ---- what is counted ---- */

static plb_outer_kind kind_of(const fixture *f, const board *b, plb_pair_sums *sums) {
    plb_outer_kind kind = {.class = class_of(f, b->of + 1, BETWEEN), .sums = sums};
    for (int c = 0; c < BETWEEN; c++) kind.balance += word_at(f, b->of[c + 1])->balance;
    return kind;
}

/* Without next stones. */
static plb_outer_three three_of(const fixture *f, const board *b) {
    plb_outer_three t = {.lines = {~0ULL, ~0ULL}};
    for (int c = 0; c < BETWEEN; c++) {
        const plb_column_word *w = word_at(f, b->of[c + 1]);
        int less[BETWEEN] = {b->of[1], b->of[2], b->of[3]}, to_third = BETWEEN - 1 - c;
        less[c] = w->below;
        t.before[c] = w->stones ? class_of(f, less, BETWEEN) : PLB_DEAD_CLASS;
        if (w->stones) t.top[c] = plb_lines_through(1U << (w->stones - 1), to_third);
        for (int x = 0; x < 2; x++)
            t.lines[x] &= plb_lines_through(plb_column_word_stones(w, x), to_third);
    }
    return t;
}

/* The same columns as those without the top stone of one, which is their only next stone. What is
 * counted for these without it goes elsewhere. */
static void add_top(plb_outer_tasks *tasks, const fixture *f, const board *b, int column,
                    plb_pair_sums *elsewhere, int times) {
    const plb_column_word *w = word_at(f, b->of[column + 1]);
    board less = *b;
    plb_pair_sums *sums = tasks->kind.sums;
    less.of[column + 1] = w->below;
    plb_outer_kind kind = kind_of(f, &less, elsewhere);
    plb_outer_three base = three_of(f, &less), three = three_of(f, b);
    bool x = plb_column_word_x_on_top(w), fills = w->stones == f->height;
    kind.more[fills] = sums;
    base.next[column][x] = (plb_outer_next){true, fills, three.lines[x] & three.top[column]};
    if (kind.class == PLB_DEAD_CLASS) return;
    plb_outer_tasks_begin(tasks, &kind);
    assert_int_equal(plb_outer_tasks_add(tasks, &base, times), PLB_OK);
}

static void add_board(plb_outer_tasks *tasks, const fixture *f, const board *b, plb_pair_sums *sums,
                      plb_pair_sums *elsewhere, int times) {
    for (int c = 0; c < BETWEEN; c++) {
        plb_outer_kind kind = kind_of(f, b, sums);
        plb_outer_tasks_begin(tasks, &kind);
        if (word_at(f, b->of[c + 1])->stones) add_top(tasks, f, b, c, elsewhere, times);
    }
    plb_outer_kind kind = kind_of(f, b, sums);
    plb_outer_three three = three_of(f, b);
    plb_outer_tasks_begin(tasks, &kind);
    assert_int_equal(plb_outer_tasks_add(tasks, &three, times), PLB_OK);
}

static void tally_sums(const fixture *f, const plb_pair_sums *sums, tally *found) {
    memset(found, 0, sizeof *found);
    for (int a = 0; a <= f->height; a++)
        for (int b = 0; b <= f->height; b++) {
            int full = (a == f->height) + (b == f->height);
            int i = plb_outer_lane(a), j = plb_outer_lane(b);
            found->open[full][a + b] += sums->open[a % 2][b % 2][i][j];
            found->ends[full][a + b] += sums->ends[a % 2][b % 2][i][j];
        }
}

static void add_tally(const tally *t, uint64_t times, tally *sum) {
    for (int full = 0; full < 3; full++)
        for (int stones = 0; stones <= 2 * MOST_ROWS; stones++) {
            sum->open[full][stones] += t->open[full][stones] * times;
            sum->ends[full][stones] += t->ends[full][stones] * times;
        }
}

static void compare(const fixture *f, const board *b, bool open_only, plb_vectors v,
                    const tally *expected) {
    plb_pair_sums *sums = calloc(2, sizeof *sums);
    tally found, nothing = {0};
    plb_outer_tasks tasks;
    plb_outer_tasks_open(&f->outer, open_only, v, NULL, &tasks);
    add_board(&tasks, f, b, sums, sums + 1, 1);
    plb_outer_tasks_flush(&tasks);
    plb_outer_tasks_free(&tasks);
    tally_sums(f, sums, &found);
    assert_memory_equal(found.open, expected->open, sizeof found.open);
    assert_memory_equal(found.ends, open_only ? nothing.ends : expected->ends, sizeof found.ends);
    free(sums);
}

/* ---- tests ---- */

/* Three columns that may have an order. */
static board random_board(const fixture *f, uint64_t *random) {
    board b = {{0}};
    do {
        for (int c = 1; c <= BETWEEN; c++) b.of[c] = (int)(support_random(random) % f->words.count);
    } while (class_of(f, b.of + 1, BETWEEN) == PLB_DEAD_CLASS);
    return b;
}

/* Lines with tops of two or three of the columns are rare among random ones, so some are sought. */
static int tops_on_lines(const fixture *f, const board *b) {
    plb_outer_three t = three_of(f, b);
    int most = 0;
    for (int at = 0; at < 3 * PLB_LINE_ROWS; at++) {
        int tops = 0;
        for (int c = 0; c < BETWEEN; c++) tops += t.top[c] >> at & 1;
        if (((t.lines[0] | t.lines[1]) >> at & 1) && tops > most) most = tops;
    }
    return most;
}

static void compare_boards(int height, int boards) {
    uint64_t random = (uint64_t)height, ends = 0;
    fixture f;
    begin(height, &f);
    for (int i = 0; i < boards; i++) {
        tally expected;
        board b = random_board(&f, &random);
        while (tops_on_lines(&f, &b) < i % 4) b = random_board(&f, &random);
        expect_pairs(&f, &b, &expected);
        for (plb_vectors v = PLB_ANY_VECTORS; v <= plb_best_vectors(); v++)
            for (int open_only = 0; open_only < 2; open_only++)
                compare(&f, &b, open_only, v, &expected);
        for (int stones = 0; stones <= 2 * height; stones++) ends += expected.ends[0][stones];
    }
    assert_true(ends > 0);
    end(&f);
}

/* What is the same waits once, also for two kinds of threes: they are added to different sums. */
static void threes_are_counted_as_often_as_they_were_added(void **state) {
    enum { BOARDS = 50, HEIGHT = 4 };
    (void)state;
    uint64_t random = 1;
    plb_outer_tasks tasks;
    plb_pair_sums *sums = calloc(3, sizeof *sums);
    tally all[2], found;
    memset(all, 0, sizeof all);
    fixture f;
    begin(HEIGHT, &f);
    plb_outer_tasks_open(&f.outer, false, plb_best_vectors(), NULL, &tasks);
    for (int i = 0; i < BOARDS; i++) {
        board b = random_board(&f, &random);
        tally expected;
        expect_pairs(&f, &b, &expected);
        for (int times = 1; times <= 2; times++) {
            plb_pair_sums *to = sums + times - 1;
            add_board(&tasks, &f, &b, to, sums + 2, times);
            uint32_t lines = tasks.lines.count;
            assert_int_equal(tasks.sides.count, 1);
            add_board(&tasks, &f, &b, to, sums + 2, times);
            assert_int_equal(tasks.sides.count, 1);
            assert_int_equal(tasks.lines.count, lines);
            add_tally(&expected, 2 * times, &all[times - 1]);
        }
        if (i == BOARDS / 2) plb_outer_tasks_flush(&tasks);
    }
    plb_outer_tasks_flush(&tasks);
    for (int i = 0; i < 2; i++) {
        tally_sums(&f, sums + i, &found);
        assert_memory_equal(&found, &all[i], sizeof found);
    }
    plb_outer_tasks_free(&tasks);
    free(sums);
    end(&f);
}

/* Of as many lanes as the code is made for, with one chunk of words and with several. */
static void pairs_are_as_counted_one_by_one(void **state) {
    (void)state;
    static const struct {
        int height, boards;
    } sizes[] = {{4, 100}, {6, 100}, {8, 4}, {9, 4}, {10, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += support_step(3))
        compare_boards(sizes[i].height, sizes[i].boards);
}

/* Where the nth allocation fails, or none if n is 0: the counts, or PLB_ENOMEM. */
static int count_with_fault(uint64_t n, bool *failed, plb_position_counts *counts) {
    const plb_count_board board = {COLUMNS, 5, K, false};
    const plb_count_work work = {.threads = 1};
    plb_message message;
    failing_malloc_arm(n, false);
    int error = plb_position_count(&board, &work, counts, &message);
    *failed = failing_malloc_disarm();
    return error;
}

/* What waits is done earlier where there is no room for more of it. */
static void a_count_survives_every_fault(void **state) {
    (void)state;
    plb_position_counts right, counts;
    int recovered = 0;
    bool failed;
    int64_t live = failing_malloc_live();
    assert_int_equal(count_with_fault(0, &failed, &right), PLB_OK);
    assert_false(failed);
    failed = true;
    for (uint64_t n = 1; failed; n++) {
        int error = count_with_fault(n, &failed, &counts);
        assert_true(error == PLB_OK || (failed && error == PLB_ENOMEM));
        if (error) continue;
        assert_memory_equal(counts.ply, right.ply, right.plies * sizeof *right.ply);
        plb_position_counts_free(&counts);
        recovered += failed;
    }
    assert_true(recovered > 4);
    plb_position_counts_free(&right);
    assert_int_equal(failing_malloc_live(), live);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_as_counted_one_by_one),
        cmocka_unit_test(threes_are_counted_as_often_as_they_were_added),
        cmocka_unit_test(a_count_survives_every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
