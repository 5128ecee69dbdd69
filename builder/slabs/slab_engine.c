/* SPDX-License-Identifier: MIT
 *
 * The engine of slabs: which planes a pass reads and makes. Those of a ply stay in memory for the
 * next ply as far as there is room; all others are in the scratch file of the ply.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "builder/slabs/solve.h"
#include "tables/exact_counts.h"
#include "tables/settle.h"

static void close_engine(void *state) {
    plb_slab_engine *engine = state;
    if (!engine) return;
    int count = engine->options.threads;
    for (int t = 0; engine->states && t < count; t++) plb_thread_state_close(&engine->states[t]);
    for (int w = 0; engine->workers && w < count; w++) plb_slab_worker_close(&engine->workers[w]);
    free(engine->states);
    free(engine->workers);
    plb_columns_free(&engine->columns);
    free(engine->reachable);
    plb_scratch_codec_close(engine->codec);
    plb_memory_pool_close(engine->pool);
    free(engine);
}

static int open_workers(plb_slab_engine *engine) {
    const plb_engine_options *o = &engine->options;
    plb_block_form form = {o->identity, o->level, o->block_entries, engine->coding.planes,
                           engine->index};
    engine->states = calloc(o->threads, sizeof *engine->states);
    engine->workers = calloc(o->threads, sizeof *engine->workers);
    int error = engine->states && engine->workers ? PLB_OK : PLB_ENOMEM;
    for (int t = 0; t < o->threads && !error; t++)
        error = plb_thread_state_open(&engine->states[t], &o->space->game, engine->kernels,
                                      &engine->columns);
    for (int w = 0; w < o->threads && !error; w++)
        error = plb_slab_worker_open(&engine->workers[w], engine->index, &engine->threads,
                                     engine->codec, &form);
    return error;
}

/* ---- by columns ---- */

/* Counts of positions that fit 64 bits, since the index does. */
static int count_reachable(plb_slab_engine *engine, plb_message *message) {
    const plb_game *game = &engine->options.space->game;
    plb_position_counts counts;
    plb_count_board board;
    plb_exact_counts_find_board(game, &board);
    engine->reachable = calloc(game->cells + 1, sizeof *engine->reachable);
    if (!engine->reachable) return plb_fail(message, PLB_ENOMEM, "out of memory");
    int error = plb_position_count(&board, engine->options.stop, &counts, message);
    if (error) return error;
    for (int ply = 0; ply <= game->cells; ply++) {
        uint64_t terminal = (uint64_t)counts.ply[ply].terminal;
        engine->reachable[ply].terminal = terminal;
        engine->reachable[ply].open = (uint64_t)counts.ply[ply].total - terminal;
    }
    plb_position_counts_free(&counts);
    return PLB_OK;
}

static int open_columns(plb_slab_engine *engine, plb_message *message) {
    const plb_game *game = &engine->options.space->game;
    if (engine->way != PLB_REACH_BY_COLUMNS) return PLB_OK;
    int error = plb_columns_make(game->width, game->height, game->k, engine->options.stop,
                                 &engine->columns);
    if (error == PLB_EINTERRUPTED) return plb_fail(message, error, "interrupted");
    if (error) return plb_fail(message, error, "out of memory for the automaton of columns");
    return engine->options.is_trial ? PLB_OK : count_reachable(engine, message);
}

static int open_engine(const plb_engine_options *options, void **state, plb_message *message) {
    plb_slab_engine *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory");
    made->options = *options;
    made->index = &options->space->index;
    made->kernels = options->kernels ? options->kernels : plb_kernels_best();
    made->coding = plb_outcome_code_make(&options->space->game, options->values);
    made->part = plb_solve_part(&options->space->game, options->values);
    made->way = plb_reach_choose(made->index, options->reach);
    made->threads.count = options->threads;
    int error = plb_scratch_codec_open(&made->threads, &made->codec);
    if (!error) error = open_workers(made);
    if (!error) error = plb_memory_pool_open(options->budget->ply_memory_bytes, &made->pool);
    if (error) error = plb_fail(message, error, "out of memory for %d threads", options->threads);
    if (!error) error = open_columns(made, message);
    if (error)
        close_engine(made);
    else
        *state = made;
    return error;
}

/* ---- layers ---- */

/* Records of a file: slabs, or segments of the table and a model. */
static uint64_t count_records(const plb_slab_engine *engine, plb_scratch_file file) {
    if (file.kind != PLB_SCRATCH_TABLE) return engine->index->plies[file.ply].slabs;
    return plb_cut_ply(engine->index, file.ply, engine->options.block_entries).segments +
           PLB_TABLE_MODELS;
}

static int create_scratch(const plb_slab_engine *engine, plb_scratch_file file,
                          plb_scratch **scratch, plb_message *message) {
    return plb_journal_create(engine->options.journal, file, count_records(engine, file), scratch,
                              message);
}

static int open_scratch(const plb_slab_engine *engine, plb_scratch_file file, plb_scratch **scratch,
                        plb_message *message) {
    uint64_t most_bytes = engine->options.budget->records_bytes;
    int error = plb_journal_read(engine->options.journal, file, count_records(engine, file),
                                 scratch, message);
    return error ? error : plb_scratch_load(*scratch, most_bytes, message);
}

/* The memory for the planes of a file; what another file has left there is cleared. */
static plb_ply_memory *find_memory(plb_slab_engine *engine, plb_scratch_file file) {
    plb_ply_memory *memory = plb_memory_pool_ply(engine->pool, file.ply);
    plb_scratch_file *there = &engine->in_memory[file.ply % 2];
    if (there->kind != file.kind || there->ply != file.ply) plb_ply_memory_clear(memory);
    *there = file;
    return memory;
}

/* The code of positions of a ply in the other blocks: of won blocks, or else of dead ones. (Where a
 * block is dead and others are won its code does not matter, see solve.c.) */
static unsigned code_of_missing(const plb_slab_engine *engine, int ply) {
    bool won = engine->part == PLB_UNSETTLED && ply < engine->index->game->cells;
    return plb_outcome_code_encode(&engine->coding, won ? ply + 1 : ply);
}

/* The planes of a file. */
static plb_layer name_layer(plb_slab_engine *engine, plb_scratch_file file) {
    if (file.kind == PLB_SCRATCH_REACH)
        return (plb_layer){.part = PLB_LIVE, .planes = 1, .memory = find_memory(engine, file)};
    return (plb_layer){.part = engine->part,
                       .planes = engine->coding.planes,
                       .missing = code_of_missing(engine, file.ply),
                       .memory = find_memory(engine, file)};
}

/* Begin a layer. */
static int create_layer(plb_slab_engine *engine, plb_scratch_file file, plb_layer *layer,
                        plb_message *message) {
    *layer = name_layer(engine, file);
    if (plb_ply_memory_begin(layer->memory, engine->index->plies[file.ply].slabs))
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    return create_scratch(engine, file, &layer->scratch, message);
}

/* Open a layer that was made: its scratch file too, unless all of it is in memory. */
static int open_layer(plb_slab_engine *engine, plb_scratch_file file, plb_layer *layer,
                      plb_message *message) {
    *layer = name_layer(engine, file);
    if (plb_ply_memory_has_all(layer->memory)) return PLB_OK;
    return open_scratch(engine, file, &layer->scratch, message);
}

/* ---- forward ---- */

static int forward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_slab_engine *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_REACH, ply}, last = {PLB_SCRATCH_REACH, ply - 1};
    plb_layer before = {0}, reach = {0};
    plb_reach_counts counts = {0, 0};
    plb_pass p = plb_pass_over(engine, ply, message);
    p.neighbour = &before;
    p.made = &reach;
    int error = ply ? open_layer(engine, last, &before, message) : PLB_OK;
    if (!error) error = create_layer(engine, file, &reach, message);
    if (!error) error = plb_reach_ply(&p);
    if (!error) counts = plb_reach_sum(engine);
    if (!error)
        error = plb_journal_commit(engine->options.journal, file, reach.scratch, &counts,
                                   sizeof counts, message);
    if (!error) *made = (plb_ply_made){.positions = counts.open + counts.terminal};
    plb_scratch_close(before.scratch);
    plb_scratch_close(reach.scratch);
    return error;
}

/* ---- backward ---- */

/* What a ply is solved from, and what that makes. */
typedef struct solved_ply {
    plb_layer after, reach, values;
    plb_scratch *table;
    plb_reach_counts counts;
} solved_ply;

static int read_counts(const plb_scratch *reach, plb_reach_counts *counts, plb_message *message) {
    size_t size;
    const void *notes = plb_scratch_notes(reach, &size);
    if (size != sizeof *counts) return plb_scratch_fail_damaged(reach, message);
    memcpy(counts, notes, sizeof *counts);
    return PLB_OK;
}

/* Open what the ply is solved from: values of the next one, and what is reachable, unless that is
 * not known. */
static int open_sources(plb_slab_engine *engine, int ply, solved_ply *s, plb_message *message) {
    plb_scratch_file next = {PLB_SCRATCH_VALUES, ply + 1}, reach = {PLB_SCRATCH_REACH, ply};
    int error = PLB_OK;
    find_memory(engine,
                next); /* where nothing is solved yet, that of the forward pass is cleared */
    if (ply < engine->index->game->cells) error = open_layer(engine, next, &s->after, message);
    if (engine->reachable) s->counts = engine->reachable[ply];
    if (error || engine->way != PLB_REACH_FORWARD || engine->options.is_trial) return error;
    s->reach.planes = 1;
    error = open_scratch(engine, reach, &s->reach.scratch, message);
    return error ? error : read_counts(s->reach.scratch, &s->counts, message);
}

/* After the segments of a table file: the model of its blocks. */
static int write_model(const plb_pass *p) {
    const plb_ply_prediction *prediction = p->prediction;
    return plb_scratch_put(p->table, p->cut.segments, prediction ? prediction->record : NULL,
                           prediction ? prediction->record_bytes : 0, p->message);
}

static int solve(plb_slab_engine *engine, int ply, solved_ply *s, plb_message *message) {
    plb_scratch_file table = {PLB_SCRATCH_TABLE, ply}, values = {PLB_SCRATCH_VALUES, ply};
    plb_ply_results results = {0};
    int error = open_sources(engine, ply, s, message);
    if (!error) error = create_layer(engine, values, &s->values, message);
    if (!error) error = create_scratch(engine, table, &s->table, message);
    if (error) return error;
    plb_pass p = plb_pass_over(engine, ply, message);
    p.neighbour = ply < engine->index->game->cells ? &s->after : NULL;
    p.reach = s->reach.scratch ? &s->reach : NULL;
    p.made = &s->values;
    p.table = s->table;
    if (plb_settle_is_stored_ply(ply)) p.prediction = &engine->prediction;
    error = plb_solve_ply(&p, &s->counts, &results);
    if (!error) error = write_model(&p);
    if (error) return error;
    return plb_journal_commit(engine->options.journal, table, s->table, &results, sizeof results,
                              message);
}

/* Write the planes that are only in memory to the scratch file of the values, and commit it. */
static int write_values(plb_slab_engine *engine, int ply, const plb_layer *values,
                        plb_message *message) {
    plb_scratch_file file = {PLB_SCRATCH_VALUES, ply};
    plb_pass p = plb_pass_over(engine, ply, message);
    p.made = values;
    int error = plb_solve_save_ply(&p);
    if (error) return error;
    return plb_journal_commit(engine->options.journal, file, values->scratch, NULL, 0, message);
}

static int backward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_slab_engine *engine = state;
    solved_ply s = {0};
    int error = solve(engine, ply, &s, message);
    if (!error && !plb_ply_memory_has_all(s.values.memory))
        error = write_values(engine, ply, &s.values, message);
    if (!error)
        *made = (plb_ply_made){.positions = s.counts.open + s.counts.terminal,
                               .values_bytes = plb_scratch_bytes(s.values.scratch),
                               .table_bytes = plb_scratch_bytes(s.table)};
    plb_scratch_close(s.after.scratch);
    plb_scratch_close(s.reach.scratch);
    plb_scratch_close(s.values.scratch);
    plb_scratch_close(s.table);
    return error;
}

static int save(void *state, int ply, plb_message *message) {
    plb_slab_engine *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_VALUES, ply};
    if (plb_journal_has(engine->options.journal, file)) return PLB_OK;
    plb_layer values = name_layer(engine, file);
    assert(plb_ply_memory_has_all(values.memory));
    int error = create_scratch(engine, file, &values.scratch, message);
    if (!error) error = write_values(engine, ply, &values, message);
    plb_scratch_close(values.scratch);
    return error;
}

static bool goes_forward(const void *state) {
    const plb_slab_engine *engine = state;
    return engine->way == PLB_REACH_FORWARD;
}

static bool compares_counts(const void *state) {
    const plb_slab_engine *engine = state;
    return engine->way == PLB_REACH_BY_COLUMNS;
}

const plb_engine plb_engine_of_slabs = {.open = open_engine,
                                        .close = close_engine,
                                        .goes_forward = goes_forward,
                                        .compares_counts = compares_counts,
                                        .forward = forward,
                                        .backward = backward,
                                        .save = save};
