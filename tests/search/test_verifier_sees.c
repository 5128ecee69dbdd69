/* SPDX-License-Identifier: MIT
 *
 * The detection of flaws by the verifier: every flaw if all is checked; with samples, one wrong
 * value, block or row of the statistics with the probability that it states. All flaws have valid
 * checksums.
 */
#include <lmdb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tables/games/static_value.h"
#include "tables/store/segment.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"
#include "tests/support/verify_file.h"
#include "tools/verify/verifier.h"

static void expect_good(const char *path, const verify_options *options, verify_report *report) {
    plb_message why;
    support_expect(verify_file(path, options, report, &why), PLB_OK, path, &why);
}

static void make_flawed(void **state, const plb_table_file *p, const flaw *f,
                        char path[SUPPORT_PATH]) {
    snprintf(path, SUPPORT_PATH, "%s/flawed.plb", (const char *)*state);
    remove(path);
    copy_table(p, path, f);
}

static bool is_drawn(const plb_table_file *p, const plb_table *table, plb_position position) {
    plb_answer answer;
    assert_int_equal(plb_probe(table, plb_game_bits_of_cells(&p->space.game, position.x),
                               plb_game_bits_of_cells(&p->space.game, position.o), &answer, NULL),
                     PLB_OK);
    return answer.value == PLB_DRAW;
}

/* All checks but searches, which would also find some flaws. */
static const verify_options without_searches = {.whole_entries = UINT64_MAX, .threads = 1};

/* Is a copy with the flaw refused? */
static bool is_found(void **state, const plb_table_file *p, const flaw *f,
                     const verify_options *options) {
    static verify_report report;
    char path[SUPPORT_PATH];
    make_flawed(state, p, f, path);
    return verify_file(path, options, &report, NULL) == PLB_ECORRUPT;
}

/* Draw a place of a ply whose value is stored: the first after a random one. With `table`, one that
 * is not a draw there. */
static bool draw_stored(const plb_table_file *p, const plb_table *table, int ply, uint64_t *random,
                        plb_block_address *found) {
    uint64_t size = plb_index_size(&p->space.index, ply),
             slab_size = p->space.index.plies[ply].slab_size;
    uint64_t from = support_random_below(random, size);
    plb_block_layout cut = layout_of(p, ply);
    for (uint64_t n = 0; n < size; n++) {
        uint64_t at = (from + n) % size;
        plb_entry entry = {ply, at / slab_size, at % slab_size};
        plb_position position = plb_index_unrank(&p->space.index, entry);
        if (plb_static_value(&p->space.game, position).kind != PLB_QUIET ||
            plb_rules_check(&p->space.game, position, NULL) != PLB_OK)
            continue;
        if (table && is_drawn(p, table, position)) continue;
        *found = plb_block_layout_find(&cut, entry);
        return true;
    }
    return false;
}

/* Plant flaws of a kind at random stored positions, in every stored ply in turn. */
static int plant_everywhere(void **state, const char *good, change change, int each,
                            uint64_t *random) {
    plb_table_file p;
    plb_table *table = NULL;
    int planted = 0;
    open_table_file(good, &p);
    /* exchanging wins and losses keeps a draw, which has no round either */
    if (change != FLIP_VALUE) assert_int_equal(plb_open(good, &table, NULL), PLB_OK);
    for (int ply = 0; ply <= p.space.game.cells; ply += 2)
        for (int n = 0; n < each; n++) {
            flaw f = {.change = change, .ply = ply};
            if (!draw_stored(&p, table, ply, random, &f.at)) break;
            if (!is_found(state, &p, &f, &without_searches))
                fail_msg("%s: not found: change %d in block %llu, offset %llu of ply %d",
                         p.meta.spec, change, (unsigned long long)f.at.block,
                         (unsigned long long)f.at.offset, ply);
            planted++;
        }
    plb_close(table);
    plb_table_file_close(&p);
    return planted;
}

/* Flip every stored value of a table of keys in turn. */
static int flip_every_key(void **state, const char *good) {
    plb_table_file p;
    int planted = 0;
    open_table_file(good, &p);
    for (int ply = 0; ply <= p.space.game.cells; ply++) {
        const plb_index_ply *keys = &p.space.index.plies[ply];
        plb_block_layout cut = layout_of(&p, ply);
        for (uint64_t slab = 0; slab < keys->slabs; slab++)
            for (uint64_t key = 0; key < keys->sets[slab].keys; key++) {
                flaw f = {.change = FLIP_VALUE,
                          .ply = ply,
                          .at = plb_block_layout_find(&cut, (plb_entry){ply, slab, key})};
                if (!is_found(state, &p, &f, &without_searches))
                    fail_msg("key %llu of slab %llu of ply %d: not found", (unsigned long long)key,
                             (unsigned long long)slab, ply);
                planted++;
            }
    }
    plb_table_file_close(&p);
    return planted;
}

static int plant_counts(void **state, const char *good, int plies) {
    plb_table_file p;
    open_table_file(good, &p);
    for (int ply = 0; ply < plies; ply++)
        for (change change = MOVE_COUNT; change <= ADD_COUNT; change++) {
            flaw f = {.change = change, .ply = ply};
            assert_true(is_found(state, &p, &f, &without_searches));
        }
    plb_table_file_close(&p);
    return 2 * plies;
}

/* Change the statistics of distances of every ply where a change is possible. */
static int plant_distances(void **state, const char *good) {
    plb_ply_distances plies[PLB_MAX_CELLS + 1];
    plb_table_file p;
    int planted = 0;
    open_table_file(good, &p);
    read_distances(&p, plies);
    for (int ply = 0; ply <= p.space.game.cells; ply++)
        for (change change = MOVE_DISTANCE; change <= MOVE_LONGEST; change++) {
            flaw f = {.change = change, .ply = ply};
            if (!change_distances(&p, &f, &plies[ply])) continue;
            if (!is_found(state, &p, &f, &without_searches))
                fail_msg("%s: change %d of the distances of ply %d is not found", p.meta.spec,
                         change, ply);
            planted++;
        }
    plb_table_file_close(&p);
    return planted;
}

static void every_flaw_is_found_where_all_is_checked(void **state) {
    static const struct {
        const char *spec;
        plb_value_kind values;
        int plies, each;
    } games[] = {{"mnk-3x3-k3", PLB_DTM, 10, 15},
                 {"connect-4x3-k3-misere", PLB_WDL, 13, 15},
                 {"connect-3x4-k3-cylinder", PLB_DTM, 13, 15},
                 {"square-3x3-misere", PLB_WDL, 10, 15},
                 {"connect-4x4-k4", PLB_DTM, 17, 2}};
    uint64_t random = support_seed("planted flaws", 1);
    int planted = 0;
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        if (!support_has_turn(g, 2)) continue;
        const char *good = support_path(state, games[g].spec);
        support_build_values(games[g].spec, games[g].values, good, NULL, 1);
        planted += plant_everywhere(state, good, FLIP_VALUE, games[g].each, &random);
        planted += plant_everywhere(state, good, INVERT_BLOCK, 2, &random);
        if (games[g].values == PLB_DTM) {
            planted += plant_everywhere(state, good, FLIP_ROUND, games[g].each, &random);
            int of_distances = plant_distances(state, good);
            assert_true(of_distances > 4);
            planted += of_distances;
        }
        planted += plant_counts(state, good, games[g].plies);
    }
    printf("%d flaws\n", planted);
    assert_true(planted > 150);
}

static void build_by_keys(const char *spec, const char *path) {
    plb_build_options options = support_build_options(path, NULL, 1);
    plb_space space;
    plb_message why;
    plb_built built;
    assert_int_equal(plb_space_begin(spec, &space, NULL), PLB_OK);
    assert_int_equal(plb_space_add_index(&space, PLB_KEYS, NULL), PLB_OK);
    support_expect(plb_build(&space, &options, &built, &why), PLB_OK, spec, &why);
    plb_space_close(&space);
}

/* A table of keys is always checked completely, even if samples are requested. */
static void every_flaw_in_a_table_of_keys_is_found(void **state) {
    static const char *const specs[] = {"mnk-3x3-k3", "connect-4x3-k3", "numeric-2x2-each"};
    static const verify_options sampled = {.whole_entries = 1, .samples = 1, .threads = 1};
    int planted = 0;
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        const char *good = support_path(state, specs[s]);
        verify_report report;
        build_by_keys(specs[s], good);
        expect_good(good, &sampled, &report);
        for (int ply = 0; ply < report.plies; ply++) assert_true(report.ply[ply].whole);
        planted += flip_every_key(state, good);
        planted += plant_counts(state, good, report.plies);
    }
    printf("%d flaws\n", planted);
    assert_true(planted > 100);
}

/* Check that the probability of finding a flaw is at least `chance`. A true statement fails less
 * than once in 10,000 times (Hoeffding, Probability inequalities, 1963). */
static void assert_frequency(const char *what, int found, int runs, double chance) {
    printf("%s: found %d times of %d, stated %.3f\n", what, found, runs, chance);
    if (found < runs * chance - sqrt(0.5 * log(10000.0) * runs))
        fail_msg("%s was found %d times of %d, stated is a chance of %.3f", what, found, runs,
                 chance);
}

/* Verify wrong values of the ply with the fewest checked places, each with many seeds. */
static void see_wrong_values(void **state, const char *spec, int ply, verify_options sampled) {
    enum { VALUES = 5, RUNS = 40 };
    const char *good = support_path(state, spec);
    uint64_t random = support_seed("wrong values", 3);
    verify_report report;
    plb_table_file p;
    int found = 0;
    support_build(spec, good, NULL, 1);
    expect_good(good, &sampled, &report);
    double stated = report.chances.value;
    assert_true(stated > 0.1 && stated < 0.5);
    open_table_file(good, &p);
    for (int n = 0; n < VALUES; n++) {
        flaw f = {.change = FLIP_VALUE, .ply = ply};
        char path[SUPPORT_PATH];
        assert_true(draw_stored(&p, NULL, f.ply, &random, &f.at));
        make_flawed(state, &p, &f, path);
        int before = found;
        for (int run = 0; run < RUNS; run++, sampled.seed++)
            found += verify_file(path, &sampled, &report, NULL) == PLB_ECORRUPT;
        if (found == before) fail_msg("a wrong value is never found");
    }
    plb_table_file_close(&p);
    assert_frequency("a wrong value", found, VALUES * RUNS, stated);
}

/* With samples of every block, and with samples of some blocks. */
static void one_wrong_value_is_seen_as_often_as_stated(void **state) {
    see_wrong_values(state, "connect-4x3-k4", 8, (verify_options){.samples = 300, .threads = 1});
    see_wrong_values(state, "connect-4x4-k4", 10,
                     (verify_options){.samples = 4096, .blocks = 100, .threads = 1});
}

/* Draw a stored block, all with the same probability. */
static void draw_block(const plb_table_file *p, const verify_report *report, uint64_t *random,
                       flaw *f) {
    uint64_t stored = 0;
    for (int ply = 0; ply < report->plies; ply++) stored += report->ply[ply].stored;
    uint64_t left = support_random_below(random, stored);
    for (f->ply = 0; left >= report->ply[f->ply].stored; f->ply++)
        left -= report->ply[f->ply].stored;
    plb_block_layout cut = layout_of(p, f->ply);
    for (uint64_t s = 0;; s++) {
        uint64_t first = s * cut.blocks_per_segment;
        plb_segment segment = {.blocks = plb_block_layout_blocks(&cut, s)};
        uint8_t *bytes;
        assert_int_equal(
            plb_store_get_segment(p->store, f->ply, first, &bytes, &segment.size, NULL), PLB_OK);
        segment.bytes = bytes;
        bool found = false;
        for (uint64_t b = 0; b < segment.blocks && !found; b++) {
            f->at.block = first + b;
            found = plb_segment_has_block(&segment, b) && left-- == 0;
        }
        free(bytes);
        if (found) return;
    }
}

/* Stored blocks are inverted, one at a time. */
static void one_wrong_block_is_seen_as_often_as_stated(void **state) {
    const char *good = support_path(state, "connect-5x4-k4");
    verify_options sampled = {.samples = 1, .threads = 1, .whole_entries = 100};
    verify_report report;
    plb_table_file p;
    int runs = 0, found = 0;
    uint64_t random = support_seed("wrong blocks", 5);
    support_build("connect-5x4-k4", good, NULL, 1);
    expect_good(good, &sampled, &report);
    assert_true(report.chances.block > 0.2 && report.chances.block < 0.95);
    open_table_file(good, &p);
    for (int n = 0; n < 80; n++) {
        flaw f = {.change = INVERT_BLOCK};
        draw_block(&p, &report, &random, &f);
        sampled.seed = n;
        found += is_found(state, &p, &f, &sampled);
        runs++;
    }
    plb_table_file_close(&p);
    assert_frequency("a wrong block", found, runs, report.chances.block);
}

static void one_wrong_row_is_seen_as_often_as_stated(void **state) {
    const char *good = support_path(state, "connect-4x4-k4-misere");
    verify_options sampled = {.samples = 1, .threads = 1, .whole_entries = 10000};
    verify_report report;
    plb_table_file p;
    int found = 0;
    support_build("connect-4x4-k4-misere", good, NULL, 1);
    expect_good(good, &sampled, &report);
    assert_true(report.chances.row > 0.2 && report.chances.row < 0.8);
    open_table_file(good, &p);
    for (int ply = 0; ply < report.plies; ply++) {
        flaw f = {.change = MOVE_COUNT, .ply = ply};
        found += is_found(state, &p, &f, &sampled);
    }
    plb_table_file_close(&p);
    assert_true(found >= report.plies * report.chances.row);
}

/* Without counting, a longest position with a wrong distance is found. */
static void a_position_that_is_not_the_longest_is_seen(void **state) {
    static const verify_options sampled = {.samples = 1, .threads = 1};
    const char *good = support_path(state, "connect-4x4-k3");
    verify_report report;
    plb_ply_distances plies[PLB_MAX_CELLS + 1];
    plb_table_file p;
    int found = 0, planted = 0;
    support_build_values("connect-4x4-k3", PLB_DTM, good, NULL, 1);
    expect_good(good, &sampled, &report);
    open_table_file(good, &p);
    read_distances(&p, plies);
    for (int ply = 0; ply <= p.space.game.cells; ply++) {
        flaw f = {.change = MOVE_LONGEST, .ply = ply};
        if (!change_distances(&p, &f, &plies[ply])) continue;
        found += is_found(state, &p, &f, &sampled);
        planted++;
    }
    plb_table_file_close(&p);
    printf("%d of %d\n", found, planted);
    assert_true(planted > 5 && found == planted);
}

static void other_seeds_look_at_other_places(void **state) {
    const char *good = support_path(state, "connect-5x4-k4");
    verify_options sampled = {.samples = 8, .threads = 2};
    verify_report first, again, other;
    support_build("connect-5x4-k4", good, NULL, 1);
    expect_good(good, &sampled, &first);
    sampled.threads = 1;
    expect_good(good, &sampled, &again);
    sampled.seed = 1;
    expect_good(good, &sampled, &other);
    int same = 0;
    for (int ply = 0; ply < first.plies; ply++) {
        assert_int_equal(first.ply[ply].checked, again.ply[ply].checked);
        same += first.ply[ply].checked == other.ply[ply].checked && first.ply[ply].checked > 0;
    }
    assert_true(same < 5);
    assert_string_equal(first.contents, other.contents);
}

/* ---- files that tools of LMDB have written ---- */

/* Copy a file as mdb_copy -c does. */
static void rewrite(const char *from, const char *to) {
    MDB_env *env;
    remove(to);
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_open(env, from, MDB_NOSUBDIR | MDB_RDONLY | MDB_NOLOCK, 0), 0);
    assert_int_equal(mdb_env_copy2(env, to, MDB_CP_COMPACT), 0);
    mdb_env_close(env);
}

/* The contents of such a file are checked, and found right or wrong. */
static void a_file_of_another_program_is_no_damage(void **state) {
    static verify_report right, report;
    const char *path = support_path(state, "table.plb"), *copy = support_path(state, "copy.plb");
    char flawed[SUPPORT_PATH];
    plb_table_file file;
    plb_message why;
    support_build("connect-4x4-k4", path, NULL, 1);
    expect_good(path, &without_searches, &right);
    rewrite(path, copy);
    support_expect(verify_file(copy, &without_searches, &report, &why), PLB_ECORRUPT, copy, &why);
    assert_int_equal(report.finding.kind, VERIFY_REWRITTEN);
    assert_non_null(strstr(report.finding.message.text, "rewritten by another program"));
    assert_string_equal(report.contents, right.contents);
    open_table_file(path, &file);
    make_flawed(state, &file, &(flaw){.change = MOVE_COUNT, .ply = 8}, flawed);
    plb_table_file_close(&file);
    rewrite(flawed, copy);
    assert_int_equal(verify_file(copy, &without_searches, &report, NULL), PLB_ECORRUPT);
    assert_int_equal(report.finding.kind, VERIFY_COUNTS);
    size_t size;
    uint8_t *bytes = support_read_file(path, &size);
    support_write_file(copy, bytes, size);
    FILE *end = fopen(copy, "ab");
    fputc(1, end);
    fclose(end);
    free(bytes);
    assert_int_equal(verify_file(copy, &without_searches, &report, NULL), PLB_ECORRUPT);
    assert_int_equal(report.finding.kind, VERIFY_DAMAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_file_of_another_program_is_no_damage),
        SUPPORT_IN_FOLDER(every_flaw_is_found_where_all_is_checked),
        SUPPORT_IN_FOLDER(every_flaw_in_a_table_of_keys_is_found),
        SUPPORT_IN_FOLDER(one_wrong_value_is_seen_as_often_as_stated),
        SUPPORT_IN_FOLDER(one_wrong_block_is_seen_as_often_as_stated),
        SUPPORT_IN_FOLDER(one_wrong_row_is_seen_as_often_as_stated),
        SUPPORT_IN_FOLDER(a_position_that_is_not_the_longest_is_seen),
        SUPPORT_IN_FOLDER(other_seeds_look_at_other_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
