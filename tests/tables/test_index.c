/* SPDX-License-Identifier: MIT
 *
 * The index of a ply is a bijection from the positions on canonical sets of cells to numbers.
 */
#include "tables/index/index.h"

#include <string.h>

#include "tables/binomial.h"
#include "tests/support/positions.h"
#include "tests/support/support.h"

static const char *const small_games[] = {"connect-1x1-k1",
                                          "connect-1x6-k3",
                                          "connect-6x1-k3-misere",
                                          "connect-3x3-k3",
                                          "connect-4x3-k3",
                                          "connect-2x5-k2-cylinder",
                                          "connect-5x3-k4",
                                          "connect-4x4-k4",
                                          "connect-4x4-k3-misere-cylinder",
                                          "connect-3x5-k4",
                                          "mnk-1x7-k3",
                                          "mnk-3x3-k3",
                                          "mnk-4x3-k3-misere",
                                          "mnk-4x3-k3-cylinder",
                                          "square-3x3",
                                          "square-4x3",
                                          "mnk-3x3-k3-cylinder",
                                          "mnk-4x4-k4-cylinder",
                                          "mnk-3x3-k4-cylinder",
                                          "connect-3x4-k3-cylinder"};
enum { SMALL_GAMES = sizeof small_games / sizeof small_games[0] };

static void for_every_game(void (*check)(const plb_space *g)) {
    for (int s = 0; s < SMALL_GAMES; s++) {
        plb_space g;
        support_open_space(small_games[s], &g);
        check(&g);
        plb_space_close(&g);
    }
}

static bool rests(const plb_game *game, uint64_t occupied) {
    for (int cell = 0; cell < game->cells && game->gravity; cell++)
        if (occupied >> cell & 1 && plb_game_row(game, cell) > 0 && !(occupied >> (cell - 1) & 1))
            return false;
    return true;
}

/* ---- rank and unrank ---- */

/* Nonzero if the entries differ. */
static int compare_entries(plb_entry a, plb_entry b) {
    return a.ply != b.ply || a.slab != b.slab || a.rank != b.rank;
}

static void assert_entry_round_trip(const plb_space *g, plb_entry entry) {
    plb_position position = plb_index_unrank(&g->index, entry);
    uint64_t occupied = plb_stones_occupied(position);
    assert_int_equal(position.x & position.o, 0);
    assert_int_equal(occupied & ~g->game.board, 0);
    assert_int_equal(plb_stones_ply(position), entry.ply);
    assert_int_equal(plb_popcount(position.x), (entry.ply + 1) / 2);
    assert_true(rests(&g->game, occupied));
    assert_true(plb_symmetry_is_canonical(&g->symmetry, occupied));
    assert_int_equal(compare_entries(plb_index_rank(&g->index, position), entry), 0);
}

static void check_every_entry(const plb_space *g) {
    for (int ply = 0; ply <= g->game.cells; ply++) {
        const plb_index_ply *p = &g->index.plies[ply];
        for (uint64_t slab = 0; slab < p->slabs; slab++)
            for (uint64_t rank = 0; rank < p->slab_size; rank++)
                assert_entry_round_trip(g, (plb_entry){ply, slab, rank});
    }
}

static void rank_inverts_unrank(void **state) {
    (void)state;
    for_every_game(check_every_entry);
}

/* ---- slabs ---- */

static void check_slabs(const plb_space *g) {
    for (int ply = 0; ply <= g->game.cells; ply++) {
        uint64_t before = 0;
        for (uint64_t slab = 0; slab < g->index.plies[ply].slabs; slab++) {
            uint64_t cells = plb_index_slab_cells(&g->index, ply, slab);
            assert_true(slab == 0 || cells > before);
            assert_int_equal(plb_index_slab(&g->index, cells), slab);
            before = cells;
        }
    }
}

static void slabs_are_numbered_in_order_of_cells(void **state) {
    (void)state;
    for_every_game(check_slabs);
}

static void check_sizes(const plb_space *g) {
    uint64_t slabs[PLB_MAX_CELLS + 1] = {0};
    for (uint64_t set = 0; set <= g->game.board; set++)
        slabs[plb_popcount(set)] +=
            rests(&g->game, set) && plb_symmetry_is_canonical(&g->symmetry, set);
    for (int ply = 0; ply <= g->game.cells; ply++) {
        const plb_index_ply *p = &g->index.plies[ply];
        assert_int_equal(p->slabs, slabs[ply]);
        assert_int_equal(p->slab_size, plb_binomial[ply][(ply + 1) / 2]);
        assert_int_equal(plb_index_size(&g->index, ply), slabs[ply] * p->slab_size);
    }
}

static void every_canonical_set_has_a_slab(void **state) {
    (void)state;
    for_every_game(check_sizes);
}

static void check_burnside(const plb_space *g) {
    for (int ply = 0; ply <= g->game.cells; ply++) {
        double slabs = plb_index_count_slabs(&g->game, &g->symmetry, ply);
        assert_true(slabs == (double)g->index.plies[ply].slabs);
        assert_true(plb_index_slab_size(ply) == (double)g->index.plies[ply].slab_size);
    }
}

static void burnside_counts_what_is_there(void **state) {
    (void)state;
    for_every_game(check_burnside);
    static const char *const bigger[] = {"connect-7x6-k4", "connect-6x6-k4-cylinder", "mnk-5x4-k4",
                                         "mnk-5x4-k4-cylinder"};
    for (size_t b = 0; b < sizeof bigger / sizeof bigger[0]; b++) {
        plb_space g;
        support_open_space(bigger[b], &g);
        check_burnside(&g);
        plb_space_close(&g);
    }
}

/* ---- reachable positions ---- */

static plb_position map_position(const plb_symmetry *symmetry, int element, plb_position p) {
    return (plb_position){plb_symmetry_map(symmetry, element, p.x),
                          plb_symmetry_map(symmetry, element, p.o)};
}

/* The entry of a position is in range, and its position is an image of the given one. */
static void assert_entry_is_of_orbit(const plb_space *g, plb_position position) {
    plb_entry entry = plb_index_rank(&g->index, position);
    assert_int_equal(entry.ply, plb_stones_ply(position));
    assert_true(entry.slab < g->index.plies[entry.ply].slabs);
    assert_true(entry.rank < g->index.plies[entry.ply].slab_size);
    plb_position there = plb_index_unrank(&g->index, entry);
    for (int e = 0; e < g->symmetry.order; e++) {
        plb_position image = map_position(&g->symmetry, e, position);
        if (image.x == there.x && image.o == there.o) return;
    }
    fail_msg("a position is ranked as one that is no image of it");
}

/* Images lie in one slab, and in one entry unless the slab is its own image. */
static void assert_images_share_an_entry(const plb_space *g, plb_position position) {
    plb_entry entry = plb_index_rank(&g->index, position);
    uint64_t occupied = plb_stones_occupied(position);
    bool alone = plb_symmetry_orbit_size(&g->symmetry, occupied) == g->symmetry.order;
    for (int e = 0; e < g->symmetry.order; e++) {
        plb_entry other = plb_index_rank(&g->index, map_position(&g->symmetry, e, position));
        assert_int_equal(other.slab, entry.slab);
        if (alone) assert_int_equal(other.rank, entry.rank);
    }
}

static void reachable_positions_are_ranked_with_their_images(void **state) {
    (void)state;
    static const oracle_game games[] = {
        {ORACLE_CONNECT, 4, 3, 3, false, false}, {ORACLE_CONNECT, 4, 3, 3, false, true},
        {ORACLE_CONNECT, 5, 2, 3, true, true},   {ORACLE_CONNECT, 2, 6, 4, false, false},
        {ORACLE_MNK, 3, 3, 3, false, false},     {ORACLE_MNK, 4, 2, 3, false, true},
        {ORACLE_MNK, 3, 3, 3, false, true},      {ORACLE_SQUARE, 3, 3, 4, true, false}};
    for (size_t n = 0; n < sizeof games / sizeof games[0]; n++) {
        char spec[ORACLE_TEXT];
        oracle solved;
        plb_space g;
        oracle_spec_text(&games[n], spec);
        assert_true(oracle_solve(&games[n], &solved));
        support_open_space(spec, &g);
        for (size_t p = 0; p < solved.count; p++) {
            plb_position position = positions_of_board(&g.game, solved.positions[p].board);
            assert_entry_is_of_orbit(&g, position);
            assert_images_share_an_entry(&g, position);
        }
        plb_space_close(&g);
        oracle_free(&solved);
    }
}

/* ---- limits ---- */

static void boards_beyond_the_limits_are_refused(void **state) {
    (void)state;
    static const char *const specs[] = {"mnk-8x8-k5", "connect-8x8-k4", "square-8x8",
                                        "mnk-64x1-k5"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        plb_space space;
        plb_message why = {.text = ""};
        support_expect(plb_space_open(specs[s], &space, &why), PLB_ETOOBIG, specs[s], NULL);
        assert_non_null(strstr(why.text, specs[s]));
    }
}

static void sampled_entries_of_a_big_board_round_trip(void **state) {
    (void)state;
    uint64_t random = support_seed("entries", 20240621);
    plb_space g;
    support_open_space("connect-7x6-k4", &g);
    for (int trial = 0; trial < 20000; trial++) {
        int ply = (int)support_random_below(&random, g.game.cells + 1);
        const plb_index_ply *p = &g.index.plies[ply];
        plb_entry entry = {ply, support_random_below(&random, p->slabs),
                           support_random_below(&random, p->slab_size)};
        assert_entry_round_trip(&g, entry);
    }
    plb_space_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_inverts_unrank),
        cmocka_unit_test(slabs_are_numbered_in_order_of_cells),
        cmocka_unit_test(every_canonical_set_has_a_slab),
        cmocka_unit_test(burnside_counts_what_is_there),
        cmocka_unit_test(reachable_positions_are_ranked_with_their_images),
        cmocka_unit_test(boards_beyond_the_limits_are_refused),
        cmocka_unit_test(sampled_entries_of_a_big_board_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
