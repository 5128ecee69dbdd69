/* SPDX-License-Identifier: MIT
 *
 * The binary interface of the library: sizes and offsets of the structs that callers provide, and
 * the numbers of errors. They must not change within one SOVERSION. The compiler checks most of
 * them, the test the others.
 */
#include "probe/plybase.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/support.h"

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type)
#define OFFSET(type, field, offset) \
    _Static_assert(offsetof(type, field) == (offset), "offset of " #type "." #field)

SIZE(plb_value, 4);

SIZE(plb_message, 320);

SIZE(plb_ply_stats, 64);
OFFSET(plb_ply_stats, total, 0);
OFFSET(plb_ply_stats, terminal, 8);
OFFSET(plb_ply_stats, won, 16);
OFFSET(plb_ply_stats, drawn, 24);
OFFSET(plb_ply_stats, lost, 32);

SIZE(plb_longest, 24);
OFFSET(plb_longest, plies, 0);
OFFSET(plb_longest, x, 8);
OFFSET(plb_longest, o, 16);

SIZE(plb_ply_distances, 2 * 65 * 8 + 2 * 24 + 64);
OFFSET(plb_ply_distances, wins, 0);
OFFSET(plb_ply_distances, losses, 520);
OFFSET(plb_ply_distances, longest_win, 1040);
OFFSET(plb_ply_distances, longest_loss, 1064);

SIZE(plb_answer, 16);
OFFSET(plb_answer, value, 0);
OFFSET(plb_answer, dtm, 4);
OFFSET(plb_answer, over, 8);
OFFSET(plb_answer, bound, 9);

SIZE(plb_move, 40);
OFFSET(plb_move, column, 0);
OFFSET(plb_move, row, 4);
OFFSET(plb_move, value, 8);
OFFSET(plb_move, dtm, 12);
OFFSET(plb_move, text, 16);
OFFSET(plb_move, number, 32);

SIZE(plb_cell, 8);
OFFSET(plb_cell, player, 0);
OFFSET(plb_cell, text, 1);

SIZE(plb_query, 40);
OFFSET(plb_query, x, 0);
OFFSET(plb_query, o, 8);
OFFSET(plb_query, error, 16);
OFFSET(plb_query, answer, 20);

SIZE(plb_columns, 64);
OFFSET(plb_columns, x, 0);
OFFSET(plb_columns, o, 8);
OFFSET(plb_columns, values, 16);
OFFSET(plb_columns, dtms, 24);
OFFSET(plb_columns, errors, 32);
OFFSET(plb_columns, threads, 40);
OFFSET(plb_columns, bounds, 48);

SIZE(plb_analysis, 24 + 128 * 40);
OFFSET(plb_analysis, answer, 0);
OFFSET(plb_analysis, count, 16);
OFFSET(plb_analysis, best, 20);
OFFSET(plb_analysis, moves, 24);

SIZE(plb_state, 16);
OFFSET(plb_state, to_move, 0);
OFFSET(plb_state, winner, 1);
OFFSET(plb_state, over, 2);
OFFSET(plb_state, ply, 3);
OFFSET(plb_state, groups, 8);

SIZE(plb_usage, 64);
OFFSET(plb_usage, cached_bytes, 0);
OFFSET(plb_usage, blocks_read, 8);
OFFSET(plb_usage, held_bytes, 16);

SIZE(plb_listing, 32);
OFFSET(plb_listing, ply, 0);
OFFSET(plb_listing, done, 4);
OFFSET(plb_listing, slab, 8);
OFFSET(plb_listing, element, 16);
OFFSET(plb_listing, rank, 24);

SIZE(plb_bounds, 32);
OFFSET(plb_bounds, least, 0);
OFFSET(plb_bounds, most, 4);
OFFSET(plb_bounds, nodes, 8);
OFFSET(plb_bounds, seconds, 16);

SIZE(plb_limits, 72);
OFFSET(plb_limits, nodes, 0);
OFFSET(plb_limits, seconds, 8);
OFFSET(plb_limits, memory_bytes, 16);
OFFSET(plb_limits, report, 24);
OFFSET(plb_limits, context, 32);

SIZE(plb_best, 48 + 128 * 40);
SIZE(plb_line, 4 + 64 * 40);
OFFSET(plb_best, value, 0);
OFFSET(plb_best, bounds, 8);
OFFSET(plb_best, exact, 40);
OFFSET(plb_best, count, 44);
OFFSET(plb_best, moves, 48);

SIZE(plb_list_line, 384 + 24);
OFFSET(plb_list_line, position, 0);
OFFSET(plb_list_line, begin, 384);
OFFSET(plb_list_line, end, 392);
OFFSET(plb_list_line, rest, 400);
SIZE(plb_list_known, 16);
OFFSET(plb_list_known, value, 0);
OFFSET(plb_list_known, dtm, 4);
OFFSET(plb_list_known, ply, 8);
OFFSET(plb_list_known, cells, 12);

SIZE(plb_replies, 32);
OFFSET(plb_replies, count, 0);
OFFSET(plb_replies, worse, 4);
OFFSET(plb_replies, share, 8);

SIZE(plb_resistance, 8 + 48 + 128 * 40 + 128 * 32);
OFFSET(plb_resistance, plies, 0);
OFFSET(plb_resistance, best, 8);
OFFSET(plb_resistance, replies, 5176);

SIZE(plb_proof_question, 32);
OFFSET(plb_proof_question, player, 0);
OFFSET(plb_proof_question, pairs_only, 1);
OFFSET(plb_proof_question, steps, 8);

SIZE(plb_proof_part, 96);
OFFSET(plb_proof_part, name, 0);
OFFSET(plb_proof_part, groups, 24);
OFFSET(plb_proof_part, count, 64);
OFFSET(plb_proof_part, cells, 68);

SIZE(plb_proof, 32 + 32 * 96);
OFFSET(plb_proof, verdict, 0);
OFFSET(plb_proof, open_groups, 4);
OFFSET(plb_proof, count, 8);
OFFSET(plb_proof, parts, 32);

SIZE(plb_export_options, 64);
OFFSET(plb_export_options, first_ply, 0);
OFFSET(plb_export_options, end_ply, 4);
OFFSET(plb_export_options, canonical, 8);
OFFSET(plb_export_options, stage, 12);
OFFSET(plb_export_options, values, 16);
OFFSET(plb_export_options, samples, 24);
OFFSET(plb_export_options, seed, 32);
OFFSET(plb_export_options, stop, 40);
OFFSET(plb_export_options, format, 48);

SIZE(plb_row, 32);
OFFSET(plb_row, x, 0);
OFFSET(plb_row, o, 8);
OFFSET(plb_row, best, 16);
OFFSET(plb_row, dtm, 24);
OFFSET(plb_row, value, 26);
OFFSET(plb_row, ply, 27);

SIZE(plb_annotation, 64 + 24 + 128 * 40);
OFFSET(plb_annotation, move, 0);
OFFSET(plb_annotation, x, 40);
OFFSET(plb_annotation, o, 48);
OFFSET(plb_annotation, player, 56);
OFFSET(plb_annotation, mistake, 57);
OFFSET(plb_annotation, ply, 58);
OFFSET(plb_annotation, plies_lost, 60);
OFFSET(plb_annotation, before, 64);

SIZE(plb_picture, 16 + 96 + 32768);
OFFSET(plb_picture, bare, 0);
OFFSET(plb_picture, wordless, 1);
OFFSET(plb_picture, width, 8);
OFFSET(plb_picture, height, 12);
OFFSET(plb_picture, words, 16);
OFFSET(plb_picture, svg, 112);

/* The library allocates it, so that fields may be added at its end. */
OFFSET(plb_table_info, spec, 0);
OFFSET(plb_table_info, builder, 8);
OFFSET(plb_table_info, values, 16);
OFFSET(plb_table_info, compression, 24);
OFFSET(plb_table_info, width, 32);
OFFSET(plb_table_info, height, 36);
OFFSET(plb_table_info, cells, 40);
OFFSET(plb_table_info, k, 44);
OFFSET(plb_table_info, gravity, 48);
OFFSET(plb_table_info, misere, 49);
OFFSET(plb_table_info, cylinder, 50);
OFFSET(plb_table_info, symmetries, 52);
OFFSET(plb_table_info, block_entries, 56);
OFFSET(plb_table_info, size_bytes, 64);
OFFSET(plb_table_info, positions, 72);
OFFSET(plb_table_info, entries, 80);
OFFSET(plb_table_info, goal, 88);
OFFSET(plb_table_info, index, 96);
OFFSET(plb_table_info, largest_number, 104);
OFFSET(plb_table_info, player, 112);
OFFSET(plb_table_info, claim, 120);
OFFSET(plb_table_info, look_ahead, 128);
OFFSET(plb_table_info, id, 136);

static const struct {
    int code, pinned;
} errors[] = {
    {PLB_OK, 0},           {PLB_EARGUMENT, -1},     {PLB_ENOMEM, -2},        {PLB_EIO, -3},
    {PLB_ENOTFOUND, -4},   {PLB_EPERMISSION, -5},   {PLB_ENOSPACE, -6},      {PLB_ENOTTABLE, -7},
    {PLB_EVERSION, -8},    {PLB_EUNFINISHED, -9},   {PLB_ECORRUPT, -10},     {PLB_ESPEC, -11},
    {PLB_EOTHERGAME, -12}, {PLB_ETOOBIG, -13},      {PLB_EINTERRUPTED, -14}, {PLB_EBUSY, -15},
    {PLB_ESYNTAX, -20},    {PLB_EBOARD, -21},       {PLB_ECOUNTS, -22},      {PLB_EFLOATING, -23},
    {PLB_EOVER, -24},      {PLB_EUNREACHABLE, -25}, {PLB_EMOVE, -26},        {PLB_EUNKNOWN, -27}};
enum { ERRORS = sizeof errors / sizeof errors[0] };

static void errors_have_their_pinned_numbers(void **state) {
    (void)state;
#define COUNT(name, number, text) +1
    assert_int_equal(ERRORS, PLB_ERRORS(COUNT));
#undef COUNT
    for (int e = 0; e < ERRORS; e++) assert_int_equal(errors[e].code, errors[e].pinned);
}

static void every_error_has_its_own_text(void **state) {
    (void)state;
    const char *unknown = plb_error_text(12345);
    assert_non_null(unknown);
    for (int e = 0; e < ERRORS; e++) {
        const char *text = plb_error_text(errors[e].code);
        assert_string_not_equal(text, unknown);
        for (int other = 0; other < e; other++)
            assert_string_not_equal(text, plb_error_text(errors[other].code));
    }
}

static void header_library_and_project_have_one_version(void **state) {
    (void)state;
    char text[32];
    assert_string_equal(plb_version(), PLB_VERSION_TEXT);
    assert_string_equal(plb_version(), TEST_PROJECT_VERSION);
    snprintf(text, sizeof text, "%d.%d.%d", PLB_VERSION / 10000, PLB_VERSION / 100 % 100,
             PLB_VERSION % 100);
    assert_string_equal(plb_version(), text);
}

static void invalid_values_have_a_text(void **state) {
    (void)state;
    assert_string_equal(plb_value_text((plb_value)7), "no value");
    assert_string_equal(plb_value_text((plb_value)-2), "no value");
}

/* A later version may give reserved fields a meaning. */
static void reserved_fields_are_zero(void **state) {
    const char *path = support_path(state, "table.plb");
    plb_table *table = NULL;
    plb_answer answer;
    plb_ply_stats stats;
    plb_ply_distances distances;
    plb_move moves[PLB_MAX_MOVES];
    static const uint8_t zeros[64];
    int count;
    support_build_values("connect-4x3-k3", PLB_DTM, path, NULL, 1);
    assert_int_equal(plb_open(path, &table, NULL), PLB_OK);
    memset(&answer, 0xff, sizeof answer);
    memset(&stats, 0xff, sizeof stats);
    memset(&distances, 0xff, sizeof distances);
    memset(moves, 0xff, sizeof moves);
    assert_int_equal(plb_probe(table, 0, 0, &answer, NULL), PLB_OK);
    assert_int_equal(plb_stats(table, 0, &stats), PLB_OK);
    assert_int_equal(plb_distance_stats(table, 0, &distances), PLB_OK);
    assert_int_equal(plb_moves(table, 0, 0, moves, &count, NULL), PLB_OK);
    assert_memory_equal(answer.reserved, zeros, sizeof answer.reserved);
    assert_memory_equal(stats.reserved, zeros, sizeof stats.reserved);
    assert_memory_equal(distances.reserved, zeros, sizeof distances.reserved);
    assert_memory_equal(distances.longest_win.reserved, zeros,
                        sizeof distances.longest_win.reserved);
    for (int m = 0; m < count; m++)
        assert_memory_equal(moves[m].reserved, zeros, sizeof moves[m].reserved);
    plb_close(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_have_their_pinned_numbers),
        cmocka_unit_test(every_error_has_its_own_text),
        cmocka_unit_test(header_library_and_project_have_one_version),
        cmocka_unit_test(invalid_values_have_a_text),
        SUPPORT_IN_FOLDER(reserved_fields_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
