/* SPDX-License-Identifier: MIT
 *
 * Tables agree with published results: numbers of Connect-4 positions, values of misere Connect-k,
 * of tic-tac-toe and of its relatives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tables/index/index.h"
#include "tests/support/misere.h"
#include "tests/support/open_table.h"
#include "tests/support/support.h"

enum { MAX_POSITIONS = 10000000, MAX_ENTRIES = 200000000 };

static plb_table *open_built(const char *spec, plb_value_kind values, const char *path) {
    support_build_values(spec, values, path, NULL, 2);
    return support_open_table(path);
}

static void close_built(plb_table *table, const char *path) {
    plb_close(table);
    assert_int_equal(unlink(path), 0);
}

/* ---- numbers of positions ---- */

static void assert_position_count(void **state, int width, int height, uint64_t expected) {
    char spec[PLB_SPEC_TEXT];
    const char *path = support_path(state, "table");
    uint64_t positions = 0;
    snprintf(spec, sizeof spec, "connect-%dx%d-k4", width, height);
    plb_table *table = open_built(spec, PLB_WDL, path);
    for (int ply = 0; ply <= width * height; ply++) {
        plb_ply_stats stats;
        assert_int_equal(plb_stats(table, ply, &stats), PLB_OK);
        assert_int_equal(stats.total, stats.won + stats.drawn + stats.lost);
        positions += stats.total;
    }
    if (positions != expected)
        fail_msg("%s has %llu positions, published are %llu", spec, (unsigned long long)positions,
                 (unsigned long long)expected);
    assert_int_equal(plb_info(table)->positions, expected);
    close_built(table, path);
}

static void connect_4_has_the_published_numbers_of_positions(void **state) {
    FILE *file = fopen(TEST_DATA "/connect4-position-counts.csv", "r");
    assert_non_null(file);
    char line[200];
    int boards = 0, width, height;
    unsigned long long positions;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%d,%d,%llu", &width, &height, &positions) != 3) continue;
        if (positions > MAX_POSITIONS && !(width == 5 && height == 5)) continue;
        assert_position_count(state, width, height, positions);
        boards++;
    }
    fclose(file);
    printf("%d boards\n", boards);
    assert_int_equal(boards, 57);
}

/* ---- values of the empty board ---- */

static void assert_value(void **state, const char *spec, plb_value expected) {
    const char *path = support_path(state, "table");
    plb_table *table = open_built(spec, PLB_DTM, path);
    plb_answer answer;
    assert_int_equal(plb_probe(table, 0, 0, &answer, NULL), PLB_OK);
    if (answer.value != expected)
        fail_msg("%s is a %s, published is a %s", spec, plb_value_text(answer.value),
                 plb_value_text(expected));
    if (!misere_loss_is_in_time(table))
        fail_msg("%s is lost in %d plies, later than published", spec, answer.dtm);
    close_built(table, path);
}

/* The number of index entries of all plies: an upper bound of the positions, known without a build.
 */
static double count_entries(const char *spec) {
    plb_space space;
    double entries = 0;
    assert_int_equal(plb_space_begin(spec, &space, NULL), PLB_OK);
    for (int ply = 0; ply <= space.game.cells; ply++)
        entries +=
            plb_index_count_slabs(&space.game, &space.symmetry, ply) * plb_index_slab_size(ply);
    plb_space_close(&space);
    return entries;
}

static void misere_connect_has_the_published_values_and_ends_in_time(void **state) {
    int boards = 0;
    for (int w = 1; w <= 6; w++)
        for (int h = 1; h <= 5; h++)
            for (int k = 2; k <= 4; k++) {
                char spec[PLB_SPEC_TEXT];
                snprintf(spec, sizeof spec, "connect-%dx%d-k%d-misere", w, h, k);
                if (count_entries(spec) > MAX_ENTRIES) continue;
                assert_value(state, spec, misere_value(w, h, k));
                boards++;
            }
    printf("%d boards\n", boards);
    assert_int_equal(boards, 87);
}

static void tic_tac_toe_has_5478_positions(void **state) {
    const char *path = support_path(state, "table");
    plb_table *table = open_built("mnk-3x3-k3", PLB_WDL, path);
    assert_int_equal(plb_info(table)->positions, 5478);
    close_built(table, path);
}

static void free_placement_games_have_the_published_values(void **state) {
    assert_value(state, "mnk-3x3-k3", PLB_DRAW);
    assert_value(state, "mnk-4x4-k4", PLB_DRAW);
    assert_value(state, "square-3x3", PLB_DRAW);
    assert_value(state, "square-4x4", PLB_DRAW);
    assert_value(state, "numeric-3x3", PLB_WIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(connect_4_has_the_published_numbers_of_positions),
        SUPPORT_IN_FOLDER(misere_connect_has_the_published_values_and_ends_in_time),
        SUPPORT_IN_FOLDER(tic_tac_toe_has_5478_positions),
        SUPPORT_IN_FOLDER(free_placement_games_have_the_published_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
