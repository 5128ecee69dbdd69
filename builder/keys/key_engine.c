/* SPDX-License-Identifier: MIT */
#include "builder/keys/key_engine.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

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
