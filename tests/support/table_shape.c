/* SPDX-License-Identifier: MIT
 *
 * Writes a file with the size and structure of a table that would take long to build. It opens like
 * the table. It has the segments, models, statistics and columns, but no values: the first plies
 * are draws; of a later ply only the last block of each segment is stored, as random bytes.
 *
 *     table_shape SPEC BYTES FILE      BYTES: total size of the segments
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder/ply_parts.h"
#include "tables/codec/block_model.h"
#include "tables/format/automaton_record.h"
#include "tables/format/block_layout.h"
#include "tables/format/meta.h"
#include "tables/reach/column_automaton.h"
#include "tables/store/segment_writer.h"
#include "tables/store/store_writer.h"
#include "tests/support/support.h"

enum { MAX_BYTES = 1 << 20, FIRST_MODEL = 10 };

/* One in SMALL_EVERY segments is so small that it lies in the pages that opening reads. */
enum { SMALL_EVERY = 500, SMALL_BYTES = 1500 };

static uint8_t bytes[MAX_BYTES];
static uint64_t numbers = 20261128;

static void expect(int error, const plb_message *message) {
    if (error == PLB_OK) return;
    fprintf(stderr, "table_shape: %s\n", message ? message->text : plb_error_text(error));
    exit(1);
}

static void fill(size_t from, size_t end) {
    for (; from < end; from++) bytes[from] = (uint8_t)support_random(&numbers);
}

static void put_little(int size, uint8_t *to, uint64_t number) {
    for (int b = 0; b < size; b++) to[b] = (uint8_t)(number >> 8 * b);
}

/* Make a segment of which only the last block is stored. Returns its size. */
static size_t make_segment(uint64_t blocks, size_t size) {
    uint64_t groups = plb_segment_groups(blocks), last = blocks - 1;
    size_t at = groups * PLB_SEGMENT_GROUP_BYTES, directory = at + 2 * PLB_SEGMENT_END_BYTES;
    if (blocks == 1 || size <= directory + PLB_CHECKSUM_BYTES) return 0;
    memset(bytes, 0, at);
    put_little(8, bytes + (groups - 1) * PLB_SEGMENT_GROUP_BYTES, 1ULL << last % PLB_SEGMENT_GROUP);
    put_little(4, bytes + at, (uint32_t)directory);
    put_little(4, bytes + at + PLB_SEGMENT_END_BYTES, (uint32_t)size);
    fill(directory, size);
    return size;
}

/* Put a small ply without a model, with all of its blocks, which are zeros. */
static void put_whole_ply(const plb_space *space, const plb_meta *meta, plb_store_writer *store,
                          int ply) {
    static uint64_t zeros[PLB_SEGMENT_ENTRIES / 64];
    plb_block_layout layout = plb_block_layout_ply(&space->index, ply, meta->block_entries);
    int planes = plb_outcome_code_make(&space->game, meta->values).planes;
    plb_segment_writer *writer;
    plb_message why;
    expect(plb_segment_writer_open(plb_meta_identity(meta), 3, &writer), NULL);
    for (uint64_t s = 0; s < layout.segments; s++) {
        uint64_t first = s * layout.blocks_per_segment, count = plb_block_layout_blocks(&layout, s);
        const uint8_t *made;
        size_t size;
        expect(plb_segment_writer_begin(writer, ply, first, count), NULL);
        for (uint64_t b = first; b < first + count; b++) {
            uint64_t entries = plb_block_layout_block_entries(&layout, b);
            expect(plb_segment_writer_add(writer, zeros, planes * plb_segment_plane_words(entries)),
                   NULL);
        }
        expect(plb_segment_writer_end(writer, &made, &size), NULL);
        expect(plb_store_put_segment(store, ply, first, made, size, &why), &why);
    }
    plb_segment_writer_close(writer);
}

/* Put a large ply. Builds store values only in every second ply. */
static void put_ply(const plb_space *space, plb_store_writer *store, int ply, size_t size) {
    plb_block_layout layout = plb_block_layout_ply(&space->index, ply, plb_block_entries(PLB_WDL));
    plb_message why;
    for (uint64_t s = 0; s < layout.segments; s++) {
        size_t own = s % SMALL_EVERY ? size : SMALL_BYTES;
        size_t made = ply % 2 ? 0 : make_segment(plb_block_layout_blocks(&layout, s), own);
        expect(plb_store_put_segment(store, ply, s * layout.blocks_per_segment, bytes, made, &why),
               &why);
    }
}

static void put_stats(const plb_space *space, plb_store_writer *store, int ply) {
    uint64_t positions = plb_index_size(&space->index, ply);
    plb_ply_stats stats = {.total = positions, .drawn = positions};
    plb_message why;
    expect(plb_store_put_stats(store, ply, &stats, &why), &why);
}

static void put_model(plb_store_writer *store, int ply) {
    static plb_block_counts counts;
    static uint8_t record[PLB_MODEL_BYTES];
    char name[PLB_RECORD_NAME];
    plb_message why;
    for (int c = 0; c < PLB_CONTEXTS; c++)
        for (int d = 0; d < PLB_DIGITS; d++)
            counts.seen[c][d] = support_random_below(&numbers, 999);
    plb_meta_name_model(ply, name);
    expect(
        plb_store_put_record(store, name, record, plb_block_model_make(&counts, 1, record), &why),
        &why);
}

static void put_columns(const plb_game *game, uint64_t identity, plb_store_writer *store) {
    plb_column_automaton columns;
    plb_message why;
    uint8_t *record;
    size_t size;
    expect(plb_column_automaton_make(game->width, game->height, game->k, NULL, &columns), NULL);
    expect(plb_automaton_record_encode(&columns, identity, 3, &record, &size), NULL);
    expect(plb_store_put_record(store, PLB_RECORD_COLUMNS, record, size, &why), &why);
    plb_column_automaton_free(&columns);
    free(record);
}

int main(int argc, char **argv) {
    plb_space space;
    plb_store_writer *store;
    plb_message why;
    if (argc != 4) return 2;
    expect(plb_space_open(argv[1], &space, &why), &why);
    plb_meta meta = {.format = PLB_FORMAT_VERSION,
                     .builder = PLB_BUILDER_NAME,
                     .values = PLB_WDL,
                     .level = 3,
                     .symmetries = space.symmetry.order,
                     .index = space.index.kind,
                     .block_entries = plb_block_entries(PLB_WDL)};
    plb_game_format(&space.game, meta.spec);
    uint64_t segments =
        plb_block_layout_count_segments(&space.game, &space.symmetry, (uint64_t)meta.block_entries);
    expect(plb_meta_create(&meta, argv[3], false, &store, &why), &why);
    if (space.game.gravity) put_columns(&space.game, plb_meta_identity(&meta), store);
    for (int ply = 0; ply <= space.game.cells; ply++) {
        if (ply >= FIRST_MODEL && ply % 2 == 0) put_model(store, ply);
        if (ply < FIRST_MODEL)
            put_whole_ply(&space, &meta, store, ply);
        else
            put_ply(&space, store, ply, 2 * strtoull(argv[2], NULL, 10) / segments);
        put_stats(&space, store, ply);
    }
    expect(plb_store_finish(store, &why), &why);
    printf("%llu segments\n", (unsigned long long)segments);
    plb_space_close(&space);
    return 0;
}
