/* SPDX-License-Identifier: MIT */
#include "tables/codec/block_codec.h"

#include <stdlib.h>

enum { ZSTD_BYTES = 1 << 19 }; /* memory of a zstd context, rounded up */

struct plb_block_reader {
    const plb_block_codec *codec;
    plb_segment_reader *segments;
    plb_block_coder *coder; /* NULL: the table has no models */
};

plb_block_codec *plb_block_codec_make(const plb_index *index, const plb_meta *meta) {
    plb_block_codec *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->index = index;
    made->identity = plb_meta_identity(meta);
    made->block_entries = (uint64_t)meta->block_entries;
    made->planes = plb_outcome_code_make(index->game, meta->values).planes;
    for (int ply = 0; ply <= index->game->cells; ply++)
        made->layouts[ply] = plb_block_layout_ply(index, ply, made->block_entries);
    return made;
}

void plb_block_codec_close(plb_block_codec *codec) {
    if (!codec) return;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) free(codec->models[ply]);
    free(codec);
}

int plb_block_codec_add_model(plb_block_codec *codec, int ply, const uint8_t *bytes, size_t size) {
    plb_block_model *model = malloc(sizeof *model);
    if (!model) return PLB_ENOMEM;
    int error = plb_block_model_read(bytes, size, model);
    if (error) {
        free(model);
        return error;
    }
    free(codec->models[ply]);
    codec->models[ply] = model;
    return PLB_OK;
}

static int read_model(plb_block_codec *codec, int ply, const plb_store *store,
                      plb_message *message) {
    char name[PLB_RECORD_NAME];
    uint8_t *bytes = NULL;
    size_t size = 0;
    plb_meta_name_model(ply, name);
    if (!plb_store_has_record(store, name)) return PLB_OK;
    int error = plb_store_get_record(store, name, &bytes, &size, message);
    if (error) return error;
    error = plb_block_codec_add_model(codec, ply, bytes, size);
    if (error == PLB_ENOMEM) plb_fail(message, error, "out of memory for models");
    if (error == PLB_ECORRUPT)
        plb_fail(message, error, "%s is damaged: its record %s is not a model",
                 plb_store_path(store), name);
    free(bytes);
    return error;
}

int plb_block_codec_open(const plb_index *index, const plb_meta *meta, const plb_store *store,
                         plb_block_codec **codec, plb_message *message) {
    plb_block_codec *made = plb_block_codec_make(index, meta);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for blocks");
    int error = PLB_OK;
    bool may_have_models = index->kind == PLB_SLABS;
    for (int ply = 0; may_have_models && ply <= index->game->cells && !error; ply++)
        error = read_model(made, ply, store, message);
    return PLB_HAND_OVER(error, made, codec, plb_block_codec_close);
}

uint64_t plb_block_codec_words(const plb_block_codec *codec, int ply, uint64_t number) {
    uint64_t entries = plb_block_layout_block_entries(&codec->layouts[ply], number);
    return codec->planes * plb_segment_plane_words(entries);
}

uint64_t plb_block_codec_max_words(const plb_block_codec *codec) {
    return codec->planes * plb_segment_plane_words(codec->block_entries);
}

/* ---- reading ---- */

int plb_block_reader_open(const plb_block_codec *codec, plb_block_reader **reader) {
    plb_block_reader *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->codec = codec;
    bool has_models = false;
    for (int ply = 0; ply <= PLB_MAX_CELLS; ply++) has_models |= codec->models[ply] != NULL;
    int error = plb_segment_reader_open(&made->segments);
    if (!error && has_models)
        error =
            plb_block_coder_open(codec->index, codec->block_entries, codec->planes, &made->coder);
    return PLB_HAND_OVER(error, made, reader, plb_block_reader_close);
}

void plb_block_reader_close(plb_block_reader *reader) {
    if (!reader) return;
    plb_segment_reader_close(reader->segments);
    plb_block_coder_close(reader->coder);
    free(reader);
}

uint64_t plb_block_reader_bytes(const plb_block_codec *codec) {
    return ZSTD_BYTES + plb_segment_reader_max_bytes(plb_block_codec_max_words(codec)) +
           plb_block_coder_bytes(codec->block_entries);
}

uint8_t *plb_block_reader_buffer(plb_block_reader *reader, size_t size) {
    return plb_segment_reader_buffer(reader->segments, size);
}

int plb_block_reader_unpack_until(plb_block_reader *reader, size_t size, int ply, uint64_t number,
                                  uint64_t until, uint64_t *planes) {
    const plb_block_codec *codec = reader->codec;
    const plb_block_model *model = codec->models[ply];
    plb_block_name name = {codec->identity, ply, number};
    const uint8_t *payload = plb_segment_reader_buffer(reader->segments, size) + PLB_CHECKSUM_BYTES;
    bool is_predicted = model && size > PLB_CHECKSUM_BYTES && plb_block_is_predicted(payload);
    if (!is_predicted)
        return plb_segment_reader_unpack(reader->segments, size, &name,
                                         plb_block_codec_words(codec, ply, number), planes);
    plb_block_payload predicted = {.until = until};
    int error = plb_segment_reader_payload(reader->segments, size, &name, &predicted.bytes,
                                           &predicted.size);
    if (error) return error;
    plb_ply_block block = {&codec->layouts[ply], ply, number};
    return plb_block_coder_decode(reader->coder, &block, model, &predicted, planes);
}

int plb_block_reader_unpack_block(plb_block_reader *reader, const plb_segment *segment,
                                  uint64_t block, int ply, uint64_t first, uint64_t *planes) {
    uint64_t words = plb_block_codec_words(reader->codec, ply, first + block);
    size_t size;
    int error = plb_segment_reader_copy_block(reader->segments, segment, block, words, &size);
    return error ? error
                 : plb_block_reader_unpack_until(reader, size, ply, first + block, UINT64_MAX,
                                                 planes);
}
