/* SPDX-License-Identifier: MIT
 *
 * The lookup: the code of an entry is the one in its block, for every reader and in any order.
 */
#include "probe/lookup.h"

#include <stdio.h>
#include <stdlib.h>

#include "tables/games/static_value.h"
#include "tables/store/segment.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"

static const char spec[] = "connect-4x4-k3";

typedef struct fixture {
    plb_table_file table;
    plb_lookup *lookup;
} fixture;

static void open_lookup(void **state, fixture *f) {
    const char *path = support_path(state, "table");
    plb_message why;
    support_build_values(spec, PLB_DTM, path, NULL, 1);
    open_table_file(path, &f->table);
    support_expect(plb_lookup_open(f->table.codec, f->table.store, &f->lookup, &why), PLB_OK, spec,
                   &why);
}

static void close_lookup(fixture *f) {
    plb_lookup_close(f->lookup);
    plb_table_file_close(&f->table);
}

/* The code of an entry, unpacked from its segment; -1: its block is empty. */
static int code_in_segment(const fixture *f, plb_entry entry) {
    plb_block_layout layout = layout_of(&f->table, entry.ply);
    plb_block_address at = plb_block_layout_find(&layout, entry);
    uint64_t number = at.block / layout.blocks_per_segment,
             block = at.block % layout.blocks_per_segment;
    uint64_t first = number * layout.blocks_per_segment;
    uint64_t words = plb_segment_plane_words(plb_block_layout_block_entries(&layout, at.block));
    int planes = f->table.coding.planes, code = -1;
    uint8_t *bytes = NULL;
    plb_segment segment = {.blocks = plb_block_layout_blocks(&layout, number)};
    assert_int_equal(
        plb_store_get_segment(f->table.store, entry.ply, first, &bytes, &segment.size, NULL),
        PLB_OK);
    segment.bytes = bytes;
    if (plb_segment_has_block(&segment, block)) {
        uint64_t *content = malloc(planes * words * sizeof *content);
        plb_block_reader *reader = NULL;
        assert_int_equal(plb_block_reader_open(f->table.codec, &reader), PLB_OK);
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

/* Random entries of all stored plies, with two readers. */
static void codes_agree_with_the_segments(void **state) {
    fixture f;
    uint64_t random = support_seed("entries", 20261122);
    open_lookup(state, &f);
    plb_reader *readers[2] = {plb_lookup_take_reader(f.lookup), plb_lookup_take_reader(f.lookup)};
    assert_ptr_not_equal(readers[0], readers[1]);
    int compared = 0;
    for (int trial = 0; trial < 2000; trial++) {
        int ply = 2 * (int)support_random_below(&random, f.table.space.game.cells / 2 + 1);
        const plb_index_ply *p = &f.table.space.index.plies[ply];
        plb_entry entry = {ply, support_random_below(&random, p->slabs),
                           support_random_below(&random, p->slab_size)};
        int expected = code_in_segment(&f, entry);
        for (int r = 0; r < 2; r++) {
            unsigned code = 77;
            plb_block_address at = plb_block_layout_find(&f.table.codec->layouts[entry.ply], entry);
            int error = plb_lookup_code(f.lookup, readers[r], at, &code, NULL);
            assert_int_equal(error, expected < 0 ? PLB_ECORRUPT : PLB_OK);
            if (!error) assert_int_equal(code, expected);
        }
        compared += expected >= 0;
    }
    printf("%d codes compared\n", compared);
    assert_true(compared > 500);
    for (int r = 0; r < 2; r++) plb_lookup_give_reader(f.lookup, readers[r]);
    close_lookup(&f);
}

static void a_returned_reader_is_used_again(void **state) {
    fixture f;
    open_lookup(state, &f);
    plb_reader *reader = plb_lookup_take_reader(f.lookup);
    plb_lookup_give_reader(f.lookup, reader);
    assert_ptr_equal(plb_lookup_take_reader(f.lookup), reader);
    plb_lookup_give_reader(f.lookup, reader);
    plb_lookup_give_reader(f.lookup, NULL);
    close_lookup(&f);
    plb_lookup_close(NULL);
}

static void blocks_are_numbered_in_their_ply(void **state) {
    fixture f;
    open_lookup(state, &f);
    for (int ply = 0; ply <= f.table.space.game.cells; ply++) {
        plb_block_layout layout = layout_of(&f.table, ply);
        plb_entry first = {ply, 0, 0}, last = {ply, layout.slabs - 1, layout.slab_size - 1};
        uint64_t blocks = (layout.segments - 1) * layout.blocks_per_segment +
                          plb_block_layout_blocks(&layout, layout.segments - 1);
        assert_int_equal(plb_block_layout_find(&layout, first).block, 0);
        assert_int_equal(plb_block_layout_find(&layout, last).block, blocks - 1);
    }
    close_lookup(&f);
}

/* A missing block is an error, or with plb_lookup_skip_missing a code of 0. */
static void missing_blocks_can_be_skipped(void **state) {
    fixture f;
    uint64_t random = support_seed("entries", 20261128);
    plb_message why;
    open_lookup(state, &f);
    int empty = 0;
    for (int trial = 0; trial < 2000; trial++) {
        int ply = 2 * (int)support_random_below(&random, f.table.space.game.cells / 2 + 1);
        const plb_index_ply *p = &f.table.space.index.plies[ply];
        plb_entry entry = {ply, support_random_below(&random, p->slabs),
                           support_random_below(&random, p->slab_size)};
        plb_block_layout layout = layout_of(&f.table, ply);
        plb_block_address at = plb_block_layout_find(&layout, entry);
        int expected = code_in_segment(&f, entry);
        empty += expected < 0;
        for (int skips = 1; skips >= 0; skips--) {
            unsigned code = 99;
            plb_lookup_skip_missing(f.lookup, skips);
            plb_reader *reader = plb_lookup_take_reader(f.lookup);
            int error = plb_lookup_code(f.lookup, reader, at, &code, &why);
            assert_int_equal(error, expected < 0 && !skips ? PLB_ECORRUPT : PLB_OK);
            if (!error) assert_int_equal(code, expected < 0 ? 0 : expected);
            plb_outcome known;
            plb_reader_remember(reader, (plb_position){trial, 0}, (plb_outcome){PLB_WIN, 1});
            assert_int_equal(plb_reader_recall(reader, (plb_position){trial, 0}, &known), !skips);
            plb_lookup_give_reader(f.lookup, reader);
        }
    }
    assert_true(empty > 0);
    close_lookup(&f);
}

int main(void) {
    support_use_memory();
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(codes_agree_with_the_segments),
        SUPPORT_IN_FOLDER(a_returned_reader_is_used_again),
        SUPPORT_IN_FOLDER(blocks_are_numbered_in_their_ply),
        SUPPORT_IN_FOLDER(missing_blocks_can_be_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
