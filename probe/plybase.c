/* SPDX-License-Identifier: MIT
 *
 * The public library: opening a table, and answering positions from it.
 */
#include "probe/plybase.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/resolve.h"
#include "tables/notation.h"

/* ---- opening ---- */

/* A table that is not there may be one that is being built. */
static int explain_missing(const char *path, int error, plb_message *message) {
    char *part = NULL;
    if (error != PLB_ENOTFOUND) return error;
    if (asprintf(&part, "%s.part", path) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    bool building = access(part, F_OK) == 0;
    free(part);
    if (!building) return error;
    return plb_fail(message, PLB_EUNFINISHED,
                    "%s is not finished: its build is under way or was interrupted (%s.part); "
                    "the same plybase build command goes on with it",
                    path, path);
}

static int read_stats(plb_table *table, plb_message *message) {
    int error = PLB_OK;
    for (int ply = 0; ply <= table->game.cells && !error; ply++) {
        plb_ply_stats *s = &table->stats[ply];
        error = plb_store_get_stats(table->store, ply, s, message);
        if (error) break;
        if (s->total != s->won + s->drawn + s->lost || s->terminal > s->total)
            error = plb_fail(message, PLB_ECORRUPT,
                             "the table is damaged: the counts of ply %d do not add up", ply);
        table->info.positions += s->total;
        table->info.stored += plb_index_size(&table->index, ply);
    }
    return error;
}

static int check_meta(const plb_table *table, plb_message *message) {
    const plb_meta *meta = &table->meta;
    char spec[PLB_SPEC_TEXT];
    plb_game_format(&table->game, spec);
    plb_values values;
    if (strcmp(spec, meta->spec) != 0 || !plb_scale_parse(meta->values, &values) ||
        meta->symmetries != table->symmetry.order || meta->block_positions < 64 ||
        meta->block_positions > 1 << 24 || meta->block_positions % 64)
        return plb_fail(message, PLB_ECORRUPT,
                        "the table is damaged: its description of %s is not consistent",
                        meta->spec);
    return PLB_OK;
}

static void make_scale(plb_table *table) {
    plb_values values = PLB_WDL;
    plb_scale_parse(table->meta.values, &values);
    table->scale = plb_scale_make(&table->game, values);
}

/* An index takes as long as its game is big, whatever the file holds: build it only for a game
 * whose segments the file has room for. Each has a record, even if nothing is stored in it. */
static int check_room(const plb_table *table, plb_message *message) {
    enum { RECORD_BYTES = 20, SEGMENT_POSITIONS = 1 << 20 };
    double most = plb_max(SEGMENT_POSITIONS, table->meta.block_positions), segments = 0;
    for (int ply = 0; ply <= table->game.cells; ply++) {
        double slabs = plb_index_count_slabs(&table->game, &table->symmetry, ply);
        double slab_size = plb_index_slab_size(ply);
        segments += slab_size < most ? slabs * slab_size / most : slabs;
    }
    if (segments * RECORD_BYTES > (double)plb_store_size_bytes(table->store))
        return plb_fail(message, PLB_ECORRUPT,
                        "the table is damaged: it is too short to be one of %s", table->meta.spec);
    return PLB_OK;
}

static void fill_info(plb_table *table) {
    const plb_game *game = &table->game;
    table->info.spec = table->meta.spec;
    table->info.builder = table->meta.builder;
    table->info.values = table->meta.values;
    table->info.compression = table->meta.compression;
    table->info.width = game->width;
    table->info.height = game->height;
    table->info.cells = game->cells;
    table->info.k = game->k;
    table->info.gravity = game->gravity;
    table->info.misere = game->misere;
    table->info.cylinder = game->cylinder;
    table->info.symmetries = table->symmetry.order;
    table->info.block_positions = table->meta.block_positions;
    table->info.size_bytes = plb_store_size_bytes(table->store);
}

static int parse_spec(plb_table *table, const char *path, plb_message *message) {
    int error = plb_game_parse(table->meta.spec, &table->game, message);
    if (error == PLB_OK || error == PLB_ENOMEM) return error;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: '%s' is not a game", path,
                    table->meta.spec);
}

static int load_table(plb_table *table, const char *path, plb_message *message) {
    int error = plb_store_open(path, &table->store, message);
    if (error) return explain_missing(path, error, message);
    error = plb_meta_read(table->store, &table->meta, message);
    if (!error) error = parse_spec(table, path, message);
    if (!error && plb_symmetry_init(&table->game, &table->symmetry))
        error = plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    if (!error) error = check_meta(table, message);
    if (!error) make_scale(table);
    if (!error) error = check_room(table, message);
    if (!error) error = plb_index_init(&table->game, &table->symmetry, &table->index, message);
    if (!error) error = read_stats(table, message);
    if (!error)
        error = plb_lookup_open(&table->index, table->store, table->meta.block_positions,
                                table->scale.planes, &table->lookup, message);
    if (!error) fill_info(table);
    return error;
}

int plb_open(const char *path, plb_table **table, plb_message *message) {
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
    plb_store_close(table->store);
    plb_index_free(&table->index);
    plb_symmetry_free(&table->symmetry);
    plb_game_free(&table->game);
    free(table);
}

const plb_table_info *plb_info(const plb_table *table) {
    return &table->info;
}

int plb_stats(const plb_table *table, int ply, plb_ply_stats *stats) {
    if (ply < 0 || ply > table->game.cells) return PLB_EARGUMENT;
    *stats = table->stats[ply];
    return PLB_OK;
}

/* ---- probing ---- */

/* Answer a position that can arise. */
static int answer_position(const plb_context *c, plb_position position, plb_answer *answer,
                           plb_message *message) {
    plb_outcome outcome;
    int error = plb_resolve(c, position, &outcome, message);
    if (error) return error;
    *answer = (plb_answer){.value = outcome.value,
                           .dtm = outcome.dtm,
                           .over = plb_rules_is_over(&c->table->game, position)};
    return PLB_OK;
}

int plb_context_probe(plb_context *context, uint64_t x, uint64_t o, plb_answer *answer,
                      plb_message *message) {
    plb_position position = {0, 0};
    int error = plb_read_position(context->table, x, o, &position, message);
    return error ? error : answer_position(context, position, answer, message);
}

int plb_probe(const plb_table *table, uint64_t x, uint64_t o, plb_answer *answer,
              plb_message *message) {
    plb_context context;
    int error = plb_context_borrow(table, &context, message);
    if (error) return error;
    error = plb_context_probe(&context, x, o, answer, message);
    plb_context_return(&context);
    return error;
}

int plb_probe_text(const plb_table *table, const char *board, plb_answer *answer,
                   plb_message *message) {
    uint64_t x, o;
    int error = plb_parse_board(table, board, &x, &o, message);
    return error ? error : plb_probe(table, x, o, answer, message);
}

int plb_context_open(const plb_table *table, plb_context **context) {
    plb_context *made = malloc(sizeof *made);
    int error = made ? plb_context_borrow(table, made, NULL) : PLB_ENOMEM;
    if (error)
        free(made);
    else
        *context = made;
    return error;
}

void plb_context_close(plb_context *context) {
    if (!context) return;
    plb_context_return(context);
    free(context);
}

/* ---- many positions ---- */

/* A query in the order of the table. */
typedef struct ordered_query {
    uint64_t block; /* ply, then number of the block where its canonical position is */
    plb_query *query;
} ordered_query;

/* Where to look the position up; refused ones come first, their error is set. */
static ordered_query order_query(const plb_table *table, plb_query *query) {
    plb_position position = {0, 0};
    query->error = plb_read_position(table, query->x, query->o, &position, NULL);
    if (query->error) return (ordered_query){0, query};
    plb_place place = plb_index_rank(&table->index, position);
    uint64_t block = plb_lookup_block(table->lookup, place);
    return (ordered_query){(uint64_t)place.ply << 56 | block, query};
}

static int compare_queries(const void *a, const void *b) {
    uint64_t x = ((const ordered_query *)a)->block, y = ((const ordered_query *)b)->block;
    return (x > y) - (x < y);
}

int plb_probe_many(const plb_table *table, plb_query *queries, size_t count) {
    plb_context context;
    ordered_query *order = malloc((count + 1) * sizeof *order);
    int error = order ? plb_context_borrow(table, &context, NULL) : PLB_ENOMEM;
    if (error) {
        free(order);
        return error;
    }
    for (size_t q = 0; q < count; q++) order[q] = order_query(table, &queries[q]);
    qsort(order, count, sizeof *order, compare_queries);
    for (size_t q = 0; q < count; q++) {
        plb_query *query = order[q].query;
        plb_position position = {plb_game_cells_of_bits(&table->game, query->x),
                                 plb_game_cells_of_bits(&table->game, query->o)};
        if (!query->error) query->error = answer_position(&context, position, &query->answer, NULL);
    }
    plb_context_return(&context);
    free(order);
    return PLB_OK;
}

/* ---- moves ---- */

static int answer_move(const plb_context *c, plb_position position, int cell, plb_move *move,
                       plb_message *message) {
    const plb_game *game = &c->table->game;
    plb_answer child;
    int error = answer_position(c, plb_position_play(position, cell), &child, message);
    if (error) return error;
    *move = (plb_move){.column = plb_game_column(game, cell),
                       .row = plb_game_row(game, cell),
                       .value = (plb_value)-child.value,
                       .dtm = child.dtm};
    plb_notation_format_move(game, cell, move->text);
    return PLB_OK;
}

/* Best first: fast wins before slow ones, slow losses before fast ones. */
static int compare_moves(const void *a, const void *b) {
    const plb_move *m = a, *n = b;
    if (m->value != n->value) return n->value - m->value;
    if (m->dtm != n->dtm) return (m->dtm - n->dtm) * m->value;
    return m->column != n->column ? m->column - n->column : m->row - n->row;
}

int plb_moves(const plb_table *table, uint64_t x, uint64_t o, plb_move moves[PLB_MAX_MOVES],
              int *count, plb_message *message) {
    plb_position position = {0, 0};
    plb_context context;
    int error = plb_read_position(table, x, o, &position, message);
    if (!error) error = plb_context_borrow(table, &context, message);
    if (error) return error;
    uint64_t cells = plb_rules_is_over(&table->game, position)
                         ? 0
                         : plb_game_playable(&table->game, plb_position_occupied(position));
    plb_move found[PLB_MAX_MOVES];
    int n = 0;
    for (; cells && !error; cells &= cells - 1)
        error = answer_move(&context, position, plb_lowest(cells), &found[n++], message);
    plb_context_return(&context);
    if (error) return error;
    qsort(found, n, sizeof *found, compare_moves);
    memcpy(moves, found, n * sizeof *found);
    *count = n;
    return PLB_OK;
}

/* ---- text ---- */

static void bits_of_position(const plb_table *table, plb_position position, uint64_t *x,
                             uint64_t *o) {
    *x = plb_game_bits_of_cells(&table->game, position.x);
    *o = plb_game_bits_of_cells(&table->game, position.o);
}

int plb_parse_board(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                    plb_message *message) {
    plb_position position;
    int error = plb_notation_parse_board(&table->game, text, &position, message);
    if (!error) bits_of_position(table, position, x, o);
    return error;
}

int plb_parse_moves(const plb_table *table, const char *text, uint64_t *x, uint64_t *o,
                    plb_message *message) {
    plb_position position;
    int error = plb_notation_parse_moves(&table->game, text, &position, message);
    if (!error) bits_of_position(table, position, x, o);
    return error;
}

int plb_format_board(const plb_table *table, uint64_t x, uint64_t o, char text[PLB_BOARD_TEXT]) {
    const plb_game *game = &table->game;
    if ((x & o) || ((x | o) & ~game->board)) return PLB_EARGUMENT;
    plb_position position = {plb_game_cells_of_bits(game, x), plb_game_cells_of_bits(game, o)};
    plb_notation_format_board(game, position, text);
    return PLB_OK;
}
