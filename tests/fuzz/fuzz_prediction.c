/* SPDX-License-Identifier: MIT
 *
 * Models and predicted blocks of arbitrary bytes: a record is refused or gives a model that can
 * decode; a payload is refused or decoded, twice with the same result, also if only the first
 * entries are decoded.
 *
 *     [game][ply][block][size of the model: 366 and 4 bytes for each context][entries wanted]
 *     [model, payload]..
 */
#include "tables/codec/block_entropy.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"
#include "tests/fuzz/fuzz.h"

enum { HEADER_BYTES = 5, BLOCK_ENTRIES = 256, GAMES = 4 };

static const struct {
    const char *spec;
    plb_value_kind values;
} games[GAMES] = {{"connect-4x4-k4", PLB_WDL},
                  {"connect-4x4-k3-misere", PLB_DTM},
                  {"mnk-4x3-k3", PLB_WDL},
                  {"connect-4x4-k4-cylinder", PLB_DTM}};

/* A game; each is opened once. */
typedef struct opened_game {
    plb_space space;
    int planes;
    plb_block_coder *coder;
} opened_game;

static opened_game *open_game(int number) {
    static opened_game opened[GAMES];
    opened_game *g = &opened[number];
    if (g->coder) return g;
    FUZZ_REQUIRE(plb_space_open(games[number].spec, &g->space, NULL) == PLB_OK);
    g->planes = plb_outcome_code_make(&g->space.game, games[number].values).planes;
    FUZZ_REQUIRE(plb_block_coder_open(&g->space.index, BLOCK_ENTRIES, g->planes, &g->coder) ==
                 PLB_OK);
    return g;
}

/* Read a model; if the bytes are not valid, make an empty one. */
static void read_model(const uint8_t *bytes, size_t size, plb_block_model *model) {
    static plb_block_counts nothing;
    uint8_t record[PLB_MODEL_BYTES];
    int error = plb_block_model_read(bytes, size, model);
    FUZZ_REQUIRE(error == PLB_OK || error == PLB_ECORRUPT);
    if (!error) return;
    size_t made = plb_block_model_make(&nothing, 1, record);
    FUZZ_REQUIRE(plb_block_model_read(record, made, model) == PLB_OK);
}

/* Decode twice, then only the first entries. */
static void decode(const opened_game *g, const plb_ply_block *block, const plb_block_model *model,
                   const plb_block_payload *payload, uint64_t words) {
    enum { PLANE_WORDS = BLOCK_ENTRIES / 64 };
    uint64_t first[PLB_PLANES * PLANE_WORDS], second[PLB_PLANES * PLANE_WORDS];
    plb_block_payload all = {payload->bytes, payload->size, UINT64_MAX};
    memset(first, 0x55, sizeof first);
    memset(second, 0xaa, sizeof second);
    int error = plb_block_coder_decode(g->coder, block, model, &all, first);
    FUZZ_REQUIRE(error == PLB_OK || error == PLB_ECORRUPT);
    FUZZ_REQUIRE(plb_block_coder_decode(g->coder, block, model, &all, second) == error);
    if (error) return;
    FUZZ_REQUIRE(memcmp(first, second, g->planes * words * sizeof *first) == 0);
    FUZZ_REQUIRE(plb_block_coder_decode(g->coder, block, model, payload, second) == PLB_OK);
    for (int p = 0; p < g->planes; p++)
        for (uint64_t e = 0; e < payload->until && e < 64 * words; e++)
            FUZZ_REQUIRE(!((first[p * words + e / 64] ^ second[p * words + e / 64]) >> e % 64 & 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER_BYTES) return 0;
    const opened_game *g = open_game(data[0] % GAMES);
    int ply = data[1] % g->space.game.cells & ~1;
    plb_block_layout layout = plb_block_layout_ply(&g->space.index, ply, BLOCK_ENTRIES);
    uint64_t blocks = 0;
    for (uint64_t s = 0; s < layout.segments; s++) blocks += plb_block_layout_blocks(&layout, s);
    plb_ply_block block = {&layout, ply, data[2] % plb_max(1, blocks)};
    size_t left = size - HEADER_BYTES, model_size = data[3] ? 362 + 4 * (size_t)data[3] : 0;
    if (model_size > left) model_size = left;
    plb_block_model *model = malloc(sizeof *model);
    FUZZ_REQUIRE(model != NULL);
    read_model(data + HEADER_BYTES, model_size, model);
    plb_block_payload payload = {.size = left - model_size, .until = data[4]};
    uint8_t *bytes = fuzz_copy(data + HEADER_BYTES + model_size, payload.size);
    payload.bytes = bytes;
    uint64_t entries = plb_block_layout_block_entries(&layout, block.number);
    decode(g, &block, model, &payload, (entries + 63) / 64);
    free(bytes);
    free(model);
    return 0;
}
