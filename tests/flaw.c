/* SPDX-License-Identifier: MIT */
#include "tests/flaw.h"

#include <stdlib.h>
#include <string.h>

#include "tables/segment.h"
#include "tests/support.h"

void open_parts(const char *path, parts *p) {
    plb_message why;
    support_expect(plb_store_open(path, &p->store, &why), PLB_OK, path, &why);
    support_expect(plb_meta_read(p->store, &p->meta, &why), PLB_OK, path, &why);
    p->game = support_game(p->meta.spec);
    plb_values values;
    assert_true(plb_scale_parse(p->meta.values, &values));
    p->scale = plb_scale_make(&p->game, values);
    assert_int_equal(plb_symmetry_init(&p->game, &p->symmetry), PLB_OK);
    support_expect(plb_index_init(&p->game, &p->symmetry, &p->index, &why), PLB_OK, path, &why);
}

void close_parts(parts *p) {
    plb_index_free(&p->index);
    plb_symmetry_free(&p->symmetry);
    plb_game_free(&p->game);
    plb_store_close(p->store);
}

plb_cut cut_of(const parts *p, int ply) {
    return plb_cut_ply(&p->index, ply, p->meta.block_positions);
}

/* The bytes of a segment, to be freed by the caller. */
static uint8_t *copy_bytes(const parts *p, int ply, uint64_t segment, size_t *size) {
    plb_cut cut = cut_of(p, ply);
    const uint8_t *bytes = NULL;
    plb_message why;
    support_expect(
        plb_store_get_segment(p->store, ply, segment * cut.blocks_per_segment, &bytes, size, &why),
        PLB_OK, "segment", &why);
    uint8_t *copy = malloc(*size + 1);
    assert_non_null(copy);
    return memcpy(copy, bytes, *size);
}

/* ---- changes of a segment ---- */

static void flip_value(uint64_t *planes, uint64_t plane_words, uint64_t offset) {
    uint64_t *x_wins = planes + offset / 64, *o_wins = x_wins + plane_words;
    uint64_t bit = 1ULL << offset % 64;
    bool won = *x_wins & bit;
    *x_wins = won ? *x_wins & ~bit : *x_wins | bit;
    *o_wins = won ? *o_wins | bit : *o_wins & ~bit;
}

static void flip_round(uint64_t *planes, uint64_t plane_words, uint64_t offset) {
    planes[PLB_ROUND * plane_words + offset / 64] ^= 1ULL << offset % 64;
}

static void swap_planes(uint64_t *planes, uint64_t plane_words) {
    for (uint64_t w = 0; w < plane_words; w++) {
        uint64_t x_wins = planes[w];
        planes[w] = planes[plane_words + w];
        planes[plane_words + w] = x_wins;
    }
}

/* Pack a segment again, with a change in it and with right hashes. */
static void repack(const parts *p, const flaw *f, uint64_t segment, uint8_t **bytes, size_t *size) {
    plb_cut cut = cut_of(p, f->ply);
    uint64_t blocks = plb_cut_blocks(&cut, segment), first = segment * cut.blocks_per_segment;
    uint64_t count = p->scale.planes;
    uint64_t *planes =
        calloc(count * plb_segment_plane_words(p->meta.block_positions), sizeof *planes);
    plb_unpacker *unpacker;
    plb_packer *packer;
    const uint8_t *packed;
    size_t packed_size;
    assert_int_equal(plb_unpacker_open(&unpacker), PLB_OK);
    assert_int_equal(plb_packer_open(PLB_LEVEL, &packer), PLB_OK);
    plb_packer_begin(packer, f->ply, first, blocks);
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t words = plb_segment_plane_words(plb_cut_positions(&cut, segment, b));
        bool stored = plb_unpack_block(unpacker, *bytes, *size, f->ply, blocks, first, b,
                                       count * words, planes) == PLB_OK;
        bool meant = segment == f->spot.segment && b == f->spot.block;
        if (f->change == FLIP_VALUE && meant) flip_value(planes, words, f->spot.offset);
        if (f->change == FLIP_ROUND && meant) flip_round(planes, words, f->spot.offset);
        if (f->change == TURN_PLY) swap_planes(planes, words);
        if (f->change == EMPTY_BLOCK && meant) stored = false;
        plb_packer_add(packer, stored ? planes : NULL, count * words);
    }
    assert_int_equal(plb_packer_end(packer, &packed, &packed_size), PLB_OK);
    *bytes = realloc(*bytes, packed_size + 1);
    memcpy(*bytes, packed, packed_size);
    *size = packed_size;
    plb_packer_close(packer);
    plb_unpacker_close(unpacker);
    free(planes);
}

/* Exchange the first two blocks; the directory is put right. */
static void swap_blocks(uint8_t *bytes, uint64_t blocks) {
    uint32_t *end = (uint32_t *)bytes, first = end[0], both = end[1];
    uint8_t *content = bytes + blocks * sizeof *end, *turned = malloc(both);
    memcpy(turned, content + first, both - first);
    memcpy(turned + both - first, content, first);
    memcpy(content, turned, both);
    end[0] = both - first;
    free(turned);
}

static void change_segment(const parts *p, const flaw *f, uint64_t segment, uint8_t **bytes,
                           size_t *size) {
    plb_cut cut = cut_of(p, f->ply);
    if (f->change == FLIP_VALUE || f->change == FLIP_ROUND || f->change == TURN_PLY ||
        f->change == EMPTY_BLOCK)
        repack(p, f, segment, bytes, size);
    if (f->change == SWAP_BLOCKS && segment == 0) swap_blocks(*bytes, plb_cut_blocks(&cut, 0));
}

/* ---- copies of tables ---- */

/* Where the content of a ply's first segment is taken from. */
static int source_ply(const flaw *f, int ply, uint64_t segment) {
    if (f->change != SWAP_PLIES || segment > 0) return ply;
    return ply == f->ply ? ply + 2 : ply == f->ply + 2 ? ply - 2 : ply;
}

static void copy_segments(const parts *p, const flaw *f, int ply, plb_store *to) {
    plb_cut cut = cut_of(p, ply);
    for (uint64_t s = 0; s < cut.segments; s++) {
        size_t size;
        plb_message why;
        uint8_t *bytes = copy_bytes(p, source_ply(f, ply, s), s, &size);
        if (ply == f->ply) change_segment(p, f, s, &bytes, &size);
        bool dropped = f->change == DROP_SEGMENT && ply == f->ply && s == 0;
        if (!dropped)
            support_expect(
                plb_store_put_segment(to, ply, s * cut.blocks_per_segment, bytes, size, &why),
                PLB_OK, "segment", &why);
        free(bytes);
    }
}

static void copy_stats(const parts *p, const flaw *f, int ply, plb_store *to) {
    plb_ply_stats stats;
    plb_message why;
    support_expect(plb_store_get_stats(p->store, ply, &stats, &why), PLB_OK, "stats", &why);
    if (ply == f->ply && f->change == DROP_STATS) return;
    if (ply == f->ply && f->change == MOVE_COUNT) {
        assert_true(stats.drawn > 0);
        stats.won++;
        stats.drawn--;
    }
    if (ply == f->ply && f->change == ADD_COUNT) {
        stats.total++;
        stats.drawn++;
    }
    support_expect(plb_store_put_stats(to, ply, &stats, &why), PLB_OK, "stats", &why);
}

void copy_table(const parts *p, const char *path, const flaw *f) {
    plb_store *to;
    plb_message why;
    plb_meta meta = p->meta;
    if (f->change == RENAME) strcpy(meta.spec, f->spec);
    support_expect(plb_store_create(path, 0, &to, &why), PLB_OK, path, &why);
    support_expect(plb_meta_write(&meta, to, &why), PLB_OK, path, &why);
    for (int ply = 0; ply <= p->game.cells; ply++) {
        copy_segments(p, f, ply, to);
        copy_stats(p, f, ply, to);
    }
    support_expect(plb_store_finish(to, &why), PLB_OK, path, &why);
}
