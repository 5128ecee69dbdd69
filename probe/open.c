/* SPDX-License-Identifier: MIT
 *
 * Opening a table; its description and statistics; listing of its positions.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probe/outcome.h"
#include "tables/strategies/strategy_file.h"

const char *plb_version(void) {
    return PLB_VERSION_TEXT;
}

/* ---- loading ---- */

/* The id of a larger table covers only a part of its bytes, so that it is opened quickly. A
 * strategy is read completely anyway. */
enum { ID_BYTES = 32 << 20 };

static int read_id(plb_table *table, uint64_t max_bytes, bool (*go_on)(void),
                   plb_message *message) {
    uint64_t hash = 0;
    int error = plb_store_hash(table->file.store, max_bytes, go_on, &hash, message);
    if (!error) snprintf(table->id, sizeof table->id, "%016llx", (unsigned long long)hash);
    return error;
}

int plb_table_read_id(plb_table *table, bool (*go_on)(void), plb_message *message) {
    if (table->info.size_bytes <= ID_BYTES || table->strategy) return PLB_OK;
    return read_id(table, UINT64_MAX, go_on, message);
}

/* Fill the part of table->info that tables and strategies share. */
static void fill_game(plb_table *table) {
    const plb_game *game = &table->file.space.game;
    table->info.spec = table->file.meta.spec;
    table->info.builder = table->file.meta.builder;
    plb_meta_format_compression(table->file.meta.level, table->compression);
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
    table->info.id = table->id;
}

static int answer_position(const plb_context *c, plb_position position, plb_answer *answer,
                           plb_message *message) {
    plb_outcome outcome;
    int error = plb_outcome_find(c, position, &outcome, message);
    if (!error) *answer = plb_make_answer(c->table, position, outcome);
    return error;
}

static int list_moves(const plb_table *table, plb_position position, int moves[PLB_MAX_MOVES],
                      int *count, plb_message *message) {
    (void)message;
    *count = plb_rules_moves(&table->file.space.game, position, moves);
    return PLB_OK;
}

const plb_table_kind plb_table_of_values = {.is_whole = true,
                                            .answer = answer_position,
                                            .list_moves = list_moves,
                                            .find_distance = plb_values_find_distance};

static int load_values(plb_table *table, plb_message *message) {
    plb_table_file *file = &table->file;
    int error = plb_table_file_open(file, message);
    if (!error) error = plb_lookup_open(file->codec, file->store, &table->lookup, message);
    if (error) return error;
    table->late = plb_late_search_make(&file->space.game);
    table->info.values = plb_value_kind_text(file->meta.values);
    table->info.index = plb_index_kind_text(file->space.index.kind);
    for (int ply = 0; ply <= file->space.game.cells; ply++) {
        table->info.positions += file->stats[ply].total;
        table->info.entries += plb_index_size(&file->space.index, ply);
    }
    return PLB_OK;
}

static int load_table(plb_table *table, const char *path, plb_read_log *log, plb_message *message) {
    int error = plb_store_open_logged(path, log, &table->file.store, message);
    if (error) {
        /* A table that does not exist may be under construction. */
        char *part = NULL;
        if (error != PLB_ENOTFOUND) return error;
        if (asprintf(&part, "%s" PLB_UNFINISHED_SUFFIX, path) < 0)
            return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
        bool building = plb_input_file_exists(part);
        free(part);
        if (!building) return error;
        return plb_fail(message, PLB_EUNFINISHED,
                        "%s is not finished: its build is under way or was interrupted "
                        "(%s" PLB_UNFINISHED_SUFFIX "); the same plybase build command resumes it",
                        path, path);
    }
    bool is_strategy = plb_meta_is_strategy(table->file.store);
    table->kind = is_strategy ? &plb_table_of_strategy : &plb_table_of_values;
    error = is_strategy ? plb_strategy_load(table, message) : load_values(table, message);
    if (!error) {
        fill_game(table);
        table->info.size_bytes = plb_store_size_bytes(table->file.store);
    }
    plb_store_end_log(table->file.store);
    return error;
}

/* ---- the table ---- */

int plb_table_load(const char *path, plb_read_log *log, plb_table **table, plb_message *message) {
    plb_table *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    int error = load_table(made, path, log, message);
    return PLB_HAND_OVER(error, made, table, plb_close);
}

int plb_open(const char *path, plb_table **table, plb_message *message) {
    plb_table *made = NULL;
    if (PLB_REJECT_NULL(message, path, table)) return PLB_EARGUMENT;
    int error = plb_table_load(path, NULL, &made, message);
    if (!made) return error;
    error = read_id(made, made->strategy ? UINT64_MAX : ID_BYTES, NULL, message);
    return PLB_HAND_OVER(error, made, table, plb_close);
}

int plb_table_of_game(const char *spec, plb_table **table, plb_message *message) {
    plb_table *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", spec);
    int error = plb_space_begin(spec, &made->file.space, message);
    if (!error) {
        plb_game_format(&made->file.space.game, made->file.meta.spec);
        fill_game(made);
    }
    return PLB_HAND_OVER(error, made, table, plb_close);
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
    *usage = (plb_usage){.held_bytes = (uint64_t)plb_table_file_bytes(&table->file)};
    if (table->lookup)
        plb_lookup_find_usage(table->lookup, &usage->cached_bytes, &usage->blocks_read);
    if (table->strategy) usage->held_bytes += table->strategy->positions * (sizeof(plb_code) + 1);
    return PLB_OK;
}

void plb_trim(const plb_table *table) {
    if (table && table->lookup) plb_lookup_trim(table->lookup);
}

/* ---- listing of positions ---- */

/* Entries that a call tests, at most. */
enum { MAX_ENTRIES = 1 << 14 };

/* The output of a call. */
typedef struct page {
    const plb_game *game;
    uint64_t *x, *o; /* [room] */
    size_t room, count;
} page;

static bool add_position(void *context, plb_position position, uint64_t count) {
    page *to = context;
    (void)count;
    plb_rules_to_words(to->game, position, &to->x[to->count], &to->o[to->count]);
    return ++to->count < to->room;
}

int plb_list_positions(const plb_table *table, plb_listing *listing, size_t room, uint64_t *x,
                       uint64_t *o, size_t *count) {
    if (!table || !listing || !x || !o || !count) return PLB_EARGUMENT;
    if (!table->kind->is_whole) return PLB_EUNKNOWN;
    if (!room || listing->ply < 0 || listing->ply > table->file.space.game.cells)
        return PLB_EARGUMENT;
    page to = {&table->file.space.game, x, o, room, 0};
    int error = plb_enumeration_begin(table->file.positions, listing->ply, NULL, NULL);
    if (!error && !plb_enumeration_is_cursor(table->file.positions, listing)) error = PLB_EARGUMENT;
    if (error) return error;
    plb_enumeration_list(table->file.positions, listing, MAX_ENTRIES, add_position, &to);
    *count = to.count;
    return PLB_OK;
}
