/* SPDX-License-Identifier: MIT
 *
 * The bytes that ranks receive from each other are near the forecast, on a board of each family;
 * with the argument `big`, on bigger boards and with other k. The memory of the forecast suffices.
 */
#include "builder/forecast/rank_forecast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tables/threads.h"
#include "tests/support/forked_ranks.h"
#include "tests/support/support.h"

static bool is_big;

typedef struct rank_build {
    const char *spec;
    char output[SUPPORT_PATH];
    plb_value_kind values;
    plb_budget budget;
    bool is_bound;      /* the system limits the process to the memory of the budget */
    uint64_t *received; /* shared by all processes */
} rank_build;

static int build(plb_ranks *ranks, void *context) {
    rank_build *b = context;
    plb_built built;
    plb_message why = {""};
    plb_build_options options = support_build_options(b->output, NULL, 1);
    options.ranks = ranks;
    options.save_seconds = 1e9;
    options.values = b->values;
    options.budget = b->budget;
    if (b->is_bound) plb_budget_bound_process(b->budget.memory_bytes, PLB_STACK_BYTES);
    int error = support_run_build(b->spec, &options, &built, &why);
    if (error) fprintf(stderr, "%s: %s\n", b->spec, why.text);
    if (!error && b->received && plb_ranks_number(ranks) == 0)
        *b->received = built.ranks.received_bytes;
    return error ? 1 : 0;
}

/* A build, and whether its planes stay in memory. */
typedef struct measured_build {
    const char *spec;
    plb_value_kind values;
    int ranks;
    bool in_memory;
} measured_build;

static void check_received(void **state, const measured_build *m) {
    rank_build b = {.spec = m->spec,
                    .values = m->values,
                    .budget = plb_budget_of_spare(m->in_memory ? 1 << 30 : 0)};
    int statuses[FORKED_RANKS];
    plb_space space;
    plb_forecast forecast;
    plb_rank_forecast of_ranks;
    if (!support_has_turn(0, 2)) skip();
    snprintf(b.output, sizeof b.output, "%s", support_path(state, "table"));
    b.received =
        mmap(NULL, sizeof *b.received, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(b.received != MAP_FAILED);
    forked_ranks_run(m->ranks, build, NULL, &b, statuses);
    for (int rank = 0; rank < m->ranks; rank++) assert_int_equal(statuses[rank], 0);
    support_open_space(m->spec, &space);
    plb_forecast_make(&space.index, m->values, 2, &forecast);
    const plb_rank_forecast_options options = {m->values, m->ranks, 2, &b.budget, false};
    plb_rank_forecast_make(&space.index, &forecast, &options, &of_ranks);
    plb_space_close(&space);
    double received = (double)*b.received, share = of_ranks.received_bytes / received;
    printf("%s %s, %d ranks, planes in %s: %.0f bytes received, %.3f times as many forecast\n",
           m->spec, plb_value_kind_text(m->values), m->ranks, m->in_memory ? "memory" : "files",
           received, share);
    double margin = received < 2 << 20 ? 1.3 : 1.25;
    assert_true(share > 1 / margin && share < margin);
    munmap(b.received, sizeof *b.received);
    unlink(b.output);
}

/* Values and distances; misere play; forward passes; without gravity. */
static const measured_build small_builds[] = {{"connect-5x5-k4", PLB_WDL, 2, true},
                                              {"connect-5x5-k4", PLB_WDL, 3, false},
                                              {"connect-5x5-k4", PLB_DTM, 2, true},
                                              {"connect-5x5-k4-misere", PLB_WDL, 3, true},
                                              {"connect-5x5-k4-cylinder", PLB_WDL, 3, false},
                                              {"mnk-5x4-k4-cylinder", PLB_WDL, 2, true}},
                            big_builds[] = {{"connect-5x6-k4", PLB_WDL, 2, true},
                                            {"connect-6x5-k4", PLB_WDL, 3, false},
                                            {"connect-6x5-k4", PLB_DTM, 2, true},
                                            {"connect-5x6-k4-misere", PLB_WDL, 2, true},
                                            {"connect-6x5-k4-cylinder", PLB_WDL, 2, true},
                                            {"mnk-5x4-k4", PLB_WDL, 5, false},
                                            {"mnk-5x4-k3", PLB_WDL, 2, true},
                                            {"connect-5x5-k5", PLB_WDL, 2, true},
                                            {"connect-6x5-k5", PLB_WDL, 3, true},
                                            {"square-5x4", PLB_DTM, 3, true}};

static void received_bytes_are_near_the_forecast(void **state) {
    for (size_t b = 0; b < sizeof small_builds / sizeof *small_builds && !is_big; b++)
        check_received(state, &small_builds[b]);
    for (size_t b = 0; b < sizeof big_builds / sizeof *big_builds && is_big; b++)
        check_received(state, &big_builds[b]);
}

/* Build with the least memory of the forecast. It includes buffers for the data of other ranks,
 * without which the build would run out of memory. */
static void forecast_memory_suffices(void **state) {
    static const plb_budget none = {.memory_bytes = 0};
    const plb_rank_forecast_options options = {PLB_WDL, 3, 2, &none, false};
    rank_build b = {.spec = is_big ? "connect-6x5-k4" : "connect-5x6-k4", .is_bound = true};
    int statuses[FORKED_RANKS];
    plb_space space;
    plb_forecast forecast;
    plb_rank_forecast of_ranks;
    snprintf(b.output, sizeof b.output, "%s", support_path(state, "table"));
    support_open_space(b.spec, &space);
    plb_forecast_make(&space.index, options.values, 2, &forecast);
    plb_rank_forecast_make(&space.index, &forecast, &options, &of_ranks);
    plb_space_close(&space);
    double needed = plb_budget_make(&of_ranks.memory, 1, 0).needed_bytes;
    b.budget = plb_budget_make(&of_ranks.memory, 1, needed);
    assert_true(b.budget.needed_bytes <= needed);
    forked_ranks_run(options.ranks, build, NULL, &b, statuses);
    for (int rank = 0; rank < options.ranks; rank++) assert_int_equal(statuses[rank], 0);
    unlink(b.output);
}

/* A budget that was made without a forecast of the exchange has room for it, and for all planes. */
static void ample_memory_needs_no_forecast(void **state) {
    (void)state;
    enum { THREADS = 2, RANKS = 3 };
    static const char *const specs[] = {"connect-5x5-k4-misere", "connect-6x5-k4", "connect-7x7-k4",
                                        "mnk-5x5-k4"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        plb_space space;
        plb_forecast forecast;
        plb_rank_forecast of_ranks;
        plb_budget ample = {.memory_bytes = 0};
        const plb_rank_forecast_options options = {PLB_WDL, RANKS, THREADS, &ample, false};
        support_open_space(specs[s], &space);
        plb_forecast_make(&space.index, PLB_WDL, THREADS, &forecast);
        plb_rank_forecast_make(&space.index, &forecast, &options, &of_ranks);
        plb_space_close(&space);
        double bytes = plb_budget_make(&of_ranks.memory, THREADS, 0).needed_bytes;
        assert_false(plb_rank_budget_make_ample(&forecast.memory, THREADS, bytes, &ample));
        assert_true(ample.memory_bytes == 0);
        while (!plb_rank_budget_make_ample(&forecast.memory, THREADS, bytes, &ample)) bytes *= 1.1;
        double forecast_bytes = plb_budget_make(&of_ranks.memory, THREADS, bytes).needed_bytes;
        assert_true(forecast_bytes < ample.needed_bytes && ample.needed_bytes <= bytes);
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
            assert_true(ample.holds[ply] && ample.workers[ply] == THREADS);
            assert_true(forecast.memory.held_bytes[ply] <= (double)ample.ply_memory_bytes);
        }
    }
}

/* More ranks receive more bytes. */
static void forecasts_do_not_depend_on_threads(void **state) {
    (void)state;
    plb_space space;
    plb_forecast forecast;
    plb_rank_forecast once, again;
    support_open_space(is_big ? "connect-7x7-k4" : "connect-6x6-k4", &space);
    plb_forecast_make(&space.index, PLB_WDL, 2, &forecast);
    double before = 0;
    for (int ranks = 2; ranks <= 1024; ranks *= 8) {
        plb_budget budget = plb_budget_of_spare(0);
        plb_rank_forecast_options options = {PLB_WDL, ranks, 1, &budget, false};
        plb_rank_forecast_make(&space.index, &forecast, &options, &once);
        options.threads = 2;
        plb_rank_forecast_make(&space.index, &forecast, &options, &again);
        assert_memory_equal(&once, &again, sizeof once);
        assert_true(once.received_bytes > before);
        before = once.received_bytes;
        options.shards = true; /* rank 0 gets no segments */
        plb_rank_forecast_make(&space.index, &forecast, &options, &again);
        double less = before - again.received_bytes;
        for (int ply = 0; ply <= space.game.cells; ply++) less -= once.plies[ply].segments_bytes;
        assert_true(again.received_bytes < before && fabs(less) < 1e-9 * before);
    }
    plb_space_close(&space);
}

int main(int argc, char **argv) {
    support_use_memory();
    is_big = argc > 1 && strcmp(argv[1], "big") == 0;
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(received_bytes_are_near_the_forecast),
        SUPPORT_IN_FOLDER(forecast_memory_suffices),
        cmocka_unit_test(ample_memory_needs_no_forecast),
        cmocka_unit_test(forecasts_do_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
