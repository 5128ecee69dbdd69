/* SPDX-License-Identifier: MIT
 *
 * Limits that hold for any file: the memory of a context, and the time to open a long file without
 * content.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probe/plybase.h"
#include "tables/format/block_layout.h"
#include "tables/format/meta.h"
#include "tables/format/outcome_code.h"
#include "tables/store/segment_writer.h"
#include "tables/store/store_writer.h"
#include "tests/support/support.h"

enum { MAX_BYTES = 32 << 20, POSITIONS = 20000 };

/* ---- forged files with valid checksums ---- */

typedef struct forged {
    plb_space space;
    plb_meta meta;
    plb_store_writer *writer;
} forged;

static void begin_forged(const char *path, const char *spec, plb_value_kind values, forged *f) {
    assert_int_equal(plb_space_begin(spec, &f->space, NULL), PLB_OK);
    f->meta = (plb_meta){.format = PLB_FORMAT_VERSION,
                         .values = values,
                         .level = 3,
                         .builder = "test",
                         .symmetries = f->space.symmetry.order,
                         .block_entries = PLB_SEGMENT_ENTRIES};
    snprintf(f->meta.spec, sizeof f->meta.spec, "%s", spec);
    assert_int_equal(plb_meta_create(&f->meta, path, false, &f->writer, NULL), PLB_OK);
    const plb_ply_stats none = {0};
    for (int ply = 0; ply <= f->space.game.cells; ply++)
        assert_int_equal(plb_store_put_stats(f->writer, ply, &none, NULL), PLB_OK);
}

static void end_forged(forged *f) {
    assert_int_equal(plb_store_finish(f->writer, NULL), PLB_OK);
    plb_space_close(&f->space);
}

static uint64_t planes_of(const forged *f) {
    return plb_outcome_code_make(&f->space.game, PLB_DTM).planes;
}

/* Put a segment of full blocks of zeros: of the maximal size, and a few bytes each in the file. */
static void put_zeros(forged *f, const plb_block_layout *layout, int ply, uint64_t segment,
                      plb_segment_writer *writer, const uint64_t *zeros) {
    uint64_t first = segment * layout->blocks_per_segment,
             blocks = plb_block_layout_blocks(layout, segment);
    const uint8_t *bytes;
    size_t size;
    assert_int_equal(plb_segment_writer_begin(writer, ply, first, blocks), PLB_OK);
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t words = plb_segment_plane_words(plb_block_layout_block_entries(layout, first + b));
        assert_int_equal(plb_segment_writer_add(writer, zeros, planes_of(f) * words), PLB_OK);
    }
    assert_int_equal(plb_segment_writer_end(writer, &bytes, &size), PLB_OK);
    assert_int_equal(plb_store_put_segment(f->writer, ply, first, bytes, size, NULL), PLB_OK);
}

static void forge_zeros(const char *path, const char *spec) {
    forged f;
    plb_segment_writer *writer;
    begin_forged(path, spec, PLB_DTM, &f);
    uint64_t *zeros = calloc(PLB_PLANES * PLB_SEGMENT_ENTRIES / 64, sizeof *zeros);
    assert_int_equal(plb_space_add_index(&f.space, PLB_SLABS, NULL), PLB_OK);
    assert_int_equal(plb_segment_writer_open(plb_meta_identity(&f.meta), 3, &writer), PLB_OK);
    for (int ply = 0; ply <= f.space.game.cells; ply++) {
        plb_block_layout layout = plb_block_layout_ply(&f.space.index, ply, PLB_SEGMENT_ENTRIES);
        for (uint64_t s = 0; s < layout.segments; s++)
            put_zeros(&f, &layout, ply, s, writer, zeros);
    }
    plb_segment_writer_close(writer);
    free(zeros);
    end_forged(&f);
}

/* ---- memory ---- */

static size_t bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void play_random_games(const plb_table *table, plb_context *context) {
    uint64_t random = support_seed("games", 20261125);
    for (int p = 0; p < POSITIONS;) {
        uint64_t x = 0, o = 0;
        plb_state state = {.over = false};
        while (!state.over) {
            char move[2] = {(char)('1' + support_random_below(&random, 5)), 0};
            if (plb_play_text(table, move, &x, &o, NULL)) continue;
            plb_answer answer;
            assert_int_equal(plb_find_state(table, x, o, &state, NULL), PLB_OK);
            assert_int_equal(plb_context_probe(context, x, o, &answer, NULL), PLB_OK);
            p++;
        }
    }
}

/* Each block takes nearly a megabyte in memory, and there are more than a hundred. */
static void a_context_keeps_its_memory_limit(void **state) {
    const char *path = support_path(state, "zeros");
    plb_table *table;
    plb_context *context;
    plb_message why;
    forge_zeros(path, "connect-5x5-k4");
    support_expect(plb_open(path, &table, &why), PLB_OK, path, &why);
    size_t before = bytes_in_use();
    assert_int_equal(plb_context_open(table, &context), PLB_OK);
    play_random_games(table, context);
    size_t taken = bytes_in_use() - before;
    print_message("a context took %.1f MiB\n", (double)taken / (1 << 20));
    assert_true(taken <= MAX_BYTES);
    plb_context_close(context);
    plb_close(table);
}

/* ---- time ---- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void expect_quick(const char *path, int expected) {
    plb_table *table = NULL;
    plb_message why;
    double begin = seconds();
    int error = plb_open(path, &table, &why);
    double took = seconds() - begin;
    support_expect(error, expected, path, &why);
    print_message("%.1f ms\n", 1e3 * took);
    assert_true(took < 0.5);
    plb_close(table);
}

/* The indices of these games take minutes. A file of this length could hold their tables. */
static void a_long_empty_file_is_refused_at_once(void **state) {
    static const char *const specs[] = {"mnk-33x1-k3", "mnk-16x2-k3", "connect-8x8-k4"};
    const char *path = support_path(state, "long");
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        forged f;
        unlink(path);
        begin_forged(path, specs[s], PLB_WDL, &f);
        end_forged(&f);
        assert_int_equal(truncate(path, 1LL << 40), 0);
        expect_quick(path, PLB_ECORRUPT);
    }
}

static void a_table_with_a_long_end_opens_at_once(void **state) {
    const char *path = support_path(state, "table");
    support_build("connect-4x4-k4", path, NULL, 1);
    assert_int_equal(truncate(path, 1LL << 40), 0);
    expect_quick(path, PLB_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(a_context_keeps_its_memory_limit),
        SUPPORT_IN_FOLDER(a_long_empty_file_is_refused_at_once),
        SUPPORT_IN_FOLDER(a_table_with_a_long_end_opens_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
