/* SPDX-License-Identifier: MIT
 *
 * Statistics are compared with exact counts: which games have counts, which differences are
 * detected, and builds that compare before they write the table.
 */
#include "tables/count/position_count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder/engine.h"
#include "tests/support/support.h"

static const char spec[] = "connect-4x3-k3";
enum { CELLS = 12 };

/* ---- which games ---- */

static void boards_of_connect_are_counted(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        bool counted;
    } games[] = {{"connect-5x4-k4", true},
                 {"connect-5x4-k4-misere", true},
                 {"connect-5x4-k4-cylinder", true},
                 {"connect-5x4-k4-misere-cylinder", true},
                 {"mnk-5x4-k4", false},
                 {"square-4x4", false},
                 {"numeric-3x3", false}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        plb_game game = support_game(games[i].spec);
        plb_count_board board = {.k = 0};
        assert_int_equal(plb_count_check_find_board(&game, &board), games[i].counted);
        assert_int_equal(plb_count_check_find_quick(&game, 1e9, &board), games[i].counted);
        assert_false(plb_count_check_find_quick(&game, 0, &board));
        if (games[i].counted) {
            assert_int_equal(board.width * board.height * board.k, 5 * 4 * 4);
            assert_int_equal(board.cylinder, game.cylinder);
        }
    }
}

/* ---- differences ---- */

/* Change a number of each ply in turn: the difference is detected, and the message names the ply.
 */
static void change_each_ply(const plb_count_board *board, plb_ply_stats *stats, bool terminal) {
    plb_message why = {""};
    int found;
    assert_int_equal(plb_count_check_compare(board, stats, 2, NULL, &found, &why), PLB_OK);
    for (int ply = 0; ply <= CELLS; ply++) {
        uint64_t *number = terminal ? &stats[ply].terminal : &stats[ply].total;
        char about[16];
        snprintf(about, sizeof about, "ply %d: ", ply);
        ++*number;
        int error = plb_count_check_compare(board, stats, 2, NULL, &found, &why);
        assert_int_equal(error, PLB_ECORRUPT);
        assert_int_equal(found, ply);
        assert_non_null(strstr(why.text, about));
        --*number;
    }
}

static void see_every_difference(bool cylinder) {
    plb_count_board board = {.width = 4, .height = 3, .k = 3, .cylinder = cylinder};
    plb_position_counts counts;
    plb_ply_stats stats[CELLS + 1] = {{0}};
    assert_int_equal(plb_position_count(&board, &(plb_count_work){.threads = 1}, &counts, NULL),
                     PLB_OK);
    for (int ply = 0; ply <= CELLS; ply++) {
        stats[ply].total = (uint64_t)counts.ply[ply].total;
        stats[ply].terminal = (uint64_t)counts.ply[ply].terminal;
    }
    plb_position_counts_free(&counts);
    change_each_ply(&board, stats, false);
    change_each_ply(&board, stats, true);
}

static void every_difference_is_seen(void **state) {
    (void)state;
    see_every_difference(false);
    see_every_difference(true);
}

/* ---- builds ---- */

typedef struct listener {
    plb_phase stop_in;
    volatile sig_atomic_t stop;
    bool counted;
    double ahead; /* share of the count before the forward pass; 0: none */
    plb_reach_way reach;
    plb_compared compared;
} listener;

static void listen(void *context, const plb_progress *progress) {
    listener *l = context;
    if (progress->phase == PLB_COUNT) l->counted = true;
    if (progress->phase == PLB_COUNT_AHEAD) {
        assert_true(progress->count_share >= l->ahead);
        l->ahead = progress->count_share;
    }
    if (progress->phase == l->stop_in) l->stop = 1;
    l->compared = progress->compared;
}

static int build_game(const char *game, const char *output, bool force, double count_seconds,
                      listener *l, plb_message *why) {
    plb_space space;
    plb_built built;
    plb_build_options options = support_build_options(output, NULL, 1);
    options.count_seconds = count_seconds;
    options.force = force;
    options.stop = &l->stop;
    options.slabs.reach = l->reach;
    options.report = listen;
    options.context = l;
    support_open_space(game, &space);
    int error = plb_build(&space, &options, &built, why);
    plb_space_close(&space);
    return error;
}

static int build(const char *output, bool force, double count_seconds, listener *l,
                 plb_message *why) {
    return build_game(spec, output, force, count_seconds, l, why);
}

static void a_right_build_passes(void **state) {
    const char *compared = support_path(state, "compared"), *plain = support_path(state, "plain");
    plb_message why = {""};
    listener first = {.stop_in = -1}, second = {.stop_in = -1};
    support_expect(build(compared, false, 60, &first, &why), PLB_OK, "compared", &why);
    support_expect(build(plain, false, 0, &second, &why), PLB_OK, "plain", &why);
    assert_true(first.counted);
    assert_int_equal(first.compared, PLB_COMPARED_ALL);
    assert_false(second.counted);
    assert_int_equal(second.compared, PLB_COMPARED_NOTHING);
}

static void a_build_of_a_cylinder_is_compared(void **state) {
    plb_message why = {""};
    listener l = {.stop_in = -1};
    support_expect(
        build_game("connect-4x3-k3-cylinder", support_path(state, "table"), false, 60, &l, &why),
        PLB_OK, "a cylinder", &why);
    assert_int_equal(l.compared, PLB_COMPARED_ALL);
}

static void an_interrupted_count_is_done_again(void **state) {
    const char *output = support_path(state, "table"), *whole = support_path(state, "whole");
    plb_message why = {""};
    listener first = {.stop_in = PLB_COUNT}, second = {.stop_in = -1}, third = {.stop_in = -1};
    support_expect(build(output, false, 60, &first, &why), PLB_EINTERRUPTED, "stopped", &why);
    assert_false(support_exists(output));
    support_expect(build(output, false, 60, &second, &why), PLB_OK, "resumed", &why);
    assert_int_equal(second.compared, PLB_COMPARED_ALL);
    support_expect(build(whole, false, 60, &third, &why), PLB_OK, "in one go", &why);
    support_assert_same_files(output, whole);
}

/* Builds that find reachable positions by columns count positions before they solve. */
static void a_count_ahead_is_reported(void **state) {
    const char *output = support_path(state, "table"), *other = support_path(state, "other");
    plb_message why = {""};
    listener first = {.stop_in = PLB_COUNT_AHEAD, .reach = PLB_REACH_BY_COLUMNS};
    listener second = {.stop_in = -1, .reach = PLB_REACH_BY_COLUMNS};
    listener forward = {.stop_in = -1, .reach = PLB_REACH_FORWARD};
    support_expect(build(output, false, 60, &first, &why), PLB_EINTERRUPTED, "stopped", &why);
    assert_true(first.ahead > 0);
    support_expect(build(output, false, 60, &second, &why), PLB_OK, "resumed", &why);
    assert_true(second.ahead > 0.99);
    support_expect(build(other, false, 60, &forward, &why), PLB_OK, "forward", &why);
    assert_true(forward.ahead == 0);
    support_assert_same_files(output, other);
}

/* Write a scratch file of a solved ply anew, with another total in its notes. */
static void change_total(const char *part, int ply, int64_t change) {
    char path[SUPPORT_PATH], game[SUPPORT_PATH], identity[600];
    size_t size;
    plb_message why = {""};
    plb_scratch *file;
    snprintf(game, sizeof game, "%s/game", part);
    char *text = (char *)support_read_file(game, &size);
    char *line = memchr(text, '\n', size);
    assert_non_null(line);
    int length = (int)strcspn(line + 1, "\n");
    snprintf(identity, sizeof identity, "table.%02d of %.*s", ply, length, line + 1);
    snprintf(path, sizeof path, "%s/table.%02d", part, ply);
    free(text);
    support_expect(plb_scratch_open(path, identity, PLB_SCRATCH_ANY, &file, &why), PLB_OK, path,
                   &why);
    uint64_t records = plb_scratch_records(file);
    uint8_t **bytes = calloc(records + 1, sizeof *bytes);
    size_t *sizes = calloc(records + 1, sizeof *sizes);
    assert_true(bytes && sizes);
    for (uint64_t r = 0; r < records; r++) {
        sizes[r] = plb_scratch_size_bytes(file, r);
        bytes[r] = malloc(sizes[r] + 1);
        support_expect(plb_scratch_get(file, r, bytes[r], &why), PLB_OK, path, &why);
    }
    plb_ply_results results;
    memcpy(&results, plb_scratch_notes(file, &size), sizeof results);
    assert_int_equal(size, sizeof results);
    results.stats.total += change;
    plb_scratch_close(file);
    support_expect(plb_scratch_create(path, identity, records, &file, &why), PLB_OK, path, &why);
    for (uint64_t r = 0; r < records; r++) {
        support_expect(plb_scratch_put(file, r, bytes[r], sizes[r], &why), PLB_OK, path, &why);
        free(bytes[r]);
    }
    support_expect(plb_scratch_commit(file, &results, sizeof results, &why), PLB_OK, path, &why);
    plb_scratch_close(file);
    free(bytes);
    free(sizes);
}

/* Every attempt to resume fails; a new build succeeds. */
static void a_wrong_build_makes_no_table(void **state) {
    const char *output = support_path(state, "table");
    plb_message why = {""};
    listener stopped = {.stop_in = PLB_COUNT};
    support_expect(build(output, false, 60, &stopped, &why), PLB_EINTERRUPTED, "stopped", &why);
    change_total(support_path(state, "table.part"), 7, -1);
    for (int attempt = 0; attempt < 2; attempt++) {
        listener l = {.stop_in = -1};
        support_expect(build(output, false, 60, &l, &why), PLB_ECORRUPT, "wrong", &why);
        assert_non_null(strstr(why.text, "ply 7: the statistics say "));
        assert_non_null(strstr(why.text, "--force"));
        assert_int_equal(l.compared, PLB_COMPARED_NOTHING);
        assert_false(support_exists(output));
    }
    listener l = {.stop_in = -1};
    support_expect(build(output, true, 60, &l, &why), PLB_OK, "anew", &why);
    assert_int_equal(l.compared, PLB_COMPARED_ALL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_of_connect_are_counted),
        cmocka_unit_test(every_difference_is_seen),
        SUPPORT_IN_FOLDER(a_right_build_passes),
        SUPPORT_IN_FOLDER(a_build_of_a_cylinder_is_compared),
        SUPPORT_IN_FOLDER(an_interrupted_count_is_done_again),
        SUPPORT_IN_FOLDER(a_count_ahead_is_reported),
        SUPPORT_IN_FOLDER(a_wrong_build_makes_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
