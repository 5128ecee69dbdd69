/* SPDX-License-Identifier: MIT
 *
 * Blocks from planes: every stored value survives a round trip at its address in the layout, other
 * entries repeat the value before them, and the bytes do not depend on the number of threads.
 */
#include "builder/slabs/block_writer.h"

#include <stdlib.h>
#include <string.h>

#include "tables/codec/block_codec.h"
#include "tables/games/static_value.h"
#include "tests/support/words.h"

enum { IDENTITY = 4711, LEVEL = 3 };

/* ---- a ply, written and read ---- */

/* A ply of random outcomes. */
typedef struct written_ply {
    plb_space space;
    plb_block_layout layout;
    int ply, planes;
    plb_slab *shapes;               /* [slabs] */
    plb_planes *values;             /* [slabs] */
    uint64_t **stored;              /* [slabs] planes; NULL: nothing of the slab is stored */
    plb_segment *segments;          /* [segments] as written */
    plb_ply_prediction *prediction; /* NULL: none */
} written_ply;

static void fill_slab(written_ply *w, uint64_t slab, uint64_t *random) {
    uint64_t occupied = plb_index_slab_cells(&w->space.index, w->ply, slab);
    plb_slab *shape = &w->shapes[slab];
    *shape = words_shape(&w->space.game, occupied, PLB_LIVE);
    w->values[slab] = words_new_planes(shape, w->planes);
    for (size_t bit = 0; bit < 64 * shape->words; bit++)
        if (support_random(random) & 1)
            words_set_code(&w->values[slab], (int64_t)bit, 1u << support_random_below(random, 2));
    if (slab % 5 != 3) w->stored[slab] = words_random_plane(shape, random);
}

static void write_segment(written_ply *w, plb_block_writer *writer, uint64_t segment) {
    uint64_t first, last;
    const uint8_t *bytes;
    size_t size;
    plb_block_layout_slabs(&w->layout, segment, &first, &last);
    assert_int_equal(
        plb_block_writer_begin(writer, &w->layout, w->ply, segment, w->prediction, false), PLB_OK);
    for (uint64_t slab = first; slab < last; slab++)
        assert_int_equal(plb_block_writer_add(writer, (plb_rank_range){0, w->layout.slab_size},
                                              &w->values[slab], w->stored[slab]),
                         PLB_OK);
    assert_int_equal(plb_block_writer_end(writer, &bytes, &size), PLB_OK);
    uint8_t *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    w->segments[segment] = (plb_segment){copy, size, plb_block_layout_blocks(&w->layout, segment)};
}

static void write_segments(written_ply *w, int count) {
    plb_threads threads;
    plb_block_form form = {IDENTITY, LEVEL, w->layout.block_entries, w->planes, &w->space.index};
    plb_block_writer *writer = NULL;
    assert_int_equal(plb_threads_open(count, &threads), PLB_OK);
    assert_int_equal(plb_block_writer_open(&threads, &form, &writer), PLB_OK);
    for (uint64_t s = 0; s < w->layout.segments; s++) write_segment(w, writer, s);
    plb_block_writer_release_chunks(writer);
    plb_block_writer_close(writer);
    plb_threads_close(&threads);
}

static void make_ply(const char *spec, int ply, uint64_t block_entries, written_ply *w) {
    *w = (written_ply){.ply = ply, .planes = PLB_ROUND};
    support_open_space(spec, &w->space);
    w->layout = plb_block_layout_ply(&w->space.index, ply, block_entries);
    w->shapes = calloc(w->layout.slabs, sizeof *w->shapes);
    w->values = calloc(w->layout.slabs, sizeof *w->values);
    w->stored = calloc(w->layout.slabs, sizeof *w->stored);
    w->segments = calloc(w->layout.segments, sizeof *w->segments);
}

static void free_segments(written_ply *w) {
    for (uint64_t s = 0; s < w->layout.segments; s++) free((uint8_t *)w->segments[s].bytes);
}

static void free_ply(written_ply *w) {
    free_segments(w);
    for (uint64_t slab = 0; slab < w->layout.slabs; slab++) {
        plb_slab_free(&w->shapes[slab]);
        free(w->values[slab].words);
        free(w->stored[slab]);
    }
    free(w->shapes);
    free(w->values);
    free(w->stored);
    free(w->segments);
    plb_space_close(&w->space);
}

/* The planes of a block, to be freed; NULL if it is empty. */
static uint64_t *read_block(const written_ply *w, uint64_t segment, uint64_t block, size_t *words) {
    plb_segment_reader *reader = NULL;
    plb_block_name name = {IDENTITY, w->ply, segment * w->layout.blocks_per_segment + block};
    *words = plb_segment_plane_words(plb_block_layout_block_entries(&w->layout, name.number));
    assert_true(plb_segment_is_sound(&w->segments[segment]));
    if (!plb_segment_has_block(&w->segments[segment], block)) return NULL;
    uint64_t *planes = malloc(w->planes * *words * sizeof *planes);
    assert_int_equal(plb_segment_reader_open(&reader), PLB_OK);
    assert_int_equal(plb_segment_reader_unpack_block(reader, &w->segments[segment], block, &name,
                                                     w->planes * *words, planes),
                     PLB_OK);
    plb_segment_reader_close(reader);
    return planes;
}

/* ---- an example ---- */

/* Ply 5 of mnk-3x3-k3 has slabs of C(5, 3) = 10 words, all of which share a block. Of the first
 * slab two are stored: word 0, which x wins, and word 5, which o wins.
 *
 *     rank    0  1  2  3  4  5  6  7  8  9 | next slabs ..
 *     x wins  1  1  1  1  1  0  0  0  0  0 | 0 ..
 *     o wins  0  0  0  0  0  1  1  1  1  1 | 1 ..            */
static void other_positions_repeat_the_value_before(void **state) {
    (void)state;
    written_ply w;
    size_t words;
    make_ply("mnk-3x3-k3", 5, 8192, &w);
    assert_int_equal(w.layout.slab_size, 10);
    assert_int_equal(w.layout.segments, 1);
    for (uint64_t slab = 0; slab < w.layout.slabs; slab++) {
        w.shapes[slab] =
            words_shape(&w.space.game, plb_index_slab_cells(&w.space.index, 5, slab), PLB_LIVE);
        w.values[slab] = words_new_planes(&w.shapes[slab], w.planes);
    }
    w.stored[0] = words_new_plane(&w.shapes[0]);
    words_set(w.stored[0], 0);
    words_set(w.stored[0], 5);
    words_set_code(&w.values[0], 0, 1u << PLB_X_WINS);
    words_set_code(&w.values[0], 5, 1u << PLB_O_WINS);
    words_set_code(&w.values[0], 7, 1u << PLB_X_WINS); /* is not stored */
    write_segments(&w, 1);
    uint64_t *planes = read_block(&w, 0, 0, &words);
    assert_non_null(planes);
    for (int64_t offset = 0; offset < (int64_t)(10 * w.layout.slabs); offset++) {
        assert_int_equal(words_get(planes + PLB_X_WINS * words, offset), offset < 5);
        assert_int_equal(words_get(planes + PLB_O_WINS * words, offset), offset >= 5);
    }
    free(planes);
    free_ply(&w);
}

/* ---- random plies ---- */

static void check_word(const written_ply *w, uint64_t slab, uint64_t word, uint64_t rank) {
    int64_t bit = words_bit(&w->shapes[slab], word);
    if (bit < 0 || !w->stored[slab] || !words_get(w->stored[slab], bit)) return;
    plb_block_address at = plb_block_layout_find(&w->layout, (plb_entry){w->ply, slab, rank});
    size_t words;
    uint64_t *planes = read_block(w, at.block / w->layout.blocks_per_segment,
                                  at.block % w->layout.blocks_per_segment, &words);
    assert_non_null(planes);
    unsigned code = 0;
    for (int p = 0; p < w->planes; p++)
        code |= (unsigned)words_get(planes + p * words, (int64_t)at.offset) << p;
    assert_int_equal(code, words_get_code(&w->values[slab], bit));
    free(planes);
}

static void assert_same_segments(const written_ply *w, const plb_segment *other) {
    for (uint64_t s = 0; s < w->layout.segments; s++) {
        assert_int_equal(w->segments[s].size, other[s].size);
        assert_memory_equal(w->segments[s].bytes, other[s].bytes, other[s].size);
    }
}

/* Slabs that share a block, slabs of a few blocks, and slabs of several chunks. */
static void stored_values_survive_a_round_trip(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        int ply, entries;
    } plies[] = {{"mnk-3x3-k3", 4, 64},
                 {"connect-4x3-k3", 7, 8192},
                 {"connect-5x4-k3", 12, 64},
                 {"connect-5x4-k4", 12, 192},
                 {"connect-5x4-k4", 16, 64}};
    uint64_t random = support_seed("outcomes of a ply", 1);
    for (size_t i = 0; i < sizeof plies / sizeof plies[0]; i++) {
        written_ply w;
        make_ply(plies[i].spec, plies[i].ply, plies[i].entries, &w);
        for (uint64_t slab = 0; slab < w.layout.slabs; slab++) fill_slab(&w, slab, &random);
        write_segments(&w, 1);
        for (uint64_t slab = 0; slab < w.layout.slabs; slab += 1 + w.layout.slabs / 20) {
            uint64_t word = words_first(&w.shapes[slab]), rank = 0;
            do
                if (rank < 64 || support_random_below(&random, 50) == 0)
                    check_word(&w, slab, word, rank);
            while (rank++, (word = words_next(&w.shapes[slab], word)));
        }
        free_ply(&w);
    }
}

static void threads_change_no_byte(void **state) {
    (void)state;
    uint64_t random = support_seed("outcomes of a ply", 2);
    written_ply w;
    make_ply("connect-5x4-k4", 16, 64, &w);
    for (uint64_t slab = 0; slab < w.layout.slabs; slab++) fill_slab(&w, slab, &random);
    write_segments(&w, 1);
    plb_segment *by_one_thread = w.segments;
    w.segments = calloc(w.layout.segments, sizeof *w.segments);
    write_segments(&w, 4);
    assert_same_segments(&w, by_one_thread);
    free_segments(&w);
    free(w.segments);
    w.segments = by_one_thread;
    free_ply(&w);
}

static void empty_segments_have_no_bytes(void **state) {
    (void)state;
    uint64_t random = support_seed("outcomes of a ply", 3);
    written_ply w;
    make_ply("connect-4x3-k3", 7, 64, &w);
    for (uint64_t slab = 0; slab < w.layout.slabs; slab++) {
        fill_slab(&w, slab, &random);
        free(w.stored[slab]);
        w.stored[slab] = NULL;
    }
    write_segments(&w, 1);
    for (uint64_t s = 0; s < w.layout.segments; s++) assert_int_equal(w.segments[s].size, 0);
    free_ply(&w);
    plb_block_writer_close(NULL);
}

/* ---- predicted blocks ---- */

/* A ply of which 19 in 20 quiet positions are stored; x wins nine in ten. */
static void make_quiet_ply(written_ply *w, uint64_t *random) {
    make_ply("connect-5x4-k4", 12, 8192, w);
    for (uint64_t slab = 0; slab < w->layout.slabs; slab++) {
        uint64_t occupied = plb_index_slab_cells(&w->space.index, w->ply, slab);
        plb_slab *shape = &w->shapes[slab];
        *shape = words_shape(&w->space.game, occupied, PLB_LIVE);
        w->values[slab] = words_new_planes(shape, w->planes);
        w->stored[slab] = words_new_plane(shape);
        uint64_t word = words_first(shape);
        do {
            uint64_t x = plb_scatter_bits(word, occupied);
            plb_position p = {x, occupied ^ x};
            int64_t bit = words_bit(shape, word);
            if (bit < 0 || plb_game_has_group(&w->space.game, p.x) ||
                plb_game_has_group(&w->space.game, p.o) ||
                plb_static_value(&w->space.game, p).kind != PLB_QUIET)
                continue;
            bool x_wins = support_random_below(random, 10) > 0;
            words_set_code(&w->values[slab], bit, 1u << (x_wins ? PLB_X_WINS : PLB_O_WINS));
            if (support_random_below(random, 20)) words_set(w->stored[slab], bit);
        } while ((word = words_next(shape, word)));
    }
}

/* Make the model from all of the ply, then write the ply. */
static void write_predicted(written_ply *w, int threads) {
    plb_ply_prediction *prediction = w->prediction;
    plb_ply_prediction_begin(prediction, &w->layout);
    prediction->is_sampling = true;
    prediction->slab_step = prediction->range_step = 1;
    write_segments(w, threads);
    for (uint64_t s = 0; s < w->layout.segments; s++) assert_int_equal(w->segments[s].size, 0);
    free_segments(w);
    plb_ply_prediction_end_sample(prediction);
    assert_true(prediction->has_model);
    write_segments(w, threads);
}

/* A codec that reads the ply. */
static plb_block_codec *open_codec(const written_ply *w) {
    plb_meta meta = {.format = PLB_FORMAT_VERSION,
                     .values = PLB_WDL,
                     .block_entries = (int)w->layout.block_entries};
    plb_game_format(&w->space.game, meta.spec);
    plb_block_codec *codec = plb_block_codec_make(&w->space.index, &meta);
    assert_non_null(codec);
    codec->identity = IDENTITY;
    assert_int_equal(plb_block_codec_add_model(codec, w->ply, w->prediction->record,
                                               w->prediction->record_bytes),
                     PLB_OK);
    return codec;
}

/* Compare every stored position of a slab. Returns their number. */
static int compare_slab(const written_ply *w, plb_block_reader *reader, uint64_t slab,
                        uint64_t *planes) {
    int compared = 0;
    uint64_t word = words_first(&w->shapes[slab]), rank = 0;
    do {
        int64_t bit = words_bit(&w->shapes[slab], word);
        plb_block_address at = plb_block_layout_find(&w->layout, (plb_entry){w->ply, slab, rank});
        if (bit < 0 || !words_get(w->stored[slab], bit)) continue;
        uint64_t segment = at.block / w->layout.blocks_per_segment;
        uint64_t block = at.block % w->layout.blocks_per_segment;
        if (at.offset == 0 || !compared) /* the next block */
            assert_int_equal(
                plb_block_reader_unpack_block(reader, &w->segments[segment], block, w->ply,
                                              segment * w->layout.blocks_per_segment, planes),
                PLB_OK);
        uint64_t words =
            plb_segment_plane_words(plb_block_layout_block_entries(&w->layout, at.block));
        unsigned code = 0;
        for (int p = 0; p < w->planes; p++)
            code |= (unsigned)words_get(planes + p * words, (int64_t)at.offset) << p;
        assert_int_equal(code, words_get_code(&w->values[slab], bit));
        compared++;
    } while (rank++, (word = words_next(&w->shapes[slab], word)));
    return compared;
}

static void predicted_values_survive_a_round_trip(void **state) {
    (void)state;
    uint64_t random = support_seed("outcomes of a ply", 4);
    written_ply w;
    make_quiet_ply(&w, &random);
    w.prediction = malloc(sizeof *w.prediction);
    write_predicted(&w, 1);
    plb_segment *by_one_thread = w.segments;
    w.segments = calloc(w.layout.segments, sizeof *w.segments);
    write_predicted(&w, 4);
    assert_same_segments(&w, by_one_thread);
    plb_block_codec *codec = open_codec(&w);
    plb_block_reader *reader = NULL;
    assert_int_equal(plb_block_reader_open(codec, &reader), PLB_OK);
    uint64_t *planes = malloc(plb_block_codec_max_words(codec) * sizeof *planes);
    int compared = 0, predicted = 0;
    for (uint64_t slab = 0; slab < w.layout.slabs; slab++)
        compared += compare_slab(&w, reader, slab, planes);
    assert_true(compared > 10000);
    for (uint64_t b = 0; b < w.segments[0].blocks; b++) {
        plb_extent where;
        assert_int_equal(plb_segment_find_block(&w.segments[0], b, &where), PLB_OK);
        predicted +=
            plb_block_is_predicted(w.segments[0].bytes + where.offset + PLB_CHECKSUM_BYTES) ? 1 : 0;
    }
    assert_int_equal(predicted, w.segments[0].blocks);
    plb_block_reader_close(reader);
    plb_block_codec_close(codec);
    free(planes);
    free(w.prediction);
    free_segments(&w);
    free(w.segments);
    w.segments = by_one_thread;
    free_ply(&w);
}

/* ---- samples ---- */

/* The share of entries that are sampled is as the steps say. */
static void samples_have_the_expected_size(void **state) {
    (void)state;
    plb_ply_prediction *p = malloc(sizeof *p);
    for (uint64_t slabs = 10; slabs <= 100000; slabs *= 10)
        for (uint64_t size = 10000; size <= 100000000; size *= 10) {
            plb_block_layout layout = plb_block_layout_make(size, slabs, 8192);
            plb_ply_prediction_begin(p, &layout);
            if (!p->is_sampling) {
                assert_true(slabs * size < PLB_PREDICTED_ENTRIES);
                continue;
            }
            uint64_t runs = size / 100000 + 1, seen = 0;
            for (uint64_t slab = 0; slab < slabs; slab++)
                for (uint64_t run = 0; run < runs; run++)
                    seen += plb_ply_prediction_samples_slab(p, slab) &&
                            plb_ply_prediction_samples_range(p, slab, run);
            double expected = (double)(slabs * runs) / (double)(p->slab_step * p->range_step);
            assert_true((double)seen > 0.7 * expected - 2 && (double)seen < 1.4 * expected + 2);
        }
    free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_positions_repeat_the_value_before),
        cmocka_unit_test(stored_values_survive_a_round_trip),
        cmocka_unit_test(threads_change_no_byte),
        cmocka_unit_test(empty_segments_have_no_bytes),
        cmocka_unit_test(predicted_values_survive_a_round_trip),
        cmocka_unit_test(samples_have_the_expected_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
