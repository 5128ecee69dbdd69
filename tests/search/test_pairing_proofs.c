/* SPDX-License-Identifier: MIT
 *
 * Pairing proofs: all their answers agree with plain minimax, in every position of small boards,
 * with and without earlier proofs; and attempts end if they do not pay.
 */
#include "tools/search/pairing_proofs.h"

#include <stdio.h>

#include "tests/support/positions.h"
#include "tests/support/support.h"
#include "tests/support/verdict.h"
#include "tools/search/search_rules.h"

/* ---- by hand ---- */

static bool answer_empty_board(const search_rules *rules, int bound, bool *reached) {
    pairing_proofs proofs;
    const uint64_t stones[2] = {0, 0};
    proofs = (pairing_proofs){.rules = rules};
    bool answered = pairing_proofs_answer(&proofs, stones, 0, bound, reached);
    return answered;
}

static verdict ask_empty_board(const char *spec, int bound) {
    return verdict_of(answer_empty_board, spec, bound);
}

/* The 14 lines of 6x6 and the 12 of 5x5 have two cells each; on 4x4 there are 10 lines, and 16
 * cells have 8 pairs. On a board of four columns and two rows the pairs are in the middle. */
static void pairs_rule_a_win_out(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("mnk-6x6-k6", 1), NO);
    assert_int_equal(ask_empty_board("mnk-5x5-k5", 1), NO);
    assert_int_equal(ask_empty_board("mnk-4x4-k4", 1), UNKNOWN);
    assert_int_equal(ask_empty_board("mnk-4x2-k3", 1), NO);
}

static void pairs_spare_a_player_his_groups_in_misere_play(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("mnk-5x5-k5-misere", 0), YES);
    assert_int_equal(ask_empty_board("mnk-5x5-k5-misere", 1), NO);
    assert_int_equal(ask_empty_board("mnk-3x3-k3-misere", 0), UNKNOWN);
}

/* The first stone, in the centre, leaves four lines of 3x3, each with two cells of its own. (In
 * misere play it would be worse than none.) */
static void a_stone_may_come_first(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("mnk-3x3-k3", 0), YES);
    assert_int_equal(ask_empty_board("mnk-3x3-k3", 1), UNKNOWN);
}

static void falling_stones_and_horizons_are_left_to_others(void **state) {
    (void)state;
    assert_int_equal(ask_empty_board("connect-5x5-k5", 1), UNKNOWN);
    assert_int_equal(ask_empty_board("mnk-5x5-k5", 2), UNKNOWN);
    assert_int_equal(ask_empty_board("mnk-5x5-k5", -1), UNKNOWN);
}

/* ---- by minimax ---- */

typedef struct tested {
    const search_rules *rules;
    pairing_proofs kept;
    size_t answers[2]; /* no, yes */
} tested;

static void check_answer(tested *t, pairing_proofs *proofs, const oracle_position *p,
                         plb_position position, int bound) {
    const uint64_t stones[2] = {position.x, position.o};
    bool reached, expected = question_score(t->rules, p->value, p->ply + p->dtm) >= bound;
    if (!pairing_proofs_answer(proofs, stones, p->ply, bound, &reached)) return;
    if (reached != expected) printf("%s, bound %d\n", p->board, bound);
    assert_int_equal(reached, expected);
    t->answers[reached]++;
}

/* Check new proofs, and kept ones, for which a search of a million nodes makes attempts pay. */
static void check_position(tested *t, const plb_game *game, const oracle_position *p) {
    plb_position position = positions_of_board(game, p->board);
    for (int bound = 0; bound <= 1; bound++) {
        pairing_proofs fresh;
        fresh = (pairing_proofs){.rules = t->rules};
        check_answer(t, &fresh, p, position, bound);
        pairing_proofs_learn(&t->kept, p->ply, bound, 1000000);
        check_answer(t, &t->kept, p, position, bound);
    }
}

static void check_game(const search_rules *rules, const plb_game *game, const oracle *solved) {
    tested t = {.rules = rules};
    t.kept = (pairing_proofs){.rules = rules};
    for (size_t p = 0; p < solved->count; p++)
        if (!solved->positions[p].over) check_position(&t, game, &solved->positions[p]);
    printf("%zu and %zu answers\n", t.answers[0], t.answers[1]);
    assert_true(t.answers[0] && t.answers[1]);
}

static void every_answer_is_that_of_minimax(void **state) {
    (void)state;
    static const oracle_game games[] = {
        {ORACLE_MNK, 3, 3, 3, false, false}, {ORACLE_MNK, 4, 3, 3, false, false},
        {ORACLE_MNK, 4, 3, 4, false, true},  {ORACLE_MNK, 6, 2, 3, false, false},
        {ORACLE_MNK, 9, 1, 3, false, false}, {ORACLE_SQUARE, 4, 3, 0, false, false},
    };
    verdict_check_games(games, sizeof games / sizeof *games, check_game);
}

/* ---- attempts that pay ---- */

enum { QUESTIONS = 100000 };

/* Attempts that always fail: a group of two with one stone cannot be paired. work: nodes that each
 * search took. */
static uint64_t spend_in_vain(uint64_t work) {
    search_rules rules = verdict_rules("mnk-3x3-k2");
    pairing_proofs proofs;
    const uint64_t stones[2] = {1, 2};
    bool reached;
    proofs = (pairing_proofs){.rules = &rules};
    for (int n = 0; n < QUESTIONS; n++) {
        assert_false(pairing_proofs_answer(&proofs, stones, 2, 1, &reached));
        pairing_proofs_learn(&proofs, 2, 1, work);
    }
    return proofs.spent;
}

static void attempts_in_vain_take_a_small_part_of_the_work(void **state) {
    (void)state;
    assert_in_range(spend_in_vain(1), 1000, QUESTIONS / 25 + 1000);
    assert_in_range(spend_in_vain(10000), QUESTIONS, QUESTIONS * 10000L / 200);
}

static void attempts_that_pay_go_on(void **state) {
    (void)state;
    search_rules rules = verdict_rules("mnk-5x5-k5");
    pairing_proofs proofs;
    const uint64_t stones[2] = {0, 0};
    bool reached;
    proofs = (pairing_proofs){.rules = &rules};
    pairing_proofs_learn(&proofs, 0, 1, 1000);
    for (int n = 0; n < QUESTIONS; n++)
        assert_true(pairing_proofs_answer(&proofs, stones, 0, 1, &reached));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_rule_a_win_out),
        cmocka_unit_test(pairs_spare_a_player_his_groups_in_misere_play),
        cmocka_unit_test(a_stone_may_come_first),
        cmocka_unit_test(falling_stones_and_horizons_are_left_to_others),
        cmocka_unit_test(every_answer_is_that_of_minimax),
        cmocka_unit_test(attempts_in_vain_take_a_small_part_of_the_work),
        cmocka_unit_test(attempts_that_pay_go_on),
    };
    return cmocka_run_group_tests_name("pairing_proofs", tests, NULL, NULL);
}
