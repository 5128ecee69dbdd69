/* SPDX-License-Identifier: MIT
 *
 * A search on a table of values finds the distances of a table of distances: of every reachable
 * position, and on a bigger board of a sample.
 */
#include <stdio.h>
#include <unistd.h>

#include "probe/distance.h"
#include "tests/support/open_table.h"
#include "tests/support/support.h"
#include "tools/verify/verifier.h"

static plb_table *open_built(void **state, const char *spec, plb_value_kind values) {
    const char *path = support_path(state, "table.plb");
    support_build_values(spec, values, path, NULL, 2);
    plb_table *table = support_open_table(path);
    assert_int_equal(unlink(path), 0);
    return table;
}

/* Two sources of distances: a table, and a search. */
typedef struct pair {
    plb_context distances;
    plb_distance_search *search;
    uint64_t compared;
} pair;

static void compare_position(pair *p, plb_position position) {
    const plb_table *table = p->distances.table;
    plb_outcome outcome;
    plb_known_bounds span;
    plb_message why;
    support_expect(plb_outcome_find(&p->distances, position, &outcome, &why), PLB_OK, "table",
                   &why);
    if (outcome.value == PLB_DRAW) return;
    support_expect(plb_distance_find(p->search, position, outcome.value, &span, &why), PLB_OK,
                   "search", &why);
    p->compared++;
    if (span.lower == outcome.dtm && span.upper == outcome.dtm) return;
    fail_msg("%s, x %#llx, o %#llx by cells: %d plies in the table, %d to %d by search",
             table->file.meta.spec, (unsigned long long)position.x, (unsigned long long)position.o,
             outcome.dtm, span.lower, span.upper);
}

static pair open_pair(const plb_table *values, const plb_table *distances) {
    const plb_limits limits = {.memory_bytes = 256 << 20};
    pair p = {.compared = 0};
    assert_int_equal(plb_context_borrow(distances, &p.distances, NULL), PLB_OK);
    assert_int_equal(plb_distance_open(values, &limits, &p.search, NULL), PLB_OK);
    return p;
}

static void close_pair(pair *p) {
    plb_bounds cost;
    plb_distance_cost(p->search, &cost);
    printf("%s: %llu won positions, %llu nodes, %.2f s\n", plb_info(p->distances.table)->spec,
           (unsigned long long)p->compared, (unsigned long long)cost.nodes, cost.seconds);
    plb_distance_close(p->search);
    plb_context_return(&p->distances);
}

static bool visit(void *context, plb_position position, uint64_t count) {
    (void)count;
    compare_position(context, position);
    return true;
}

/* Late plies first, so that their cached bounds help with the early ones. */
static void compare_all(pair *p) {
    plb_enumeration *enumeration = p->distances.table->file.positions;
    for (int ply = plb_enumeration_game(enumeration)->cells; ply >= 0; ply--) {
        assert_int_equal(plb_enumeration_begin(enumeration, ply, NULL, NULL), PLB_OK);
        for (uint64_t chunk = 0; chunk < plb_enumeration_chunks(enumeration, ply); chunk++)
            plb_enumeration_chunk(enumeration, ply, chunk, visit, p);
    }
}

/* A sample with equally many positions of each ply. */
static void compare_some(pair *p) {
    enum { WANTED = 10000 };
    plb_enumeration *enumeration = p->distances.table->file.positions;
    int plies = plb_enumeration_game(enumeration)->cells + 1;
    for (uint64_t n = 0; p->compared < WANTED; n++) {
        plb_position position;
        int ply = plies - 1 - (int)(n % plies);
        assert_int_equal(plb_enumeration_begin(enumeration, ply, NULL, NULL), PLB_OK);
        if (sample_draw(enumeration, ply, 20261121, n, &position)) compare_position(p, position);
    }
}

static void compare(void **state, const char *spec, void (*compare_positions)(pair *p)) {
    plb_table *values = open_built(state, spec, PLB_WDL);
    plb_table *distances = open_built(state, spec, PLB_DTM);
    pair p = open_pair(values, distances);
    compare_positions(&p);
    close_pair(&p);
    plb_close(distances);
    plb_close(values);
}

static void search_and_table_agree_everywhere(void **state) {
    static const char *const specs[] = {"connect-5x4-k4", "mnk-4x4-k4-misere", "square-4x4",
                                        "numeric-2x2-each", "numeric-3x3"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        if (support_has_turn(s, 2)) compare(state, specs[s], compare_all);
}

static void search_and_table_agree_on_samples(void **state) {
    compare(state, "connect-5x5-k4", compare_some);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(search_and_table_agree_everywhere),
        SUPPORT_IN_FOLDER(search_and_table_agree_on_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
