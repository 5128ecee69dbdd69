/* SPDX-License-Identifier: MIT
 *
 * Batches of colourings: quiet positions and features are compared with those that the rules and a
 * plain loop over the groups find for each position.
 */
#include "tables/codec/colour_features.h"

#include <stdlib.h>

#include "tables/binomial.h"
#include "tables/games/static_value.h"
#include "tables/index/index.h"
#include "tests/support/support.h"

static const char *const specs[] = {
    "connect-4x4-k4",
    "connect-5x4-k3",
    "connect-4x4-k3-misere",
    "connect-4x4-k4-cylinder",
    "mnk-4x4-k4",
    "mnk-4x4-k3-misere",
    "square-4x4",
    "connect-6x4-k4",
};
enum { SPECS = sizeof specs / sizeof *specs, SLABS = 12 };

/* Does a stone on a cell complete a group? */
static bool completes(const plb_game *game, uint64_t stones, int cell) {
    for (int g = 0; g < game->group_count; g++)
        if (game->groups[g] >> cell & 1 && (game->groups[g] & ~stones) == 1ULL << cell) return true;
    return false;
}

static bool is_empty(const plb_game *game, plb_position p, int cell) {
    return ((game->board & ~(p.x | p.o)) >> cell & 1) != 0;
}

/* The features, column by column from below. */
static unsigned features_of(const plb_game *game, plb_position p) {
    unsigned features = 0;
    for (int column = 0; column < game->width; column++) {
        bool found = false;
        for (int row = 0; row < game->height && !found; row++) {
            int cell = column * game->height + row;
            if (!is_empty(game, p, cell)) continue;
            bool x = completes(game, p.x, cell), o = completes(game, p.o, cell);
            features |= (o ? 1u : 0) << row % 2 | (x ? 4u : 0) << row % 2;
            found = x || o;
        }
    }
    return features;
}

static bool is_quiet(const plb_game *game, plb_position p) {
    return !plb_game_has_group(game, p.x) && !plb_game_has_group(game, p.o) &&
           (p.x | p.o) != game->board && plb_static_value(game, p).kind == PLB_QUIET;
}

/* Compare ranks [from, until) of the slab. */
static void compare_ranks(const plb_game *game, uint64_t occupied, const plb_colour_batch *batch,
                          uint64_t from, uint64_t until, uint64_t *quiet) {
    int ply = plb_popcount(occupied);
    uint64_t word = plb_binomial_unrank(ply, plb_ply_ones(ply), from);
    for (uint64_t rank = from; rank < until; rank++) {
        int i = (int)(rank - batch->rank);
        uint64_t x = plb_scatter_bits(word, occupied), bit = 1ULL << i % 64;
        plb_position p = {x, occupied ^ x};
        assert_int_equal(word % 256, batch->low_stones[i]);
        bool expected = is_quiet(game, p);
        bool found = !batch->is_decided && (batch->quiet[i / 64] & bit) != 0;
        assert_int_equal(found, expected);
        for (int f = 0; found && f < PLB_FEATURES; f++)
            assert_int_equal(batch->features[f][i / 64] >> i % 64 & 1,
                             features_of(game, p) >> f & 1);
        *quiet += found;
        if (rank + 1 < until) word = plb_next_combination(word);
    }
}

/* All ranks of some slabs of every even ply. */
static void batches_are_the_rules(void **state) {
    (void)state;
    uint64_t random = support_seed("slabs", 16);
    for (int s = 0; s < SPECS; s++) {
        plb_space space;
        plb_colour_cursor *cursor = NULL;
        uint64_t quiet = 0;
        support_open_space(specs[s], &space);
        assert_int_equal(plb_colour_cursor_open(&space.game, &cursor), PLB_OK);
        for (int ply = 0; ply <= space.game.cells; ply += 2) {
            const plb_index_ply *p = &space.index.plies[ply];
            for (int n = 0; n < SLABS && p->slab_size < 20000; n++) {
                uint64_t slab = support_random_below(&random, p->slabs), next = 0;
                uint64_t occupied = plb_index_slab_cells(&space.index, ply, slab);
                plb_colour_cursor_begin(cursor, occupied, 0, p->slab_size, NULL, 0);
                while (next < p->slab_size) {
                    const plb_colour_batch *batch = plb_colour_cursor_next(cursor);
                    uint64_t end = next + (uint64_t)batch->entries;
                    assert_int_equal(batch->rank, next);
                    compare_ranks(&space.game, occupied, batch, next, end, &quiet);
                    next = end;
                }
                assert_int_equal(next, p->slab_size);
            }
        }
        print_message("%s: %llu quiet positions\n", specs[s], (unsigned long long)quiet);
        assert_true(quiet > 100);
        plb_colour_cursor_close(cursor);
        plb_space_close(&space);
    }
}

/* The cursor moves to any ranks, near the previous ones or far from them. */
static void a_cursor_finds_the_ranks_that_are_wanted(void **state) {
    (void)state;
    enum { PLY = 18 };
    plb_space space;
    plb_colour_cursor *cursor = NULL;
    uint64_t random = support_seed("ranks", 17);
    support_open_space("connect-6x4-k4", &space);
    assert_int_equal(plb_colour_cursor_open(&space.game, &cursor), PLB_OK);
    uint64_t size = space.index.plies[PLY].slab_size;
    uint64_t from = 0, quiet = 0;
    for (int trial = 0; trial < 400; trial++) {
        uint64_t near = from + support_random_below(&random, 2000);
        from = trial % 2 && near < size ? near : support_random_below(&random, size);
        uint64_t until = from + 1 + support_random_below(&random, plb_min(3000, size - from));
        uint64_t occupied = plb_index_slab_cells(&space.index, PLY, 3), next = from;
        plb_colour_cursor_begin(cursor, occupied, from, until, NULL, 0);
        while (next < until) {
            const plb_colour_batch *batch = plb_colour_cursor_next(cursor);
            uint64_t end = plb_min(until, batch->rank + (uint64_t)batch->entries);
            assert_true(batch->rank <= next && next < end);
            compare_ranks(&space.game, occupied, batch, next, end, &quiet);
            next = end;
        }
    }
    assert_true(quiet > 1000);
    plb_colour_cursor_close(cursor);
    plb_colour_cursor_close(NULL);
    plb_space_close(&space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_the_rules),
        cmocka_unit_test(a_cursor_finds_the_ranks_that_are_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
