/* SPDX-License-Identifier: MIT
 *
 * The rules accept exactly the positions of the oracle, and refuse others with the right reason.
 */
#include "tables/games/stone_rules.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/positions.h"
#include "tests/support/support.h"

/* A position from rows, the top one first, `.` for an empty cell. */
static plb_position read_rows(const plb_game *game, const char *rows) {
    plb_position position = {0, 0};
    for (int row = game->height - 1; row >= 0; row--, rows++)
        for (int column = 0; column < game->width; column++, rows++) {
            uint64_t cell = 1ULL << plb_game_cell(game, column, row);
            if (*rows == 'x' || *rows == '#') position.x |= cell;
            if (*rows == 'o' || *rows == '#') position.o |= cell;
        }
    return position;
}

/* ---- refusals ---- */

static const struct {
    const char *spec, *rows; /* `#`: both colours on a cell */
    int error;
} positions[] = {
    {"connect-4x3-k3", "....|....|....", PLB_OK},
    {"connect-4x3-k3", "....|....|x...", PLB_OK},
    {"connect-4x3-k3", "....|oo..|xxx.", PLB_OK},
    {"connect-4x3-k3", "....|....|o...", PLB_ECOUNTS},
    {"connect-4x3-k3", "....|....|x.x.", PLB_ECOUNTS},
    {"connect-4x3-k3", "....|....|xoo.", PLB_ECOUNTS},
    {"connect-4x3-k3", "....|....|#...", PLB_ECOUNTS},
    {"connect-4x3-k3", "....|x...|....", PLB_EFLOATING},
    {"connect-4x3-k3", "...x|....|...o", PLB_EFLOATING},
    {"connect-4x3-k3", "....|o...|xx.x", PLB_ECOUNTS},
    {"connect-4x3-k3", "....|oo.o|xxx.", PLB_EFLOATING},
    {"connect-4x3-k3", "o...|oo..|xxx.", PLB_EOVER}, /* x had three and o moved on */
    {"connect-4x3-k3", "....|xxx.|ooo.", PLB_EOVER}, /* both have three */
    {"connect-4x3-k3", "....|ooox|xxxo", PLB_EOVER},
    {"connect-3x3-k2", "...|xox|xoo", PLB_EOVER}, /* two pairs that no last move completes */
    {"connect-1x6-k6", ".|.|.|.|x|o", PLB_EUNREACHABLE},
    {"connect-1x6-k6", ".|.|o|o|x|x", PLB_EUNREACHABLE},
    {"connect-2x4-k4", "..|..|ox|xo", PLB_OK},
    {"connect-2x4-k4", "..|..|xx|oo", PLB_EUNREACHABLE},
    {"mnk-3x3-k3", "...|.x.|...", PLB_OK},
    {"mnk-3x3-k3", "ooo|xx.|x..", PLB_OK},
    {"mnk-3x3-k3", "ooo|xxx|...", PLB_EOVER},
    {"mnk-3x3-k3", "xxx|oo.|o..", PLB_EOVER},
    {"mnk-3x3-k3", "xxx|xoo|xoo", PLB_OK}, /* one stone completes both lines */
    {"mnk-4x4-k3", "xxx.|oooo|....|xxx.", PLB_ECOUNTS},
    {"mnk-4x4-k3", "xxx.|oo.o|....|xxx.", PLB_ECOUNTS},
    {"mnk-4x4-k3", "xxx.|oo.o|oo..|xxx.", PLB_EOVER}, /* two lines without a common stone */
    {"mnk-4x3-k3-misere", "xxx.|oo..|....", PLB_OK},
    {"mnk-4x3-k3-misere", "xxx.|oo.o|....", PLB_EOVER},
    {"mnk-4x3-k3-cylinder", "xx.x|oo..|....", PLB_OK},
    {"mnk-4x3-k3-cylinder", "xx.x|oo..|..o.", PLB_EOVER},
    {"mnk-4x3-k3", "xx.x|oo..|..o.", PLB_OK},
    {"square-3x3", "x.x|o.o|x.x", PLB_ECOUNTS},
    {"square-3x3", "x.x|ooo|x.x", PLB_OK},
    {"square-3x3", "xox|ooo|x.x", PLB_EOVER},
};

static void positions_are_refused_for_the_right_reason(void **state) {
    (void)state;
    for (size_t p = 0; p < sizeof positions / sizeof positions[0]; p++) {
        plb_game game = support_game(positions[p].spec);
        plb_message why = {.text = ""};
        plb_position position = read_rows(&game, positions[p].rows);
        int error = plb_rules_check(&game, position, &why);
        support_expect(error, positions[p].error, positions[p].rows, &why);
        assert_int_equal(strlen(why.text) > 0, error != PLB_OK);
        assert_int_equal(plb_rules_check(&game, position, NULL), error);
    }
}

static void stones_beyond_the_board_are_refused(void **state) {
    (void)state;
    plb_game game = support_game("connect-4x3-k3");
    for (int cell = game.cells; cell < 64; cell++) {
        plb_position position = {1ULL << cell, 0};
        assert_int_equal(plb_rules_check(&game, position, NULL), PLB_EBOARD);
    }
}

/* ---- agreement with the oracle ---- */

/* The board whose cells are the digits of a number in base 3. */
static void make_board(unsigned long long number, int cells, char board[ORACLE_CELLS + 1]) {
    for (int cell = 0; cell < cells; cell++, number /= 3) board[cell] = ".xo"[number % 3];
    board[cells] = '\0';
}

static int count_colour(const char *board, char colour) {
    int count = 0;
    for (; *board; board++) count += *board == colour;
    return count;
}

static bool any_floats(const oracle_game *game, const char *board) {
    for (int cell = game->width; board[cell] && game->family == ORACLE_CONNECT; cell++)
        if (board[cell] != '.' && board[cell - game->width] == '.') return true;
    return false;
}

/* Check the reason of a refusal, as far as it does not depend on the order of moves. */
static void assert_refusal(const oracle_game *game, const char *board, int error) {
    int x = count_colour(board, 'x'), o = count_colour(board, 'o');
    bool counts = x == o || x == o + 1;
    bool goes_on = oracle_has_group(game, board, x == o ? 'x' : 'o');
    bool complete = oracle_has_group(game, board, x == o ? 'o' : 'x');
    if (!counts)
        assert_int_equal(error, PLB_ECOUNTS);
    else if (any_floats(game, board))
        assert_int_equal(error, PLB_EFLOATING);
    else if (goes_on)
        assert_int_equal(error, PLB_EOVER);
    else if (!complete)
        assert_int_equal(error, PLB_EUNREACHABLE);
    else
        assert_true(error == PLB_EOVER || error == PLB_EUNREACHABLE);
}

static void assert_position_agrees(const plb_game *game, const oracle_position *expected,
                                   plb_position position) {
    assert_int_equal(plb_rules_is_over(game, position), expected->over);
    assert_int_equal(plb_stones_ply(position), expected->ply);
    assert_int_equal(plb_stones_x_to_move(position), expected->ply % 2 == 0);
    if (expected->over) assert_int_equal(plb_rules_final_value(game, position), expected->value);
}

static void assert_board_agrees(const plb_game *game, const oracle *solved,
                                const oracle_game *oracle_game, const char *board) {
    const oracle_position *expected = oracle_find(solved, board);
    plb_position position = positions_of_board(game, board);
    int error = plb_rules_check(game, position, NULL);
    if ((error == PLB_OK) != (expected != NULL))
        fail_msg("%s is %s, but the check gives %d", board,
                 expected ? "reachable" : "not reachable", error);
    if (expected)
        assert_position_agrees(game, expected, position);
    else
        assert_refusal(oracle_game, board, error);
}

/* Check all fillings of the columns from `column` on, without floating stones. */
static void assert_columns_agree(const plb_game *game, const oracle *solved,
                                 const oracle_game *oracle_game, char *board, int column) {
    if (column == game->width) {
        assert_board_agrees(game, solved, oracle_game, board);
        return;
    }
    assert_columns_agree(game, solved, oracle_game, board, column + 1);
    for (int stones = 1; stones <= game->height; stones++)
        for (unsigned word = 0; word < 1U << stones; word++) {
            for (int row = 0; row < stones; row++)
                board[row * game->width + column] = "ox"[word >> row & 1];
            assert_columns_agree(game, solved, oracle_game, board, column + 1);
        }
    for (int row = 0; row < game->height; row++) board[row * game->width + column] = '.';
}

static void assert_boards_agree(const oracle_game *oracle_game, bool floating) {
    oracle solved;
    char spec[ORACLE_TEXT], board[ORACLE_CELLS + 1];
    oracle_spec_text(oracle_game, spec);
    plb_game game = support_game(spec);
    assert_true(oracle_solve(oracle_game, &solved));
    unsigned long long boards = 1;
    for (int cell = 0; cell < game.cells; cell++) boards *= 3;
    for (unsigned long long number = 0; number < boards && floating; number++) {
        make_board(number, game.cells, board);
        assert_board_agrees(&game, &solved, oracle_game, board);
    }
    make_board(0, game.cells, board);
    if (!floating) assert_columns_agree(&game, &solved, oracle_game, board, 0);
    oracle_free(&solved);
}

static void exactly_the_reachable_boards_are_accepted(void **state) {
    (void)state;
    static const oracle_game games[] = {
        {ORACLE_CONNECT, 1, 1, 1, false, false}, {ORACLE_CONNECT, 3, 3, 3, false, false},
        {ORACLE_CONNECT, 3, 3, 2, false, false}, {ORACLE_CONNECT, 3, 3, 1, true, false},
        {ORACLE_CONNECT, 3, 3, 9, false, false}, {ORACLE_CONNECT, 1, 9, 3, false, false},
        {ORACLE_CONNECT, 9, 1, 3, false, true},  {ORACLE_CONNECT, 2, 5, 4, false, false},
        {ORACLE_CONNECT, 5, 2, 3, true, true},   {ORACLE_CONNECT, 4, 3, 3, false, false},
        {ORACLE_CONNECT, 3, 3, 3, false, true},  {ORACLE_MNK, 3, 2, 3, false, false},
        {ORACLE_MNK, 3, 3, 3, false, false},     {ORACLE_MNK, 3, 3, 2, true, true},
        {ORACLE_MNK, 5, 2, 3, false, true},      {ORACLE_MNK, 1, 9, 4, false, false},
        {ORACLE_SQUARE, 3, 3, 4, false, false},  {ORACLE_SQUARE, 5, 2, 4, true, false}};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++)
        assert_boards_agree(&games[g], true);
}

static void exactly_the_reachable_columns_are_accepted(void **state) {
    (void)state;
    static const oracle_game games[] = {
        {ORACLE_CONNECT, 4, 4, 4, false, false}, {ORACLE_CONNECT, 4, 4, 3, true, false},
        {ORACLE_CONNECT, 4, 4, 3, true, true},   {ORACLE_CONNECT, 3, 5, 3, false, false},
        {ORACLE_CONNECT, 3, 5, 4, false, true},  {ORACLE_CONNECT, 5, 3, 3, false, true},
        {ORACLE_CONNECT, 2, 7, 4, false, false}};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++)
        assert_boards_agree(&games[g], false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_refused_for_the_right_reason),
        cmocka_unit_test(stones_beyond_the_board_are_refused),
        cmocka_unit_test(exactly_the_reachable_boards_are_accepted),
        cmocka_unit_test(exactly_the_reachable_columns_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
