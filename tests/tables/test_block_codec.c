/* SPDX-License-Identifier: MIT
 *
 * Codecs of blocks: decoding inverts encoding; damaged payloads and models are refused or decoded,
 * but do no harm.
 */
#include "tables/codec/block_codec.h"

#include <stdlib.h>
#include <string.h>

#include "probe/plybase.h"
#include "tables/games/static_value.h"
#include "tests/support/flaw.h"
#include "tests/support/support.h"

/* A table, and buffers for one of its blocks. */
typedef struct fixture {
    plb_table_file table;
    plb_block_reader *reader;
    plb_block_coder *coder;
    uint64_t *planes, *again;
    uint64_t *stored;           /* positions whose values are encoded, as a bit mask */
    uint64_t blocks, predicted; /* numbers of those that were visited */
} fixture;

static void open_fixture(void **state, const char *spec, plb_value_kind values, fixture *f) {
    const char *path = support_path(state, spec);
    *f = (fixture){.blocks = 0};
    support_build_values(spec, values, path, NULL, 1);
    open_table_file(path, &f->table);
    const plb_block_codec *codec = f->table.codec;
    size_t bytes = plb_block_codec_max_words(codec) * sizeof *f->planes;
    f->planes = malloc(bytes);
    f->again = malloc(bytes);
    f->stored = malloc(bytes);
    assert_int_equal(plb_block_reader_open(codec, &f->reader), PLB_OK);
    assert_int_equal(
        plb_block_coder_open(codec->index, codec->block_entries, codec->planes, &f->coder), PLB_OK);
}

static void close_fixture(fixture *f) {
    plb_block_coder_close(f->coder);
    plb_block_reader_close(f->reader);
    plb_table_file_close(&f->table);
    free(f->planes);
    free(f->again);
    free(f->stored);
}

typedef void block_work(fixture *f, const plb_ply_block *block, void *context);

/* Call work for every block of the table, with its planes decoded. */
static void for_each_block(fixture *f, block_work *work, void *context) {
    for (int ply = 0; ply <= f->table.space.game.cells; ply++) {
        const plb_block_layout *cut = &f->table.codec->layouts[ply];
        for (uint64_t s = 0; s < cut->segments; s++) {
            uint64_t first = s * cut->blocks_per_segment;
            uint8_t *bytes = NULL;
            plb_segment segment = {.blocks = plb_block_layout_blocks(cut, s)};
            assert_int_equal(
                plb_store_get_segment(f->table.store, ply, first, &bytes, &segment.size, NULL),
                PLB_OK);
            segment.bytes = bytes;
            for (uint64_t b = 0; b < segment.blocks; b++) {
                if (!plb_segment_has_block(&segment, b)) continue;
                assert_int_equal(
                    plb_block_reader_unpack_block(f->reader, &segment, b, ply, first, f->planes),
                    PLB_OK);
                plb_extent where;
                assert_int_equal(plb_segment_find_block(&segment, b, &where), PLB_OK);
                f->predicted +=
                    plb_block_is_predicted(bytes + where.offset + PLB_CHECKSUM_BYTES) ? 1 : 0;
                f->blocks++;
                work(f, &(plb_ply_block){cut, ply, first + b}, context);
            }
            free(bytes);
        }
    }
}

static size_t bytes_of(const fixture *f, const plb_ply_block *block) {
    return plb_block_codec_words(f->table.codec, block->ply, block->number) * sizeof(uint64_t);
}

/* ---- encode and decode ---- */

/* Is a position quiet by the rules? It need not be reachable. */
static bool is_quiet(const plb_game *game, plb_position p) {
    return !plb_game_has_group(game, p.x) && !plb_game_has_group(game, p.o) &&
           (p.x | p.o) != game->board && plb_static_value(game, p).kind == PLB_QUIET;
}

static void find_quiet(fixture *f, const plb_ply_block *block) {
    uint64_t entries = plb_block_layout_block_entries(block->layout, block->number);
    memset(f->stored, 0, bytes_of(f, block) / f->table.coding.planes);
    for (uint64_t e = 0; e < entries; e++) {
        plb_block_address address = {block->ply, block->number, e};
        plb_position p =
            plb_index_unrank(&f->table.space.index, plb_block_layout_entry(block->layout, address));
        if (is_quiet(&f->table.space.game, p)) f->stored[e / 64] |= 1ULL << e % 64;
    }
}

static plb_block_model *new_model(const plb_block_counts *counts) {
    plb_block_model *model = malloc(sizeof *model);
    uint8_t *bytes = malloc(PLB_MODEL_BYTES);
    size_t size = plb_block_model_make(counts, 1, bytes);
    assert_true(size <= PLB_MODEL_BYTES);
    assert_int_equal(plb_block_model_read(bytes, size, model), PLB_OK);
    free(bytes);
    return model;
}

/* List the digits of the decoded block, with the values of all quiet positions. */
static void list(fixture *f, const plb_ply_block *block) {
    plb_block_codes codes = {f->planes, f->stored, bytes_of(f, block) / 8 / f->table.coding.planes,
                             false};
    bool are_listed = false;
    find_quiet(f, block);
    assert_int_equal(plb_block_coder_list(f->coder, block, &codes, &are_listed), PLB_OK);
    assert_true(are_listed);
}

static void count(fixture *f, const plb_ply_block *block, void *counts) {
    list(f, block);
    plb_block_coder_count(f->coder, counts);
}

static void encode(fixture *f, const plb_ply_block *block, const plb_block_model *model,
                   const uint8_t **bytes, size_t *size) {
    plb_block_encoding *encoding = malloc(sizeof *encoding);
    plb_block_encoding_make(model, encoding);
    list(f, block);
    plb_block_bytes blocks[PLB_LISTED_BLOCKS];
    plb_block_coder_encode(f->coder, encoding, blocks);
    *bytes = blocks[0].bytes;
    *size = blocks[0].size;
    free(encoding);
}

static int decode(fixture *f, const plb_ply_block *block, const plb_block_model *model,
                  const uint8_t *bytes, size_t size) {
    plb_block_payload payload = {bytes, size, UINT64_MAX};
    return plb_block_coder_decode(f->coder, block, model, &payload, f->again);
}

/* The bits of a plane that are significant: those of stored positions, and rounds only of wins. */
static uint64_t told(const fixture *f, uint64_t words, int p, uint64_t word) {
    const uint64_t *planes = f->planes + word;
    uint64_t won = planes[PLB_X_WINS * words] | planes[PLB_O_WINS * words];
    return f->stored[word] & (p < PLB_ROUND ? ~0ULL : won);
}

/* Decoding only the first entries gives the same values as decoding the block. */
static void decode_until(fixture *f, const plb_ply_block *block, const plb_block_model *model,
                         const uint8_t *bytes, size_t size) {
    uint64_t words = bytes_of(f, block) / 8 / f->table.coding.planes;
    for (uint64_t until = 1; until < 64 * words; until += 1 + until / 2) {
        plb_block_payload payload = {bytes, size, until};
        assert_int_equal(plb_block_coder_decode(f->coder, block, model, &payload, f->again),
                         PLB_OK);
        for (int p = 0; p < f->table.coding.planes; p++)
            for (uint64_t w = 0; w <= (until - 1) / 64; w++) {
                uint64_t wanted = w < until / 64 ? ~0ULL : plb_low_bits((int)(until % 64));
                uint64_t differ = f->again[p * words + w] ^ f->planes[p * words + w];
                assert_int_equal(differ & wanted & told(f, words, p, w), 0);
            }
    }
}

/* A block gets the same bytes if it is encoded together with others: copies of it, and the first
 * block of the ply with nothing stored. */
static void encode_beside_others(fixture *f, const plb_ply_block *block,
                                 const plb_block_model *model, const uint8_t *bytes, size_t size) {
    plb_block_encoding *encoding = malloc(sizeof *encoding);
    plb_block_bytes blocks[PLB_LISTED_BLOCKS];
    uint64_t *nothing = calloc(plb_block_codec_max_words(f->table.codec), sizeof *nothing);
    plb_ply_block first = {block->layout, block->ply, 0};
    plb_block_codes codes = {nothing, nothing, 0, false};
    bool are_listed = false;
    plb_block_encoding_make(model, encoding);
    for (int b = 0; b < PLB_LISTED_BLOCKS; b++)
        if (b % 2)
            list(f, block);
        else
            assert_int_equal(plb_block_coder_list(f->coder, &first, &codes, &are_listed), PLB_OK);
    plb_block_coder_encode(f->coder, encoding, blocks);
    for (int b = 1; b < PLB_LISTED_BLOCKS; b += 2) {
        assert_int_equal(blocks[b].size, size);
        assert_memory_equal(blocks[b].bytes, bytes, size);
    }
    free(encoding);
    free(nothing);
}

static void there_and_back(fixture *f, const plb_ply_block *block, void *model) {
    const uint8_t *bytes;
    size_t size;
    encode(f, block, model, &bytes, &size);
    assert_true(size >= 4);
    assert_true(plb_block_is_predicted(bytes));
    uint8_t *copy = malloc(size); /* the sanitizer sees where it ends */
    memcpy(copy, bytes, size);
    encode_beside_others(f, block, model, copy, size);
    memset(f->again, 0x55, bytes_of(f, block));
    assert_int_equal(decode(f, block, model, copy, size), PLB_OK);
    assert_memory_equal(f->again, f->planes, bytes_of(f, block));
    decode_until(f, block, model, copy, size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 8) {
        uint8_t *part = malloc(cut + 1);
        memcpy(part, copy, cut);
        assert_int_equal(decode(f, block, model, part, cut), PLB_ECORRUPT);
        free(part);
    }
    free(copy);
}

/* With the model of the table, and with one that was made from no counts. */
static void what_is_decoded_is_what_was_encoded(void **state) {
    static const struct {
        const char *spec;
        plb_value_kind values;
    } tables[] = {{"connect-4x4-k4", PLB_WDL},          {"connect-5x4-k4", PLB_DTM},
                  {"connect-4x4-k3-misere", PLB_DTM},   {"mnk-4x3-k3", PLB_WDL},
                  {"connect-4x4-k4-cylinder", PLB_WDL}, {"square-4x3-misere", PLB_DTM}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        fixture f;
        plb_block_counts *counts = calloc(1, sizeof *counts);
        open_fixture(state, tables[t].spec, tables[t].values, &f);
        plb_block_model *blank = new_model(counts);
        for_each_block(&f, count, counts);
        plb_block_model *model = new_model(counts);
        assert_true(plb_block_model_cost(model, counts) < plb_block_model_cost(blank, counts));
        for_each_block(&f, there_and_back, model);
        for_each_block(&f, there_and_back, blank);
        print_message("%s: %llu blocks\n", tables[t].spec, (unsigned long long)f.blocks / 3);
        close_fixture(&f);
        free(counts);
        free(blank);
        free(model);
    }
}

static void nothing(fixture *f, const plb_ply_block *block, void *context) {
    (void)f;
    (void)block;
    (void)context;
}

/* Larger tables have blocks of both codecs. */
static void tables_have_predicted_blocks(void **state) {
    fixture f;
    open_fixture(state, "connect-5x4-k4", PLB_WDL, &f);
    for_each_block(&f, nothing, NULL);
    assert_true(f.predicted > 0 && f.predicted < f.blocks);
    close_fixture(&f);
}

/* ---- what cannot be predicted ---- */

static void store_another(fixture *f, const plb_ply_block *block, void *tried) {
    uint64_t words = bytes_of(f, block) / 8 / f->table.coding.planes;
    plb_block_codes codes = {f->planes, f->stored, words, false};
    bool are_listed = true;
    find_quiet(f, block);
    uint64_t entries = plb_block_layout_block_entries(block->layout, block->number);
    for (uint64_t e = 0; e < entries; e++) {
        if (f->stored[e / 64] >> e % 64 & 1) continue;
        f->stored[e / 64] |= 1ULL << e % 64;
        assert_int_equal(plb_block_coder_list(f->coder, block, &codes, &are_listed), PLB_OK);
        assert_false(are_listed);
        ++*(int *)tried;
        return;
    }
}

/* The coder refuses a block that stores a position whose value the rules decide. */
static void what_is_not_quiet_is_left_to_the_other_codec(void **state) {
    fixture f;
    int tried = 0;
    open_fixture(state, "connect-4x4-k4", PLB_WDL, &f);
    for_each_block(&f, store_another, &tried);
    assert_true(tried > 0);
    close_fixture(&f);
}

/* ---- damage ---- */

typedef struct damage {
    plb_block_model *model;
    uint64_t random, refused, accepted;
} damage;

/* Random bytes, and valid bytes with a change: decoding is safe, and seldom accepts them. */
static void decode_damaged(fixture *f, const plb_ply_block *block, void *context) {
    damage *d = context;
    const uint8_t *bytes;
    size_t size;
    encode(f, block, d->model, &bytes, &size);
    for (int trial = 0; trial < 8; trial++) {
        size_t length = trial % 2 ? size : support_random_below(&d->random, 40);
        uint8_t *copy = malloc(length + 1);
        for (size_t b = 0; b < length; b++) copy[b] = (uint8_t)support_random(&d->random);
        if (trial % 2) memcpy(copy, bytes, size);
        if (trial % 2) copy[support_random_below(&d->random, size)] ^= 1 << trial;
        if (length) copy[0] |= 8;
        int error = decode(f, block, d->model, copy, length);
        assert_true(error == PLB_OK || error == PLB_ECORRUPT);
        ++*(error ? &d->refused : &d->accepted);
        free(copy);
    }
}

static void any_payload_is_safe(void **state) {
    fixture f;
    plb_block_counts *counts = calloc(1, sizeof *counts);
    open_fixture(state, "connect-5x4-k4", PLB_DTM, &f);
    for_each_block(&f, count, counts);
    damage d = {.model = new_model(counts), .random = support_seed("payloads", 18)};
    for_each_block(&f, decode_damaged, &d);
    print_message("%llu refused, %llu accepted\n", (unsigned long long)d.refused,
                  (unsigned long long)d.accepted);
    assert_true(d.refused > 50 * d.accepted);
    close_fixture(&f);
    free(d.model);
    free(counts);
}

static void any_model_is_safe(void **state) {
    (void)state;
    plb_block_counts *counts = calloc(1, sizeof *counts);
    plb_block_model *model = malloc(sizeof *model);
    uint8_t *bytes = malloc(PLB_MODEL_BYTES), *copy = malloc(PLB_MODEL_BYTES);
    uint64_t random = support_seed("models", 19), refused = 0;
    for (int c = 0; c < 100; c++) counts->seen[c * 7][c % 3] = 1000;
    size_t size = plb_block_model_make(counts, 1, bytes);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(plb_block_model_read(bytes, cut, model), PLB_ECORRUPT);
    assert_int_equal(plb_block_model_read(bytes, size, model), PLB_OK);
    for (int trial = 0; trial < 20000; trial++) {
        memcpy(copy, bytes, size);
        copy[support_random_below(&random, size)] ^= 1 << trial % 8;
        int error = plb_block_model_read(copy, size, model);
        refused += error != PLB_OK;
        for (int c = 0; !error && c < PLB_CONTEXTS; c++)
            for (unsigned d = 0; d < PLB_DIGITS; d++)
                assert_in_range(plb_expectation_freq(&model->contexts[c], d), 1, PLB_SCALE - 2);
    }
    assert_true(refused > 100);
    free(counts);
    free(model);
    free(bytes);
    free(copy);
}

/* ---- tables ---- */

/* A table without models, whose blocks are all compressed by zstd, gives the same answers. */
static void a_table_without_models_says_the_same(void **state) {
    const char *path = support_path(state, "predicted"), *plain = support_path(state, "plain");
    const flaw unpredict = {.change = DROP_MODELS};
    plb_table_file p;
    plb_table *tables[2] = {NULL, NULL};
    support_build_values("connect-5x4-k4", PLB_DTM, path, NULL, 1);
    open_table_file(path, &p);
    assert_non_null(p.codec->models[14]);
    copy_table(&p, plain, &unpredict);
    assert_int_equal(plb_open(path, &tables[0], NULL), PLB_OK);
    assert_int_equal(plb_open(plain, &tables[1], NULL), PLB_OK);
    int compared = 0;
    for (int ply = 0; ply <= 16; ply += 2)
        for (uint64_t slab = 0; slab < p.space.index.plies[ply].slabs; slab++)
            for (uint64_t rank = 0; rank < p.space.index.plies[ply].slab_size;
                 rank += 1 + (uint64_t)ply) {
                plb_answer found[2];
                plb_position at = plb_index_unrank(&p.space.index, (plb_entry){ply, slab, rank});
                uint64_t x = plb_game_bits_of_cells(&p.space.game, at.x);
                uint64_t o = plb_game_bits_of_cells(&p.space.game, at.o);
                int error = plb_probe(tables[0], x, o, &found[0], NULL);
                assert_int_equal(plb_probe(tables[1], x, o, &found[1], NULL), error);
                if (error) continue;
                assert_int_equal(found[0].value, found[1].value);
                assert_int_equal(found[0].dtm, found[1].dtm);
                compared++;
            }
    assert_true(compared > 1000);
    for (int t = 0; t < 2; t++) plb_close(tables[t]);
    plb_table_file_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SUPPORT_IN_FOLDER(what_is_decoded_is_what_was_encoded),
        SUPPORT_IN_FOLDER(tables_have_predicted_blocks),
        SUPPORT_IN_FOLDER(what_is_not_quiet_is_left_to_the_other_codec),
        SUPPORT_IN_FOLDER(any_payload_is_safe),
        cmocka_unit_test(any_model_is_safe),
        SUPPORT_IN_FOLDER(a_table_without_models_says_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
