/* SPDX-License-Identifier: MIT */
#include "builder/keys/key_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

enum { MIN_BYTES = 8 << 20 /* memory that the engine takes in any case */ };

static void close_engine(void *state) {
    plb_key_engine *engine = state;
    if (!engine) return;
    plb_key_values_free(&engine->values);
    plb_threads_close(&engine->threads);
    free(engine->choices);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

static int open_engine(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                       plb_message *message) {
    plb_key_engine *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory");
    made->options = *options;
    made->game = &options->space->game;
    made->symmetry = &options->space->symmetry;
    made->coding = plb_outcome_code_make(made->game, options->values);
    made->memory_bytes = fmax(options->budget->memory_bytes, MIN_BYTES);
    made->values_ply = -1;
    pthread_mutex_init(&made->lock, NULL);
    made->choices = calloc((size_t)options->threads * PLB_KEY_CHOICES, sizeof *made->choices);
    int error = made->choices ? plb_threads_open(options->threads, &made->threads) : PLB_ENOMEM;
    if (error) plb_fail(message, error, "out of memory");
    if (!error) *traits = (plb_engine_traits){.goes_forward = true};
    return PLB_HAND_OVER(error, made, state, close_engine);
}

/* ---- passes ---- */

static int open_scratch(const plb_key_engine *engine, plb_scratch_kind kind, int ply,
                        plb_scratch **scratch, plb_message *message) {
    plb_scratch_file file = {kind, ply, 0};
    return plb_journal_read(engine->options.journal, file, PLB_SCRATCH_ANY, scratch, message);
}

static int forward(void *state, int ply, plb_ply_made *made, plb_message *message) {
    plb_key_engine *engine = state;
    plb_scratch *before = NULL;
    plb_key_reached reached;
    int error = ply ? open_scratch(engine, PLB_SCRATCH_REACH, ply - 1, &before, message) : PLB_OK;
    if (!error) error = plb_key_reach_ply(engine, ply, before, &reached, message);
    if (!error) *made = (plb_ply_made){.positions = reached.stats.total};
    plb_scratch_close(before);
    return error;
}

static int backward(void *state, int ply, int part, plb_ply_made *made, plb_message *message) {
    (void)part;
    plb_key_engine *engine = state;
    plb_scratch *reach = NULL, *values = NULL;
    int error = open_scratch(engine, PLB_SCRATCH_REACH, ply, &reach, message);
    if (!error && ply < engine->game->cells && engine->values_ply != ply + 1) {
        error = open_scratch(engine, PLB_SCRATCH_VALUES, ply + 1, &values, message);
        if (!error) error = plb_key_values_read(values, &engine->values, message);
        if (!error) engine->values_ply = ply + 1;
    }
    if (!error) error = plb_key_solve_ply(engine, ply, reach, made, message);
    plb_scratch_close(values);
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

const plb_engine plb_engine_of_keys = {.open = open_engine,
                                       .close = close_engine,
                                       .forward = forward,
                                       .backward = backward,
                                       .save = save};

/* ---- keys and their children ---- */

/* plb_orbit_choose with a cache: many positions have the same word `o`. An entry is empty if its
 * count is 0. */
static const plb_orbit_choice *choose(const plb_key_engine *engine, uint64_t o) {
    uint64_t at = o * 0x9e3779b97f4a7c15ULL >> (64 - PLB_KEY_CHOICE_BITS);
    plb_orbit_choice *choice = &engine->choices[plb_threads_number() * PLB_KEY_CHOICES + at];
    if (choice->word != o || !choice->count) plb_orbit_choose(engine->symmetry, o, choice);
    return choice;
}

uint64_t plb_key_orbit(const plb_key_engine *engine, plb_position key) {
    return (uint64_t)plb_orbit_count_of(engine->game, engine->symmetry, choose(engine, key.o), key);
}

void plb_key_list_children(const plb_key_engine *engine, plb_position parent, uint64_t cells,
                           plb_key_children *children) {
    const plb_game *game = engine->game;
    int moves[PLB_MAX_MOVES];
    children->count = game->rules->list_moves(game, parent, cells, moves);
    for (int m = 0; m < children->count; m++) {
        plb_position child = plb_rules_play(game, parent, moves[m]);
        children->keys[m] =
            plb_orbit_least_of(game, engine->symmetry, choose(engine, child.o), child);
        children->hashes[m] = plb_position_hash(children->keys[m]);
    }
}

/* ---- progress ---- */

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

int plb_key_check_stop(const plb_key_engine *engine, plb_message *message) {
    if (!plb_is_stopped(engine->options.stop)) return PLB_OK;
    return plb_fail(message, PLB_EINTERRUPTED, "interrupted");
}

/* ---- reached keys ---- */

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

int plb_key_read_reached(const plb_scratch *reach, plb_key_reached *reached, plb_message *message) {
    size_t size;
    const void *notes = plb_scratch_notes(reach, &size);
    if (size != sizeof *reached) return plb_scratch_fail_damaged(reach, message);
    memcpy(reached, notes, sizeof *reached);
    return PLB_OK;
}
