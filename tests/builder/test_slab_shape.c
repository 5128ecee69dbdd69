/* SPDX-License-Identifier: MIT
 *
 * Shapes of slabs: which blocks are live, undecided or fringe, and where they are in a plane.
 */
#include "builder/planes/slab_shape.h"

#include <stdlib.h>

#include "tables/binomial.h"
#include "tables/bits.h"
#include "tests/support/words.h"

static const char *const specs[] = {"connect-5x4-k4", "connect-4x5-k3-cylinder",
                                    "connect-5x4-k2", "connect-5x4-k1",
                                    "mnk-5x4-k3",     "square-5x4",
                                    "mnk-5x4-k6"};
enum { SPECS = sizeof specs / sizeof specs[0], MAX_STONES = 17 };

/* ---- the figure of slab_shape.h, with numbers ---- */

/* 14 stones, 7 of them x: 12 low stones, and two in hi. A block of hi with j ones has C(12, 7 - j)
 * words, in whole 64-bit words:
 *
 *     hi      0            1            2            3
 *     ones    0            1            1            2
 *     words   C(12,7)=792  C(12,6)=924  C(12,6)=924  C(12,5)=792
 *     64-bit  13           15           15           13
 */
static void blocks_are_those_of_the_figure(void **state) {
    (void)state;
    static const uint64_t hi[] = {0, 1, 2, 3}, rank[] = {0, 792, 792 + 924, 792 + 924 + 924},
                          start[] = {0, 13, 28, 43, 56};
    plb_game game = support_game("mnk-4x4-k4");
    plb_slab slab = words_shape(&game, 0x3fff, PLB_LIVE);
    assert_int_equal(slab.stones, 14);
    assert_int_equal(slab.ones, 7);
    assert_int_equal(slab.low, 12);
    assert_int_equal(slab.blocks, 4);
    assert_int_equal(slab.words, 56);
    assert_memory_equal(slab.hi, hi, sizeof hi);
    assert_memory_equal(slab.rank, rank, sizeof rank);
    assert_memory_equal(slab.start, start, sizeof start);
    plb_slab_free(&slab);
}

/* With groups of two stones side by side, hi 0 and hi 3 hold one: those blocks are dead. */
static void dead_blocks_are_left_out_of_the_figure(void **state) {
    (void)state;
    static const uint64_t hi[] = {1, 2}, rank[] = {792, 792 + 924}, start[] = {0, 15, 30};
    plb_game game = support_game("mnk-4x4-k2");
    plb_slab slab = words_shape(&game, 0x3fff, PLB_LIVE);
    assert_int_equal(slab.blocks, 2);
    assert_int_equal(slab.words, 30);
    assert_memory_equal(slab.hi, hi, sizeof hi);
    assert_memory_equal(slab.rank, rank, sizeof rank);
    assert_memory_equal(slab.start, start, sizeof start);
    plb_slab_free(&slab);
}

/* ---- any slab ---- */

/* For random sets of every number of stones. */
static void for_every_slab(void (*check)(const plb_game *game, uint64_t occupied)) {
    uint64_t random = support_seed("sets of cells", 20240701);
    for (int s = 0; s < SPECS; s++) {
        plb_game game = support_game(specs[s]);
        for (int stones = 0; stones <= MAX_STONES; stones++)
            for (int trial = 0; trial < 3; trial++)
                check(&game, words_random_set(&game, stones, &random));
    }
}

static int count_groups_inside(const plb_game *game, uint64_t occupied) {
    int count = 0;
    for (int g = 0; g < game->group_count; g++) count += (game->groups[g] & ~occupied) == 0;
    return count;
}

static void check_groups(const plb_game *game, uint64_t occupied) {
    plb_slab slab = words_shape(game, occupied, PLB_LIVE);
    assert_int_equal(slab.group_count, count_groups_inside(game, occupied));
    for (int g = 0; g < slab.group_count; g++) {
        uint64_t cells = plb_scatter_bits(slab.groups[g], occupied);
        bool found = false;
        for (int h = 0; h < game->group_count; h++) found |= game->groups[h] == cells;
        assert_true(found);
        assert_int_equal(g < slab.low_groups, (slab.groups[g] & plb_low_bits(slab.low)) != 0);
    }
    plb_slab_free(&slab);
}

static void groups_are_those_inside_the_set(void **state) {
    (void)state;
    for_every_slab(check_groups);
}

static void check_live(const plb_game *game, uint64_t occupied) {
    plb_slab slab = words_shape(game, occupied, PLB_LIVE);
    uint64_t word = words_first(&slab);
    do {
        bool dead =
            words_has_group(&slab, word, 0, slab.low) || words_has_group(&slab, word, 1, slab.low);
        assert_int_equal(words_bit(&slab, word) < 0, dead);
    } while ((word = words_next(&slab, word)));
    plb_slab_free(&slab);
}

static void live_blocks_have_no_group_in_hi(void **state) {
    (void)state;
    for_every_slab(check_live);
}

/* Does hi alone give the mover a group that lacks one cell, on which he can place a stone? */
static bool is_won(const plb_game *game, const plb_slab *slab, uint64_t word) {
    unsigned mover = slab->stones % 2 == 0;
    uint64_t own =
        plb_scatter_bits((mover ? word : ~word) & ~plb_low_bits(slab->low), slab->occupied);
    uint64_t cells = plb_game_playable(game, slab->occupied);
    for (int g = 0; g < game->group_count; g++)
        for (uint64_t left = cells; left; left &= left - 1)
            if (game->groups[g] >> plb_lowest(left) & 1 && plb_popcount(game->groups[g]) > 1 &&
                (game->groups[g] & ~own) == (left & -left))
                return true;
    return false;
}

static void check_undecided(const plb_game *game, uint64_t occupied) {
    plb_slab slab = words_shape(game, occupied, PLB_UNDECIDED);
    plb_slab live = words_shape(game, occupied, PLB_LIVE);
    uint64_t word = words_first(&slab);
    do {
        bool expected = words_bit(&live, word) >= 0 && !is_won(game, &slab, word);
        assert_int_equal(words_bit(&slab, word) >= 0, expected);
    } while ((word = words_next(&slab, word)));
    plb_slab_free(&slab);
    plb_slab_free(&live);
}

static void undecided_blocks_are_live_and_not_won_by_hi(void **state) {
    (void)state;
    for_every_slab(check_undecided);
}

/* Copy the undecided blocks of a random plane of live blocks, in two ranges. */
static void check_copy(const plb_game *game, uint64_t occupied) {
    plb_slab slab = words_shape(game, occupied, PLB_UNDECIDED);
    plb_slab live = words_shape(game, occupied, PLB_LIVE);
    uint64_t random = occupied, *plane = words_random_plane(&live, &random);
    uint64_t *part = words_new_plane(&slab), word = words_first(&slab);
    for (size_t half = slab.blocks / 2, r = 0; r < 2; r++) {
        plb_block_range run = {r ? half : 0, r ? slab.blocks : half};
        if (slab.blocks)
            plb_slab_copy_range(&live, plane, &slab, run, part + slab.start[run.first]);
    }
    do {
        int64_t bit = words_bit(&slab, word);
        if (bit >= 0)
            assert_int_equal(words_get(part, bit), words_get(plane, words_bit(&live, word)));
    } while ((word = words_next(&slab, word)));
    free(plane);
    free(part);
    plb_slab_free(&slab);
    plb_slab_free(&live);
}

static void undecided_blocks_are_copied_from_live_ones(void **state) {
    (void)state;
    for_every_slab(check_copy);
}

/* Can a last move have led to a block? The last mover has groups in hi, the other player has none,
 * and some stone that can be taken back is in all of the groups. */
static bool is_fringe(const plb_game *game, const plb_slab *slab, uint64_t word) {
    unsigned last = slab->stones % 2;
    if (words_has_group(slab, word, !last, slab->low)) return false;
    uint64_t shared = plb_gather_bits(plb_game_removable(game, slab->occupied), slab->occupied);
    uint64_t same = (last ? word : ~word) & ~plb_low_bits(slab->low);
    bool any = false;
    for (int g = 0; g < slab->group_count; g++)
        if ((slab->groups[g] & ~same) == 0) {
            shared &= slab->groups[g];
            any = true;
        }
    return any && shared;
}

static void check_fringe(const plb_game *game, uint64_t occupied) {
    plb_slab slab = words_shape(game, occupied, PLB_FRINGE);
    uint64_t word = words_first(&slab);
    do {
        assert_int_equal(words_bit(&slab, word) >= 0, is_fringe(game, &slab, word));
    } while ((word = words_next(&slab, word)));
    plb_slab_free(&slab);
}

static void fringe_blocks_may_come_from_a_last_move(void **state) {
    (void)state;
    for_every_slab(check_fringe);
}

static void check_places(const plb_game *game, uint64_t occupied) {
    for (int part = PLB_LIVE; part <= PLB_FRINGE; part++) {
        plb_slab slab = words_shape(game, occupied, part);
        uint64_t next = 0;
        assert_int_equal(slab.stones, plb_popcount(occupied));
        assert_int_equal(slab.ones, (slab.stones + 1) / 2);
        assert_int_equal(slab.low, slab.stones < PLB_LOW ? slab.stones : PLB_LOW);
        for (size_t block = 0; block < slab.blocks; block++) {
            int low_ones = plb_slab_low_ones(&slab, block);
            uint64_t first = slab.hi[block] << slab.low | plb_low_bits(low_ones);
            assert_in_range(low_ones, 0, slab.low);
            assert_true(block == 0 || slab.hi[block] > slab.hi[block - 1]);
            assert_int_equal(slab.rank[block], plb_binomial_rank(first));
            assert_int_equal(slab.start[block], next);
            next += (plb_binomial[slab.low][low_ones] + 63) / 64;
        }
        assert_int_equal(slab.words, next);
        if (slab.blocks) assert_int_equal(slab.start[slab.blocks], next);
        plb_slab_free(&slab);
    }
}

static void blocks_are_adjacent_in_order_of_hi(void **state) {
    (void)state;
    for_every_slab(check_places);
}

static void a_shape_can_be_used_again(void **state) {
    (void)state;
    uint64_t random = support_seed("sets of cells", 20240702);
    plb_slab again = {0};
    for (int trial = 0; trial < 200; trial++) {
        plb_game game = support_game(specs[trial % SPECS]);
        int stones = (int)support_random_below(&random, MAX_STONES);
        uint64_t occupied = words_random_set(&game, stones, &random);
        plb_slab fresh = words_shape(&game, occupied, PLB_LIVE);
        assert_int_equal(plb_slab_shape(&game, occupied, PLB_LIVE, NULL, &again), PLB_OK);
        assert_int_equal(again.blocks, fresh.blocks);
        assert_int_equal(again.words, fresh.words);
        assert_int_equal(again.group_count, fresh.group_count);
        assert_memory_equal(again.hi, fresh.hi, fresh.blocks * sizeof *fresh.hi);
        assert_memory_equal(again.rank, fresh.rank, fresh.blocks * sizeof *fresh.rank);
        plb_slab_free(&fresh);
    }
    plb_slab_free(&again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_of_the_figure),
        cmocka_unit_test(dead_blocks_are_left_out_of_the_figure),
        cmocka_unit_test(groups_are_those_inside_the_set),
        cmocka_unit_test(live_blocks_have_no_group_in_hi),
        cmocka_unit_test(undecided_blocks_are_live_and_not_won_by_hi),
        cmocka_unit_test(undecided_blocks_are_copied_from_live_ones),
        cmocka_unit_test(fringe_blocks_may_come_from_a_last_move),
        cmocka_unit_test(blocks_are_adjacent_in_order_of_hi),
        cmocka_unit_test(a_shape_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
