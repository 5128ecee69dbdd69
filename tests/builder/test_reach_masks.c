/* SPDX-License-Identifier: MIT
 *
 * Masks of reachable positions agree, word by word, with a search for an order of the stones, which
 * uses no automaton. They do not depend on earlier queries, nor on the cache being emptied.
 */
#include "builder/planes/reach_masks.h"

#include <stdlib.h>
#include <string.h>

#include "tables/reach/alternating_order.h"
#include "tests/support/words.h"

static const char *const specs[] = {"connect-5x4-k4", "connect-4x5-k4", "connect-8x2-k2",
                                    "connect-1x6-k5", "connect-6x6-k4", "connect-7x6-k4"};
enum { SPECS = sizeof specs / sizeof specs[0] };

static plb_column_automaton make_columns(const plb_game *game) {
    plb_column_automaton columns;
    assert_int_equal(plb_column_automaton_make(game->width, game->height, game->k, NULL, &columns),
                     PLB_OK);
    return columns;
}

static bool has_order(const plb_game *game, const plb_slab *slab, uint64_t word) {
    uint64_t x = plb_scatter_bits(word, slab->occupied);
    plb_alternating_order found =
        plb_alternating_order_find(x, slab->occupied, game->width, game->height, 1 << 20, NULL);
    assert_int_not_equal(found, PLB_ORDER_UNDECIDED);
    return found == PLB_ORDER_EXISTS;
}

/* Does a column hold k equal stones in succession? The automaton has no word for such a column. */
static bool has_vertical_group(const plb_game *game, const plb_slab *slab, uint64_t word) {
    uint64_t x = plb_scatter_bits(word, slab->occupied), o = slab->occupied ^ x;
    for (int cell = 0; cell < game->cells; cell++) {
        uint64_t run = plb_low_bits(game->k) << cell;
        bool fits = cell % game->height + game->k <= game->height;
        if (fits && ((run & ~x) == 0 || (run & ~o) == 0)) return true;
    }
    return false;
}

/* Compare the mask of a block. Returns the number of reachable words. */
static int check_block(const plb_game *game, plb_reach_masks *masks, const plb_slab *slab,
                       size_t block) {
    uint64_t mask[PLB_BLOCK_WORDS];
    plb_slab_fill_range(slab, (plb_block_range){block, block + 1}, mask);
    assert_int_equal(plb_reach_masks_keep(masks, slab, block, mask), PLB_OK);
    int ones = plb_slab_low_ones(slab, block), reached = 0;
    for (uint64_t i = 0; i < plb_masks_block_bits(slab->low, ones); i++) {
        uint64_t word = slab->hi[block] << slab->low | plb_low_colourings[ones][i];
        bool expected = has_order(game, slab, word) && !has_vertical_group(game, slab, word);
        bool found = mask[i / 64] >> (i % 64) & 1;
        if (found != expected)
            fail_msg("%dx%d, occupied %llx, word %llx: %d", game->width, game->height,
                     (unsigned long long)slab->occupied, (unsigned long long)word, found);
        reached += found;
    }
    return reached;
}

static void masks_agree_with_the_search(void **state) {
    (void)state;
    enum { TRIALS = 2, BLOCKS = 2, MAX_STONES = 24 };
    uint64_t random = support_seed("sets of cells", 16);
    for (int s = 0; s < SPECS; s++) {
        plb_game game = support_game(specs[s]);
        plb_column_automaton columns = make_columns(&game);
        plb_reach_masks masks = {.columns = &columns, .max_bytes = 4 << 20};
        int reached = 0;
        for (int stones = 0; stones <= game.cells && stones <= MAX_STONES; stones++)
            for (int trial = 0; trial < TRIALS; trial++) {
                uint64_t occupied = words_random_set(&game, stones, &random);
                plb_slab slab = words_shape(&game, occupied, PLB_LIVE);
                for (int i = 0; i < BLOCKS && slab.blocks; i++)
                    reached += check_block(&game, &masks, &slab,
                                           support_random_below(&random, slab.blocks));
                plb_slab_free(&slab);
            }
        assert_true(reached > 0);
        plb_reach_masks_free(&masks);
        plb_column_automaton_free(&columns);
    }
}

/* The masks of all blocks of these slabs do not fit in the cache. */
static void evicted_masks_are_made_again(void **state) {
    (void)state;
    enum { SLABS = 30, KEPT = 1 << 20, MAX = 2 * KEPT };
    plb_game game = support_game("connect-7x6-k4");
    plb_column_automaton columns = make_columns(&game);
    plb_reach_masks masks = {.columns = &columns, .max_bytes = KEPT};
    uint64_t random = support_seed("slabs", 16);
    size_t max_bytes_used = 0, evictions = 0, before = 0;
    for (int i = 0; i < SLABS; i++) {
        uint64_t part[PLB_BLOCK_WORDS], occupied = words_random_set(&game, 18, &random);
        plb_slab slab = words_shape(&game, occupied, PLB_LIVE);
        for (size_t block = 0; block < slab.blocks; block++) {
            plb_slab_fill_range(&slab, (plb_block_range){block, block + 1}, part);
            assert_int_equal(plb_reach_masks_keep(&masks, &slab, block, part), PLB_OK);
            evictions += masks.bytes < before;
            before = masks.bytes;
            max_bytes_used = plb_max(max_bytes_used, masks.bytes);
        }
        check_block(&game, &masks, &slab, support_random_below(&random, slab.blocks));
        plb_slab_free(&slab);
    }
    assert_true(evictions > 0 && max_bytes_used < MAX);
    plb_reach_masks_free(&masks);
    plb_column_automaton_free(&columns);
}

/* The masks of a slab are the same in ascending and in descending order of blocks. */
static void masks_do_not_depend_on_the_order_of_blocks(void **state) {
    (void)state;
    enum { SLABS = 40 };
    plb_game game = support_game("connect-6x5-k4");
    plb_column_automaton columns = make_columns(&game);
    plb_reach_masks upwards = {.columns = &columns, .max_bytes = 4 << 20};
    plb_reach_masks downwards = {.columns = &columns, .max_bytes = 4 << 20};
    uint64_t random = support_seed("orders", 16);
    for (int i = 0; i < SLABS; i++) {
        uint64_t occupied = words_random_set(&game, 14 + i % 8, &random);
        plb_slab slab = words_shape(&game, occupied, PLB_LIVE);
        plb_block_range all = {0, slab.blocks};
        uint64_t *one = malloc((slab.words + 1) * sizeof *one),
                 *other = malloc((slab.words + 1) * sizeof *other);
        plb_slab_fill_range(&slab, all, one);
        plb_slab_fill_range(&slab, all, other);
        for (size_t b = 0; b < slab.blocks; b++)
            assert_int_equal(plb_reach_masks_keep(&upwards, &slab, b, one + slab.start[b]), PLB_OK);
        for (size_t b = slab.blocks; b-- > 0;)
            assert_int_equal(plb_reach_masks_keep(&downwards, &slab, b, other + slab.start[b]),
                             PLB_OK);
        assert_memory_equal(one, other, slab.words * sizeof *one);
        free(one);
        free(other);
        plb_slab_free(&slab);
    }
    plb_reach_masks_free(&upwards);
    plb_reach_masks_free(&downwards);
    plb_column_automaton_free(&columns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_do_not_depend_on_the_order_of_blocks),
        cmocka_unit_test(masks_agree_with_the_search),
        cmocka_unit_test(evicted_masks_are_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
