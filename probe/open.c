/* SPDX-License-Identifier: MIT
 *
 * Opening a table: everything that a file says of itself is checked before any value is asked for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/argument_check.h"
#include "probe/outcome.h"
#include "probe/strategy.h"
#include "tables/byte_order.h"
#include "tables/format/automaton_record.h"
#include "tables/format/distance_record.h"
#include "tables/format/hash_records.h"
#include "tables/store/checksum.h"
#include "tables/strategies/strategy_file.h"

const char *plb_version(void) {
    return PLB_VERSION_TEXT;
}

/* ---- what a file says ---- */

/* A table that is not there may be one that is being built. */
static int explain_missing(const char *path, int error, plb_message *message) {
    char *part = NULL;
    if (error != PLB_ENOTFOUND) return error;
    if (asprintf(&part, "%s" PLB_UNFINISHED_SUFFIX, path) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    bool building = access(part, F_OK) == 0;
    free(part);
    if (!building) return error;
    return plb_fail(
        message, PLB_EUNFINISHED,
        "%s is not finished: its build is under way or was interrupted (%s" PLB_UNFINISHED_SUFFIX
        "); the same plybase build command resumes it",
        path, path);
}

static int read_stats(plb_table *table, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= table->space.game.cells && !error; ply++) {
        plb_ply_stats *s = &table->stats[ply];
        error = plb_store_get_stats(table->store, ply, s, message);
        if (error) break;
        if (s->total != s->won + s->drawn + s->lost || s->terminal > s->total)
            error = plb_fail(message, PLB_ECORRUPT,
                             "the table is damaged: the counts of ply %d do not add up", ply);
        table->info.positions += s->total;
    }
    if (!error && plb_store_plies(table->store) > table->space.game.cells + 1)
        error = plb_fail(message, PLB_ECORRUPT, "%s is damaged: it has counts of ply %d",
                         plb_store_path(table->store), plb_store_plies(table->store) - 1);
    return error;
}

/* Distances are an optional record, and of no use in a table of values. */
static int read_distances(plb_table *table, plb_message *message) {
    if (table->coding.values != PLB_DTM ||
        !plb_store_has_record(table->store, PLB_RECORD_DISTANCES))
        return PLB_OK;
    uint8_t *bytes = NULL;
    size_t size = 0;
    int error = plb_store_get_record(table->store, PLB_RECORD_DISTANCES, &bytes, &size, message);
    if (error) return error;
    table->distances = calloc(table->space.game.cells + 1, sizeof *table->distances);
    error = table->distances ? plb_distance_record_decode(&table->space.game, table->stats, bytes,
                                                          size, table->distances, message)
                             : plb_fail(message, PLB_ENOMEM, "out of memory for distances");
    free(bytes);
    return error;
}

/* Columns that can arise are an optional record; without it that is searched. */
static int read_columns(plb_table *table, plb_message *message) {
    plb_game *game = &table->space.game;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (!game->gravity || !plb_store_has_record(table->store, PLB_RECORD_COLUMNS)) return PLB_OK;
    int error = plb_store_get_record(table->store, PLB_RECORD_COLUMNS, &bytes, &size, message);
    if (error) return error;
    plb_column_board board = {game->width, game->height, game->k};
    error = plb_automaton_record_decode(board, plb_store_identity(table->store), bytes, size,
                                        &table->columns);
    free(bytes);
    if (!error) game->columns = &table->columns;
    if (!error || error == PLB_ENOMEM) return error ? plb_fail(message, error, "out of memory") : 0;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its record %s is no automaton",
                    plb_store_path(table->store), PLB_RECORD_COLUMNS);
}

/* An index takes as long as its game is big, whatever the file holds: build it only for a game
 * whose segments the file has. Each has a record, even if nothing is stored in it. */
static int check_room(const plb_table *table, plb_message *message) {
    uint64_t there, segments = plb_block_layout_count_segments(
                        &table->space.game, &table->space.symmetry, table->meta.block_entries);
    plb_store_segments(table->store, &there);
    if (segments != 0 && segments <= there) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT,
                    "%s is damaged: it has too few segments to be a table of %s",
                    plb_store_path(table->store), table->meta.spec);
}

/* What the file says of itself, folded into one number: identity, records, counts, and of each
 * segment the place and the size. The values are not read. */
static uint64_t hash_directory(const plb_table *table) {
    enum { COUNTS = 5, COUNT_BYTES = 8 };
    uint64_t id = plb_store_identity(table->store), count = 0;
    const char *name;
    for (size_t r = 0; (name = plb_store_record_name(table->store, r)); r++)
        id = plb_checksum(id, name, strlen(name), table->meta.builder, strlen(table->meta.builder));
    for (int ply = 0; ply <= table->space.game.cells; ply++) {
        const plb_ply_stats *s = &table->stats[ply];
        uint8_t counts[COUNTS * COUNT_BYTES], *end = counts;
        const uint64_t all[COUNTS] = {s->total, s->terminal, s->won, s->drawn, s->lost};
        for (int c = 0; c < COUNTS; c++) end = plb_put_number(end, all[c], COUNT_BYTES);
        id = plb_checksum(id, "stats", strlen("stats"), counts, sizeof counts);
    }
    const plb_stored_segment *segments = plb_store_segments(table->store, &count);
    for (uint64_t s = 0; s < count; s++) {
        uint8_t key[PLB_BLOCK_KEY], size[sizeof segments->size];
        plb_checksum_block_key(segments[s].ply, segments[s].first_block, key);
        plb_put_number(size, segments[s].size, sizeof size);
        id = plb_checksum(id, key, sizeof key, size, sizeof size);
    }
    return id;
}

/* What a table and a strategy have in common. */
static void fill_game(plb_table *table) {
    const plb_game *game = &table->space.game;
    table->info.spec = table->meta.spec;
    table->info.builder = table->meta.builder;
    plb_meta_format_compression(table->meta.compression, table->compression);
    table->info.compression = table->compression;
    plb_game_format_goal(game, table->goal);
    table->info.goal = table->goal;
    table->info.width = game->width;
    table->info.height = game->height;
    table->info.cells = game->cells;
    table->info.k = game->k;
    table->info.gravity = game->gravity;
    table->info.misere = game->misere;
    table->info.cylinder = game->cylinder;
    table->info.symmetries = table->space.symmetry.order;
    table->info.largest_number = !game->tiles[0] ? 0 : game->each ? game->cells / 2 : game->cells;
    table->info.block_entries = table->meta.block_entries;
    table->info.size_bytes = plb_store_size_bytes(table->store);
    snprintf(table->id, sizeof table->id, "%016llx", (unsigned long long)hash_directory(table));
    table->info.id = table->id;
}

static void fill_info(plb_table *table) {
    fill_game(table);
    table->info.values = plb_value_kind_text(table->meta.values);
    table->info.index = plb_index_kind_text(table->space.index.kind);
    for (int ply = 0; ply <= table->space.game.cells; ply++)
        table->info.entries += plb_index_size(&table->space.index, ply);
}

/* Game and symmetry, which the description counts. */
static int begin_space(plb_table *table, plb_message *message) {
    const plb_meta *meta = &table->meta;
    int error = plb_space_begin(meta->spec, &table->space, message);
    if (error == PLB_ESPEC)
        return plb_fail(message, PLB_ECORRUPT, "%s is damaged: it says that it is a table of %s",
                        plb_store_path(table->store), meta->spec);
    if (error || meta->symmetries == table->space.symmetry.order) return error;
    return plb_fail(
        message, PLB_ECORRUPT, "%s is damaged: %s has %d symmetries, and the description has %d",
        plb_store_path(table->store), meta->spec, table->space.symmetry.order, meta->symmetries);
}

static int add_index(plb_table *table, plb_message *message) {
    plb_index_kind kind = table->meta.index;
    int error = kind == PLB_SLABS ? check_room(table, message) : PLB_OK;
    if (!error) error = plb_space_add_index(&table->space, kind, message);
    if (error == PLB_EARGUMENT)
        error = plb_fail(message, PLB_ECORRUPT, "%s is damaged: a table of %s has an index of keys",
                         plb_store_path(table->store), table->meta.spec);
    if (!error && kind == PLB_KEYS)
        error = plb_hash_records_read(table->store, &table->space.index, message);
    return error;
}

static int load_strategy(plb_table *table, plb_message *message) {
    int error = plb_strategy_load(table, message);
    if (!error) fill_game(table);
    return error;
}

static int load_table(plb_table *table, const char *path, plb_message *message) {
    int error = plb_store_open(path, &table->store, message);
    if (error) return explain_missing(path, error, message);
    if (plb_meta_is_strategy(table->store)) return load_strategy(table, message);
    error = plb_meta_read(table->store, &table->meta, message);
    if (!error) error = begin_space(table, message);
    if (error) return error;
    table->coding = plb_outcome_code_make(&table->space.game, table->meta.values);
    error = read_stats(table, message);
    if (!error) error = read_distances(table, message);
    if (!error) error = read_columns(table, message);
    if (!error) error = add_index(table, message);
    if (!error) error = plb_enumeration_open(&table->space, NULL, &table->walk, message);
    if (!error)
        error = plb_block_codec_open(&table->space.index, &table->meta, table->store, &table->codec,
                                     message);
    if (!error) error = plb_lookup_open(table->codec, table->store, &table->lookup, message);
    if (!error) fill_info(table);
    return error;
}

/* ---- the table ---- */

int plb_open(const char *path, plb_table **table, plb_message *message) {
    if (PLB_GIVEN(message, path, table)) return PLB_EARGUMENT;
    plb_table *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    int error = load_table(made, path, message);
    if (error)
        plb_close(made);
    else
        *table = made;
    return error;
}

void plb_close(plb_table *table) {
    if (!table) return;
    plb_lookup_close(table->lookup);
    plb_block_codec_close(table->codec);
    plb_store_close(table->store);
    plb_enumeration_close(table->walk);
    plb_space_close(&table->space);
    plb_column_automaton_free(&table->columns);
    free(table->distances);
    plb_strategy_free(table->strategy);
    free(table->strategy);
    free(table);
}

const plb_table_info *plb_info(const plb_table *table) {
    return table ? &table->info : NULL;
}

int plb_stats(const plb_table *table, int ply, plb_ply_stats *stats) {
    if (!table || !stats || ply < 0 || ply > table->space.game.cells) return PLB_EARGUMENT;
    if (table->strategy) return PLB_EUNKNOWN;
    *stats = table->stats[ply];
    return PLB_OK;
}

int plb_distance_stats(const plb_table *table, int ply, plb_ply_distances *distances) {
    if (!table || !distances || ply < 0 || ply > table->space.game.cells) return PLB_EARGUMENT;
    if (!table->distances) return PLB_EUNKNOWN;
    *distances = table->distances[ply];
    return PLB_OK;
}

int plb_find_usage(const plb_table *table, plb_usage *usage) {
    if (!table || !usage) return PLB_EARGUMENT;
    plb_lookup_usage found = {0, 0};
    if (table->lookup) found = plb_lookup_find_usage(table->lookup);
    *usage = (plb_usage){.cached_bytes = found.cached_bytes, .blocks_read = found.blocks_read};
    return PLB_OK;
}

void plb_trim(const plb_table *table) {
    if (table && table->lookup) plb_lookup_trim(table->lookup);
}
