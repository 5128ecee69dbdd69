/* SPDX-License-Identifier: MIT
 *
 * Invalid arguments: NULL where an object is needed, and sizes whose product overflows. Each is
 * an error, and nothing is written.
 */
#include <string.h>

#include "probe/plybase.h"
#include "tests/support/support.h"

/* Sanitizers would end the process when malloc returns NULL. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* A table for all tests. */
static plb_table *table;

static int open_table(void **state) {
    plb_message why;
    if (support_enter_folder(state)) return -1;
    const char *path = support_path(state, "table");
    support_build("connect-3x3-k3", path, NULL, 1);
    support_expect(plb_open(path, &table, &why), PLB_OK, path, &why);
    return 0;
}

static int close_table(void **state) {
    plb_close(table);
    return support_leave_folder(state);
}

/* Check that the error is PLB_EARGUMENT, and that the message contains NULL and the word. */
#define ASSERT_REFUSED(word, call)                             \
    do {                                                       \
        plb_message why = {.text = ""};                        \
        assert_int_equal(call, PLB_EARGUMENT);                 \
        assert_non_null(strstr(why.text, "NULL"));             \
        if (!strstr(why.text, word)) fail_msg("%s", why.text); \
    } while (0)

static void open_refuses_null(void **state) {
    plb_table *opened = NULL;
    plb_context *context = NULL;
    ASSERT_REFUSED("plb_open", plb_open(NULL, &opened, &why));
    ASSERT_REFUSED("table", plb_open(support_path(state, "table"), NULL, &why));
    assert_null(opened);
    assert_int_equal(plb_open(NULL, NULL, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_context_open(NULL, &context), PLB_EARGUMENT);
    assert_int_equal(plb_context_open(table, NULL), PLB_EARGUMENT);
    assert_null(context);
    plb_close(NULL);
    plb_context_close(NULL);
}

static void probes_refuse_null(void **state) {
    (void)state;
    plb_answer answer;
    plb_ply_stats stats;
    plb_ply_distances distances;
    plb_state game;
    plb_analysis analysis;
    plb_context *context;
    assert_null(plb_info(NULL));
    assert_int_equal(plb_stats(NULL, 0, &stats), PLB_EARGUMENT);
    assert_int_equal(plb_stats(table, 0, NULL), PLB_EARGUMENT);
    assert_int_equal(plb_distance_stats(NULL, 0, &distances), PLB_EARGUMENT);
    assert_int_equal(plb_distance_stats(table, 0, NULL), PLB_EARGUMENT);
    ASSERT_REFUSED("table", plb_probe(NULL, 0, 0, &answer, &why));
    ASSERT_REFUSED("answer", plb_probe(table, 0, 0, NULL, &why));
    assert_int_equal(plb_context_open(table, &context), PLB_OK);
    ASSERT_REFUSED("context", plb_context_probe(NULL, 0, 0, &answer, &why));
    ASSERT_REFUSED("answer", plb_context_probe(context, 0, 0, NULL, &why));
    plb_context_close(context);
    ASSERT_REFUSED("table", plb_find_state(NULL, 0, 0, &game, &why));
    ASSERT_REFUSED("state", plb_find_state(table, 0, 0, NULL, &why));
    ASSERT_REFUSED("table", plb_analyse(NULL, 0, 0, &analysis, &why));
    ASSERT_REFUSED("analysis", plb_analyse(table, 0, 0, NULL, &why));
}

static void move_functions_refuse_null(void **state) {
    (void)state;
    plb_move moves[PLB_MAX_MOVES] = {{0}};
    plb_best best;
    plb_line line;
    uint64_t x = 0, o = 0;
    int count = 0;
    ASSERT_REFUSED("table", plb_moves(NULL, 0, 0, moves, &count, &why));
    ASSERT_REFUSED("moves", plb_moves(table, 0, 0, NULL, &count, &why));
    ASSERT_REFUSED("count", plb_moves(table, 0, 0, moves, NULL, &why));
    ASSERT_REFUSED("table", plb_find_best(NULL, 0, 0, NULL, &best, &why));
    ASSERT_REFUSED("best", plb_find_best(table, 0, 0, NULL, NULL, &why));
    ASSERT_REFUSED("table", plb_find_line(NULL, 0, 0, NULL, &line, &why));
    ASSERT_REFUSED("line", plb_find_line(table, 0, 0, NULL, NULL, &why));
    ASSERT_REFUSED("table", plb_play(NULL, &moves[0], &x, &o, &why));
    ASSERT_REFUSED("move", plb_play(table, NULL, &x, &o, &why));
    ASSERT_REFUSED("x", plb_play(table, &moves[0], NULL, &o, &why));
    ASSERT_REFUSED("o", plb_play(table, &moves[0], &x, NULL, &why));
    assert_int_equal(plb_count_best(NULL, 3), 0);
}

static void text_functions_refuse_null(void **state) {
    (void)state;
    char text[PLB_BOARD_TEXT];
    uint64_t x = 0, o = 0;
    plb_answer answer;
    ASSERT_REFUSED("table", plb_probe_text(NULL, "3/3/3", &answer, &why));
    ASSERT_REFUSED("board", plb_probe_text(table, NULL, &answer, &why));
    ASSERT_REFUSED("answer", plb_probe_text(table, "3/3/3", NULL, &why));
    ASSERT_REFUSED("table", plb_parse_board(NULL, "3/3/3", &x, &o, &why));
    ASSERT_REFUSED("text", plb_parse_board(table, NULL, &x, &o, &why));
    ASSERT_REFUSED("x", plb_parse_board(table, "3/3/3", NULL, &o, &why));
    ASSERT_REFUSED("o", plb_parse_board(table, "3/3/3", &x, NULL, &why));
    ASSERT_REFUSED("table", plb_parse_moves(NULL, "1", &x, &o, &why));
    ASSERT_REFUSED("text", plb_parse_moves(table, NULL, &x, &o, &why));
    ASSERT_REFUSED("x", plb_parse_moves(table, "1", NULL, &o, &why));
    ASSERT_REFUSED("o", plb_parse_moves(table, "1", &x, NULL, &why));
    ASSERT_REFUSED("table", plb_play_text(NULL, "1", &x, &o, &why));
    ASSERT_REFUSED("text", plb_play_text(table, NULL, &x, &o, &why));
    ASSERT_REFUSED("x", plb_play_text(table, "1", NULL, &o, &why));
    ASSERT_REFUSED("o", plb_play_text(table, "1", &x, NULL, &why));
    assert_int_equal(plb_format_board(NULL, 0, 0, text), PLB_EARGUMENT);
    assert_int_equal(plb_format_board(table, 0, 0, NULL), PLB_EARGUMENT);
    plb_cell cells[PLB_MAX_CELLS];
    assert_int_equal(plb_read_cells(NULL, 0, 0, cells), PLB_EARGUMENT);
    assert_int_equal(plb_read_cells(table, 0, 0, NULL), PLB_EARGUMENT);
    assert_int_equal(x | o, 0);
}

static void lists_refuse_null(void **state) {
    (void)state;
    uint64_t x[4], o[4];
    int8_t values[4], errors[4];
    size_t count = 7;
    plb_query query = {0};
    plb_listing listing = {0};
    const plb_columns columns = {.x = x, .o = o, .values = values, .errors = errors};
    plb_columns lacking[4] = {columns, columns, columns, columns};
    lacking[0].x = lacking[1].o = NULL;
    lacking[2].values = lacking[3].errors = NULL;
    assert_int_equal(plb_probe_many(NULL, &query, 1), PLB_EARGUMENT);
    assert_int_equal(plb_probe_many(table, NULL, 1), PLB_EARGUMENT);
    assert_int_equal(plb_probe_columns(NULL, &columns, 1), PLB_EARGUMENT);
    assert_int_equal(plb_probe_columns(table, NULL, 1), PLB_EARGUMENT);
    for (int l = 0; l < 4; l++)
        assert_int_equal(plb_probe_columns(table, &lacking[l], 1), PLB_EARGUMENT);
    assert_int_equal(plb_list_positions(NULL, &listing, 4, x, o, &count), PLB_EARGUMENT);
    assert_int_equal(plb_list_positions(table, NULL, 4, x, o, &count), PLB_EARGUMENT);
    assert_int_equal(plb_list_positions(table, &listing, 4, NULL, o, &count), PLB_EARGUMENT);
    assert_int_equal(plb_list_positions(table, &listing, 4, x, NULL, &count), PLB_EARGUMENT);
    assert_int_equal(plb_list_positions(table, &listing, 4, x, o, NULL), PLB_EARGUMENT);
    assert_int_equal(count, 7);
}

/* Counts whose product with 16 or 32 bytes overflows to fewer bytes than there are queries. */
static void sizes_that_overflow_are_out_of_memory(void **state) {
    (void)state;
    static const size_t counts[] = {SIZE_MAX,         SIZE_MAX - 1, SIZE_MAX / 2,     1ULL << 60,
                                    (1ULL << 60) - 1, 1ULL << 59,   (1ULL << 59) - 1, 1ULL << 48};
    static plb_query query[4];
    uint64_t bits[4] = {0};
    int8_t values[4], errors[4];
    const plb_columns columns = {.x = bits, .o = bits, .values = values, .errors = errors};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        query[0].error = 77;
        errors[0] = 77;
        assert_int_equal(plb_probe_many(table, query, counts[c]), PLB_ENOMEM);
        assert_int_equal(plb_probe_columns(table, &columns, counts[c]), PLB_ENOMEM);
        assert_int_equal(query[0].error, 77);
        assert_int_equal(errors[0], 77);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_refuses_null),
        cmocka_unit_test(probes_refuse_null),
        cmocka_unit_test(move_functions_refuse_null),
        cmocka_unit_test(text_functions_refuse_null),
        cmocka_unit_test(lists_refuse_null),
        cmocka_unit_test(sizes_that_overflow_are_out_of_memory),
    };
    return cmocka_run_group_tests(tests, open_table, close_table);
}
