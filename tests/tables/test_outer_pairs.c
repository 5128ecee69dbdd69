/* SPDX-License-Identifier: MIT
 *
 * Counts of pairs of outer columns, for random columns between them and all kinds of vectors of
 * this machine, are compared with a loop over all pairs that looks for groups cell by cell. The
 * classes decide which columns have an order; they have their own tests. With the argument `high`:
 * the highest board, whose classes take longest.
 */
#include "tables/count/outer_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "tables/count/position_count.h"
#include "tables/cpu_dispatch.h"
#include "tables/vocabulary.h"
#include "tests/support/failing_malloc.h"
#include "tests/support/support.h"

enum { COLUMNS = 5, BETWEEN = PLB_MAX_BETWEEN, K = 4, MAX_ROWS = 10 };

/* A board of five columns; of four, if the left one must stay empty. */
typedef struct fixture {
    int height, left;
    plb_column_words words;
    plb_column_classes classes;
    plb_outer_columns outer;
} fixture;

/* The numbers of the words of all columns. */
typedef struct board {
    int of[COLUMNS];
} board;

/* Counts of pairs, by the number of full outer columns and the stones of both. */
typedef struct tally {
    int64_t open[3][2 * MAX_ROWS + 1], ends[3][2 * MAX_ROWS + 1], next_ends[3][2 * MAX_ROWS + 1];
} tally;

static void begin(int height, bool has_left, fixture *f) {
    f->height = height;
    f->left = !has_left;
    assert_int_equal(plb_column_words_make(height, K, &f->words), PLB_OK);
    assert_int_equal(
        plb_column_classes_make(COLUMNS - f->left, &f->words, UINT32_MAX, NULL, &f->classes),
        PLB_OK);
    assert_int_equal(plb_outer_columns_make(&f->classes, has_left, &f->outer), PLB_OK);
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

/* ---- expected counts ---- */

/* 0: o, 1: x, -1: none. */
static int stone_at(const fixture *f, const board *b, int column, int row) {
    const plb_column_word *w = word_at(f, b->of[column]);
    return row < 0 || row >= w->stones ? -1 : (int)(w->x >> row & 1);
}

/* Is there a group that begins in a cell and goes to the right? */
static bool is_group(const fixture *f, const board *b, int column, int row, int direction) {
    int x = stone_at(f, b, column, row);
    for (int i = 1; i < K; i++)
        if (column + i >= COLUMNS || stone_at(f, b, column + i, row + i * direction) != x)
            return false;
    return x >= 0;
}

/* The columns whose top stone is part of all groups, as a bit mask. *groups: number of groups. */
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

/* How many of the columns have a top stone of this colour that can have been the last one? */
static int count_lasts(const fixture *f, const board *b, int columns, int x) {
    int lasts = 0;
    for (int c = 0; c < COLUMNS; c++) {
        const plb_column_word *w = word_at(f, b->of[c]);
        board less = *b;
        less.of[c] = w->below;
        if (!(columns >> c & 1) || !w->stones || plb_column_word_x_on_top(w) != x) continue;
        lasts += class_of(f, less.of + f->left, COLUMNS - f->left) ==
                 (x ? (uint32_t)PLB_EVEN_CLASS : (uint32_t)PLB_ODD_CLASS);
    }
    return lasts;
}

/* How many moves of the player to move, in the columns between, complete a group? */
static int count_groups_between(const fixture *f, const board *b, int x) {
    int moves = 0;
    for (int c = 1; c <= BETWEEN; c++) {
        const plb_column_word *w = word_at(f, b->of[c]);
        board more = *b;
        int groups = 1;
        more.of[c] = w->with[x];
        if (w->stones == f->height) continue;
        if (w->with[x] != PLB_NO_WORD) find_common_tops(f, &more, &groups);
        moves += groups > 0;
    }
    return moves;
}

static void expect_pair(const fixture *f, const board *b, tally *expected) {
    const plb_column_word *left = word_at(f, b->of[0]), *right = word_at(f, b->of[COLUMNS - 1]);
    int full = (left->stones == f->height) + (right->stones == f->height), balance = 0, groups = 0;
    int stones = left->stones + right->stones;
    for (int c = 0; c < COLUMNS; c++) balance += word_at(f, b->of[c])->balance;
    if (balance != 0 && balance != 1) return;
    int tops = find_common_tops(f, b, &groups), outer = 1 | 1 << (COLUMNS - 1);
    int lasts = count_lasts(f, b, groups ? tops : outer, balance);
    if (groups) {
        expected->ends[full][stones] += lasts > 1 ? lasts - 1 : 0;
    } else if (class_of(f, b->of + f->left, COLUMNS - f->left) != PLB_DEAD_CLASS) {
        expected->open[full][stones]++;
        expected->ends[full][stones] += lasts;
        expected->next_ends[full][stones] -= count_groups_between(f, b, balance == 0);
    }
}

static void expect_pairs(const fixture *f, const board *b, tally *expected) {
    board all = *b;
    memset(expected, 0, sizeof *expected);
    int left_words = f->left ? 1 : f->words.count;
    for (all.of[0] = 0; all.of[0] < left_words; all.of[0]++)
        for (all.of[COLUMNS - 1] = 0; all.of[COLUMNS - 1] < f->words.count; all.of[COLUMNS - 1]++)
            expect_pair(f, &all, expected);
}

/* ---- counts ---- */

enum { SUMS = 3 * MAX_ROWS + 2 };

/* A filling of the columns between, and the columns. */
typedef struct filling {
    plb_between_column columns[BETWEEN];
    plb_between between;
} filling;

static void fill(const fixture *f, const board *b, filling *t) {
    *t = (filling){.between.lines = {~0ULL, ~0ULL}};
    for (int c = 0; c < BETWEEN; c++) {
        const plb_column_word *w = word_at(f, b->of[c + 1]);
        plb_between_column *column = &t->columns[c];
        int less[BETWEEN] = {b->of[1], b->of[2], b->of[3]}, to_last = BETWEEN - 1 - c;
        less[c] = w->below;
        for (int x = 0; x < 2; x++) {
            bool may_grow = w->with[x] != PLB_NO_WORD;
            column->lines[x] = plb_lines_through(plb_column_word_stones(w, x), to_last);
            if (may_grow) column->next[x] = plb_lines_through(1U << w->stones, to_last);
            column->groups[x] = !may_grow && w->stones < f->height;
            t->between.lines[x] &= column->lines[x];
        }
        if (w->stones) column->top = plb_lines_through(1U << (w->stones - 1), to_last);
        t->between.before[c] = w->stones ? class_of(f, less, BETWEEN) : PLB_DEAD_CLASS;
        t->between.columns[c] = column;
        t->between.sums += w->stones;
    }
}

static void tally_sums(const fixture *f, const plb_pair_sums *sums, tally *found) {
    memset(found, 0, sizeof *found);
    for (int a = 0; a <= f->height; a++)
        for (int b = 0; b <= f->height; b++) {
            int full = (a == f->height) + (b == f->height);
            int i = plb_outer_lane(a), j = plb_outer_lane(b);
            found->open[full][a + b] += (int64_t)sums->open[a % 2][b % 2][i][j];
            found->ends[full][a + b] += (int64_t)sums->ends[a % 2][b % 2][i][j];
            found->next_ends[full][a + b] += (int64_t)sums[1].ends[a % 2][b % 2][i][j];
        }
}

/* Compare the counts of a filling that is added three times, once by itself. */
static void compare(const fixture *f, const board *b, plb_vectors v, const tally *expected) {
    plb_pair_sums *sums = calloc(SUMS, sizeof *sums);
    plb_pair_cases cases = {
        .outer = &f->outer, .sums = sums, .vectors = v, .class = class_of(f, b->of + 1, BETWEEN)};
    filling t;
    tally found;
    fill(f, b, &t);
    for (int c = 1; c <= BETWEEN; c++) cases.balance += word_at(f, b->of[c])->balance;
    assert_int_equal(plb_pair_cases_begin(&cases), PLB_OK);
    assert_int_equal(plb_outer_pairs_add(&cases, &t.between, 1), PLB_OK);
    assert_int_equal(plb_pair_cases_count(&cases), PLB_OK);
    tally_sums(f, sums + t.between.sums, &found);
    assert_memory_equal(&found, expected, sizeof found);
    for (int times = 2; times > 0; times--)
        assert_int_equal(plb_outer_pairs_add(&cases, &t.between, 1), PLB_OK);
    assert_int_equal(plb_pair_cases_count(&cases), PLB_OK);
    tally_sums(f, sums + t.between.sums, &found);
    for (int full = 0; full < 3; full++)
        for (int stones = 0; stones <= 2 * f->height; stones++) {
            assert_int_equal(found.open[full][stones], 3 * expected->open[full][stones]);
            assert_int_equal(found.ends[full][stones], 3 * expected->ends[full][stones]);
            assert_int_equal(found.next_ends[full][stones], 3 * expected->next_ends[full][stones]);
        }
    plb_pair_cases_end(&cases);
    free(sums);
}

/* ---- tests ---- */

/* Random columns between, which may have an order. */
static board random_board(const fixture *f, uint64_t *random) {
    board b = {{0}};
    do {
        for (int c = 1; c <= BETWEEN; c++) b.of[c] = (int)(support_random(random) % f->words.count);
    } while (class_of(f, b.of + 1, BETWEEN) == PLB_DEAD_CLASS);
    return b;
}

/* The largest number of tops of the columns on a line. Lines with two or three are rare: the caller
 * draws until it finds some. */
static int tops_on_lines(const fixture *f, const board *b) {
    filling t;
    int most = 0;
    fill(f, b, &t);
    for (int at = 0; at < 3 * PLB_LINE_ROWS; at++) {
        int tops = 0;
        for (int c = 0; c < BETWEEN; c++) tops += t.columns[c].top >> at & 1;
        if (((t.between.lines[0] | t.between.lines[1]) >> at & 1) && tops > most) most = tops;
    }
    return most;
}

static void compare_boards(int height, bool has_left, int boards) {
    uint64_t random = (uint64_t)height;
    int64_t ends = 0;
    fixture f;
    begin(height, has_left, &f);
    for (int i = 0; i < boards; i++) {
        tally expected;
        board b = random_board(&f, &random);
        while (tops_on_lines(&f, &b) < i % 4) b = random_board(&f, &random);
        expect_pairs(&f, &b, &expected);
        for (plb_vectors v = PLB_ANY_VECTORS; v <= plb_best_vectors() && v <= PLB_AVX2_VECTORS; v++)
            compare(&f, &b, v, &expected);
        for (int stones = 0; stones <= 2 * height; stones++) ends += expected.ends[0][stones];
    }
    assert_true(ends > 0);
    end(&f);
}

/* Heights with one chunk of words, and with several. */
static void pairs_are_as_counted_one_by_one(void **state) {
    (void)state;
    static const struct { int height, boards; } sizes[] = {{4, 100}, {5, 100}, {6, 100}, {8, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += support_step(3))
        compare_boards(sizes[i].height, true, sizes[i].boards);
}

/* The maximal number of lanes. */
static void pairs_of_high_columns_are_as_counted_one_by_one(void **state) {
    (void)state;
    compare_boards(MAX_ROWS, true, 2);
    compare_boards(MAX_ROWS, false, 2);
}

static void words_beside_an_empty_column_are_as_counted_one_by_one(void **state) {
    (void)state;
    for (int height = 4; height <= 8; height += 2) compare_boards(height, false, 100);
}

/* Count while the nth allocation fails, or none if n is 0. Returns PLB_OK or PLB_ENOMEM. */
static int count_with_fault(uint64_t n, bool *failed, plb_position_counts *counts) {
    const plb_count_board board = {COLUMNS, 5, K, false};
    const plb_count_work work = {.threads = 1};
    plb_message message;
    failing_malloc_arm(n, false);
    int error = plb_position_count(&board, &work, counts, &message);
    *failed = failing_malloc_disarm();
    return error;
}

static void a_count_survives_every_fault(void **state) {
    (void)state;
    plb_position_counts right, counts;
    bool failed;
    int64_t live = failing_malloc_live();
    assert_int_equal(count_with_fault(0, &failed, &right), PLB_OK);
    assert_false(failed);
    failed = true;
    for (uint64_t n = 1; failed; n = support_next_fault(n)) {
        int error = count_with_fault(n, &failed, &counts);
        assert_int_equal(error, failed ? PLB_ENOMEM : PLB_OK);
        if (error) continue;
        assert_memory_equal(counts.ply, right.ply, right.plies * sizeof *right.ply);
        plb_position_counts_free(&counts);
    }
    plb_position_counts_free(&right);
    assert_int_equal(failing_malloc_live(), live);
}

int main(int argc, char **argv) {
    const struct CMUnitTest high[] = {
        cmocka_unit_test(pairs_of_high_columns_are_as_counted_one_by_one),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_as_counted_one_by_one),
        cmocka_unit_test(words_beside_an_empty_column_are_as_counted_one_by_one),
        cmocka_unit_test(a_count_survives_every_fault),
    };
    if (argc > 1 && strcmp(argv[1], "high") == 0) return cmocka_run_group_tests(high, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
