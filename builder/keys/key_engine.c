/* SPDX-License-Identifier: MIT
 *
 * The engine of keys.
 */
#include "builder/keys/key_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builder/keys/key_table.h"
#include "tables/bits.h"

enum { LEAST_BYTES = 8 << 20 /* that it takes, whatever the budget says */ };

/* ---- shared by both passes ---- */

plb_key_progress plb_key_progress_begin(plb_key_engine *engine, int ply, uint64_t keys) {
    uint64_t all = plb_index_size(&engine->options.space->index, ply);
    return (plb_key_progress){
        .engine = engine, .all = all, .scale = keys ? (double)all / (double)keys : 0};
}

static void advance(plb_key_progress *progress, uint64_t entries) {
    const plb_engine_options *options = &progress->engine->options;
    uint64_t more = entries - progress->entries;
    progress->entries = entries;
    if (options->advance) options->advance(options->context, more);
}

void plb_key_progress_add(plb_key_progress *progress, uint64_t keys) {
    pthread_mutex_lock(&progress->engine->lock);
    progress->keys += keys;
    advance(progress, plb_min(progress->all, (uint64_t)((double)progress->keys * progress->scale)));
    pthread_mutex_unlock(&progress->engine->lock);
}

void plb_key_progress_end(plb_key_progress *progress) {
    advance(progress, progress->all);
}

int plb_key_read_bucket(const plb_scratch *reach, uint64_t bucket, plb_position **keys,
                        uint64_t *count, plb_message *message) {
    uint64_t size = plb_scratch_size_bytes(reach, bucket);
    *keys = malloc(size + 1);
    *count = size / sizeof **keys;
    if (!*keys) return plb_fail(message, PLB_ENOMEM, "out of memory for positions");
    int error = plb_scratch_get(reach, bucket, *keys, message);
    if (!error && size % sizeof **keys) error = plb_scratch_fail_damaged(reach, message);
    if (!error) return PLB_OK;
    free(*keys);
    *keys = NULL;
    return error;
}

int plb_key_read_counts(const plb_scratch *reach, plb_key_counts *counts, plb_message *message) {
    size_t size;
    const void *notes = plb_scratch_notes(reach, &size);
    if (size != sizeof *counts) return plb_scratch_fail_damaged(reach, message);
    memcpy(counts, notes, sizeof *counts);
    return PLB_OK;
}

/* ---- the engine ---- */

static void close_engine(void *state) {
    plb_key_engine *engine = state;
    if (!engine) return;
    plb_key_values_free(&engine->values);
    plb_threads_close(&engine->threads);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

static int open_engine(const plb_engine_options *options, void **state, plb_message *message) {
    plb_key_engine *engine = calloc(1, sizeof *engine);
    if (!engine) return plb_fail(message, PLB_ENOMEM, "out of memory");
    engine->options = *options;
    engine->game = &options->space->game;
    engine->symmetry = &options->space->symmetry;
    engine->coding = plb_outcome_code_make(engine->game, options->values);
    engine->memory_bytes = fmax(options->budget->memory_bytes, LEAST_BYTES);
    engine->values_ply = -1;
    pthread_mutex_init(&engine->lock, NULL);
    if (plb_threads_open(options->threads, &engine->threads)) {
        close_engine(engine);
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    *state = engine;
    return PLB_OK;
}

static int open_scratch(const plb_key_engine *engine, plb_scratch_kind kind, int ply,
                        plb_scratch **scratch, plb_message *message) {
    plb_scratch_file file = {kind, ply, 0};
    return plb_journal_read(engine->options.journal, file, PLB_SCRATCH_ANY, scratch, message);
}

static int forward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_key_engine *engine = state;
    plb_scratch *before = NULL;
    plb_key_counts counts;
    int error = ply ? open_scratch(engine, PLB_SCRATCH_REACH, ply - 1, &before, message) : PLB_OK;
    if (!error) error = plb_key_reach_ply(engine, ply, before, &counts, message);
    if (!error) *made = (plb_ply_made){.positions = counts.total};
    plb_scratch_close(before);
    return error;
}

/* Have the values of a ply in memory, unless it is beyond the last. */
static int load_values(plb_key_engine *engine, int ply, plb_message *message) {
    plb_scratch *scratch = NULL;
    if (engine->values_ply == ply || ply > engine->game->cells) return PLB_OK;
    int error = open_scratch(engine, PLB_SCRATCH_VALUES, ply, &scratch, message);
    if (!error) error = plb_key_values_read(scratch, &engine->values, message);
    if (!error) engine->values_ply = ply;
    plb_scratch_close(scratch);
    return error;
}

static void replace_values(plb_key_engine *engine, int ply, plb_key_values *values) {
    plb_key_values_free(&engine->values);
    engine->values = *values;
    engine->values_ply = ply;
    *values = (plb_key_values){0};
}

/* From a reach file to a table file. */
static int solve(plb_key_engine *engine, int ply, const plb_scratch *reach, plb_ply_made *made,
                 plb_message *message) {
    plb_scratch_file file = {PLB_SCRATCH_TABLE, ply, 0};
    plb_key_solved solved = {.table = NULL};
    plb_key_counts counts = {.slab_size = 1};
    int error = plb_key_read_counts(reach, &counts, message);
    plb_block_layout cut =
        plb_block_layout_make(counts.slab_size, counts.slabs, engine->options.block_entries);
    if (!error)
        error = plb_journal_create(engine->options.journal, file, plb_key_table_records(&cut),
                                   &solved.table, message);
    if (!error) error = plb_key_solve_ply(engine, ply, reach, &solved, message);
    if (!error)
        error = plb_journal_commit(engine->options.journal, file, solved.table, &solved.results,
                                   sizeof solved.results, message);
    if (!error) {
        replace_values(engine, ply, &solved.values);
        *made = (plb_ply_made){.positions = solved.results.stats.total,
                               .table_bytes = plb_scratch_bytes(solved.table)};
    }
    plb_key_values_free(&solved.values);
    plb_scratch_close(solved.table);
    return error;
}

static int backward(void *state, int ply, int part, plb_ply_made *made, plb_message *message) {
    (void)part;
    plb_key_engine *engine = state;
    plb_scratch *reach = NULL;
    int error = open_scratch(engine, PLB_SCRATCH_REACH, ply, &reach, message);
    if (!error) error = load_values(engine, ply + 1, message);
    if (!error) error = solve(engine, ply, reach, made, message);
    plb_scratch_close(reach);
    return error;
}

static int save(void *state, const plb_build_point *point, plb_message *message) {
    const plb_key_engine *engine = state;
    plb_scratch_file file = {PLB_SCRATCH_VALUES, point->ply, 0};
    plb_scratch *scratch = NULL;
    if (engine->values_ply != point->ply || plb_journal_has(engine->options.journal, file))
        return PLB_OK;
    int error = plb_journal_create(engine->options.journal, file,
                                   plb_key_values_records(&engine->values), &scratch, message);
    if (!error) error = plb_key_values_write(&engine->values, scratch, message);
    if (!error)
        error = plb_journal_commit(engine->options.journal, file, scratch, NULL, 0, message);
    plb_scratch_close(scratch);
    return error;
}

static bool goes_forward(const void *state) {
    (void)state;
    return true;
}

static bool compares_counts(const void *state) {
    (void)state;
    return false;
}

const plb_engine plb_engine_of_keys = {.open = open_engine,
                                       .close = close_engine,
                                       .goes_forward = goes_forward,
                                       .compares_counts = compares_counts,
                                       .forward = forward,
                                       .backward = backward,
                                       .save = save};
