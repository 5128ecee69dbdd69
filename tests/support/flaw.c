/* SPDX-License-Identifier: MIT */
#include "tests/support/flaw.h"

#include <stdlib.h>
#include <string.h>

#include "builder/build.h"
#include "tables/format/automaton_record.h"
#include "tables/format/distance_record.h"
#include "tables/format/meta.h"
#include "tables/store/segment_writer.h"
#include "tables/store/store_writer.h"
#include "tests/support/support.h"

void open_table_file(const char *path, plb_table_file *p) {
    plb_message why;
    *p = (plb_table_file){0};
    support_expect(plb_store_open(path, &p->store, &why), PLB_OK, path, &why);
    support_expect(plb_table_file_open(p, &why), PLB_OK, path, &why);
}

plb_block_layout layout_of(const plb_table_file *p, int ply) {
    return plb_block_layout_ply(&p->space.index, ply, p->meta.block_entries);
}

/* The bytes of a segment; the caller frees them. */
static uint8_t *copy_bytes(const plb_table_file *p, int ply, uint64_t segment, size_t *size) {
    plb_block_layout layout = layout_of(p, ply);
    uint8_t *bytes = NULL;
    plb_message why;
    support_expect(plb_store_get_segment(p->store, ply, segment * layout.blocks_per_segment, &bytes,
                                         size, &why),
                   PLB_OK, "segment", &why);
    return bytes;
}

/* ---- changes of a segment ---- */

static void flip_value(uint64_t *planes, uint64_t plane_words, uint64_t offset) {
    uint64_t *x_wins = planes + offset / 64, *o_wins = x_wins + plane_words;
    uint64_t bit = 1ULL << offset % 64;
    bool won = *x_wins & bit;
    *x_wins = won ? *x_wins & ~bit : *x_wins | bit;
    *o_wins = won ? *o_wins | bit : *o_wins & ~bit;
}

static void swap_planes(uint64_t *planes, uint64_t plane_words) {
    for (uint64_t w = 0; w < plane_words; w++) {
        uint64_t x_wins = planes[w];
        planes[w] = planes[plane_words + w];
        planes[plane_words + w] = x_wins;
    }
}

static plb_meta meta_of_copy(const plb_table_file *p, const flaw *f) {
    plb_meta meta = p->meta;
    if (f->change == RENAME) strcpy(meta.spec, f->spec);
    return meta;
}

/* Decode a segment, change it, and encode it with valid checksums. */
static void repack(const plb_table_file *p, const flaw *f, int ply, uint64_t segment,
                   uint8_t **bytes, size_t *size) {
    plb_block_layout layout = layout_of(p, ply);
    plb_meta meta = meta_of_copy(p, f);
    plb_segment old = {*bytes, *size, plb_block_layout_blocks(&layout, segment)};
    uint64_t first = segment * layout.blocks_per_segment;
    uint64_t count = p->coding.planes;
    uint64_t *planes =
        calloc(count * plb_segment_plane_words(p->meta.block_entries), sizeof *planes);
    plb_block_reader *reader;
    plb_segment_writer *writer;
    const uint8_t *packed;
    size_t packed_size;
    assert_int_equal(plb_block_reader_open(p->codec, &reader), PLB_OK);
    assert_int_equal(plb_segment_writer_open(plb_meta_identity(&meta), PLB_LEVEL, &writer), PLB_OK);
    plb_segment_writer_begin(writer, ply, first, old.blocks);
    for (uint64_t b = 0; b < old.blocks; b++) {
        uint64_t words =
            plb_segment_plane_words(plb_block_layout_block_entries(&layout, first + b));
        bool stored = plb_block_reader_unpack_block(reader, &old, b, ply, first, planes) == PLB_OK;
        bool is_target = first + b == f->at.block;
        if (f->change == FLIP_VALUE && is_target) flip_value(planes, words, f->at.offset);
        if (f->change == FLIP_ROUND && is_target)
            planes[PLB_ROUND * words + f->at.offset / 64] ^= 1ULL << f->at.offset % 64;
        if (f->change == INVERT_PLY || (f->change == INVERT_BLOCK && is_target))
            swap_planes(planes, words);
        if (f->change == EMPTY_BLOCK && is_target) stored = false;
        plb_segment_writer_add(writer, stored ? planes : NULL, count * words);
    }
    assert_int_equal(plb_segment_writer_end(writer, &packed, &packed_size), PLB_OK);
    *bytes = realloc(*bytes, packed_size + 1);
    memcpy(*bytes, packed, packed_size);
    *size = packed_size;
    plb_segment_writer_close(writer);
    plb_block_reader_close(reader);
    free(planes);
}

/* Exchange the first two stored blocks and adjust the directory. */
static void swap_blocks(uint8_t *bytes, uint64_t blocks) {
    uint32_t *end = (uint32_t *)(bytes + (blocks + 63) / 64 * 12);
    uint32_t first = end[1] - end[0], second = end[2] - end[1];
    uint8_t *content = bytes + end[0], *swapped = malloc(first + second);
    memcpy(swapped, content + first, second);
    memcpy(swapped + second, content, first);
    memcpy(content, swapped, first + second);
    end[1] = end[0] + second;
    free(swapped);
}

static void change_segment(const plb_table_file *p, const flaw *f, int ply, uint64_t segment,
                           uint8_t **bytes, size_t *size) {
    if (f->change == RENAME || f->change == DROP_MODELS) repack(p, f, ply, segment, bytes, size);
    if (ply != f->ply) return;
    plb_block_layout layout = layout_of(p, ply);
    if (f->change == FLIP_VALUE || f->change == FLIP_ROUND || f->change == INVERT_PLY ||
        f->change == INVERT_BLOCK || f->change == EMPTY_BLOCK)
        repack(p, f, ply, segment, bytes, size);
    if (f->change == SWAP_BLOCKS && segment == 0)
        swap_blocks(*bytes, plb_block_layout_blocks(&layout, 0));
}

/* ---- copies of tables ---- */

/* The ply from which a segment is copied. */
static int source_ply(const flaw *f, int ply, uint64_t segment) {
    if (f->change != SWAP_PLIES || segment > 0) return ply;
    return ply == f->ply ? ply + 2 : ply == f->ply + 2 ? ply - 2 : ply;
}

static void copy_segments(const plb_table_file *p, const flaw *f, int ply, plb_store_writer *to) {
    plb_block_layout layout = layout_of(p, ply);
    for (uint64_t s = 0; s < layout.segments; s++) {
        size_t size;
        plb_message why;
        uint8_t *bytes = copy_bytes(p, source_ply(f, ply, s), s, &size);
        change_segment(p, f, ply, s, &bytes, &size);
        bool dropped = f->change == DROP_SEGMENT && ply == f->ply && s == 0;
        if (!dropped)
            support_expect(
                plb_store_put_segment(to, ply, s * layout.blocks_per_segment, bytes, size, &why),
                PLB_OK, "segment", &why);
        free(bytes);
    }
}

static void copy_stats(const plb_table_file *p, const flaw *f, int ply, plb_store_writer *to) {
    plb_ply_stats stats = p->stats[ply];
    plb_message why;
    if (ply == f->ply && f->change == DROP_STATS) return;
    if (ply == f->ply && f->change == MOVE_COUNT) {
        uint64_t *from = stats.drawn ? &stats.drawn : stats.lost ? &stats.lost : &stats.won;
        --*from;
        ++*(from == &stats.won ? &stats.lost : &stats.won);
    }
    if (ply == f->ply && f->change == CLEAR_COUNTS) stats = (plb_ply_stats){0};
    if (ply == f->ply && f->change == ADD_COUNT) {
        stats.total++;
        stats.drawn++;
    }
    support_expect(plb_store_put_stats(to, ply, &stats, &why), PLB_OK, "stats", &why);
}

/* Move one position to a distance two plies longer that has positions too, so that the longest
 * distances stay. False: there are no two such counts. */
static bool move_distance(const plb_game *game, plb_ply_distances *d, int ply) {
    for (int plies = 1; plies + 2 <= game->cells - ply; plies++) {
        uint64_t *counts = plb_distance_is_win(game, plies) ? d->wins : d->losses;
        if (counts[plies] == 0 || counts[plies + 2] == 0) continue;
        counts[plies]--;
        counts[plies + 2]++;
        return true;
    }
    return false;
}

/* Replace the longest win or loss by the first position of the ply. False: it is that already. */
static bool move_longest(const plb_table_file *p, plb_ply_distances *d, int ply) {
    plb_longest *longest = d->longest_win.plies > 0 ? &d->longest_win : &d->longest_loss;
    plb_position first = plb_index_unrank(&p->space.index, (plb_entry){.ply = ply});
    uint64_t x = plb_game_bits_of_cells(&p->space.game, first.x);
    uint64_t o = plb_game_bits_of_cells(&p->space.game, first.o);
    if (longest->plies <= 0 || (longest->x == x && longest->o == o)) return false;
    longest->x = x;
    longest->o = o;
    return true;
}

bool change_distances(const plb_table_file *p, const flaw *f, plb_ply_distances *d) {
    if (f->change == MOVE_DISTANCE) return move_distance(&p->space.game, d, f->ply);
    return f->change == MOVE_LONGEST && move_longest(p, d, f->ply);
}

void read_distances(const plb_table_file *p, plb_ply_distances plies[PLB_MAX_CELLS + 1]) {
    assert_non_null(p->distances);
    memcpy(plies, p->distances, (p->space.game.cells + 1) * sizeof *plies);
}

/* If counts or rounds are changed, leave the statistics of distances out: a check would find them
 * first. */
static void copy_distances(const plb_table_file *p, const flaw *f, plb_store_writer *to) {
    plb_ply_distances plies[PLB_MAX_CELLS + 1];
    plb_message why;
    if (p->coding.values != PLB_DTM || f->change == MOVE_COUNT || f->change == FLIP_ROUND) return;
    read_distances(p, plies);
    change_distances(p, f, &plies[f->ply]);
    size_t size = plb_distance_record_bytes(&p->space.game);
    uint8_t *bytes = malloc(size);
    plb_distance_record_encode(&p->space.game, plies, bytes);
    support_expect(plb_store_put_record(to, PLB_RECORD_DISTANCES, bytes, size, &why), PLB_OK,
                   "distances", &why);
    free(bytes);
}

/* Make the record, which small tables do not have, and change one transition. */
static void add_columns(const plb_table_file *p, plb_store_writer *to) {
    const plb_game *game = &p->space.game;
    plb_column_automaton columns;
    plb_message why;
    uint8_t *bytes;
    size_t size;
    assert_int_equal(plb_column_automaton_make(game->width, game->height, game->k, NULL, &columns),
                     PLB_OK);
    uint16_t *next = &columns.layers[0].next[(size_t)columns.first * columns.words.count + 1];
    *next = *next ? 0 : 1;
    uint64_t identity = plb_store_identity(p->store);
    assert_int_equal(plb_automaton_record_encode(&columns, identity, 3, &bytes, &size), PLB_OK);
    support_expect(plb_store_put_record(to, PLB_RECORD_COLUMNS, bytes, size, &why), PLB_OK,
                   "columns", &why);
    free(bytes);
    plb_column_automaton_free(&columns);
}

/* Copy a record, unless the flaw replaces it. False: the table has no such record. */
static bool copy_record(const plb_table_file *p, const flaw *f, const char *name,
                        plb_store_writer *to) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    plb_message why;
    if (!plb_store_has_record(p->store, name)) return false;
    if (f->record && strcmp(f->record, name) == 0) return true;
    support_expect(plb_store_get_record(p->store, name, &bytes, &size, &why), PLB_OK, name, &why);
    support_expect(plb_store_put_record(to, name, bytes, size, &why), PLB_OK, name, &why);
    free(bytes);
    return true;
}

/* Copy the sets of keys of a ply, which a table of slabs does not have, and its model. */
static void copy_records(const plb_table_file *p, const flaw *f, int ply, plb_store_writer *to) {
    char name[PLB_RECORD_NAME];
    uint64_t slab = 0;
    do plb_meta_name_keys(ply, slab++, name);
    while (copy_record(p, f, name, to));
    plb_meta_name_model(ply, name);
    if (f->change != DROP_MODELS) copy_record(p, f, name, to);
}

void copy_table(const plb_table_file *p, const char *path, const flaw *f) {
    plb_store_writer *to;
    plb_message why;
    plb_meta meta = meta_of_copy(p, f);
    support_expect(plb_meta_create(&meta, path, false, &to, &why), PLB_OK, path, &why);
    if (f->change == ADD_RECORD)
        support_expect(
            plb_store_put_record(to, f->record ? f->record : "stranger", f->bytes ? f->bytes : "?",
                                 f->bytes ? f->size : 1, &why),
            PLB_OK, "record", &why);
    copy_distances(p, f, to);
    if (f->change == CORRUPT_COLUMNS) add_columns(p, to);
    for (int ply = 0; ply <= p->space.game.cells; ply++) {
        copy_records(p, f, ply, to);
        copy_segments(p, f, ply, to);
        copy_stats(p, f, ply, to);
    }
    support_expect(plb_store_finish(to, &why), PLB_OK, path, &why);
}
