/* SPDX-License-Identifier: MIT
 *
 * The verifier accepts good tables and finds every kind of flaw. Flawed tables are copies of good
 * ones with one change and valid checksums.
 */
#include "probe/plybase.h"
#include "tools/verify/verifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/games/notation.h"
#include "tables/games/static_value.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"
#include "tests/support/verify_file.h"
#include "tools/search/forward_search.h"
#include "tools/search/search_rules.h"
#include "tools/verify/published.h"

/* ---- results of the verifier ---- */

static const verify_options everything = {.whole_entries = UINT64_MAX,
                                          .samples = 64,
                                          .searches = 100,
                                          .search_bytes = FORWARD_SEARCH_MIN_TABLE,
                                          .threads = 2};

static void expect_good(const char *path, const verify_options *options, verify_report *report) {
    plb_message why;
    support_expect(verify_file(path, options, report, &why), PLB_OK, path, &why);
    assert_int_equal(report->finding.kind, VERIFY_GOOD);
}

/* Make a copy with the flaw. */
static void make_flawed(void **state, const char *good, const flaw *f, char path[SUPPORT_PATH]) {
    plb_table_file p;
    snprintf(path, SUPPORT_PATH, "%s/flawed.plb", (const char *)*state);
    remove(path);
    open_table_file(good, &p);
    copy_table(&p, path, f);
    plb_table_file_close(&p);
}

/* Verify a copy with the flaw, which must give this error. Returns the finding. */
static verify_finding find_flaw(void **state, const char *good, const flaw *f, int error,
                                const verify_options *options) {
    static verify_report report;
    char path[SUPPORT_PATH];
    plb_message why = {.text = ""};
    make_flawed(state, good, f, path);
    support_expect(verify_file(path, options, &report, &why), error, "flawed table", &why);
    assert_true(strlen(why.text) > 0);
    return report.finding;
}

static void expect_kind(const verify_finding *found, verify_kind kind, int ply) {
    assert_string_equal(verify_kind_text(found->kind), verify_kind_text(kind));
    assert_int_equal(found->ply, ply);
}

/* ---- good tables ---- */

static const char *const good_specs[] = {
    "connect-4x4-k4",    "connect-4x4-k4-misere",   "mnk-3x3-k3",
    "mnk-3x3-k3-misere", "connect-3x4-k3-cylinder", "square-3x3",
    "mnk-4x3-k3",        "connect-6x2-k2"};

static void good_tables_pass(void **state) {
    for (size_t round = 0; round < 2 * sizeof good_specs / sizeof good_specs[0]; round++) {
        size_t s = round / 2;
        plb_value_kind values = round % 2 ? PLB_DTM : PLB_WDL;
        const char *path = support_path(state, good_specs[s]);
        verify_report report;
        remove(path);
        support_build_values(good_specs[s], values, path, NULL, 1);
        expect_good(path, &everything, &report);
        assert_string_equal(report.spec, good_specs[s]);
        assert_int_equal(report.values, values);
        assert_true(report.plies > 0);
        for (int ply = 0; ply < report.plies; ply++) {
            assert_true(report.ply[ply].whole);
            assert_true(report.ply[ply].blocks > 0);
            assert_int_equal(report.ply[ply].unproved, 0);
            assert_int_equal(report.ply[ply].proved > 0, report.ply[ply].checked > 0);
        }
    }
}

static void samples_of_a_bigger_table_pass(void **state) {
    const char *path = support_path(state, "connect-5x4-k4");
    verify_options sampled = everything;
    verify_report report;
    sampled.whole_entries = 1 << 10;
    sampled.samples = 50;
    sampled.searches = 10;
    support_build("connect-5x4-k4", path, NULL, 1);
    expect_good(path, &sampled, &report);
    assert_true(report.ply[1].whole);
    assert_false(report.ply[14].whole);
    assert_true(report.ply[14].checked > 0);
    assert_int_equal(report.ply[14].proved, sampled.searches);
    assert_non_null(report.published_total);
}

static void searches_out_of_nodes_are_told_apart(void **state) {
    const char *path = support_path(state, "connect-4x4-k4");
    verify_options hasty = everything;
    verify_report report;
    hasty.search_nodes = 1;
    support_build("connect-4x4-k4", path, NULL, 1);
    expect_good(path, &hasty, &report);
    assert_int_equal(report.ply[0].proved, 0);
    assert_int_equal(report.ply[0].unproved, 1);
}

static void an_interrupted_run_is_not_good(void **state) {
    const char *path = support_path(state, "mnk-3x3-k3");
    static const volatile sig_atomic_t stop = 1;
    verify_options stopped = everything;
    verify_report report;
    plb_message why;
    stopped.stop = &stop;
    support_build("mnk-3x3-k3", path, NULL, 1);
    support_expect(verify_file(path, &stopped, &report, &why), PLB_EINTERRUPTED, path, &why);
    assert_int_equal(report.finding.kind, VERIFY_GOOD);
}

/* ---- wrong values ---- */

static bool is_drawn(const plb_table_file *p, const plb_table *table, plb_position position) {
    plb_answer answer;
    assert_int_equal(plb_probe(table, plb_game_bits_of_cells(&p->space.game, position.x),
                               plb_game_bits_of_cells(&p->space.game, position.o), &answer, NULL),
                     PLB_OK);
    return answer.value == PLB_DRAW;
}

/* Find a position of a ply whose value is stored, near the middle of the ply; with `table`, one
 * that is not a draw there. */
static bool find_stored(const plb_table_file *p, const plb_table *table, int ply,
                        plb_position *position) {
    uint64_t size = plb_index_size(&p->space.index, ply),
             slab_size = p->space.index.plies[ply].slab_size;
    for (uint64_t n = 0; n < size; n++) {
        uint64_t at = (size / 2 + n) % size;
        *position =
            plb_index_unrank(&p->space.index, (plb_entry){ply, at / slab_size, at % slab_size});
        if (plb_rules_check(&p->space.game, *position, NULL) == PLB_OK &&
            plb_static_value(&p->space.game, *position).kind == PLB_QUIET &&
            !(table && is_drawn(p, table, *position)))
            return true;
    }
    return false;
}

/* Make a flaw at a stored position of a ply; false if the ply has none. */
static bool flaw_at_stored(const char *good, change change, int ply, flaw *f,
                           char board[PLB_BOARD_TEXT]) {
    plb_table_file p;
    plb_position position;
    plb_table *table = NULL;
    open_table_file(good, &p);
    if (change == FLIP_ROUND) assert_int_equal(plb_open(good, &table, NULL), PLB_OK);
    bool found = plb_static_value_is_stored_ply(ply) && find_stored(&p, table, ply, &position);
    if (found) {
        plb_entry place = plb_index_rank(&p.space.index, position);
        plb_block_layout cut = layout_of(&p, ply);
        *f = (flaw){.change = change, .ply = ply, .at = plb_block_layout_find(&cut, place)};
        plb_notation_format_board(&p.space.game, position, board);
    }
    plb_close(table);
    plb_table_file_close(&p);
    return found;
}

/* The finding is a wrong value (FLIP_VALUE), or a wrong distance of a right value (FLIP_ROUND). */
static void expect_wrong_outcome(const verify_finding *found, const flaw *f, const char *board) {
    assert_string_equal(found->position, board);
    assert_non_null(strstr(found->message.text, board));
    if (f->change == FLIP_VALUE) assert_int_not_equal(found->stored.value, found->expected.value);
    if (f->change != FLIP_ROUND) return;
    assert_int_equal(found->stored.value, found->expected.value);
    assert_int_equal(abs(found->stored.dtm - found->expected.dtm), 2);
    char number[32];
    snprintf(number, sizeof number, " in %d pl", found->expected.dtm);
    assert_non_null(strstr(found->message.text, number));
}

/* Flip a stored value or round of every ply in turn. Returns the number of flips. */
static int flip_every_ply(void **state, const char *spec, plb_value_kind values, change change,
                          const verify_options *options, verify_kind kind) {
    const char *good = support_path(state, spec);
    char board[PLB_BOARD_TEXT];
    flaw f;
    int flips = 0;
    remove(good);
    support_build_values(spec, values, good, NULL, 1);
    for (int ply = 0; ply <= 16; ply++) {
        if (!flaw_at_stored(good, change, ply, &f, board)) continue;
        verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, options);
        expect_kind(&found, kind, ply);
        expect_wrong_outcome(&found, &f, board);
        flips++;
    }
    return flips;
}

static void a_flipped_value_does_not_follow_from_the_children(void **state) {
    static const struct {
        const char *spec;
        int flips;
    } games[] = {{"connect-4x4-k4", 5},
                 {"connect-4x3-k3-misere", 3},
                 {"mnk-3x3-k3", 2},
                 {"connect-3x4-k3-cylinder", 1}};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++)
        assert_true(flip_every_ply(state, games[g].spec, g % 2 ? PLB_DTM : PLB_WDL, FLIP_VALUE,
                                   &everything, VERIFY_CHILDREN) >= games[g].flips);
}

static void a_flipped_round_does_not_follow_from_the_children(void **state) {
    static const char *const specs[] = {"connect-4x4-k4", "connect-4x3-k3-misere", "mnk-4x3-k3",
                                        "mnk-3x3-k3-misere"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        assert_true(flip_every_ply(state, specs[s], PLB_DTM, FLIP_ROUND, &everything,
                                   VERIFY_CHILDREN) >= 2);
}

/* Without the other steps, the search of every position finds it too. */
static void expect_search_finds(void **state, const char *spec, plb_value_kind values,
                                change change) {
    verify_options searches = everything;
    searches.whole_entries = 0;
    searches.samples = 0;
    searches.searches = 1 << 20;
    const char *good = support_path(state, spec);
    char board[PLB_BOARD_TEXT];
    flaw f;
    remove(good);
    support_build_values(spec, values, good, NULL, 1);
    for (int ply = 4; ply <= 12; ply += 2) {
        assert_true(flaw_at_stored(good, change, ply, &f, board));
        verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &searches);
        expect_kind(&found, VERIFY_SEARCH, ply);
        expect_wrong_outcome(&found, &f, board);
    }
}

static void a_flipped_value_is_not_what_search_proves(void **state) {
    expect_search_finds(state, "connect-4x4-k4", PLB_WDL, FLIP_VALUE);
    expect_search_finds(state, "connect-4x4-k4", PLB_DTM, FLIP_VALUE);
}

static void a_flipped_round_is_not_what_search_proves(void **state) {
    expect_search_finds(state, "connect-4x4-k4", PLB_DTM, FLIP_ROUND);
    expect_search_finds(state, "connect-4x4-k4-misere", PLB_DTM, FLIP_ROUND);
}

/* A search that runs out of nodes after it has found the value shows that this is wrong. */
static void a_value_without_its_distance_refutes_a_table(void **state) {
    const char *good = support_path(state, "connect-4x3-k3-misere");
    verify_options hasty = everything;
    char board[PLB_BOARD_TEXT], path[SUPPORT_PATH];
    int found = 0;
    flaw f;
    hasty.whole_entries = 0;
    hasty.samples = 0;
    hasty.searches = 1 << 20;
    support_build_values("connect-4x3-k3-misere", PLB_DTM, good, NULL, 1);
    assert_true(flaw_at_stored(good, FLIP_ROUND, 4, &f, board)); /* in a won or lost position */
    f.change = FLIP_VALUE;
    make_flawed(state, good, &f, path);
    for (hasty.search_nodes = 1; !found && hasty.search_nodes < 40; hasty.search_nodes++) {
        verify_report report;
        plb_message why;
        if (verify_file(path, &hasty, &report, &why) == PLB_OK) continue;
        assert_string_equal(report.finding.position, board);
        assert_int_equal(report.finding.stored.value, -(int)report.finding.expected.value);
        found += report.finding.expected.dtm == PLB_NO_DTM;
    }
    assert_true(found > 0);
}

/* No positions are checked; the statistics of a ply have one position too many. */
static void exact_counts_find_a_wrong_row(void **state) {
    const char *good = support_path(state, "connect-4x4-k3");
    verify_options counting = everything;
    verify_report report;
    counting.whole_entries = counting.samples = counting.searches = 0;
    counting.count_seconds = 60;
    support_build("connect-4x4-k3", good, NULL, 1);
    expect_good(good, &counting, &report);
    assert_true(report.countable);
    assert_int_equal(report.exact_counts, PLB_COMPARED_ALL);
    for (int ply = 1; ply < 16; ply++) {
        flaw f = {.change = ADD_COUNT, .ply = ply};
        verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &counting);
        expect_kind(&found, VERIFY_COUNTS, ply);
    }
    counting.count_seconds = 0;
    expect_good(good, &counting, &report);
    assert_int_equal(report.exact_counts, PLB_COMPARED_NOTHING);
}

static void a_lying_record_of_columns_is_refuted(void **state) {
    const char *good = support_path(state, "connect-4x4-k3");
    flaw f = {.change = CORRUPT_COLUMNS};
    support_build("connect-4x4-k3", good, NULL, 1);
    verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
    expect_kind(&found, VERIFY_DAMAGE, -1);
    assert_non_null(strstr(found.message.text, "columns"));
}

static void samples_find_a_ply_of_wrong_values(void **state) {
    const char *good = support_path(state, "connect-5x4-k4");
    verify_options sampled = everything;
    flaw f = {.change = INVERT_PLY, .ply = 12};
    sampled.whole_entries = 0;
    sampled.samples = 100;
    sampled.searches = 0;
    support_build("connect-5x4-k4", good, NULL, 1);
    verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &sampled);
    expect_kind(&found, VERIFY_CHILDREN, 12);
    sampled.samples = 0;
    sampled.searches = 100;
    found = find_flaw(state, good, &f, PLB_ECORRUPT, &sampled);
    expect_kind(&found, VERIFY_SEARCH, 12);
}

/* ---- wrong records ---- */

static void an_emptied_block_is_missed(void **state) {
    const char *good = support_path(state, "connect-4x4-k4");
    char board[PLB_BOARD_TEXT];
    flaw f;
    support_build("connect-4x4-k4", good, NULL, 1);
    assert_true(flaw_at_stored(good, EMPTY_BLOCK, 8, &f, board));
    verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
    assert_int_equal(found.kind, VERIFY_DAMAGE);
    assert_true(strlen(found.position) > 0);
}

static void swapped_blocks_are_found(void **state) {
    const char *good = support_path(state, "connect-5x4-k4");
    verify_options blocks = everything;
    blocks.whole_entries = 0;
    blocks.samples = blocks.searches = 0;
    support_build("connect-5x4-k4", good, NULL, 1);
    flaw f = {.change = SWAP_BLOCKS, .ply = 14};
    verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &blocks);
    expect_kind(&found, VERIFY_DAMAGE, 14);
    f = (flaw){.change = SWAP_PLIES, .ply = 2};
    found = find_flaw(state, good, &f, PLB_ECORRUPT, &blocks);
    expect_kind(&found, VERIFY_DAMAGE, 4); /* plies are read from the last one down */
}

static void what_the_format_does_not_call_for_is_found(void **state) {
    const char *good = support_path(state, "connect-4x3-k3");
    char path[SUPPORT_PATH];
    verify_report report;
    support_build("connect-4x3-k3", good, NULL, 1);
    flaw f = {.change = ADD_RECORD, .ply = -1};
    verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
    expect_kind(&found, VERIFY_DAMAGE, -1);
    assert_non_null(strstr(found.message.text, "stranger"));
    static const char *const of_others[] = {PLB_RECORD_DISTANCES, "keys-04-0000", "model-13"};
    for (size_t r = 0; r < sizeof of_others / sizeof *of_others; r++) {
        f.record = of_others[r]; /* no reader of this table looks at it */
        found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
        expect_kind(&found, VERIFY_DAMAGE, -1);
        assert_non_null(strstr(found.message.text, of_others[r]));
    }
    f.change = ADD_COUNT;
    f.ply = -1; /* a copy as it is */
    make_flawed(state, good, &f, path);
    expect_good(path, &everything, &report);
    FILE *file = fopen(path, "ab");
    assert_int_equal(fputc(0, file), 0);
    fclose(file);
    assert_int_equal(verify_file(path, &everything, &report, NULL), PLB_ECORRUPT);
    expect_kind(&report.finding, VERIFY_DAMAGE, -1);
}

static void a_dropped_ply_is_found(void **state) {
    const char *good = support_path(state, "connect-4x4-k4");
    support_build("connect-4x4-k4", good, NULL, 1);
    for (int ply = 0; ply <= 16; ply += 4) {
        flaw f = {.change = DROP_SEGMENT, .ply = ply};
        verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
        assert_int_equal(found.kind, VERIFY_DAMAGE);
        f.change = DROP_STATS;
        find_flaw(state, good, &f, PLB_EUNFINISHED, &everything);
    }
}

static void a_changed_count_is_found(void **state) {
    const char *good = support_path(state, "connect-4x4-k4");
    support_build("connect-4x4-k4", good, NULL, 1);
    for (int ply = 0; ply <= 16; ply += 4) {
        flaw f = {.change = MOVE_COUNT, .ply = ply};
        verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
        expect_kind(&found, VERIFY_COUNTS, ply);
        f.change = ADD_COUNT;
        found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
        expect_kind(&found, VERIFY_COUNTS, ply);
    }
}

/* If positions are not counted, the published number of positions still shows the flaw. */
static void a_wrong_total_is_not_the_published_one(void **state) {
    const char *good = support_path(state, "connect-5x4-k4");
    verify_options few = everything;
    flaw f = {.change = ADD_COUNT, .ply = 14};
    few.whole_entries = 0;
    few.samples = few.searches = 10;
    support_build("connect-5x4-k4", good, NULL, 1);
    verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &few);
    expect_kind(&found, VERIFY_PUBLISHED, -1);
}

static void a_table_under_another_name_is_found(void **state) {
    static const char *const renames[][2] = {
        {"connect-4x4-k4", "connect-4x4-k4-misere"}, {"connect-4x4-k4-misere", "connect-4x4-k4"},
        {"connect-4x4-k4", "connect-4x4-k3"},        {"mnk-3x3-k3", "square-3x3"},
        {"mnk-3x3-k3", "mnk-3x3-k3-misere"},         {"mnk-3x3-k3", "mnk-3x3-k2"},
        {"connect-4x3-k3", "connect-3x4-k3"},        {"connect-4x3-k3", "connect-4x3-k3-cylinder"}};
    for (size_t r = 0; r < sizeof renames / sizeof renames[0]; r++) {
        const char *good = support_path(state, renames[r][0]);
        if (!support_exists(good)) support_build(renames[r][0], good, NULL, 1);
        flaw f = {.change = RENAME, .ply = -1, .spec = renames[r][1]};
        verify_finding found = find_flaw(state, good, &f, PLB_ECORRUPT, &everything);
        assert_int_not_equal(found.kind, VERIFY_GOOD);
    }
}

/* ---- what the verifier relies on ---- */

static void published_outcomes_are_what_search_proves(void **state) {
    (void)state;
    int known = 0;
    for (int k = 2; k <= 5; k++)
        for (int width = 1; width <= 9; width++)
            for (int height = 1; height <= 6 && width * height <= 18; height++) {
                char spec[PLB_SPEC_TEXT];
                snprintf(spec, sizeof spec, "connect-%dx%d-k%d-misere", width, height, k);
                plb_game game = support_game(spec);
                forward_search *search;
                forward_search_result result;
                plb_value published;
                search_rules rules;
                assert_int_equal(search_rules_make(&game, &rules, NULL), PLB_OK);
                assert_int_equal(forward_search_open(&rules, 1 << 20, &search, NULL), PLB_OK);
                forward_search_solve(search, &(search_request){.position = {0, 0}}, &result);
                assert_non_null(published_value(&game, &published));
                assert_int_equal(result.value, published);
                forward_search_close(search);
                known++;
            }
    assert_true(known > 100);
}

static void drawn_positions_are_legal_and_repeatable(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-7x6-k4", "mnk-4x4-k4", "connect-5x5-k3-misere"};
    uint64_t seed = support_seed("drawn positions", 1);
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        plb_space space;
        plb_enumeration *enumeration = NULL;
        support_open_space(specs[s], &space);
        assert_int_equal(plb_enumeration_open(&space, NULL, &enumeration, NULL), PLB_OK);
        for (int ply = 0; ply <= space.game.cells; ply += 7)
            for (uint64_t n = 0; n < 20; n++) {
                plb_position position, again;
                if (!sample_draw(enumeration, ply, seed, n, &position)) continue;
                assert_int_equal(plb_rules_check(&space.game, position, NULL), PLB_OK);
                assert_int_equal(plb_stones_ply(position), ply);
                assert_true(sample_draw(enumeration, ply, seed, n, &again));
                assert_true(position.x == again.x && position.o == again.o);
            }
        plb_enumeration_close(enumeration);
        plb_space_close(&space);
    }
}

#define IN_FOLDER(test) \
    cmocka_unit_test_setup_teardown(test, support_enter_folder, support_leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(good_tables_pass),
        IN_FOLDER(samples_of_a_bigger_table_pass),
        IN_FOLDER(searches_out_of_nodes_are_told_apart),
        IN_FOLDER(an_interrupted_run_is_not_good),
        IN_FOLDER(a_flipped_value_does_not_follow_from_the_children),
        IN_FOLDER(a_flipped_round_does_not_follow_from_the_children),
        IN_FOLDER(a_flipped_value_is_not_what_search_proves),
        IN_FOLDER(a_flipped_round_is_not_what_search_proves),
        IN_FOLDER(a_value_without_its_distance_refutes_a_table),
        IN_FOLDER(exact_counts_find_a_wrong_row),
        IN_FOLDER(a_lying_record_of_columns_is_refuted),
        IN_FOLDER(samples_find_a_ply_of_wrong_values),
        IN_FOLDER(an_emptied_block_is_missed),
        IN_FOLDER(swapped_blocks_are_found),
        IN_FOLDER(what_the_format_does_not_call_for_is_found),
        IN_FOLDER(a_dropped_ply_is_found),
        IN_FOLDER(a_changed_count_is_found),
        IN_FOLDER(a_wrong_total_is_not_the_published_one),
        IN_FOLDER(a_table_under_another_name_is_found),
        cmocka_unit_test(published_outcomes_are_what_search_proves),
        cmocka_unit_test(drawn_positions_are_legal_and_repeatable),
    };
    return cmocka_run_group_tests_name("verifier", tests, NULL, NULL);
}
