/* SPDX-License-Identifier: MIT
 *
 * The layout of a ply: segments partition its slabs, blocks partition the positions of a segment,
 * and every position has an address that maps back to it.
 */
#include "tables/format/block_layout.h"

#include "tests/support/support.h"

/* ---- the examples of block_layout.h ---- */

/* Slabs of ply 5 have C(5, 3) = 10 entries, those of ply 9 C(9, 5) = 126. */
static plb_index index_of_twenty_slabs(void) {
    plb_index index = {
        .plies = {[5] = {.slab_size = 10, .slabs = 20}, [9] = {.slab_size = 126, .slabs = 20}}};
    return index;
}

static void assert_address(const plb_block_layout *layout, uint64_t slab, uint64_t rank,
                           uint64_t block, uint64_t offset) {
    plb_block_address found = plb_block_layout_find(layout, (plb_entry){5, slab, rank});
    assert_int_equal(found.ply, 5);
    assert_int_equal(found.block, block);
    assert_int_equal(found.offset, offset);
    plb_entry again = plb_block_layout_entry(layout, found);
    assert_int_equal(again.ply, 5);
    assert_int_equal(again.slab, slab);
    assert_int_equal(again.rank, rank);
}

static void a_block_holds_six_small_slabs(void **state) {
    (void)state;
    plb_index index = index_of_twenty_slabs();
    plb_block_layout layout = plb_block_layout_ply(&index, 5, 64);
    assert_int_equal(layout.slabs_per_block, 6);
    assert_int_equal(layout.block_entries, 60);
    assert_int_equal(layout.segments, 1);
    assert_int_equal(plb_block_layout_blocks(&layout, 0), 4);
    assert_int_equal(plb_block_layout_block_entries(&layout, 0), 60);
    assert_int_equal(plb_block_layout_block_entries(&layout, 3), 20);
    assert_address(&layout, 0, 0, 0, 0);
    assert_address(&layout, 7, 3, 1, 13);
    assert_address(&layout, 19, 9, 3, 19);
}

static void a_big_slab_has_two_blocks(void **state) {
    (void)state;
    plb_index index = index_of_twenty_slabs();
    plb_block_layout layout = plb_block_layout_ply(&index, 9, 64);
    assert_int_equal(layout.slabs_per_block, 0);
    assert_int_equal(layout.blocks_per_slab, 2);
    assert_int_equal(layout.slabs_per_segment, 8322); /* 2^20 / 126 */
    assert_int_equal(plb_block_layout_blocks(&layout, 0), 40);
    assert_int_equal(plb_block_layout_block_entries(&layout, 4), 64);
    assert_int_equal(plb_block_layout_block_entries(&layout, 5), 62);
    assert_address(&layout, 2, 63, 4, 63);
    assert_address(&layout, 2, 100, 5, 36);
}

/* ---- all entries of small boards ---- */

/* Small boards, and some with plies of many segments and slabs larger than a segment. */
static const struct {
    const char *spec;
    uint64_t block_sizes[4]; /* 0 after the last */
} games[] = {{"connect-1x1-k1", {64, 1 << 14}},
             {"connect-4x3-k3", {64, 128, 960, 1 << 14}},
             {"mnk-3x3-k3-cylinder", {64, 128, 1 << 14}},
             {"square-4x4", {64, 960, 1 << 14}},
             {"connect-5x4-k4", {64, 960, 1 << 14, 1 << 20}},
             {"connect-3x8-k4", {1 << 14, 1 << 20}},
             {"connect-5x5-k4", {1 << 14, 1 << 20}}};

static void for_every_layout(void (*check)(const plb_block_layout *layout,
                                           uint64_t block_entries)) {
    for (size_t n = 0; n < sizeof games / sizeof games[0]; n++) {
        plb_space g;
        support_open_space(games[n].spec, &g);
        for (int ply = 0; ply <= g.game.cells; ply++)
            for (int b = 0; b < 4 && games[n].block_sizes[b]; b++) {
                plb_block_layout layout =
                    plb_block_layout_ply(&g.index, ply, games[n].block_sizes[b]);
                assert_int_equal(layout.slabs, g.index.plies[ply].slabs);
                assert_int_equal(layout.slab_size, g.index.plies[ply].slab_size);
                check(&layout, games[n].block_sizes[b]);
            }
        plb_space_close(&g);
    }
}

static void check_segments(const plb_block_layout *layout, uint64_t block_entries) {
    (void)block_entries;
    uint64_t next = 0;
    for (uint64_t segment = 0; segment < layout->segments; segment++) {
        uint64_t first, last;
        plb_block_layout_slabs(layout, segment, &first, &last);
        assert_int_equal(first, next);
        assert_true(last > first && last <= layout->slabs);
        next = last;
    }
    assert_int_equal(next, layout->slabs);
}

static void segments_tile_the_slabs(void **state) {
    (void)state;
    for_every_layout(check_segments);
}

static void check_blocks(const plb_block_layout *layout, uint64_t block_entries) {
    for (uint64_t segment = 0; segment < layout->segments; segment++) {
        uint64_t first, last, positions = 0, blocks = plb_block_layout_blocks(layout, segment);
        plb_block_layout_slabs(layout, segment, &first, &last);
        assert_true(blocks > 0 && blocks <= layout->blocks_per_segment);
        if (segment + 1 < layout->segments) assert_int_equal(blocks, layout->blocks_per_segment);
        for (uint64_t block = 0; block < blocks; block++) {
            uint64_t here = plb_block_layout_block_entries(
                layout, segment * layout->blocks_per_segment + block);
            assert_true(here > 0 && here <= layout->block_entries);
            positions += here;
        }
        assert_int_equal(positions, (last - first) * layout->slab_size);
    }
    assert_true(layout->block_entries <= block_entries);
}

static void blocks_tile_the_positions_of_a_segment(void **state) {
    (void)state;
    for_every_layout(check_blocks);
}

/* A counter over the slabs and ranks of a ply, in the order of the index. */
typedef struct counter {
    uint64_t slab, rank;
} counter;

static void advance(const plb_block_layout *layout, counter *at, uint64_t positions) {
    at->rank += positions;
    at->slab += at->rank / layout->slab_size;
    at->rank %= layout->slab_size;
}

/* Check all positions of a small block; of a large one the first, the last and those that begin a
 * slab. */
static void check_found(const plb_block_layout *layout, uint64_t block_entries) {
    (void)block_entries;
    counter at = {0, 0};
    for (uint64_t segment = 0; segment < layout->segments; segment++)
        for (uint64_t block = 0; block < plb_block_layout_blocks(layout, segment); block++) {
            uint64_t number = segment * layout->blocks_per_segment + block;
            uint64_t here = plb_block_layout_block_entries(layout, number);
            uint64_t step = here <= 128 || layout->slab_size > here ? 1 : layout->slab_size;
            if (step == 1 && here > 128) step = here - 1;
            for (uint64_t offset = 0; offset < here; offset += step) {
                counter there = at;
                advance(layout, &there, offset);
                assert_address(layout, there.slab, there.rank, number, offset);
            }
            advance(layout, &at, here);
        }
    assert_true(at.slab == layout->slabs && at.rank == 0);
}

static void find_knows_where_each_position_went(void **state) {
    (void)state;
    for_every_layout(check_found);
}

static void check_borders(const plb_block_layout *layout, uint64_t block_entries) {
    if (layout->slab_size <= block_entries) {
        assert_int_equal(layout->block_entries % layout->slab_size, 0);
        return;
    }
    for (uint64_t segment = 0; segment < layout->segments; segment++) {
        uint64_t in_slab = 0;
        for (uint64_t block = 0; block < plb_block_layout_blocks(layout, segment); block++) {
            in_slab += plb_block_layout_block_entries(layout,
                                                      segment * layout->blocks_per_segment + block);
            assert_true(in_slab <= layout->slab_size);
            if (in_slab == layout->slab_size) in_slab = 0;
        }
        assert_int_equal(in_slab, 0);
    }
}

static void no_block_crosses_the_border_of_a_big_slab(void **state) {
    (void)state;
    for_every_layout(check_borders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_holds_six_small_slabs),
        cmocka_unit_test(a_big_slab_has_two_blocks),
        cmocka_unit_test(segments_tile_the_slabs),
        cmocka_unit_test(blocks_tile_the_positions_of_a_segment),
        cmocka_unit_test(find_knows_where_each_position_went),
        cmocka_unit_test(no_block_crosses_the_border_of_a_big_slab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
