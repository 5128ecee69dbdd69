/* SPDX-License-Identifier: MIT
 *
 * Opening a table, and what is known of it as a whole.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/argument_check.h"
#include "probe/outcome.h"
#include "tables/byte_order.h"
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

/* What the file says of itself, folded into one number: identity, records, counts, and of each
 * segment the place and the size. The values are not read. */
static uint64_t hash_directory(const plb_table_file *file) {
    enum { COUNTS = 5, COUNT_BYTES = 8 };
    uint64_t id = plb_store_identity(file->store), count = 0;
    const char *name;
    for (size_t r = 0; (name = plb_store_record_name(file->store, r)); r++)
        id = plb_checksum(id, name, strlen(name), file->meta.builder, strlen(file->meta.builder));
    for (int ply = 0; ply <= file->space.game.cells; ply++) {
        const plb_ply_stats *s = &file->stats[ply];
        uint8_t counts[COUNTS * COUNT_BYTES], *end = counts;
        const uint64_t all[COUNTS] = {s->total, s->terminal, s->won, s->drawn, s->lost};
        for (int c = 0; c < COUNTS; c++) end = plb_put_number(end, all[c], COUNT_BYTES);
        id = plb_checksum(id, "stats", strlen("stats"), counts, sizeof counts);
    }
    const plb_stored_segment *segments = plb_store_segments(file->store, &count);
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
    const plb_game *game = &table->file.space.game;
    table->info.spec = table->file.meta.spec;
    table->info.builder = table->file.meta.builder;
    plb_meta_format_compression(table->file.meta.compression, table->compression);
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
    table->info.symmetries = table->file.space.symmetry.order;
    table->info.largest_number = !game->tiles[0] ? 0 : game->each ? game->cells / 2 : game->cells;
    table->info.block_entries = table->file.meta.block_entries;
    table->info.size_bytes = plb_store_size_bytes(table->file.store);
    snprintf(table->id, sizeof table->id, "%016llx",
             (unsigned long long)hash_directory(&table->file));
    table->info.id = table->id;
}

const plb_table_kind plb_table_of_values = {.is_whole = true,
                                            .answer = plb_values_answer,
                                            .list_moves = plb_values_list_moves,
                                            .find_distance = plb_values_find_distance};

static int load_values(plb_table *table, plb_message *message) {
    plb_table_file *file = &table->file;
    int error = plb_table_file_open(file, message);
    if (!error) error = plb_lookup_open(file->codec, file->store, &table->lookup, message);
    if (error) return error;
    fill_game(table);
    table->info.values = plb_value_kind_text(file->meta.values);
    table->info.index = plb_index_kind_text(file->space.index.kind);
    for (int ply = 0; ply <= file->space.game.cells; ply++) {
        table->info.positions += file->stats[ply].total;
        table->info.entries += plb_index_size(&file->space.index, ply);
    }
    return PLB_OK;
}

static int load_table(plb_table *table, const char *path, plb_message *message) {
    int error = plb_store_open(path, &table->file.store, message);
    if (error) return explain_missing(path, error, message);
    bool is_strategy = plb_meta_is_strategy(table->file.store);
    table->kind = is_strategy ? &plb_table_of_strategy : &plb_table_of_values;
    if (!is_strategy) return load_values(table, message);
    error = plb_strategy_load(table, message);
    if (!error) fill_game(table);
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
    plb_table_file_close(&table->file);
    plb_strategy_free(table->strategy);
    free(table->strategy);
    free(table);
}

const plb_table_info *plb_info(const plb_table *table) {
    return table ? &table->info : NULL;
}

int plb_stats(const plb_table *table, int ply, plb_ply_stats *stats) {
    if (!table || !stats || ply < 0 || ply > table->file.space.game.cells) return PLB_EARGUMENT;
    if (!table->kind->is_whole) return PLB_EUNKNOWN;
    *stats = table->file.stats[ply];
    return PLB_OK;
}

int plb_distance_stats(const plb_table *table, int ply, plb_ply_distances *distances) {
    if (!table || !distances || ply < 0 || ply > table->file.space.game.cells) return PLB_EARGUMENT;
    if (!table->file.distances) return PLB_EUNKNOWN;
    *distances = table->file.distances[ply];
    return PLB_OK;
}

int plb_find_usage(const plb_table *table, plb_usage *usage) {
    if (!table || !usage) return PLB_EARGUMENT;
    plb_lookup_usage found = {0, 0};
    if (table->lookup) found = plb_lookup_find_usage(table->lookup);
    *usage = (plb_usage){.cached_bytes = found.cached_bytes, .blocks_read = found.blocks_read};
    usage->held_bytes = (uint64_t)plb_table_file_bytes(&table->file);
    if (table->strategy) usage->held_bytes += table->strategy->positions * (sizeof(plb_code) + 1);
    return PLB_OK;
}

void plb_trim(const plb_table *table) {
    if (table && table->lookup) plb_lookup_trim(table->lookup);
}
