/* SPDX-License-Identifier: MIT
 *
 * Lists of quiet positions: for every block exactly the positions that are quiet by the rules, in
 * order, each with its code, for all kinds of vectors.
 */
#include "tables/codec/quiet_list.h"

#include <stdlib.h>
#include <string.h>

#include "tables/binomial.h"
#include "tables/games/static_value.h"
#include "tests/support/support.h"

enum { BLOCK_ENTRIES = 1000, WORDS = BLOCK_ENTRIES / 64 + 1, LISTS = PLB_AVX512_VECTORS + 1 };

typedef struct random_block {
    const plb_space *space;
    plb_ply_block block;
    int planes;
    uint64_t bits[PLB_PLANES * WORDS], stored[WORDS];
    plb_quiet_list lists[LISTS]; /* by kind of vectors */
} random_block;

static bool is_quiet(const plb_game *game, plb_position p) {
    return !plb_game_has_group(game, p.x) && !plb_game_has_group(game, p.o) &&
           (p.x | p.o) != game->board && plb_static_value(game, p).kind == PLB_QUIET;
}

/* The code of an entry, with PLB_NOT_STORED if it is not stored. */
static uint8_t expected_code(const random_block *b, uint64_t entry) {
    unsigned code = b->stored[entry / 64] >> entry % 64 & 1 ? 0 : PLB_NOT_STORED;
    for (int p = 0; p < b->planes; p++)
        code |= (unsigned)(b->bits[p * WORDS + entry / 64] >> entry % 64 & 1) << p;
    return (uint8_t)code;
}

static void compare_with_rules(const random_block *b, const plb_quiet_list *list) {
    const plb_block_layout *layout = b->block.layout;
    size_t next = 0;
    for (uint64_t e = 0; e < plb_block_layout_block_entries(layout, b->block.number); e++) {
        plb_block_address address = {b->block.ply, b->block.number, e};
        plb_position p =
            plb_index_unrank(&b->space->index, plb_block_layout_entry(layout, address));
        if (!is_quiet(&b->space->game, p)) continue;
        uint64_t word = plb_gather_bits(p.x, p.x | p.o);
        assert_true(next < list->count);
        assert_int_equal(list->low_stones[next], word % 256);
        assert_int_equal(list->codes[next], expected_code(b, e));
        next++;
    }
    assert_int_equal(next, list->count);
    assert_int_equal(list->codes[-1], 0);
    assert_int_equal(list->codes[-2], 0);
}

/* The same if the quiet positions are known. */
static void list_known(random_block *b, plb_colour_cursor *colours) {
    const plb_block_layout *layout = b->block.layout;
    uint64_t quiet[WORDS + 1] = {0};
    plb_block_codes codes = {b->bits, quiet, WORDS, true};
    plb_quiet_list listed;
    assert_int_equal(plb_quiet_list_open(BLOCK_ENTRIES, &listed), PLB_OK);
    for (uint64_t e = 0; e < plb_block_layout_block_entries(layout, b->block.number); e++) {
        plb_block_address address = {b->block.ply, b->block.number, e};
        plb_position p =
            plb_index_unrank(&b->space->index, plb_block_layout_entry(layout, address));
        if (is_quiet(&b->space->game, p)) quiet[e / 64] |= 1ULL << e % 64;
    }
    for (int w = 0; w < WORDS; w++) b->stored[w] = ~(b->bits[w] & b->bits[WORDS + w]);
    for (plb_vectors v = PLB_ANY_VECTORS; v <= plb_best_vectors(); v++) {
        plb_quiet_cursor c =
            plb_quiet_cursor_begin(&b->space->index, colours, &b->block, BLOCK_ENTRIES, quiet);
        plb_quiet_list_make(&c, &codes, b->planes, v, &listed);
        compare_with_rules(b, &listed);
        assert_memory_equal(b->lists[0].features, listed.features, listed.count);
    }
    plb_quiet_list_free(&listed);
}

static void list_block(random_block *b, plb_colour_cursor *colours, uint64_t *random) {
    plb_block_codes codes = {b->bits, b->stored, WORDS, false};
    for (int w = 0; w < b->planes * WORDS; w++) b->bits[w] = support_random(random);
    for (int w = 0; w < WORDS; w++) b->stored[w] = support_random(random) | support_random(random);
    for (plb_vectors v = PLB_ANY_VECTORS; v <= plb_best_vectors(); v++) {
        plb_quiet_cursor c =
            plb_quiet_cursor_begin(&b->space->index, colours, &b->block, BLOCK_ENTRIES, NULL);
        plb_quiet_list_make(&c, &codes, b->planes, v, &b->lists[v]);
        compare_with_rules(b, &b->lists[v]);
        assert_memory_equal(b->lists[0].features, b->lists[v].features, b->lists[0].count);
    }
    list_known(b, colours);
}

/* Check the blocks of a ply, or as many as time allows. Returns the number of quiet positions. */
static uint64_t list_ply(const plb_space *space, int ply, int planes, uint64_t *random) {
    enum { MAX_BLOCKS = 40 };
    plb_block_layout cut = plb_block_layout_ply(&space->index, ply, BLOCK_ENTRIES);
    random_block b = {.space = space, .planes = planes};
    plb_colour_cursor *colours = NULL;
    uint64_t blocks = 0, quiet = 0;
    assert_int_equal(plb_colour_cursor_open(&space->game, &colours), PLB_OK);
    for (int i = 0; i < LISTS; i++)
        assert_int_equal(plb_quiet_list_open(BLOCK_ENTRIES, &b.lists[i]), PLB_OK);
    for (uint64_t s = 0; s < cut.segments; s++) blocks += plb_block_layout_blocks(&cut, s);
    for (uint64_t n = 0; n < plb_min(blocks, MAX_BLOCKS); n++) {
        uint64_t number = blocks <= MAX_BLOCKS ? n : support_random_below(random, blocks);
        b.block = (plb_ply_block){&cut, ply, number};
        list_block(&b, colours, random);
        quiet += b.lists[0].count;
    }
    for (int i = 0; i < LISTS; i++) plb_quiet_list_free(&b.lists[i]);
    plb_colour_cursor_close(colours);
    return quiet;
}

static void lists_are_the_rules(void **state) {
    (void)state;
    static const char *const specs[] = {"connect-5x4-k4", "mnk-4x4-k4", "mnk-3x3-k3",
                                        "connect-4x4-k3-misere", "square-4x4"};
    uint64_t random = support_seed("codes", 17);
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
        plb_space space;
        uint64_t quiet = 0;
        support_open_space(specs[s], &space);
        for (int ply = 0; ply <= space.game.cells; ply += 2)
            quiet += list_ply(&space, ply, ply % 4 ? PLB_ROUND : PLB_PLANES, &random);
        print_message("%s: %llu quiet positions\n", specs[s], (unsigned long long)quiet);
        assert_true(quiet > 50);
        plb_space_close(&space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_the_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
