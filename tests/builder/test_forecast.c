/* SPDX-License-Identifier: MIT
 *
 * Forecasts and budgets: more memory never makes a build slower or narrower, budgets fit the memory
 * they were made for, and what is counted rather than sampled is right. With the argument `disk`: a
 * build takes no more of the disk.
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
        /* From there on more does not help. */
        assert_true(plb_forecast_seconds(&f, 1e18) == before);
    }
}

/* ---- budgets ---- */

/* Every byte is somebody's, and nobody's twice, while a ply is worked on, but for a fifth of what
 * the workers are to have: the cache has what these leave, and sometimes the ply memory. */
static void check_shares(const plb_forecast *f, const plb_budget *b, double memory) {
    double base = f->memory.shared_bytes + THREADS * f->memory.thread_bytes, most = 0;
    const double *exchange = f->memory.exchange_bytes;
    double workers[PLB_MAX_CELLS + 1];
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        workers[ply] = b->workers[ply] * f->memory.worker_bytes[ply];
        if (b->piece_bytes[ply] > 0) workers[ply] = b->piece_bytes[ply];
        most = fmax(most, workers[ply] + exchange[ply]);
    }
    assert_true(fabs(fmax(base + most, f->memory.rounds_bytes) - b->needed_bytes) < 1);
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
        bool holds =
            b->holds[ply] || b->holds[ply + (ply < PLB_MAX_CELLS)] || b->holds[ply - (ply > 0)];
        double comfort = b->piece_bytes[ply] > 0 ? 1 : 1.2;
        double used = base + fmin(comfort * workers[ply] + exchange[ply], most) +
                      (holds ? (double)b->ply_memory_bytes : 0) + (double)b->cache_bytes[ply];
        assert_true(fabs(memory - used) < 8);
    }
}

static void budgets_fit_the_memory(void **state) {
    (void)state;
    for (int s = 0; s < SPECS; s++) {
        plb_forecast f = make_forecast(specs[s], s % 2 ? PLB_DTM : PLB_WDL);
        for (int ply = 0; ply < PLB_MAX_CELLS && s % 3 == 0; ply++) /* of a rank */
            f.memory.exchange_bytes[ply] = f.memory.piece_bytes[ply] * (ply % 4) / 2;
        plb_budget least = plb_budget_make(&f.memory, THREADS, 0), before = least;
        assert_true(least.needed_bytes == floor(least.needed_bytes)); /* as it is given back */
        assert_true(least.ply_memory_bytes == 0);
        assert_true(plb_budget_max_cache_bytes(&least) == 0);
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) assert_int_equal(least.workers[ply], 1);
        for (double memory = least.needed_bytes; memory < 1e4 * least.needed_bytes; memory *= 1.3) {
            plb_budget b = plb_budget_make(&f.memory, THREADS, memory);
            check_shares(&f, &b, memory);
            assert_true(b.needed_bytes <= memory);
            for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
                assert_in_range(b.workers[ply], before.workers[ply], THREADS);
                /* what more workers take holds nothing */
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

static void planes_of_a_size_stay_in_the_memory_for_them(void **state) {
    (void)state;
    for (double bytes = 6; bytes < 1e12; bytes *= 10) {
        plb_budget b = plb_budget_of_spare((uint64_t)plb_budget_spare_for_planes(bytes));
        assert_true(fabs((double)b.ply_memory_bytes - bytes) <= 3);
    }
}

/* With the least memory one thread counts the positions before all plies, in rounds; with more it
 * counts them at once, and with more still others help, by no more than the memory for them. */
static void threads_that_count_fit_the_memory(void **state) {
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
}

/* A program that builds says how much memory there is, and no more. */
static void a_build_makes_its_own_budget(void **state) {
    const char *output = support_path(state, "table"), *other = support_path(state, "other");
    plb_space space;
    plb_message why;
    plb_built built;
    support_open_space("connect-4x3-k3", &space);
    plb_build_options options = support_build_options(output, NULL, 2);
    options.memory_bytes = 1 << 20;
    support_expect(plb_build(&space, &options, &built, &why), PLB_ETOOBIG, "1 MiB", &why);
    assert_non_null(strstr(why.text, "connect-4x3-k3 needs about "));
    assert_false(support_exists(output));
    options.memory_bytes = 256 << 20;
    support_expect(plb_build(&space, &options, &built, &why), PLB_OK, "256 MiB", &why);
    support_build("connect-4x3-k3", other, NULL, 1);
    support_assert_same_files(output, other);
    plb_space_close(&space);
}

/* The published number of positions, see tests/data. */
static void a_small_board_is_counted(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-3x3-k4", PLB_WDL);
    assert_true(f.exact);
    assert_true(f.positions == 869);
    assert_false(make_forecast("connect-7x6-k4", PLB_WDL).exact);
}

/* Published numbers, see tests/data, and the plies of tests/commands/test_command.sh. */
static void small_plies_are_counted_and_large_ones_come_near(void **state) {
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
static double max_bytes(void **state, const char *spec, plb_value_kind values, uint64_t spare_bytes,
                        double save_seconds, double *table_bytes) {
    disk_watch w = {.output = support_path(state, "table")};
    plb_space space;
    support_open_space(spec, &space);
    plb_build_options options = support_build_options(w.output, NULL, 1);
    options.values = values;
    options.budget = plb_budget_of_spare(spare_bytes);
    options.save_seconds = save_seconds;
    options.report = watch_disk;
    options.context = &w;
    plb_built built;
    struct stat table;
    assert_int_equal(plb_build(&space, &options, &built, NULL), PLB_OK);
    assert_int_equal(stat(w.output, &table), 0);
    assert_int_equal(unlink(w.output), 0);
    plb_space_close(&space);
    *table_bytes = (double)table.st_size;
    double assembled = w.last + *table_bytes;
    return assembled > w.most ? assembled : w.most;
}

static int plies_of(const char *spec) {
    plb_game game = support_game(spec);
    int plies = game.cells + 1;
    return plies;
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
            double table, most = max_bytes(state, boards[b], values, 0, save_seconds, &table);
            if (forecast < most || forecast > 4.5 * most)
                fail_msg("%s: a forecast of %.0f bytes, %.0f were taken", boards[b], forecast,
                         most);
        }
}

typedef struct disk_sampler {
    const char *output;
    double most;
    int done;
} disk_sampler;

static void *sample_disk(void *context) {
    disk_sampler *s = context;
    while (!__atomic_load_n(&s->done, __ATOMIC_RELAXED)) {
        s->most = fmax(s->most, plb_build_folder_bytes(s->output));
        usleep(500);
    }
    return NULL;
}

/* On a board whose records are big, as those of the boards are that fill disks. Values are saved
 * while those of the ply after it are there, between two reports: another thread looks. */
static void the_disk_of_a_big_board_is_forecast_closely(void **state) {
    enum { ALL_PLANES = 600 << 20 };
    disk_sampler sampler = {.output = support_path(state, "table")};
    pthread_t thread;
    const char *spec = "connect-6x5-k4";
    if (!support_has_turn(0, 2)) skip();
    plb_forecast f = make_forecast(spec, PLB_WDL);
    double forecast = plb_forecast_scratch_bytes(&f, plies_of(spec), 0, PLB_PART_ENTRIES);
    assert_int_equal(pthread_create(&thread, NULL, sample_disk, &sampler), 0);
    double table, most = max_bytes(state, spec, PLB_WDL, ALL_PLANES, 0, &table);
    __atomic_store_n(&sampler.done, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    most = fmax(most, sampler.most);
    printf("%s: a forecast of %.0f bytes, %.0f were taken; table %.0f, %.0f\n", spec, forecast,
           most, f.table_bytes, table);
    assert_true(forecast >= most && forecast < 1.3 * most);
    assert_true(f.table_bytes >= table && f.table_bytes < 1.1 * table);
}

static void add_values(void *context, const plb_progress *progress) {
    if (progress->ply_done) *(double *)context += (double)progress->values_bytes;
}

/* With distances, in the last plies. */
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
    assert_true(forecast >= made && forecast < 1.3 * made);
}

/* Reach files that a save has left stay until the next. */
static void rarer_saves_take_more_disk(void **state) {
    (void)state;
    plb_forecast f = make_forecast("connect-7x7-k4-cylinder", PLB_WDL);
    assert_true(plb_forecast_scratch_bytes(&f, 50, 60, PLB_PART_ENTRIES) <
                plb_forecast_scratch_bytes(&f, 50, 200000, PLB_PART_ENTRIES));
}

/* With shards a ply has no parts, and its values are there with those of the ply after it. */
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
        cmocka_unit_test(planes_of_a_size_stay_in_the_memory_for_them),
        SUPPORT_IN_FOLDER(a_build_makes_its_own_budget),
        cmocka_unit_test(threads_that_count_fit_the_memory),
        cmocka_unit_test(memory_saves_time),
        cmocka_unit_test(a_small_board_is_counted),
        cmocka_unit_test(small_plies_are_counted_and_large_ones_come_near),
        cmocka_unit_test(rarer_saves_take_more_disk),
        cmocka_unit_test(shards_take_more_disk),
    };
    if (argc > 1 && strcmp(argv[1], "disk") == 0) return cmocka_run_group_tests(disk, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
