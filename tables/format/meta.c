/* SPDX-License-Identifier: MIT
 *
 * Descriptions as text. To validate a description, it is parsed, written again, and compared.
 */
#include "tables/format/meta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/format/block_layout.h"
#include "tables/message.h"
#include "tables/store/checksum.h"
#include "tables/store/store_writer.h"

static const char *const known_records[] = {PLB_RECORD_BUILDER, PLB_RECORD_DISTANCES,
                                            PLB_RECORD_COLUMNS};

void plb_meta_format_compression(int level, char text[PLB_COMPRESSION_TEXT]) {
    snprintf(text, PLB_COMPRESSION_TEXT, "zstd-%d", level);
}

static void describe(const plb_meta *meta, char text[PLB_DESCRIPTION_TEXT]) {
    char index[PLB_META_TEXT] = "";
    if (meta->index == PLB_KEYS)
        snprintf(index, sizeof index, "index %s\n", plb_index_kind_text(meta->index));
    snprintf(text, PLB_DESCRIPTION_TEXT,
             "format %d\nspec %s\nvalues %s\n" PLB_META_STORED_LINES "%s", meta->format, meta->spec,
             plb_value_kind_text(meta->values), meta->level, meta->symmetries, meta->block_entries,
             index);
}

uint64_t plb_meta_identity(const plb_meta *meta) {
    char text[PLB_DESCRIPTION_TEXT];
    describe(meta, text);
    return plb_checksum_identity(text);
}

/* ---- writing ---- */

int plb_meta_begin(const char *path, const char *description, const char *builder, bool resumes,
                   plb_store_writer **writer, plb_message *message) {
    plb_store_writer *made = NULL;
    int error = resumes ? plb_store_resume(path, description, &made, message)
                        : plb_store_create(path, description, 0, &made, message);
    if (!error)
        error = plb_store_put_record(made, PLB_RECORD_BUILDER, builder, strlen(builder), message);
    return PLB_HAND_OVER(error, made, writer, plb_store_abandon);
}

int plb_meta_create(const plb_meta *meta, const char *path, bool resumes, plb_store_writer **writer,
                    plb_message *message) {
    char text[PLB_DESCRIPTION_TEXT];
    describe(meta, text);
    return plb_meta_begin(path, text, meta->builder, resumes, writer, message);
}

/* ---- reading ---- */

int plb_meta_fail(const plb_store *store, const char *what, plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its description %s",
                    plb_store_path(store), what);
}

bool plb_meta_is_strategy(const plb_store *store) {
    return strncmp(plb_store_description(store), "strategy ", strlen("strategy ")) == 0;
}

int plb_meta_check_form(const plb_store *store, const char *again, plb_message *message) {
    const char *text = plb_store_description(store);
    bool is_right = strcmp(text, again) == 0;
    for (const char *c = text; *c; c++)
        if (*c != '\n' && (*c < ' ' || *c > '~')) is_right = false;
    return is_right ? PLB_OK : plb_meta_fail(store, "is malformed", message);
}

int plb_meta_begin_space(const plb_store *store, const char *text, int symmetries,
                         char spec[PLB_SPEC_TEXT], plb_space *space, plb_message *message) {
    int error = plb_space_begin(text, space, message);
    if (error == PLB_ENOMEM) return error;
    if (error) return plb_meta_fail(store, "names no game", message);
    int order = space->symmetry.order;
    plb_game_format(&space->game, spec);
    if (strcmp(spec, text) != 0)
        error = plb_meta_fail(store, "does not give its game the canonical name", message);
    else if (symmetries != order)
        error = plb_fail(message, PLB_ECORRUPT,
                         "%s is damaged: %s has %d symmetries, and the description has %d",
                         plb_store_path(store), spec, order, symmetries);
    if (error) plb_space_close(space);
    return error;
}

int plb_meta_read_compression(const plb_store *store, const char *text, int *level,
                              plb_message *message) {
    char again[PLB_COMPRESSION_TEXT] = "";
    if (sscanf(text, "zstd-%9d", level) == 1) plb_meta_format_compression(*level, again);
    if (strcmp(text, again) == 0) return PLB_OK;
    return plb_fail(message, PLB_EVERSION,
                    "%s is written with %.40s, which this program cannot read: make it again, or "
                    "use the program that made it",
                    plb_store_path(store), text);
}

/* A space in the sscanf format matches any white space; plb_meta_check_form compares exactly. */
static int read_description(const plb_store *store, plb_meta *meta, plb_space *space,
                            plb_message *message) {
    char again[PLB_DESCRIPTION_TEXT], spec[PLB_META_TEXT], values[PLB_META_TEXT],
        compression[PLB_META_TEXT], index[PLB_META_TEXT] = "";
    int read =
        sscanf(plb_store_description(store),
               "format %9d spec %95s values %95s " PLB_META_STORED_FORM "index %95s", &meta->format,
               spec, values, compression, &meta->symmetries, &meta->block_entries, index);
    if (read < 6) return plb_meta_fail(store, "is malformed", message);
    meta->index = *index ? PLB_KEYS : PLB_SLABS;
    snprintf(meta->spec, sizeof meta->spec, "%.*s", PLB_SPEC_TEXT - 1, spec);
    int error = plb_meta_read_compression(store, compression, &meta->level, message);
    if (error) return error;
    if (!plb_value_kind_parse(values, &meta->values))
        return plb_meta_fail(store, "names unknown values", message);
    describe(meta, again);
    error = plb_meta_check_form(store, again, message);
    if (error) return error;
    if (meta->block_entries < 64 || meta->block_entries > PLB_SEGMENT_ENTRIES ||
        meta->block_entries % 64)
        return plb_meta_fail(store, "gives blocks an impossible size", message);
    return plb_meta_begin_space(store, spec, meta->symmetries, meta->spec, space, message);
}

int plb_meta_read_builder(const plb_store *store, char builder[PLB_META_TEXT],
                          plb_message *message) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    int error = plb_store_get_record(store, PLB_RECORD_BUILDER, &bytes, &size, message);
    if (error) return error;
    bool is_right = size < PLB_META_TEXT && plb_text_is_plain((const char *)bytes, size);
    if (is_right) memcpy(builder, bytes, size + 1);
    free(bytes);
    return is_right ? PLB_OK
                    : plb_fail(message, PLB_ECORRUPT,
                               "%s is damaged: the name of its builder is not plain text",
                               plb_store_path(store));
}

int plb_meta_read(const plb_store *store, plb_meta *meta, plb_space *space, plb_message *message) {
    plb_meta read = {0};
    int format = 0;
    if (plb_meta_is_strategy(store))
        return plb_fail(message, PLB_ENOTTABLE, "%s is a strategy, and a table is needed",
                        plb_store_path(store));
    if (sscanf(plb_store_description(store), "format %9d\n", &format) != 1)
        return plb_meta_fail(store, "names no format", message);
    if (format != PLB_FORMAT_VERSION)
        return plb_fail(message, PLB_EVERSION,
                        "%s has format %d; this program reads format %d: rebuild it, or use the "
                        "program that built it",
                        plb_store_path(store), format, PLB_FORMAT_VERSION);
    int error = plb_meta_read_builder(store, read.builder, message);
    if (!error) error = read_description(store, &read, space, message);
    if (!error) *meta = read;
    return error;
}

/* ---- unknown records, and shards that differ from their table ---- */

void plb_meta_name_model(int ply, char name[PLB_RECORD_NAME]) {
    snprintf(name, PLB_RECORD_NAME, "model-%02d", ply);
}

void plb_meta_name_keys(int ply, uint64_t slab, char name[PLB_RECORD_NAME]) {
    snprintf(name, PLB_RECORD_NAME, "keys-%02d-%04llu", ply, (unsigned long long)slab);
}

static bool is_known(const plb_store *store, const char *name) {
    if (plb_meta_is_strategy(store)) return strcmp(name, PLB_RECORD_BUILDER) == 0;
    char again[PLB_RECORD_NAME] = "";
    unsigned ply, slab;
    if (sscanf(name, "keys-%2u-%9u", &ply, &slab) == 2)
        plb_meta_name_keys((int)ply, slab, again);
    else if (sscanf(name, "model-%2u", &ply) == 1 && ply <= PLB_MAX_CELLS)
        plb_meta_name_model((int)ply, again);
    if (strcmp(name, again) == 0) return true;
    for (size_t k = 0; k < sizeof known_records / sizeof *known_records; k++)
        if (strcmp(name, known_records[k]) == 0) return true;
    return false;
}

/* A shard repeats the builder and the statistics of its table, although readers do not use them. */
static int check_shard(const plb_store *store, const plb_store *shard, plb_message *message) {
    const char *name;
    for (size_t n = 0; (name = plb_store_record_name(shard, n)); n++)
        if (plb_store_is_own_record(name) ? strcmp(name, PLB_SHARDS) == 0
                                          : strcmp(name, PLB_RECORD_BUILDER) != 0)
            return plb_fail(message, PLB_ECORRUPT, "%s holds a record '%s', which no shard has",
                            plb_store_path(shard), name);
    char builders[2][PLB_META_TEXT];
    int error = plb_meta_read_builder(store, builders[0], message);
    if (!error) error = plb_meta_read_builder(shard, builders[1], message);
    bool is_same = error || strcmp(builders[0], builders[1]) == 0;
    is_same = is_same && plb_store_plies(shard) == plb_store_plies(store);
    for (int ply = 0; ply < plb_store_plies(store) && is_same && !error; ply++) {
        plb_ply_stats stats[2];
        error = plb_store_get_stats(store, ply, &stats[0], message);
        if (!error) error = plb_store_get_stats(shard, ply, &stats[1], message);
        if (!error) is_same = memcmp(&stats[0], &stats[1], sizeof stats[0]) == 0;
    }
    if (is_same) return error == PLB_EUNFINISHED ? PLB_ECORRUPT : error;
    return plb_fail(message, PLB_ECORRUPT, "%s has another builder or other counts than %s",
                    plb_store_path(shard), plb_store_path(store));
}

int plb_meta_find_extra(const plb_store *store, bool *is_rewritten, plb_message *message) {
    const char *name;
    for (size_t n = 0; (name = plb_store_record_name(store, n)); n++)
        if (!plb_store_is_own_record(name) && !is_known(store, name))
            return plb_fail(message, PLB_ECORRUPT,
                            "%s holds a record '%s' that this program does not know",
                            plb_store_path(store), name);
    int error = PLB_OK;
    for (int shard = 0; shard < plb_store_shards(store) && !error; shard++)
        error = check_shard(store, plb_store_shard(store, shard), message);
    return error ? error : plb_store_find_extra(store, is_rewritten, message);
}
