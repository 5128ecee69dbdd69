/* SPDX-License-Identifier: MIT
 *
 * Forecasts: more memory never makes a build slower or narrower, workers fit the memory they were
 * made for, what is counted rather than sampled is right, and a build takes no more of the disk.
 */
#include "builder/forecast.h"

#include <sys/stat.h>
#include <unistd.h>

#include "builder/build_folder.h"
#include "tests/support.h"

static const char *const specs[] = {"connect-4x4-k4", "connect-7x6-k4", "connect-5x5-k4-cylinder",
                                    "mnk-5x5-k4", "square-4x4-misere"};
enum { SPECS = sizeof specs / sizeof specs[0], THREADS = 6 };

static plb_forecast count_and_sample(const char *spec, plb_values values, uint64_t count_entries) {
    plb_space space;
    plb_forecast forecast;
    support_open_space(spec, &space);
    plb_forecast_make(&space.index, values, count_entries, &forecast);
    plb_space_close(&space);
    return forecast;
}

static plb_forecast make_forecast(const char *spec, plb_values values) {
    return count_and_sample(spec, values, 0);
}

static void workers_fit_the_memory(void **state) {
    (void)state;
    for (int s = 0; s < SPECS; s++) {
        plb_forecast f = make_forecast(specs[s], s % 2 ? PLB_DTM : PLB_WDL);
        int before[PLB_MAX_CELLS + 1], workers[PLB_MAX_CELLS + 1];
        double least = plb_forecast_workers(&f, THREADS, 0, before);
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) assert_int_equal(before[ply], 1);
        for (double memory = least; memory < 100 * least; memory *= 1.3) {
            assert_true(plb_forecast_workers(&f, THREADS, memory, workers) <= memory);
            for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
                assert_in_range(workers[ply], before[ply], THREADS);
                before[ply] = workers[ply];
            }
        }
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) assert_int_equal(workers[ply], THREADS);
    }
}

static void memory_saves_time(void **state) {
    (void)state;
    for (int s = 0; s < SPECS; s++) {
        plb_forecast f = make_forecast(specs[s], PLB_WDL);
        double none = plb_forecast_seconds(&f, 0), before = none;
        for (double share = 0; share <= 1; share += 0.125) {
            double seconds = plb_forecast_seconds(&f, share * PLB_HELD_SHARE * f.held_bytes);
            assert_true(seconds > 0 && seconds <= before);
            before = seconds;
        }
        assert_true(before < none);
        /* From there on more is of no use. */
        assert_true(plb_forecast_seconds(&f, 1e18) == before);
    }
}

/* The published number of positions, see tests/data. */
static void a_small_board_is_counted(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-3x3-k4", PLB_WDL);
    assert_true(f.exact);
    assert_true(f.positions == 869);
    assert_false(make_forecast("connect-7x6-k4", PLB_WDL).exact);
}

/* Tromp's 161,029 positions, of which ply 8 has 5,084 (README of the tables: `plybase stats`). */
static void plies_are_counted_where_it_is_asked_for(void **state) {
    (void)state;
    plb_forecast f = count_and_sample("connect-4x4-k4", PLB_WDL, 1 << 20);
    assert_true(f.exact && f.positions == 161029 && f.plies[8].positions == 5084);
    f = count_and_sample("connect-5x5-k4", PLB_WDL, 10000);
    assert_false(f.exact);
    assert_true(f.plies[5].exact && f.plies[5].positions == 1075);
    assert_true(f.plies[6].exact && f.plies[6].positions == 3350);
    assert_false(f.plies[15].exact);
}

/* ---- disk ---- */

typedef struct disk_watch {
    const char *output;
    double most, last; /* bytes of the scratch files */
} disk_watch;

static void watch_disk(void *context, const plb_progress *progress) {
    (void)progress;
    disk_watch *w = context;
    w->last = plb_build_folder_bytes(w->output);
    if (w->last > w->most) w->most = w->last;
}

/* The most that a build takes: seen at its reports, the last of which comes before the table is
 * made beside the scratch files. */
static double most_bytes(void **state, const char *spec, plb_values values, uint64_t spare_bytes,
                         double save_seconds) {
    disk_watch w = {.output = support_path(state, "table")};
    plb_space space;
    support_open_space(spec, &space);
    plb_build_options options = support_build_options(w.output, NULL, 1);
    options.values = values;
    options.spare_bytes = spare_bytes;
    options.save_seconds = save_seconds;
    options.report = watch_disk;
    options.context = &w;
    bool existed;
    struct stat table;
    assert_int_equal(plb_build(&space, &options, &existed, NULL), PLB_OK);
    assert_int_equal(stat(w.output, &table), 0);
    assert_int_equal(unlink(w.output), 0);
    plb_space_close(&space);
    double assembled = w.last + (double)table.st_size;
    return assembled > w.most ? assembled : w.most;
}

static void a_build_takes_no_more_disk_than_forecast(void **state) {
    static const char *const boards[] = {
        "connect-3x3-k3",        "connect-4x4-k4", "connect-5x4-k4",    "connect-5x4-k4-cylinder",
        "connect-5x4-k3-misere", "mnk-4x4-k4",     "mnk-4x4-k3-misere", "square-4x4",
        "connect-5x5-k4"};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++)
        for (int way = 0; way < 4; way++) {
            plb_values values = way % 2 ? PLB_DTM : PLB_WDL;
            double forecast = make_forecast(boards[b], values).scratch_bytes;
            double most = most_bytes(state, boards[b], values, 0, way / 2 ? 1e9 : 0);
            if (forecast < most || forecast > 4.5 * most)
                fail_msg("%s: a forecast of %.0f bytes, %.0f were taken", boards[b], forecast,
                         most);
        }
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_fit_the_memory),
        cmocka_unit_test(memory_saves_time),
        cmocka_unit_test(a_small_board_is_counted),
        cmocka_unit_test(plies_are_counted_where_it_is_asked_for),
        SUPPORT_IN_FOLDER(a_build_takes_no_more_disk_than_forecast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
