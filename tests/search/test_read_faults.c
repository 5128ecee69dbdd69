/* SPDX-License-Identifier: MIT
 *
 * Read errors: the nth read of a table fails, for n = 1, 2, .. until there are no more reads.
 * Opening, probing, listing, exporting and verifying end with PLB_EIO and a sentence that names the
 * file, or are right. A failing disk is not reported as a damaged table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/export_rows.h"
#include "tests/support/strategies.h"
#include "tests/support/verify_file.h"
#include "tests/support/watched_disk.h"
#include "tools/verify/verifier.h"

/* ---- uses of a table ---- */

static int open_only(const char *path, plb_message *why) {
    plb_table *table = NULL;
    int error = plb_open(path, &table, why);
    assert_true((table == NULL) == (error != 0));
    plb_close(table);
    return error;
}

/* Probe every position; in a batch each one has its own error. */
static int probe_each(const char *path, plb_message *why) {
    plb_table *table = NULL;
    int error = plb_open(path, &table, why);
    for (int ply = 0; !error && ply <= plb_info(table)->cells; ply++) {
        plb_listing listing = {.ply = ply};
        uint64_t x[64], o[64];
        size_t count;
        while (!listing.done && !error) {
            plb_query queries[64] = {{0}};
            assert_int_equal(plb_list_positions(table, &listing, 64, x, o, &count), PLB_OK);
            for (size_t p = 0; p < count; p++) queries[p] = (plb_query){.x = x[p], .o = o[p]};
            assert_int_equal(plb_probe_many(table, queries, count), PLB_OK);
            for (size_t p = 0; p < count; p++) {
                plb_answer answer;
                int again = plb_probe(table, x[p], o[p], &answer, why);
                if (queries[p].error || again) error = queries[p].error ? queries[p].error : again;
                if (queries[p].error) strcpy(why->text, path);
                if (!error) assert_int_equal(queries[p].answer.value, answer.value);
            }
        }
    }
    plb_close(table);
    return error;
}

static bool take_row(void *context, const plb_export_row *row) {
    (void)context;
    (void)row;
    return true;
}

static int export_all(const char *path, plb_message *why) {
    const plb_export_options options = {.samples = 0};
    const plb_export_taker taker = {take_row, NULL};
    plb_table *table = NULL;
    plb_export_source source;
    uint64_t done;
    int error = plb_open(path, &table, why);
    if (!error) error = plb_export_init(table, &options, &source, why);
    for (uint64_t task = 0; !error && task < source.tasks; task++)
        error = plb_export_run(&source, task, &taker, &done, why);
    plb_close(table);
    return error;
}

static int verify(const char *path, plb_message *why) {
    static const verify_options whole = {.whole_entries = UINT64_MAX, .samples = 64, .threads = 1};
    static const verify_options drawn = {.samples = 64, .threads = 1};
    verify_report report;
    int error = verify_file(path, &whole, &report, why);
    if (!error) error = verify_file(path, &drawn, &report, why);
    if (error) assert_int_equal(report.finding.kind, VERIFY_GOOD);
    return error;
}

static int verify_moves(const char *path, plb_message *why) {
    strategy_check_options options = {.threads = 1};
    strategy_report report;
    plb_table *table = NULL;
    int error = plb_open(path, &table, why);
    if (!error) error = verify_strategy(table, &options, &report, why);
    plb_close(table);
    return error;
}

/* ---- faults ---- */

typedef int work(const char *path, plb_message *why);

static int fail_each_read(void **state, const char *path, work *what) {
    int faults = 0;
    watched_disk_begin(*state);
    for (uint64_t nth = 1;; nth = support_next_fault(nth)) {
        for (int for_good = 0; for_good < 2; for_good++) {
            plb_message why = {""};
            watched_disk_arm(DISK_READ, nth, EIO, for_good);
            int error = what(path, &why);
            bool failed = watched_disk_disarm();
            if (failed && (error != PLB_EIO || !strstr(why.text, path)))
                fail_msg("read %d: error %d, %s", (int)nth, error, why.text);
            if (!failed) {
                support_expect(error, PLB_OK, path, &why);
                watched_disk_begin(NULL);
                return faults;
            }
            faults++;
        }
    }
}

static void a_disk_that_fails_is_told(void **state) {
    static const struct {
        const char *spec;
        plb_value_kind values;
        plb_index_kind index;
    } tables[] = {{"connect-4x3-k3", PLB_DTM, PLB_SLABS}, {"mnk-3x3-k3", PLB_WDL, PLB_KEYS}};
    static const struct {
        const char *name;
        work *work;
    } works[] = {
        {"open", open_only}, {"probe", probe_each}, {"export", export_all}, {"verify", verify}};
    for (int t = 0; t < 2; t++) {
        char path[SUPPORT_PATH];
        plb_space space;
        plb_built built;
        strcpy(path, support_path(state, tables[t].spec));
        plb_build_options options = support_build_options(path, NULL, 1);
        options.values = tables[t].values;
        support_open_kind(tables[t].spec, tables[t].index, &space);
        assert_int_equal(plb_build(&space, &options, &built, NULL), PLB_OK);
        plb_space_close(&space);
        for (size_t w = 0; w < sizeof works / sizeof *works; w++)
            print_message("%s, %s: %d faults\n", tables[t].spec, works[w].name,
                          fail_each_read(state, path, works[w].work));
    }
}

static void a_strategy_on_such_a_disk_too(void **state) {
    char table[SUPPORT_PATH], path[SUPPORT_PATH];
    made_strategy m;
    strcpy(table, support_path(state, "table"));
    strcpy(path, support_path(state, "strategy"));
    support_build("connect-4x4-k4", table, NULL, 1);
    extract_strategy("connect-4x4-k4", table, (plb_strategy_claim){1, PLB_DRAW, 1}, CHOOSE_FIRST,
                     &m);
    write_strategy(&m, path);
    discard_strategy(&m);
    assert_true(fail_each_read(state, path, open_only) > 10);
    assert_true(fail_each_read(state, path, verify_moves) > 10);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_disk_that_fails_is_told),
        SUPPORT_IN_FOLDER(a_strategy_on_such_a_disk_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
