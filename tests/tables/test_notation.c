/* SPDX-License-Identifier: MIT
 *
 * The public text functions: boards and moves are formatted and parsed back; all refusals.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/open_table.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

static plb_table *open_built(void **state, const char *spec) {
    const char *path = support_path(state, spec);
    support_build(spec, path, NULL, 1);
    return support_open_table(path);
}

/* ---- every position of small boards ---- */

static const oracle_game games[] = {
    {ORACLE_CONNECT, 4, 3, 3, false, false}, {ORACLE_CONNECT, 1, 12, 4, false, false},
    {ORACLE_CONNECT, 11, 1, 3, false, true}, {ORACLE_CONNECT, 3, 4, 3, true, true},
    {ORACLE_MNK, 3, 3, 3, false, false},     {ORACLE_MNK, 11, 1, 3, true, false},
    {ORACLE_MNK, 1, 11, 3, false, false},    {ORACLE_SQUARE, 4, 2, 4, false, false}};
enum { GAMES = sizeof games / sizeof games[0] };

static void for_every_game(void **state,
                           void (*check)(const plb_table *table, const oracle *solved)) {
    for (int g = 0; g < GAMES; g++) {
        char spec[ORACLE_TEXT];
        oracle solved;
        oracle_spec_text(&games[g], spec);
        assert_true(oracle_solve(&games[g], &solved));
        plb_table *table = open_built(state, spec);
        check(table, &solved);
        plb_close(table);
        oracle_free(&solved);
    }
}

static void check_boards(const plb_table *table, const oracle *solved) {
    for (size_t p = 0; p < solved->count; p++) {
        char expected[ORACLE_TEXT], text[PLB_BOARD_TEXT];
        uint64_t x, o, right_x, right_o;
        oracle_board_text(&solved->game, solved->positions[p].board, expected);
        positions_bits(&solved->game, solved->positions[p].board, &right_x, &right_o);
        assert_int_equal(plb_parse_board(table, expected, &x, &o, NULL), PLB_OK);
        assert_int_equal(x, right_x);
        assert_int_equal(o, right_o);
        assert_int_equal(plb_format_board(table, x, o, text), PLB_OK);
        assert_string_equal(text, expected);
    }
}

static void boards_are_read_as_they_are_written(void **state) {
    for_every_game(state, check_boards);
}

static void append_move(const oracle_game *game, const oracle_move *move, char *text) {
    char *end = text + strlen(text);
    if (game->family == ORACLE_CONNECT)
        sprintf(end, "%c", "123456789abcdefghij"[move->column]);
    else
        sprintf(end, "%c%d", 'a' + move->column, move->row + 1);
}

/* Play random games, and parse the sequence of moves after each move. */
static void check_game(const plb_table *table, const oracle *solved, uint64_t *random) {
    const oracle_position *p = &solved->positions[0];
    char text[200] = "";
    while (true) {
        uint64_t x, o, right_x, right_o;
        plb_message why;
        positions_bits(&solved->game, p->board, &right_x, &right_o);
        support_expect(plb_parse_moves(table, text, &x, &o, &why), PLB_OK, text, &why);
        assert_int_equal(x, right_x);
        assert_int_equal(o, right_o);
        oracle_move moves[ORACLE_CELLS];
        int count = oracle_moves(solved, p, moves);
        if (count == 0) return;
        const oracle_move *move = &moves[support_random_below(random, count)];
        append_move(&solved->game, move, text);
        bool wide = solved->game.family == ORACLE_CONNECT && solved->game.width > 9;
        if (wide || support_random(random) & 1)
            strcat(text, support_random(random) & 1 ? ", " : ",");
        p = move->child;
    }
}

static void check_games(const plb_table *table, const oracle *solved) {
    uint64_t random = 20240921;
    for (int trial = 0; trial < 500; trial++) check_game(table, solved, &random);
}

static void moves_lead_where_they_lead(void **state) {
    support_seed("games", 20240921);
    for_every_game(state, check_games);
}

/* ---- texts of moves ---- */

/* plb_parse_moves reads the texts of plb_moves. */
static void check_move_texts(const plb_table *table, const oracle *solved) {
    const plb_table_info *info = plb_info(table);
    (void)solved;
    plb_move moves[PLB_MAX_MOVES];
    int count = 0;
    assert_int_equal(plb_moves(table, 0, 0, moves, &count, NULL), PLB_OK);
    assert_int_equal(count, info->gravity ? info->width : info->cells);
    for (int m = 0; m < count; m++) {
        uint64_t x, o;
        assert_true(strlen(moves[m].text) < PLB_MOVE_TEXT);
        assert_int_equal(plb_parse_moves(table, moves[m].text, &x, &o, NULL), PLB_OK);
        assert_int_equal(x, 1ULL << (moves[m].column * info->height + moves[m].row));
        assert_int_equal(o, 0);
    }
}

static void moves_are_read_as_they_are_written(void **state) {
    for_every_game(state, check_move_texts);
}

/* ---- refusals ---- */

typedef struct refusal {
    const char *text;
    int error;
} refusal;

typedef int text_reader(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                        plb_message *message);

static void assert_refusals(const plb_table *table, text_reader *read, const refusal *refusals,
                            size_t count) {
    for (size_t r = 0; r < count; r++) {
        uint64_t x = 123, o = 456;
        plb_message why = {.text = ""};
        support_expect(read(table, refusals[r].text, &x, &o, &why), refusals[r].error,
                       refusals[r].text, &why);
        assert_true(strlen(why.text) > 0);
        assert_true(x == 123 && o == 456);
        assert_int_equal(read(table, refusals[r].text, &x, &o, NULL), refusals[r].error);
    }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const refusal board_refusals[] = {
    /* no board */
    {"", PLB_ESYNTAX},
    {" ", PLB_ESYNTAX},
    {"4/4/4 win", PLB_ESYNTAX},
    {"4/4/4\twin", PLB_ESYNTAX},
    {"4/4 /4", PLB_ESYNTAX},
    {"\t4/4/4", PLB_ESYNTAX},
    {"\xef\xbb\xbf", PLB_ESYNTAX},
    {"4/4/\xef\xbb\xbf"
     "4",
     PLB_ESYNTAX},
    {"4/4/x-3", PLB_ESYNTAX},
    {"4|4|4", PLB_ESYNTAX},
    {"4/4/\xc3\x97"
     "3",
     PLB_ESYNTAX},
    {"4/4/\xff", PLB_ESYNTAX},
    /* runs */
    {"4/4/0x3", PLB_ESYNTAX},
    {"4/4/x03", PLB_ESYNTAX},
    {"4/4/04", PLB_ESYNTAX},
    {"0", PLB_ESYNTAX},
    /* another board */
    {"4/4", PLB_EBOARD},
    {"4", PLB_EBOARD},
    {"4/4/4/4", PLB_EBOARD},
    {"4/4/4/", PLB_EBOARD},
    {"/4/4/4", PLB_EBOARD},
    {"4//4", PLB_EBOARD},
    {"4/4/", PLB_EBOARD},
    {"/", PLB_EBOARD},
    {"4/4/5", PLB_EBOARD},
    {"4/4/3", PLB_EBOARD},
    {"4/4/x4", PLB_EBOARD},
    {"4/4/.....", PLB_EBOARD},
    {"4/4/xoxox", PLB_EBOARD},
    {"4/4/xox", PLB_EBOARD},
    {"4/4/x2", PLB_EBOARD},
    {"3/4/4", PLB_EBOARD},
    {"4/4/99999999999999999999999999", PLB_EBOARD},
    {"4/4/4294967300", PLB_EBOARD}, /* 4 modulo 2^32 */
    {"7/7/7/7/7/7", PLB_EBOARD},
};

static void malformed_boards_are_refused(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    assert_refusals(table, plb_parse_board, board_refusals, COUNT(board_refusals));
    plb_close(table);
}

/* plb_probe_text gives the errors of plb_parse_board, then those of the rules. */
static void malformed_boards_are_not_probed(void **state) {
    static const refusal others[] = {{"4/4/o3", PLB_ECOUNTS},
                                     {"4/4/x1x1", PLB_ECOUNTS},
                                     {"4/x3/4", PLB_EFLOATING},
                                     {"o3/oo2/xxx1", PLB_EOVER},
                                     {"4/4/xxxx", PLB_ECOUNTS}};
    plb_table *table = open_built(state, "connect-4x3-k3");
    plb_answer answer = {.value = PLB_WIN, .dtm = 77};
    plb_message why;
    for (size_t r = 0; r < COUNT(board_refusals); r++)
        support_expect(plb_probe_text(table, board_refusals[r].text, &answer, &why),
                       board_refusals[r].error, board_refusals[r].text, &why);
    for (size_t r = 0; r < COUNT(others); r++)
        support_expect(plb_probe_text(table, others[r].text, &answer, &why), others[r].error,
                       others[r].text, &why);
    assert_int_equal(answer.dtm, 77);
    plb_close(table);
}

/* Parsing a board checks only form and size. */
static void impossible_boards_can_be_read(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    uint64_t x, o;
    assert_int_equal(plb_parse_board(table, "xxxx/4/oooo", &x, &o, NULL), PLB_OK);
    assert_int_equal(x, 0x924);
    assert_int_equal(o, 0x249);
    assert_int_equal(plb_parse_board(table, "1111/22/112", &x, &o, NULL), PLB_EBOARD);
    plb_close(table);
}

static void bits_that_are_no_board_are_not_written(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    char text[PLB_BOARD_TEXT] = "untouched";
    assert_int_equal(plb_format_board(table, 1, 1, text), PLB_EARGUMENT);
    assert_true(plb_format_board(table, 1ULL << 12, 0, text) < 0);
    assert_true(plb_format_board(table, 0, 1ULL << 63, text) < 0);
    assert_string_equal(text, "untouched");
    plb_close(table);
}

static void malformed_moves_are_refused(void **state) {
    static const refusal columns[] = {
        {"0", PLB_ESYNTAX},
        {"1.2", PLB_ESYNTAX},
        {"[", PLB_ESYNTAX},
        {"1;2", PLB_ESYNTAX},
        {"1\n2", PLB_ESYNTAX},
        {"\t1", PLB_ESYNTAX},
        {"-1", PLB_ESYNTAX},
        {"1\xff", PLB_ESYNTAX},
        {"5", PLB_EMOVE},
        {"9", PLB_EMOVE},
        {"a", PLB_EMOVE},
        {"Z", PLB_EMOVE},
        {"1111", PLB_EMOVE}, /* the column is full */
        {"1,1, 1 , 1", PLB_EMOVE},
        {"121213", PLB_EMOVE}, /* x has three */
        {"1 1", PLB_ESYNTAX},
        {"33 1", PLB_ESYNTAX},
        {"3\t1", PLB_ESYNTAX},
        {"1 -5", PLB_ESYNTAX},
        /* cells */
        {"c2", PLB_EMOVE},
        {"c1c1", PLB_EMOVE},
        {"c1c3", PLB_EMOVE},
        {"e1", PLB_EMOVE},
        {"c4", PLB_EMOVE},
        {"c0", PLB_ESYNTAX},
        {"c1 c2", PLB_ESYNTAX},
    };
    static const refusal cells[] = {
        {"1", PLB_ESYNTAX},          {"a", PLB_ESYNTAX},
        {"a0", PLB_ESYNTAX},         {"a01", PLB_ESYNTAX},
        {"@1", PLB_ESYNTAX},         {"a-1", PLB_ESYNTAX},
        {"a 1", PLB_ESYNTAX},        {"a1b", PLB_ESYNTAX},
        {"a1;b2", PLB_ESYNTAX},      {"d1", PLB_EMOVE},
        {"a4", PLB_EMOVE},           {"z9", PLB_EMOVE},
        {"aa1", PLB_EMOVE},          {"a11", PLB_EMOVE},
        {"a1a1", PLB_EMOVE},         {"a1, b2 ,a1", PLB_EMOVE},
        {"a1 b2", PLB_ESYNTAX},      {"a99999999999999999999", PLB_EMOVE},
        {"zz1", PLB_EMOVE},          {"D1", PLB_EMOVE},
        {"a1b1a2b2a3c3", PLB_EMOVE}, /* x has three */
    };
    plb_table *table = open_built(state, "connect-4x3-k3");
    assert_refusals(table, plb_parse_moves, columns, COUNT(columns));
    plb_close(table);
    table = open_built(state, "mnk-3x3-k3");
    assert_refusals(table, plb_parse_moves, cells, COUNT(cells));
    plb_close(table);
}

/* A board is parsed, and plb_format_board writes it in one form. */
static void assert_read(const plb_table *table, text_reader *read, const char *text,
                        const char *board) {
    uint64_t x, o;
    char written[PLB_BOARD_TEXT];
    plb_message why;
    support_expect(read(table, text, &x, &o, &why), PLB_OK, text, &why);
    assert_int_equal(plb_format_board(table, x, o, written), PLB_OK);
    assert_string_equal(written, board);
}

static void other_notations_are_read(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    static const char *const boards[] = {"4/2x1/1ox1", "4/..x./.OX.", " 4/2x1/1ox1 \t\r\n",
                                         "4/2X./.o1x"};
    assert_read(table, plb_parse_board, boards[0], boards[0]);
    assert_read(table, plb_parse_board, boards[1], boards[0]);
    assert_read(table, plb_parse_board, boards[2], boards[0]);
    assert_read(table, plb_parse_board, boards[3], "4/2x1/1o1x");
    assert_read(table, plb_parse_board,
                "\xef\xbb\xbf"
                "4/2x1/1ox1",
                boards[0]);
    static const char marked[] =
        "\xef\xbb\xbf"
        "323";
    static const char *const moves[] = {"323",   "c1b1c2",         "C1,b1, c2",
                                        "3b1C2", " 3 ,2,3 \t\r\n", marked};
    for (size_t m = 0; m < COUNT(moves); m++)
        assert_read(table, plb_parse_moves, moves[m], boards[0]);
    assert_read(table, plb_parse_moves, " \r\n", "4/4/4");
    plb_close(table);
}

/* With ten or more columns a text such as a1 may be a cell or two columns, and is refused. If no
 * stone falls to the cell, it is two columns. */
static void cells_that_may_be_columns_are_refused(void **state) {
    plb_table *table = open_built(state, "connect-11x2-k3");
    static const refusal refusals[] = {
        {"a1", PLB_ESYNTAX},   {"A1", PLB_ESYNTAX},       {"c1d1", PLB_ESYNTAX},
        {"k1", PLB_ESYNTAX},   {"1a2", PLB_ESYNTAX},      {"1,a2", PLB_ESYNTAX},
        {"2,b2", PLB_ESYNTAX}, {"a,1,5,b1", PLB_ESYNTAX}, {"c2", PLB_EMOVE}};
    uint64_t x, o;
    plb_message why;
    assert_refusals(table, plb_parse_moves, refusals, COUNT(refusals));
    assert_int_equal(plb_parse_moves(table, "5, a1", &x, &o, &why), PLB_ESYNTAX);
    assert_string_equal(why.text,
                        "'5, a1': a1 at character 4 may be a cell or two columns: write "
                        "1, the column of the cell, or a,1");
    assert_read(table, plb_parse_moves, "a,1", "11/o8x1");
    assert_read(table, plb_parse_moves, "1a", "11/x8o1");
    assert_read(table, plb_parse_moves, "a3", "11/2o6x1");
    assert_read(table, plb_parse_moves, "1a1", "x10/x8o1");
    plb_close(table);
}

static void reasons_name_what_would_be_right(void **state) {
    plb_table *table = open_built(state, "connect-4x3-k3");
    uint64_t x, o;
    plb_message why;
    assert_int_equal(plb_parse_moves(table, "33 1", &x, &o, &why), PLB_ESYNTAX);
    assert_string_equal(why.text,
                        "'33' is followed by a blank and '1': only one position is read "
                        "here, one a line, without blanks in it");
    assert_int_equal(plb_find_state(table, 0x18, 0x28, &(plb_state){0}, &why), PLB_ECOUNTS);
    assert_string_equal(why.text,
                        "column 2, row 1 has both an x and an o; a cell has one stone at most");
    assert_int_equal(plb_parse_moves(table, "c1c3", &x, &o, &why), PLB_EMOVE);
    assert_string_equal(why.text,
                        "'c1c3': move c3 at character 3: a stone in column 3 falls to c2");
    plb_close(table);
}

static void commas_between_moves_are_skipped(void **state) {
    plb_table *table = open_built(state, "mnk-3x3-k3");
    uint64_t x, o;
    assert_int_equal(plb_parse_moves(table, ", ,a1, b2 ,c3,,", &x, &o, NULL), PLB_OK);
    assert_int_equal(x, 0x101);
    assert_int_equal(o, 0x10);
    assert_int_equal(plb_parse_moves(table, "", &x, &o, NULL), PLB_OK);
    assert_true(x == 0 && o == 0);
    plb_close(table);
}

static void capital_letters_are_small_ones(void **state) {
    plb_table *table = open_built(state, "mnk-3x3-k3");
    uint64_t x, o;
    assert_int_equal(plb_parse_moves(table, "A1B2c3", &x, &o, NULL), PLB_OK);
    assert_int_equal(x, 0x101);
    assert_int_equal(o, 0x10);
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(boards_are_read_as_they_are_written),
        SUPPORT_IN_FOLDER(moves_lead_where_they_lead),
        SUPPORT_IN_FOLDER(moves_are_read_as_they_are_written),
        SUPPORT_IN_FOLDER(malformed_boards_are_refused),
        SUPPORT_IN_FOLDER(malformed_boards_are_not_probed),
        SUPPORT_IN_FOLDER(impossible_boards_can_be_read),
        SUPPORT_IN_FOLDER(bits_that_are_no_board_are_not_written),
        SUPPORT_IN_FOLDER(malformed_moves_are_refused),
        SUPPORT_IN_FOLDER(other_notations_are_read),
        SUPPORT_IN_FOLDER(cells_that_may_be_columns_are_refused),
        SUPPORT_IN_FOLDER(reasons_name_what_would_be_right),
        SUPPORT_IN_FOLDER(capital_letters_are_small_ones),
        SUPPORT_IN_FOLDER(commas_between_moves_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
