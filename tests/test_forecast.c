/* SPDX-License-Identifier: MIT
 *
 * Forecasts: more memory never makes a build slower or narrower, lanes fit the memory they were
 * made for, and what is counted rather than sampled is right.
 */
#include "builder/forecast.h"

#include "tests/support.h"

static const char *const specs[] = {"connect-4x4-k4", "connect-7x6-k4", "connect-5x5-k4-cylinder",
                                    "mnk-5x5-k4", "square-4x4-misere"};
enum { SPECS = sizeof specs / sizeof specs[0], THREADS = 6 };

static plb_forecast make_forecast(const char *spec, plb_values values) {
    plb_game game = support_game(spec);
    plb_symmetry symmetry;
    plb_index index;
    plb_forecast forecast;
    plb_message why;
    assert_int_equal(plb_symmetry_init(&game, &symmetry), PLB_OK);
    support_expect(plb_index_init(&game, &symmetry, &index, &why), PLB_OK, spec, &why);
    plb_forecast_make(&index, values, &forecast);
    plb_index_free(&index);
    plb_symmetry_free(&symmetry);
    plb_game_free(&game);
    return forecast;
}

static void lanes_fit_the_memory(void **state) {
    (void)state;
    for (int s = 0; s < SPECS; s++) {
        plb_forecast f = make_forecast(specs[s], s % 2 ? PLB_DTM : PLB_WDL);
        int before[PLB_MAX_CELLS + 1], lanes[PLB_MAX_CELLS + 1];
        double least = plb_forecast_lanes(&f, THREADS, 0, before);
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) assert_int_equal(before[ply], 1);
        for (double memory = least; memory < 100 * least; memory *= 1.3) {
            assert_true(plb_forecast_lanes(&f, THREADS, memory, lanes) <= memory);
            for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) {
                assert_in_range(lanes[ply], before[ply], THREADS);
                before[ply] = lanes[ply];
            }
        }
        for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) assert_int_equal(lanes[ply], THREADS);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_fit_the_memory),
        cmocka_unit_test(memory_saves_time),
        cmocka_unit_test(a_small_board_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
