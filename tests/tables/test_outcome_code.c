/* SPDX-License-Identifier: MIT
 *
 * Outcome codes: different ends of a game have different codes, which are ordered by preference,
 * and distances are decoded in plies.
 */
#include "tables/format/outcome_code.h"

#include "tests/support/support.h"

static const char *const specs[] = {
    "connect-5x5-k4", "connect-5x5-k4-misere", "connect-7x6-k4", "mnk-3x3-k3-misere", "mnk-8x8-k1",
    "square-4x4",     "connect-1x1-k1",        "connect-3x3-k4", "connect-8x8-k8"};
enum { SPECS = sizeof specs / sizeof specs[0] };

/* A board of 4x4 with groups of 4: x can win on plies 7, 9 .. 15, which are rounds 0 to 4, and o on
 * plies 8, 10 .. 16. Three bits hold a round; where x wins they are inverted. */
static void codes_of_connect_4x4(void **state) {
    (void)state;
    plb_game game = support_game("connect-4x4-k4");
    plb_outcome_code coding = plb_outcome_code_make(&game, PLB_DTM);
    assert_int_equal(coding.planes, 5);
    assert_int_equal(coding.first_end, 7);
    assert_int_equal(plb_outcome_code_encode(&coding, 7), 0x1D);  /* 111 01: x wins, round 0 */
    assert_int_equal(plb_outcome_code_encode(&coding, 9), 0x19);  /* 110 01 */
    assert_int_equal(plb_outcome_code_encode(&coding, 8), 0x02);  /* 000 10: o wins, round 0 */
    assert_int_equal(plb_outcome_code_encode(&coding, 16), 0x12); /* 100 10: o wins, round 4 */
    plb_outcome win = plb_outcome_code_decode(&coding, 6, 0x1D);  /* x moves and completes it */
    assert_int_equal(win.value, PLB_WIN);
    assert_int_equal(win.dtm, 1);
    plb_outcome loss = plb_outcome_code_decode(&coding, 5, 0x1D); /* o moves, then x */
    assert_int_equal(loss.value, PLB_LOSS);
    assert_int_equal(loss.dtm, 2);
}

/* The first ply at which a group can be complete; beyond the last ply if no group fits. */
static int first_end(const plb_game *game) {
    if (!game->group_count) return game->cells + 1;
    return 2 * game->k - 1;
}

static void for_every_outcome_code(void (*check)(const plb_game *game,
                                                 const plb_outcome_code *coding)) {
    for (int s = 0; s < SPECS; s++) {
        plb_game game = support_game(specs[s]);
        for (int values = PLB_WDL; values <= PLB_DTM; values++) {
            plb_outcome_code coding = plb_outcome_code_make(&game, (plb_value_kind)values);
            assert_in_range(coding.planes, PLB_ROUND, PLB_PLANES);
            if (values == PLB_WDL) assert_int_equal(coding.planes, PLB_ROUND);
            check(&game, &coding);
        }
    }
}

/* Decoding the end of a game at every earlier ply gives the distance to the end and the winner. */
static void check_ends(const plb_game *game, const plb_outcome_code *coding) {
    for (int end = first_end(game); end <= game->cells; end++) {
        unsigned code = plb_outcome_code_encode(coding, end);
        assert_true(code < 1u << coding->planes);
        bool x_wins = (end % 2 == 1) != game->misere;
        assert_int_equal(plb_outcome_code_end_ply(coding, x_wins ? PLB_X_WINS : PLB_O_WINS,
                                                  plb_outcome_code_round(coding, end)),
                         end);
        for (int ply = 0; ply <= end; ply++) {
            plb_outcome outcome = plb_outcome_code_decode(coding, ply, code);
            assert_int_equal(outcome.value, x_wins == (ply % 2 == 0) ? PLB_WIN : PLB_LOSS);
            assert_int_equal(outcome.dtm, coding->values == PLB_DTM ? end - ply : PLB_NO_DTM);
        }
    }
}

static void decode_inverts_encode(void **state) {
    (void)state;
    for_every_outcome_code(check_ends);
}

static void check_draw(const plb_game *game, const plb_outcome_code *coding) {
    for (int ply = 0; ply <= game->cells; ply++) {
        plb_outcome outcome = plb_outcome_code_decode(coding, ply, 0);
        assert_int_equal(outcome.value, PLB_DRAW);
        assert_int_equal(outcome.dtm, PLB_NO_DTM);
    }
}

static void code_zero_is_a_draw(void **state) {
    (void)state;
    for_every_outcome_code(check_draw);
}

/* The order of outcome_code.h: bit 0, then not bit 1, then the round as a number. */
static unsigned order_for_x(const plb_outcome_code *coding, unsigned code) {
    unsigned rounds = code >> PLB_ROUND, bits = coding->planes - PLB_ROUND;
    return (code & 1) << (bits + 1) | (~code >> 1 & 1) << bits | rounds;
}

/* Sooner wins and later losses are better. */
static void check_order(const plb_game *game, const plb_outcome_code *coding) {
    if (coding->values != PLB_DTM) return;
    for (int end = first_end(game); end + 2 <= game->cells; end++) {
        unsigned soon = plb_outcome_code_encode(coding, end),
                 late = plb_outcome_code_encode(coding, end + 2);
        if (soon & 1)
            assert_true(order_for_x(coding, soon) > order_for_x(coding, late));
        else
            assert_true(order_for_x(coding, soon) < order_for_x(coding, late));
    }
}

static void codes_are_ordered_as_x_prefers(void **state) {
    (void)state;
    for_every_outcome_code(check_order);
}

/* No outcome that can follow a position is worse than plb_outcome_code_worst. */
static void check_worst(const plb_game *game, const plb_outcome_code *coding) {
    for (int ply = 0; ply < game->cells; ply++) {
        unsigned worst = order_for_x(coding, plb_outcome_code_worst(coding, ply));
        assert_true(ply % 2 == 0 ? worst <= order_for_x(coding, 0)
                                 : worst >= order_for_x(coding, 0));
        for (int end = ply + 1; end <= game->cells; end++) {
            if (end < first_end(game)) continue;
            unsigned other = order_for_x(coding, plb_outcome_code_encode(coding, end));
            assert_true(ply % 2 == 0 ? worst <= other : worst >= other);
        }
    }
}

static void nothing_is_worse_than_the_worst(void **state) {
    (void)state;
    for_every_outcome_code(check_worst);
}

static void names_of_values_are_read_back(void **state) {
    (void)state;
    plb_value_kind values;
    for (int v = PLB_WDL; v <= PLB_DTM; v++) {
        assert_true(plb_value_kind_parse(plb_value_kind_text((plb_value_kind)v), &values));
        assert_int_equal(values, v);
    }
    assert_false(plb_value_kind_parse("", &values));
    assert_false(plb_value_kind_parse("dtmx", &values));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_connect_4x4),
        cmocka_unit_test(decode_inverts_encode),
        cmocka_unit_test(code_zero_is_a_draw),
        cmocka_unit_test(codes_are_ordered_as_x_prefers),
        cmocka_unit_test(nothing_is_worse_than_the_worst),
        cmocka_unit_test(names_of_values_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
