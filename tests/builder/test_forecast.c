/* SPDX-License-Identifier: MIT
 *
 * Forecasts and budgets: more memory never makes a build slower or reduces its workers, budgets fit
 * the memory that they were made for, and counted numbers of positions are exact. With the argument
 * `disk`: a build takes no more disk space than forecast.
 */
#include "builder/forecast/forecast.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builder/scratch/build_folder.h"
#include "tests/support/support.h"

static const char *const specs[] = {"connect-4x4-k4", "connect-7x6-k4", "connect-5x5-k4-cylinder",
                                    "mnk-5x5-k4", "square-4x4-misere"};
enum { SPECS = sizeof specs / sizeof specs[0], THREADS = 6 };

static plb_forecast make_forecast(const char *spec, plb_value_kind values) {
    plb_space space;
    plb_forecast forecast;
    support_open_space(spec, &space);
    plb_forecast_make(&space.index, values, 2, &forecast);
    plb_space_close(&space);
    return forecast;
}

static void memory_saves_time(void **state) {
    (void)state;
    for (int s = 0; s < SPECS; s++) {
        plb_forecast f = make_forecast(specs[s], PLB_WDL);
        double none = plb_forecast_seconds(&f, 0), before = none;
        for (double share = 0; share <= 1; share += 0.125) {
            double seconds = plb_forecast_seconds(&f, share * f.held_bytes);
            assert_true(seconds > 0 && seconds <= before);
            before = seconds;
        }
        assert_true(before < none);
        /* All planes are in memory: more memory does not help. */
        assert_true(plb_forecast_seconds(&f, 1e18) == before);
    }
}

/* ---- budgets ---- */

/* While a ply is solved, all of the memory is assigned, and no byte twice. Workers have a fifth
 * more than they need, if it is there. Planes of plies and the cache have the rest. */
static void check_shares(const plb_forecast *f, const plb_budget *b, double memory) {
    double base = f->memory.shared_bytes + THREADS * f->memory.thread_bytes, max = 0;
    const double *exchange = f->memory.exchange_bytes;
    double workers[PLB_MAX_CELLS + 1];
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        workers[ply] = b->workers[ply] * f->memory.worker_bytes[ply];
        if (b->piece_bytes[ply] > 0) workers[ply] = b->piece_bytes[ply];
        max = fmax(max, workers[ply] + exchange[ply]);
    }
    assert_true(fabs(fmax(base + max, f->memory.rounds_bytes) - b->needed_bytes) < 1);
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        bool holds =
            b->holds[ply] || b->holds[ply + (ply < PLB_MAX_CELLS)] || b->holds[ply - (ply > 0)];
        double factor = b->piece_bytes[ply] > 0 ? 1 : 1.2;
        double used = base + fmin(factor * workers[ply] + exchange[ply], max) +
                      (holds ? (double)b->ply_memory_bytes : 0) + (double)b->cache_bytes[ply];
        assert_true(fabs(memory - used) < 8);
    }
}

static void budgets_fit_the_memory(void **state) {
    (void)state;
    for (int s = 0; s < SPECS; s++) {
        plb_forecast f = make_forecast(specs[s], s % 2 ? PLB_DTM : PLB_WDL);
        for (int ply = 0; ply < PLB_MAX_CELLS && s % 3 == 0; ply++) /* as for a rank */
            f.memory.exchange_bytes[ply] = f.memory.piece_bytes[ply] * (ply % 4) / 2;
        plb_budget least = plb_budget_make(&f.memory, THREADS, 0), before = least;
        assert_true(least.needed_bytes ==
                    floor(least.needed_bytes)); /* whole bytes: an option --memory */
        assert_true(least.ply_memory_bytes == 0);
        assert_true(plb_budget_max_cache_bytes(&least) == 0);
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) assert_int_equal(least.workers[ply], 1);
        for (double memory = least.needed_bytes; memory < 1e4 * least.needed_bytes; memory *= 1.3) {
            plb_budget b = plb_budget_make(&f.memory, THREADS, memory);
            check_shares(&f, &b, memory);
            assert_true(b.needed_bytes <= memory);
            for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
                assert_in_range(b.workers[ply], before.workers[ply], THREADS);
                /* more workers leave less memory for planes */
                assert_true(b.needed_bytes > before.needed_bytes ||
                            b.holds[ply] >= before.holds[ply]);
            }
            before = b;
        }
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
            assert_int_equal(before.workers[ply], THREADS);
            assert_true(before.holds[ply]);
        }
    }
}

static void spare_for_planes_gives_memory_of_that_size(void **state) {
    (void)state;
    for (double bytes = 6; bytes < 1e12; bytes *= 10) {
        plb_budget b = plb_budget_of_spare((uint64_t)plb_budget_spare_for_planes(bytes));
        assert_true(fabs((double)b.ply_memory_bytes - bytes) <= 3);
    }
}

/* The positions are counted before the first ply: with the least memory by one thread in rounds,
 * with more memory at once, with still more by as many threads as fit. */
static void counting_threads_fit_the_memory(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-6x6-k4", PLB_WDL);
    double ahead = f.memory.ahead_bytes, rounds = f.memory.rounds_bytes;
    int before = 1;
    assert_true(rounds < ahead);
    assert_true(plb_budget_make(&f.memory, 64, rounds).ahead_in_rounds);
    assert_int_equal(plb_budget_make(&f.memory, 64, rounds).ahead_threads, 1);
    assert_false(plb_budget_make(&f.memory, 64, ahead).ahead_in_rounds);
    assert_int_equal(plb_budget_make(&f.memory, 64, ahead).ahead_threads, 1);
    for (double memory = ahead; memory < 64 * ahead; memory *= 1.1) {
        int threads = plb_budget_make(&f.memory, 64, memory).ahead_threads;
        assert_in_range(threads, before, 64);
        assert_true(memory >= ahead * (1 + 0.41 * (threads - 1)));
        before = threads;
    }
    assert_int_equal(before, 64);
    /* A process with one thread may count with more. */
    plb_budget budget = plb_budget_make(&f.memory, 1, 64 * ahead);
    assert_int_equal(budget.ahead_threads, 1);
    plb_budget_count_with(&budget, &f.memory, 4);
    assert_int_equal(budget.ahead_threads, 4);
    budget = plb_budget_make(&f.memory, 1, 2 * ahead);
    plb_budget_count_with(&budget, &f.memory, 64);
    assert_in_range(budget.ahead_threads, 2, 4);
}

/* A program that builds may give the size of the memory instead of a budget. */
static void a_build_makes_its_own_budget(void **state) {
    static const char spec[] = "connect-4x3-k3";
    const char *output = support_path(state, "table"), *other = support_path(state, "other");
    plb_message why;
    plb_build_options options = support_build_options(output, NULL, 2);
    options.memory_bytes = 1 << 20;
    support_expect(support_run_build(spec, &options, NULL, &why), PLB_ETOOBIG, "1 MiB", &why);
    assert_non_null(strstr(why.text, "connect-4x3-k3 needs about "));
    assert_false(support_exists(output));
    options.memory_bytes = 256 << 20;
    support_expect(support_run_build(spec, &options, NULL, &why), PLB_OK, "256 MiB", &why);
    support_build(spec, other, NULL, 1);
    support_assert_same_files(output, other);
}

/* The published number of positions: see tests/data. */
static void a_small_board_is_counted(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-3x3-k4", PLB_WDL);
    assert_true(f.exact);
    assert_true(f.positions == 869);
    assert_false(make_forecast("connect-7x6-k4", PLB_WDL).exact);
}

/* Published numbers: see tests/data. Plies: as in tests/commands/test_command.sh. */
static void small_plies_are_exact_and_large_ones_within_a_twentieth(void **state) {
    static const struct {
        const char *spec;
        double positions;
    } boards[] = {{"connect-4x4-k4", 161029},
                  {"connect-5x5-k4", 69763700},
                  {"connect-6x6-k4", 69173028785},
                  {"connect-7x6-k4", 4531985219092},
                  {"mnk-4x4-k4", 9722011}};
    (void)state;
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        double ratio = make_forecast(boards[b].spec, PLB_WDL).positions / boards[b].positions;
        if (ratio < 0.95 || ratio > 1.05) fail_msg("%s: %.3f times", boards[b].spec, ratio);
    }
    plb_forecast f = make_forecast("connect-5x5-k4", PLB_WDL);
    assert_false(f.exact);
    assert_true(f.plies[5].exact && f.plies[5].positions == 1075);
    assert_true(f.plies[6].exact && f.plies[6].positions == 3350);
    assert_false(f.plies[15].exact);
}

/* ---- disk ---- */

typedef struct disk_watch {
    const char *output;
    double max, last; /* bytes of the scratch files */
} disk_watch;

static void watch_disk(void *context, const plb_progress *progress) {
    (void)progress;
    disk_watch *w = context;
    w->last = plb_build_folder_bytes(w->output);
    w->max = fmax(w->max, w->last);
}

/* The disk space that a build takes at most: at a report, or at the end, when the table is beside
 * the scratch files of the last report. */
static double max_bytes(void **state, const char *spec, plb_value_kind values, uint64_t spare_bytes,
                        double save_seconds, double *table_bytes) {
    disk_watch w = {.output = support_path(state, "table")};
    plb_build_options options = support_build_options(w.output, NULL, 1);
    options.values = values;
    options.budget = plb_budget_of_spare(spare_bytes);
    options.save_seconds = save_seconds;
    options.report = watch_disk;
    options.context = &w;
    struct stat table;
    assert_int_equal(support_run_build(spec, &options, NULL, NULL), PLB_OK);
    assert_int_equal(stat(w.output, &table), 0);
    assert_int_equal(unlink(w.output), 0);
    *table_bytes = (double)table.st_size;
    return fmax(w.last + *table_bytes, w.max);
}

static int plies_of(const char *spec) {
    return support_game(spec).cells + 1;
}

static void a_build_takes_no_more_disk_than_forecast(void **state) {
    static const char *const boards[] = {
        "connect-3x3-k3",        "connect-4x4-k4", "connect-5x4-k4",    "connect-5x4-k4-cylinder",
        "connect-5x4-k3-misere", "mnk-4x4-k4",     "mnk-4x4-k3-misere", "square-4x4",
        "connect-5x5-k4"};
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b += support_step(3))
        for (int way = 0; way < 4; way++) {
            plb_value_kind values = way % 2 ? PLB_DTM : PLB_WDL;
            double save_seconds = way / 2 ? 1e9 : 0;
            if (!support_has_turn(b + way, 2)) continue;
            plb_forecast f = make_forecast(boards[b], values);
            double forecast =
                plb_forecast_scratch_bytes(&f, plies_of(boards[b]), save_seconds, PLB_PART_ENTRIES);
            double table, used = max_bytes(state, boards[b], values, 0, save_seconds, &table);
            if (forecast < used || forecast > 4.5 * used)
                fail_msg("%s: a forecast of %.0f bytes, %.0f were used", boards[b], forecast, used);
        }
}

typedef struct disk_sampler {
    const char *output;
    double max;
    int done;
} disk_sampler;

static void *sample_disk(void *context) {
    disk_sampler *s = context;
    while (!__atomic_load_n(&s->done, __ATOMIC_RELAXED)) {
        s->max = fmax(s->max, plb_build_folder_bytes(s->output));
        usleep(500);
    }
    return NULL;
}

/* The records of this board are big, as those of boards that fill disks. While the values of a ply
 * are saved, those of the next ply are still there; no report comes then, so a thread samples. */
static void the_disk_of_a_big_board_is_forecast_closely(void **state) {
    enum { ALL_PLANES = 600 << 20 };
    disk_sampler sampler = {.output = support_path(state, "table")};
    pthread_t thread;
    const char *spec = "connect-6x5-k4";
    if (!support_has_turn(0, 2)) skip();
    plb_forecast f = make_forecast(spec, PLB_WDL);
    double forecast = plb_forecast_scratch_bytes(&f, plies_of(spec), 0, PLB_PART_ENTRIES);
    assert_int_equal(pthread_create(&thread, NULL, sample_disk, &sampler), 0);
    double table, used = max_bytes(state, spec, PLB_WDL, ALL_PLANES, 0, &table);
    __atomic_store_n(&sampler.done, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    used = fmax(used, sampler.max);
    printf("%s: a forecast of %.0f bytes, %.0f were used; table %.0f, %.0f\n", spec, forecast, used,
           f.table_bytes, table);
    assert_true(forecast >= used && forecast < 1.3 * used);
    assert_true(f.table_bytes > 0.9 * table && f.table_bytes < 1.1 * table);
}

static void add_values(void *context, const plb_progress *progress) {
    if (progress->ply_done) *(double *)context += (double)progress->values_bytes;
}

/* Values with distances, in the last plies. */
static void big_records_of_distances_are_forecast_closely(void **state) {
    enum { FIRST = 27 };
    plb_space space;
    plb_message why;
    if (!support_has_turn(1, 2)) skip();
    plb_forecast f = make_forecast("connect-6x5-k4", PLB_DTM);
    plb_build_options options = support_build_options(support_path(state, "trial"), NULL, 2);
    double forecast = 0, made = 0;
    options.values = PLB_DTM;
    options.report = add_values;
    options.context = &made;
    support_open_space("connect-6x5-k4", &space);
    support_expect(plb_build_trial(&space, &options, FIRST, &why), PLB_OK, "a trial", &why);
    for (int ply = FIRST; ply <= space.game.cells; ply++) forecast += f.plies[ply].values_bytes;
    plb_space_close(&space);
    printf("connect-6x5-k4, distances: a forecast of %.0f bytes of values, %.0f made\n", forecast,
           made);
    assert_true(forecast > 0.85 * made && forecast < 1.15 * made);
}

/* Saved reach files stay until the next save. */
static void rarer_saves_take_more_disk(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-7x7-k4-cylinder", PLB_WDL);
    assert_true(plb_forecast_scratch_bytes(&f, 50, 60, PLB_PART_ENTRIES) <
                plb_forecast_scratch_bytes(&f, 50, 200000, PLB_PART_ENTRIES));
}

/* With shards a ply has no parts: its values are on the disk together with those of the next ply.
 */
static void shards_take_more_disk(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-7x7-k4", PLB_WDL);
    assert_true(plb_forecast_scratch_bytes(&f, 50, 60, PLB_PART_ENTRIES) <
                plb_forecast_scratch_bytes(&f, 50, 60, INFINITY));
}

int main(int argc, char **argv) {
    support_use_memory();
    const struct CMUnitTest disk[] = {
        SUPPORT_IN_FOLDER(a_build_takes_no_more_disk_than_forecast),
        SUPPORT_IN_FOLDER(the_disk_of_a_big_board_is_forecast_closely),
        SUPPORT_IN_FOLDER(big_records_of_distances_are_forecast_closely),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_fit_the_memory),
        cmocka_unit_test(spare_for_planes_gives_memory_of_that_size),
        SUPPORT_IN_FOLDER(a_build_makes_its_own_budget),
        cmocka_unit_test(counting_threads_fit_the_memory),
        cmocka_unit_test(memory_saves_time),
        cmocka_unit_test(a_small_board_is_counted),
        cmocka_unit_test(small_plies_are_exact_and_large_ones_within_a_twentieth),
        cmocka_unit_test(rarer_saves_take_more_disk),
        cmocka_unit_test(shards_take_more_disk),
    };
    if (argc > 1 && strcmp(argv[1], "disk") == 0) return cmocka_run_group_tests(disk, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
