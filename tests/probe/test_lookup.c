/* SPDX-License-Identifier: MIT
 *
 * The lookup: the code of an entry is the one in its block, whoever reads it and in whatever order.
 */
#include "probe/lookup.h"

#include <stdio.h>
#include <stdlib.h>

#include "tables/games/static_value.h"
#include "tables/store/segment.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"

static const char spec[] = "connect-4x4-k3";

typedef struct opened {
    plb_table_file table;
    plb_lookup *lookup;
} opened;

static void open_lookup(void **state, opened *of) {
    const char *path = support_path(state, "table");
    plb_message why;
    support_build_values(spec, PLB_DTM, path, NULL, 1);
    open_table_file(path, &of->table);
    support_expect(plb_lookup_open(of->table.codec, of->table.store, &of->lookup, &why), PLB_OK,
                   spec, &why);
}

static void close_lookup(opened *of) {
    plb_lookup_close(of->lookup);
    plb_table_file_close(&of->table);
}

/* The code of an entry, unpacked from its segment; -1 where its block is empty. */
static int code_in_segment(const opened *of, plb_entry entry) {
    plb_block_layout cut = layout_of(&of->table, entry.ply);
    plb_block_address at = plb_block_layout_find(&cut, entry);
    uint64_t number = at.block / cut.blocks_per_segment, block = at.block % cut.blocks_per_segment;
    uint64_t first = number * cut.blocks_per_segment;
    uint64_t words = plb_segment_plane_words(plb_block_layout_block_entries(&cut, at.block));
    int planes = of->table.coding.planes, code = -1;
    uint8_t *bytes = NULL;
    plb_segment segment = {.blocks = plb_block_layout_blocks(&cut, number)};
    assert_int_equal(
        plb_store_get_segment(of->table.store, entry.ply, first, &bytes, &segment.size, NULL),
        PLB_OK);
    segment.bytes = bytes;
    if (plb_segment_has_block(&segment, block)) {
        uint64_t *content = malloc(planes * words * sizeof *content);
        plb_block_reader *reader = NULL;
        assert_int_equal(plb_block_reader_open(of->table.codec, &reader), PLB_OK);
        assert_int_equal(
            plb_block_reader_unpack_block(reader, &segment, block, entry.ply, first, content),
            PLB_OK);
        code = 0;
        for (int p = 0; p < planes; p++)
            code |= (int)(content[p * words + at.offset / 64] >> at.offset % 64 & 1) << p;
        plb_block_reader_close(reader);
        free(content);
    }
    free(bytes);
    return code;
}

/* Entries of all stored plies, some steps apart; every one with two readers. */
static void codes_are_those_of_the_segments(void **state) {
    opened of;
    uint64_t random = support_seed("entries", 20261122);
    open_lookup(state, &of);
    plb_reader *readers[2] = {plb_lookup_take_reader(of.lookup), plb_lookup_take_reader(of.lookup)};
    assert_ptr_not_equal(readers[0], readers[1]);
    int compared = 0;
    for (int trial = 0; trial < 2000; trial++) {
        int ply = 2 * (int)support_random_below(&random, of.table.space.game.cells / 2 + 1);
        const plb_index_ply *p = &of.table.space.index.plies[ply];
        plb_entry entry = {ply, support_random_below(&random, p->slabs),
                           support_random_below(&random, p->slab_size)};
        int expected = code_in_segment(&of, entry);
        for (int r = 0; r < 2; r++) {
            unsigned code = 77;
            plb_block_address at =
                plb_block_layout_find(&of.table.codec->layouts[entry.ply], entry);
            int error = plb_lookup_code(of.lookup, readers[r], at, &code, NULL);
            assert_int_equal(error, expected < 0 ? PLB_ECORRUPT : PLB_OK);
            if (!error) assert_int_equal(code, expected);
        }
        compared += expected >= 0;
    }
    printf("%d codes compared\n", compared);
    assert_true(compared > 500);
    for (int r = 0; r < 2; r++) plb_lookup_give_reader(of.lookup, readers[r]);
    close_lookup(&of);
}

static void a_reader_that_was_given_back_is_lent_again(void **state) {
    opened of;
    open_lookup(state, &of);
    plb_reader *reader = plb_lookup_take_reader(of.lookup);
    plb_lookup_give_reader(of.lookup, reader);
    assert_ptr_equal(plb_lookup_take_reader(of.lookup), reader);
    plb_lookup_give_reader(of.lookup, reader);
    plb_lookup_give_reader(of.lookup, NULL);
    close_lookup(&of);
    plb_lookup_close(NULL);
}

/* The number of an entry's block counts from 0 in its ply. */
static void blocks_are_numbered_in_their_ply(void **state) {
    opened of;
    open_lookup(state, &of);
    for (int ply = 0; ply <= of.table.space.game.cells; ply++) {
        plb_block_layout cut = layout_of(&of.table, ply);
        plb_entry first = {ply, 0, 0}, last = {ply, cut.slabs - 1, cut.slab_size - 1};
        uint64_t blocks = (cut.segments - 1) * cut.blocks_per_segment +
                          plb_block_layout_blocks(&cut, cut.segments - 1);
        assert_int_equal(plb_block_layout_find(&cut, first).block, 0);
        assert_int_equal(plb_block_layout_find(&cut, last).block, blocks - 1);
    }
    close_lookup(&of);
}

/* A block that cannot be read is an error, or a code of 0 for a reader that does without. */
static void readers_do_without_blocks(void **state) {
    opened of;
    uint64_t random = support_seed("entries", 20261128);
    plb_message why;
    open_lookup(state, &of);
    int empty = 0;
    for (int trial = 0; trial < 2000; trial++) {
        int ply = 2 * (int)support_random_below(&random, of.table.space.game.cells / 2 + 1);
        const plb_index_ply *p = &of.table.space.index.plies[ply];
        plb_entry entry = {ply, support_random_below(&random, p->slabs),
                           support_random_below(&random, p->slab_size)};
        plb_block_layout cut = layout_of(&of.table, ply);
        plb_block_address at = plb_block_layout_find(&cut, entry);
        int expected = code_in_segment(&of, entry);
        empty += expected < 0;
        for (int without = 1; without >= 0; without--) {
            unsigned code = 99;
            plb_lookup_skip_missing(of.lookup, without);
            plb_reader *reader = plb_lookup_take_reader(of.lookup);
            int error = plb_lookup_code(of.lookup, reader, at, &code, &why);
            assert_int_equal(error, expected < 0 && !without ? PLB_ECORRUPT : PLB_OK);
            if (!error) assert_int_equal(code, expected < 0 ? 0 : expected);
            plb_outcome known;
            plb_reader_remember(reader, (plb_position){trial, 0}, (plb_outcome){PLB_WIN, 1});
            assert_int_equal(plb_reader_recall(reader, (plb_position){trial, 0}, &known), !without);
            plb_lookup_give_reader(of.lookup, reader);
        }
    }
    assert_true(empty > 0);
    close_lookup(&of);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(codes_are_those_of_the_segments),
        SUPPORT_IN_FOLDER(a_reader_that_was_given_back_is_lent_again),
        SUPPORT_IN_FOLDER(blocks_are_numbered_in_their_ply),
        SUPPORT_IN_FOLDER(readers_do_without_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
