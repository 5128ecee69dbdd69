/* SPDX-License-Identifier: MIT
 *
 * Counts of positions are compared with an independent enumeration of small boards, and with
 * published numbers. The argument selects: `checked` small boards; `bigger` and `long` boards of
 * more cells; `threads` threads and interruption; none: comparisons of counts with counts, and
 * refusals.
 */
#include "tables/count/position_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/vocabulary.h"
#include "tests/support/oracle.h"
#include "tests/support/support.h"

static plb_position_counts count_so(plb_count_board board, plb_count_work work) {
    plb_position_counts counts;
    plb_message why;
    if (plb_position_count(&board, &work, &counts, &why))
        fail_msg("%dx%d k%d: %s", board.width, board.height, board.k, why.text);
    assert_int_equal(counts.plies, board.width * board.height + 1);
    return counts;
}

static plb_position_counts count_with(plb_count_board board, int threads) {
    return count_so(board, (plb_count_work){.threads = threads});
}

static plb_position_counts count_board(plb_count_board board) {
    return count_with(board, 2);
}

static plb_position_counts count(int width, int height, int k) {
    return count_board((plb_count_board){width, height, k, false});
}

static void assert_count(plb_big_count counted, plb_big_count expected, const char *what) {
    char text[2][PLB_COUNT_TEXT];
    if (counted != expected)
        fail_msg("%s: counted %s, expected %s", what, plb_format_big_count(counted, 0, text[0]),
                 plb_format_big_count(expected, 0, text[1]));
}

/* ---- by enumeration ---- */

static void compare_with_oracle(plb_count_board board) {
    int width = board.width, height = board.height, k = board.k;
    oracle_game game = {ORACLE_CONNECT, width, height, k, .cylinder = board.cylinder};
    oracle solved;
    plb_position_counts counts = count_board(board);
    if (!oracle_solve(&game, &solved)) fail_msg("%dx%d is too big", width, height);
    for (int ply = 0; ply < counts.plies; ply++) {
        char what[64];
        snprintf(what, sizeof what, "%dx%d k%d%s ply %d", width, height, k,
                 board.cylinder ? " cylinder" : "", ply);
        assert_count(counts.ply[ply].total, solved.plies[ply].total, what);
        assert_count(counts.ply[ply].terminal, solved.plies[ply].terminal, what);
    }
    oracle_free(&solved);
    plb_position_counts_free(&counts);
}

/* Boards with groups at every edge, with crossing groups of all directions, and boards on which no
 * group fits. */
static void every_ply_of_small_boards_is_as_enumerated(void **state) {
    (void)state;
    static const int boards[][3] = {
        {1, 1, 1},  {3, 2, 1}, {1, 5, 2}, {2, 2, 2}, {3, 3, 2}, {4, 4, 2}, {6, 3, 2}, {3, 5, 2},
        {3, 3, 3},  {4, 3, 3}, {4, 4, 3}, {5, 3, 3}, {3, 5, 3}, {6, 3, 3}, {7, 2, 3}, {12, 1, 3},
        {4, 4, 4},  {5, 3, 4}, {7, 2, 4}, {4, 3, 4}, {2, 7, 4}, {3, 4, 5}, {5, 3, 5}, {6, 2, 5},
        {13, 1, 8}, {2, 2, 9}, {3, 6, 4}, {3, 6, 5}, {2, 8, 3}, {3, 5, 9}, {2, 9, 5}, {4, 1, 4},
        {4, 2, 4},  {4, 4, 5}, {4, 3, 6}, {5, 1, 4}, {5, 2, 4}, {5, 3, 6}};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (support_has_turn(i, 2))
            compare_with_oracle((plb_count_board){boards[i][0], boards[i][1], boards[i][2], false});
}

/* Boards on which lines through all columns begin in several rows. */
static void every_ply_of_higher_boards_is_as_enumerated(void **state) {
    (void)state;
    compare_with_oracle((plb_count_board){4, 5, 4, false});
    compare_with_oracle((plb_count_board){4, 5, 5, false});
    compare_with_oracle((plb_count_board){5, 4, 4, false});
}

static void compare_cylinders(const int (*boards)[3], size_t count) {
    for (size_t i = 0; i < count; i++)
        if (support_has_turn(i, 2))
            compare_with_oracle((plb_count_board){boards[i][0], boards[i][1], boards[i][2], true});
}

/* Also boards of fewer than k columns, of k, and of so few that two groups meet on both sides. */
static void every_ply_of_small_cylinders_is_as_enumerated(void **state) {
    (void)state;
    static const int boards[][3] = {{7, 2, 3}, {8, 2, 4}, {5, 3, 3}, {5, 3, 4},
                                    {3, 5, 4}, {3, 5, 5}, {4, 4, 3}, {4, 4, 4}};
    for (int width = 1; width <= 12; width++)
        for (int height = 1; width * height <= 12; height++)
            for (int k = 1; k <= 6; k++)
                if (support_has_turn(width + height + k, 3))
                    compare_with_oracle((plb_count_board){width, height, k, true});
    compare_cylinders(boards, sizeof boards / sizeof boards[0]);
}

/* Higher boards, on which groups are longer than the circumference, and rising lines meet falling
 * ones twice. */
static void every_ply_of_bigger_cylinders_is_as_enumerated(void **state) {
    (void)state;
    static const int boards[][3] = {{4, 5, 4}, {4, 5, 5}, {5, 4, 3}, {5, 4, 4},
                                    {6, 3, 4}, {8, 2, 3}, {3, 6, 4}};
    compare_cylinders(boards, sizeof boards / sizeof boards[0]);
}

/* ---- published ---- */

/* Compare counts with the published list, for one in `period` of the boards that `wanted` accepts.
 * Returns the number of those boards. */
static int compare_with_list(bool (*wanted)(int width, int height), unsigned period) {
    FILE *file = fopen(TEST_DATA "/connect4-position-counts.csv", "r");
    char line[200];
    int boards = 0, width, height;
    unsigned long long positions;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%d,%d,%llu", &width, &height, &positions) != 3) continue;
        if (!wanted(width, height) || !support_has_turn(boards++, period)) continue;
        plb_position_counts counts = count(width, height, 4);
        plb_big_count total = counts.all.total;
        /* beyond 2^53 the list has rounded doubles */
        if (positions > 1ULL << 53) total = (plb_big_count)(double)total;
        assert_count(total, positions, line);
        plb_position_counts_free(&counts);
    }
    fclose(file);
    return boards;
}

static bool is_small(int width, int height) {
    return width + height <= 9 || (height <= 3 && width <= 11) || (width <= 3 && height <= 11);
}

static void small_boards_have_as_many_positions_as_published(void **state) {
    (void)state;
    assert_int_equal(compare_with_list(is_small, 2), 60);
}

static bool is_wide(int width, int height) {
    return !is_small(width, height) && height <= 5 && width >= height;
}

static void wide_boards_have_as_many_positions_as_published(void **state) {
    (void)state;
    assert_int_equal(compare_with_list(is_wide, 1), 19);
}

static bool is_narrow(int width, int height) {
    return !is_small(width, height) && width <= 3 && height > width;
}

static void narrow_boards_have_as_many_positions_as_published(void **state) {
    (void)state;
    assert_int_equal(compare_with_list(is_narrow, 1), 6);
}

/* Boards of few columns, which take longest. */
static bool is_of_few_columns(int width, int height) {
    return (width == 4 && height > 7 && height < 10) || (width == 5 && height == 8);
}

static void boards_of_few_columns_have_as_many_positions_as_published(void **state) {
    (void)state;
    assert_int_equal(compare_with_list(is_of_few_columns, 1), 3);
}

static void compare_ways(plb_count_board board, plb_count_work way) {
    plb_position_counts counts = count_board(board), others = count_so(board, way);
    for (int ply = 0; ply < counts.plies; ply++) {
        char what[64];
        snprintf(what, sizeof what, "%dx%d k%d ply %d", board.width, board.height, board.k, ply);
        assert_count(counts.ply[ply].total, others.ply[ply].total, what);
        assert_count(counts.ply[ply].terminal, others.ply[ply].terminal, what);
    }
    plb_position_counts_free(&counts);
    plb_position_counts_free(&others);
}

static void few_columns_are_counted_as_by_sweep(void **state) {
    (void)state;
    const plb_count_work by_sweep = {.threads = 2, .by_sweep = true};
    for (int height = 1; height <= 6; height++)
        for (int width = 1; width <= 5; width++)
            compare_ways((plb_count_board){width, height, 4, false}, by_sweep);
    compare_ways((plb_count_board){4, 7, 4, false}, by_sweep);
}

static void rounds_count_the_same(void **state) {
    (void)state;
    const plb_count_work in_rounds = {.threads = 2, .by_sweep = true, .in_rounds = true};
    for (int k = 3; k <= 4; k++)
        for (int height = 1; height <= 4; height++)
            for (int width = 1; width <= 6; width++)
                compare_ways((plb_count_board){width, height, k, false}, in_rounds);
    compare_ways((plb_count_board){7, 4, 5, false}, in_rounds);
    compare_ways((plb_count_board){4, 3, 3, true}, in_rounds);
}

/* Two published numbers exceed 2^53 and are the doubles nearest to these. */
static void two_published_numbers_are_rounded(void **state) {
    (void)state;
    static const struct {
        int width, height;
        uint64_t exact, published;
    } rounded[] = {{12, 4, 17631656694578591, 17631656694578592},
                   {13, 4, 420788402285901831, 420788402285901824}};
    for (int i = 0; i < 2; i++) {
        plb_position_counts counts = count(rounded[i].width, rounded[i].height, 4);
        assert_count(counts.all.total, rounded[i].exact, "a rounded number");
        assert_true((double)rounded[i].exact == (double)rounded[i].published);
        assert_int_equal((uint64_t)(double)rounded[i].exact, rounded[i].published);
        plb_position_counts_free(&counts);
    }
}

/* Compare counts with the statistics of a table, whose values must add up, too. */
static void compare_with_statistics(int width, int height, const char *name) {
    FILE *file = fopen(name, "r");
    char line[200];
    int ply, plies = 0;
    unsigned long long won, drawn, lost, total, terminal;
    plb_position_counts counts = count(width, height, 4);
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%d,%llu,%llu,%llu,%llu,%llu", &ply, &won, &drawn, &lost, &total,
                   &terminal) != 6)
            continue;
        assert_count(won + drawn + lost, total, line);
        assert_count(counts.ply[ply].total, total, line);
        assert_count(counts.ply[ply].terminal, terminal, line);
        plies++;
    }
    fclose(file);
    assert_int_equal(plies, width * height + 1);
    plb_position_counts_free(&counts);
}

static void every_ply_of_7x6_is_as_published(void **state) {
    (void)state;
    compare_with_statistics(7, 6, TEST_DATA "/connect4-7x6-per-ply.csv");
}

static void every_ply_of_6x7_is_as_in_its_table(void **state) {
    (void)state;
    compare_with_statistics(6, 7, TEST_DATA "/connect-6x7-k4-per-ply.csv");
}

/* ---- threads ---- */

/* Also with many more threads than processors. */
static void counts_do_not_depend_on_threads(void **state) {
    (void)state;
    static const plb_count_board boards[] = {{6, 4, 4, false}, {5, 5, 4, false}, {20, 3, 3, false},
                                             {5, 4, 4, true},  {3, 9, 4, false}, {4, 6, 4, false}};
    static const int threads[] = {2, 3, 17};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b += support_step(2)) {
        plb_position_counts alone = count_with(boards[b], 1);
        for (int t = 0; t < 3; t++) {
            plb_position_counts shared = count_with(boards[b], threads[t]);
            size_t bytes = alone.plies * sizeof *alone.ply;
            assert_memory_equal(shared.ply, alone.ply, bytes);
            plb_position_counts_free(&shared);
        }
        plb_position_counts_free(&alone);
    }
}

/* ---- limits ---- */

static void what_is_too_big_is_refused(void **state) {
    (void)state;
    static const plb_count_board boards[] = {{65, 1, 4, false},  {1, 31, 4, false},
                                             {0, 4, 4, false},   {9, 9, 9, false},
                                             {2, 20, 21, false}, {60, 3, 4, false}};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        plb_position_counts counts;
        plb_message why = {""};
        assert_int_equal(
            plb_position_count(&boards[i], &(plb_count_work){.threads = 1}, &counts, &why),
            PLB_ETOOBIG);
        assert_true(strlen(why.text) > 20);
    }
}

static void a_request_to_stop_is_heeded(void **state) {
    (void)state;
    volatile sig_atomic_t stop = 1;
    const plb_count_work work = {.threads = 2, .stop = &stop};
    plb_count_board board = {7, 6, 4, false};
    plb_position_counts counts;
    assert_int_equal(plb_position_count(&board, &work, &counts, NULL), PLB_EINTERRUPTED);
}

static void stop_at_the_end(void *context, double share) {
    if (share > 0.999) *(volatile sig_atomic_t *)context = 1;
}

/* A stop during the last report still interrupts the count. */
static void a_request_to_stop_at_the_end_is_heeded(void **state) {
    static const plb_count_board boards[] = {{4, 5, 4, false}, {5, 4, 4, false}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        volatile sig_atomic_t stop = 0;
        const plb_count_work work = {
            .threads = 1, .stop = &stop, .advance = stop_at_the_end, .context = (void *)&stop};
        plb_position_counts counts;
        assert_int_equal(plb_position_count(&boards[i], &work, &counts, NULL), PLB_EINTERRUPTED);
        assert_true(stop);
    }
}

static void counts_are_written_with_all_digits(void **state) {
    (void)state;
    char text[PLB_COUNT_TEXT];
    plb_big_count big = ~(plb_big_count)0;
    assert_string_equal(plb_format_big_count(0, ',', text), "0");
    assert_string_equal(plb_format_big_count(1000, ',', text), "1,000");
    assert_string_equal(plb_format_big_count(big, 0, text),
                        "340282366920938463463374607431768211455");
}

int main(int argc, char **argv) {
    const struct CMUnitTest quick[] = {
        cmocka_unit_test(rounds_count_the_same),
        cmocka_unit_test(what_is_too_big_is_refused),
        cmocka_unit_test(counts_are_written_with_all_digits),
    };
    const struct CMUnitTest checked[] = {
        cmocka_unit_test(every_ply_of_small_boards_is_as_enumerated),
        cmocka_unit_test(every_ply_of_small_cylinders_is_as_enumerated),
        cmocka_unit_test(small_boards_have_as_many_positions_as_published),
    };
    const struct CMUnitTest threads[] = {
        cmocka_unit_test(counts_do_not_depend_on_threads),
        cmocka_unit_test(a_request_to_stop_is_heeded),
        cmocka_unit_test(a_request_to_stop_at_the_end_is_heeded),
    };
    const struct CMUnitTest bigger[] = {
        cmocka_unit_test(every_ply_of_bigger_cylinders_is_as_enumerated),
        cmocka_unit_test(every_ply_of_higher_boards_is_as_enumerated),
        cmocka_unit_test(few_columns_are_counted_as_by_sweep),
        cmocka_unit_test(two_published_numbers_are_rounded),
        cmocka_unit_test(every_ply_of_7x6_is_as_published),
    };
    const struct CMUnitTest longest[] = {
        cmocka_unit_test(wide_boards_have_as_many_positions_as_published),
        cmocka_unit_test(boards_of_few_columns_have_as_many_positions_as_published),
        cmocka_unit_test(narrow_boards_have_as_many_positions_as_published),
        cmocka_unit_test(every_ply_of_6x7_is_as_in_its_table),
    };
    const char *which = argc > 1 ? argv[1] : "";
    if (strcmp(which, "checked") == 0) return cmocka_run_group_tests(checked, NULL, NULL);
    if (strcmp(which, "threads") == 0) return cmocka_run_group_tests(threads, NULL, NULL);
    if (strcmp(which, "bigger") == 0) return cmocka_run_group_tests(bigger, NULL, NULL);
    if (strcmp(which, "long") == 0) return cmocka_run_group_tests(longest, NULL, NULL);
    return cmocka_run_group_tests(quick, NULL, NULL);
}
