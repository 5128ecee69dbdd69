/* SPDX-License-Identifier: MIT
 *
 * Slabs in pieces. The runs of a slab have each of its words once, in order. Moves and symmetries
 * map a word into one of the runs to which its run is mapped. The bytes of a table do not depend on
 * the size of the pieces, in all families of games, with distances and without.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builder/build.h"
#include "builder/planes/slab_runs.h"
#include "tests/support/words.h"

/* ---- runs ---- */

static void shapes_of_runs_add_up_to_the_slab(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-6x4-k4", "mnk-4x4-k3", "connect-5x4-k4-cylinder"};
    static const plb_block_set sets[] = {PLB_LIVE, PLB_FRINGE, PLB_UNDECIDED};
    uint64_t random = support_seed("sets of cells", 1);
    for (int i = 0; i < 60; i++) {
        plb_space space;
        plb_run_size sizes[PLB_RUNS];
        support_open_space(specs[i % 3], &space);
        int stones = 13 + (int)support_random_below(&random, space.game.cells - 12);
        int bits = plb_runs_max_bits(stones);
        uint64_t occupied = words_random_set(&space.game, stones, &random), rank = 0;
        plb_block_set set = sets[i / 3 % 3];
        plb_slab whole = words_shape(&space.game, occupied, set), piece = {.blocks = 0};
        size_t block = 0;
        assert_int_equal(plb_slab_size_runs(&space.game, occupied, set, bits, sizes), PLB_OK);
        for (uint64_t run = 0; run < 1ULL << bits; run++) {
            plb_runs runs = plb_runs_none(bits);
            plb_runs_add(&runs, run);
            assert_int_equal(plb_slab_shape(&space.game, occupied, set, &runs, &piece), PLB_OK);
            assert_int_equal(piece.blocks, sizes[run].blocks);
            assert_int_equal(piece.words, sizes[run].words);
            plb_block_range range = plb_runs_blocks(&whole, bits, run);
            assert_int_equal(range.first, block);
            assert_int_equal(range.last, block + piece.blocks);
            assert_true(plb_runs_first_rank(stones, bits, run) >= rank);
            rank = plb_runs_first_rank(stones, bits, run);
            for (size_t b = 0; b < piece.blocks; b++, block++) {
                assert_true(piece.hi[b] == whole.hi[block]);
                assert_true(piece.rank[b] == whole.rank[block] && piece.rank[b] >= rank);
                assert_true(piece.rank[b] < plb_runs_first_rank(stones, bits, run + 1));
            }
        }
        assert_int_equal(block, whole.blocks);
        assert_true(plb_runs_first_rank(stones, bits, 1ULL << bits) == plb_index_slab_size(stones));
        plb_slab_free(&piece);
        plb_slab_free(&whole);
        plb_space_close(&space);
    }
}

/* Map a random word to an image of its slab, and insert a stone: the result is in one of the runs
 * to which the run of the word is mapped. */
static void runs_are_mapped_like_their_words(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-6x4-k4", "mnk-4x4-k3", "connect-5x4-k4-cylinder"};
    uint64_t random = support_seed("words", 2);
    for (int i = 0; i < 3000; i++) {
        plb_space space;
        support_open_space(specs[i % 3], &space);
        int stones = 12 + (int)support_random_below(&random, space.game.cells - 12);
        int bits = plb_runs_max_bits(stones), next_bits = plb_runs_max_bits(stones + 1);
        int element = (int)support_random_below(&random, space.symmetry.order);
        uint64_t occupied = words_random_set(&space.game, stones, &random);
        uint64_t image = plb_symmetry_map(&space.symmetry, element, occupied);
        uint64_t x = support_random(&random) & occupied, word = plb_gather_bits(x, occupied);
        uint64_t cells = plb_game_playable(&space.game, image), cell = cells & -cells;
        unsigned colour = support_random(&random) % 2;
        uint64_t mapped = plb_symmetry_map(&space.symmetry, element, x) | (colour ? cell : 0);
        plb_run_map map = plb_run_map_image(&space.symmetry, element, occupied);
        plb_run_map_insert(&map, plb_slab_stone(image | cell, plb_lowest(cell)), colour);
        plb_runs runs = plb_runs_none(next_bits), again;
        double bytes[PLB_RUNS], sum = 0;
        for (int run = 0; run < PLB_RUNS; run++) bytes[run] = run + 1;
        double added = plb_runs_map(&map, bits, word >> (stones - bits), bytes, &runs);
        for (uint64_t run = 0; run < 1ULL << next_bits; run++)
            sum += plb_runs_have(&runs, run) ? bytes[run] : 0;
        assert_true(added == sum);
        again = runs;
        assert_true(plb_runs_map(&map, bits, word >> (stones - bits), bytes, &runs) == 0);
        assert_memory_equal(&again, &runs, sizeof runs);
        assert_true(plb_runs_have(
            &runs, plb_gather_bits(mapped, image | cell) >> (stones + 1 - next_bits)));
        plb_space_close(&space);
    }
}

/* ---- builds ---- */

typedef struct build_case {
    plb_value_kind values;
    plb_reach_way reach;
    uint64_t piece_bytes, spare_bytes;
    double part_entries;
    int threads;
} build_case;

static void build(const char *spec, const char *output, const build_case *c) {
    plb_message why;
    plb_build_options options = support_build_options(output, NULL, c->threads);
    options.values = c->values;
    options.slabs.reach = c->reach;
    options.slabs.piece_bytes = c->piece_bytes;
    options.budget = plb_budget_of_spare(c->spare_bytes);
    options.part_entries = c->part_entries;
    support_expect(support_run_build(spec, &options, NULL, &why), PLB_OK, spec, &why);
}

static void pieces_make_the_same_bytes(void **state) {
    static const struct {
        const char *spec;
        plb_reach_way reach;
    } boards[] = {
        {"connect-4x5-k4", PLB_REACH_FORWARD},
        {"connect-5x4-k4", PLB_REACH_BY_COLUMNS},
        {"connect-5x4-k3-misere", PLB_REACH_BEST},
        {"connect-4x4-k3-cylinder", PLB_REACH_BEST},
        {"connect-5x4-k4-misere-cylinder", PLB_REACH_BEST},
        {"mnk-4x4-k4", PLB_REACH_BEST},
        {"mnk-4x4-k3-misere", PLB_REACH_BEST},
        {"mnk-4x4-k4-cylinder", PLB_REACH_BEST},
        {"square-4x4", PLB_REACH_BEST},
        {"square-4x4-misere", PLB_REACH_BEST},
    };
    static const build_case cases[] = {
        {.piece_bytes = 1, .threads = 1},
        {.piece_bytes = (8 << 20) + (1 << 14),
         .threads = 2,
         .spare_bytes = 64 << 20,
         .part_entries = 1 << 18},
    };
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        for (plb_value_kind values = PLB_WDL; values <= PLB_DTM; values++) {
            if (!support_has_turn(i + values, 2)) continue;
            build(boards[i].spec, whole,
                  &(build_case){.values = values, .reach = boards[i].reach, .threads = 2});
            for (size_t j = 0; j < sizeof cases / sizeof cases[0]; j++) {
                build_case c = cases[j];
                c.values = values;
                c.reach = boards[i].reach;
                build(boards[i].spec, output, &c);
                support_assert_same_files(output, whole);
                assert_int_equal(unlink(output), 0);
            }
            assert_int_equal(unlink(whole), 0);
        }
}

/* Big plies have a model, and their slabs have many blocks. */
static void pieces_of_big_slabs_make_the_same_bytes(void **state) {
    static const plb_reach_way ways[] = {PLB_REACH_BY_COLUMNS, PLB_REACH_FORWARD};
    const char *whole = support_path(state, "whole"), *output = support_path(state, "table");
    for (int i = 0; i < 2; i++) {
        if (!support_has_turn(i, 2)) continue;
        build("connect-6x4-k4", whole, &(build_case){.threads = 2, .reach = ways[i]});
        for (uint64_t piece_bytes = 1; piece_bytes <= 1 << 24; piece_bytes <<= 24) {
            build("connect-6x4-k4", output,
                  &(build_case){.piece_bytes = piece_bytes, .threads = 2, .reach = ways[i]});
            support_assert_same_files(output, whole);
            assert_int_equal(unlink(output), 0);
        }
        assert_int_equal(unlink(whole), 0);
    }
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_runs_add_up_to_the_slab),
        cmocka_unit_test(runs_are_mapped_like_their_words),
        SUPPORT_IN_FOLDER(pieces_make_the_same_bytes),
        SUPPORT_IN_FOLDER(pieces_of_big_slabs_make_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
