/* SPDX-License-Identifier: MIT
 *
 * The two engines share no code but the rules. Their tables agree on the value and the distance of
 * every reachable position and on the counts of every ply, on small boards of every family with
 * every suffix.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tests/support/support.h"

static const char *const specs[] = {"connect-4x4-k3",
                                    "connect-4x4-k4-misere",
                                    "connect-5x3-k3-cylinder",
                                    "connect-4x3-k3-misere-cylinder",
                                    "connect-2x7-k4",
                                    "connect-5x4-k4",
                                    "mnk-3x3-k3",
                                    "mnk-3x3-k3-misere",
                                    "mnk-4x3-k3-cylinder",
                                    "mnk-4x3-k3-misere-cylinder",
                                    "mnk-4x3-k4",
                                    "mnk-1x9-k3",
                                    "square-3x3",
                                    "square-3x3-misere",
                                    "square-4x3",
                                    "square-4x3-misere"};

static plb_table *build_and_open(void **state, const char *spec, plb_index_kind kind,
                                 plb_value_kind values) {
    const char *path = support_path(state, plb_index_kind_text(kind));
    plb_space space;
    plb_table *table = NULL;
    plb_message why;
    plb_built built;
    support_open_kind(spec, kind, &space);
    plb_build_options options = support_build_options(path, NULL, 2);
    options.values = values;
    support_expect(plb_build(&space, &options, &built, &why), PLB_OK, spec, &why);
    plb_space_close(&space);
    support_expect(plb_open(path, &table, &why), PLB_OK, spec, &why);
    assert_string_equal(plb_info(table)->index, plb_index_kind_text(kind));
    unlink(path);
    return table;
}

static void assert_same_counts(const plb_table *slabs, const plb_table *keys, int ply) {
    plb_ply_stats s, k;
    plb_ply_distances slab_distances, key_distances;
    assert_int_equal(plb_stats(slabs, ply, &s), PLB_OK);
    assert_int_equal(plb_stats(keys, ply, &k), PLB_OK);
    assert_memory_equal(&s, &k, sizeof s);
    int error = plb_distance_stats(slabs, ply, &slab_distances);
    assert_int_equal(plb_distance_stats(keys, ply, &key_distances), error);
    if (error) return;
    assert_memory_equal(slab_distances.wins, key_distances.wins, sizeof slab_distances.wins);
    assert_memory_equal(slab_distances.losses, key_distances.losses, sizeof slab_distances.losses);
    assert_int_equal(slab_distances.longest_win.plies, key_distances.longest_win.plies);
    assert_int_equal(slab_distances.longest_loss.plies, key_distances.longest_loss.plies);
}

static void assert_same_answer(const plb_table *slabs, const plb_table *keys, uint64_t x,
                               uint64_t o) {
    plb_answer s, k;
    plb_message why;
    support_expect(plb_probe(slabs, x, o, &s, &why), PLB_OK, "slabs", &why);
    support_expect(plb_probe(keys, x, o, &k, &why), PLB_OK, "keys", &why);
    assert_int_equal(s.value, k.value);
    assert_int_equal(s.dtm, k.dtm);
    assert_int_equal(s.over, k.over);
}

/* Returns the number of positions of the ply. */
static uint64_t assert_same_positions(const plb_table *slabs, const plb_table *keys, int ply) {
    enum { CAPACITY = 1 << 10 };
    static uint64_t x[CAPACITY], o[CAPACITY];
    uint64_t positions = 0;
    plb_listing listing = {.ply = ply};
    while (!listing.done) {
        size_t count;
        assert_int_equal(plb_list_positions(slabs, &listing, CAPACITY, x, o, &count), PLB_OK);
        for (size_t i = 0; i < count; i++) assert_same_answer(slabs, keys, x[i], o[i]);
        positions += count;
    }
    return positions;
}

static void assert_same_tables(void **state, const char *spec, plb_value_kind values) {
    plb_table *slabs = build_and_open(state, spec, PLB_SLABS, values);
    plb_table *keys = build_and_open(state, spec, PLB_KEYS, values);
    uint64_t positions = 0;
    for (int ply = 0; ply <= plb_info(slabs)->cells; ply++) {
        assert_same_counts(slabs, keys, ply);
        positions += assert_same_positions(slabs, keys, ply);
    }
    assert_int_equal(positions, plb_info(keys)->positions);
    plb_close(slabs);
    plb_close(keys);
}

/* Each board with values or with distances; the commit decides which. */
static void engines_agree_on_every_position(void **state) {
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        for (plb_value_kind values = PLB_WDL; values <= PLB_DTM; values++)
            if (support_has_turn(s + values, 2)) assert_same_tables(state, specs[s], values);
}

/* Positions that cannot arise get the same error and message. */
static void engines_refuse_the_same_positions(void **state) {
    plb_table *slabs = build_and_open(state, "connect-4x3-k3", PLB_SLABS, PLB_WDL);
    plb_table *keys = build_and_open(state, "connect-4x3-k3", PLB_KEYS, PLB_WDL);
    int refused = 0;
    for (uint64_t word = 0; word < 1 << 20; word += 7) {
        uint64_t x = word & 1023, o = word >> 10;
        plb_answer s, k;
        plb_message why = {.text = ""}, reason = {.text = ""};
        int error = plb_probe(slabs, x, o, &s, &why);
        assert_int_equal(plb_probe(keys, x, o, &k, &reason), error);
        assert_string_equal(why.text, reason.text);
        refused += error != PLB_OK;
    }
    assert_true(refused > 100000);
    plb_close(slabs);
    plb_close(keys);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(engines_agree_on_every_position),
        SUPPORT_IN_FOLDER(engines_refuse_the_same_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
