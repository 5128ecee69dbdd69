/* SPDX-License-Identifier: MIT
 *
 * Both ways to find the reachable positions, by columns and by a forward pass, give the same table.
 */
#include "builder/build.h"

#include <unistd.h>

#include "tests/support/support.h"

static void assert_built(const char *spec, plb_value_kind values, plb_reach_way reach,
                         const char *output) {
    plb_build_options options = support_build_options(output, NULL, 2);
    plb_message why = {.text = ""};
    plb_built built;
    options.values = values;
    options.slabs.reach = reach;
    support_expect(support_run_build(spec, &options, &built, &why), PLB_OK, spec, &why);
    assert_false(built.existed);
}

/* Each board with values or with distances; the commit decides which. */
static void both_ways_make_the_same_bytes(void **state) {
    static const char *const specs[] = {
        "connect-5x4-k4", "connect-4x4-k3-misere", "connect-4x6-k4",
        "connect-5x5-k3", "connect-7x3-k3",        "connect-3x3-k1",
        "connect-4x4-k2", "connect-1x2-k2",        "connect-5x5-k5"};
    const char *forward = support_path(state, "forward"), *other = support_path(state, "columns");
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s += support_step(3))
        for (plb_value_kind values = PLB_WDL; values <= PLB_DTM; values++) {
            if (!support_has_turn(s + values, 2)) continue;
            assert_built(specs[s], values, PLB_REACH_FORWARD, forward);
            assert_built(specs[s], values, PLB_REACH_BY_COLUMNS, other);
            support_assert_same_files(other, forward);
            assert_int_equal(unlink(other), 0);
            assert_int_equal(unlink(forward), 0);
        }
}

/* Their positions cannot be counted, so only a forward pass can find the reachable ones. */
static void boards_without_counts_are_built(void **state) {
    static const char *const specs[] = {"connect-9x2-k9", "connect-10x1-k9", "connect-2x9-k9"};
    const char *output = support_path(state, "table");
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        assert_built(specs[s], PLB_WDL, PLB_REACH_BEST, output);
        assert_int_equal(unlink(output), 0);
    }
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(both_ways_make_the_same_bytes),
        SUPPORT_IN_FOLDER(boards_without_counts_are_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
