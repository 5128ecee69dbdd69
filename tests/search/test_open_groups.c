/* SPDX-License-Identifier: MIT
 *
 * Open groups: all their answers agree with plain minimax, in every position of small boards; and
 * with the theorems on boards that can be counted by hand.
 */
#include "tools/search/open_groups.h"

#include <stdio.h>

#include "tests/support/positions.h"
#include "tests/support/support.h"
#include "tests/support/verdict.h"
#include "tools/search/search_rules.h"

/* ---- by hand ---- */

static bool answer_empty_board(const search_rules *rules, int bound, bool *reached) {
    open_groups open;
    const uint64_t stones[2] = {0, 0};
    open_groups_begin(rules, &open);
    bool answered = open_groups_answer(&open, stones, 0, bound, reached);
    return answered;
}

static verdict ask_empty_board(const char *spec, int bound) {
    return verdict_of(answer_empty_board, spec, bound);
}

/* 5x5 has 12 lines of 5, each of weight 1/32: 0.375 in all, below the 1/2 that the player to move
 * may double. 4x4 has 10 lines of 4, each of weight 1/16: 0.625 is too much to decide. */
static void weights_below_a_half_rule_a_win_out(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("mnk-5x5-k5", 1), NO);
    assert_int_equal(ask_empty_board("mnk-4x4-k4", 1), UNKNOWN);
}

/* In misere play x, who moves last on 25 cells, need not complete a line. On 16 cells it is o, and
 * 0.625 is below 1. */
static void weights_rule_a_loss_out_in_misere_play(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("mnk-5x5-k5-misere", 0), YES);
    assert_int_equal(ask_empty_board("mnk-4x4-k4-misere", 0), YES);
    assert_int_equal(ask_empty_board("mnk-3x3-k3-misere", 0), UNKNOWN);
}

/* Three columns of four: o answers in the same column and has rows 2 and 4, x rows 1 and 3, where
 * no four are in a row. Four columns leave x a row of four; three rows leave o no answer. */
static void answers_in_the_same_column_rule_a_win_out(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("connect-3x4-k4", 1), NO);
    assert_int_equal(ask_empty_board("connect-4x4-k4", 1), UNKNOWN);
    assert_int_equal(ask_empty_board("connect-4x3-k3", 1), UNKNOWN);
}

/* ---- by minimax ---- */

typedef struct tested {
    const search_rules *rules;
    open_groups open;
    size_t limited[2], unlimited[2]; /* number of answers: no, yes */
} tested;

static void check_position(tested *t, const plb_game *game, const oracle_position *p) {
    plb_position position = positions_of_board(game, p->board);
    const uint64_t stones[2] = {position.x, position.o};
    int score = question_score(t->rules, p->value, p->ply + p->dtm);
    for (int bound = -t->rules->cells; bound <= t->rules->cells; bound++) {
        bool reached;
        if (!open_groups_answer(&t->open, stones, p->ply, bound, &reached)) continue;
        if (reached != (score >= bound))
            printf("%s, bound %d: the score is %d\n", p->board, bound, score);
        assert_int_equal(reached, score >= bound);
        (question_is_limited(bound) ? t->limited : t->unlimited)[reached]++;
    }
}

static void check_game(const search_rules *rules, const plb_game *game, const oracle *solved) {
    tested t = {.rules = rules};
    open_groups_begin(rules, &t.open);
    for (size_t p = 0; p < solved->count; p++)
        if (!solved->positions[p].over) check_position(&t, game, &solved->positions[p]);
    printf("%zu and %zu answers without a horizon, %zu and %zu with one\n", t.unlimited[0],
           t.unlimited[1], t.limited[0], t.limited[1]);
    assert_true(t.unlimited[0] && t.unlimited[1] && t.limited[0] && t.limited[1]);
}

static void every_answer_is_that_of_minimax(void **state) {
    (void)state;
    static const oracle_game games[] = {
        {ORACLE_CONNECT, 4, 3, 3, false, false}, {ORACLE_CONNECT, 3, 4, 3, false, false},
        {ORACLE_CONNECT, 3, 4, 4, false, false}, {ORACLE_CONNECT, 4, 4, 4, false, false},
        {ORACLE_MNK, 3, 3, 3, false, false},     {ORACLE_MNK, 4, 3, 3, false, false},
        {ORACLE_MNK, 4, 3, 4, false, true},      {ORACLE_SQUARE, 4, 3, 0, false, false},
    };
    verdict_check_games(games, sizeof games / sizeof *games, check_game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_below_a_half_rule_a_win_out),
        cmocka_unit_test(weights_rule_a_loss_out_in_misere_play),
        cmocka_unit_test(answers_in_the_same_column_rule_a_win_out),
        cmocka_unit_test(every_answer_is_that_of_minimax),
    };
    return cmocka_run_group_tests_name("open_groups", tests, NULL, NULL);
}
