/* SPDX-License-Identifier: MIT
 *
 * Walks, whichever the space has: slabs are told by the index, plies of keys are made when they are
 * first asked for.
 */
#include "tables/index/enumerate.h"

#include <pthread.h>
#include <stdlib.h>

#include "tables/index/enumerate_keys.h"
#include "tables/index/enumerate_slabs.h"

enum { CHUNK_KEYS = 1 << 10 };

struct plb_enumeration {
    const plb_space *space;
    bool keyed;
    pthread_mutex_t lock; /* guards what is below while plies are made */
    int made;
    plb_key_ply plies[PLB_MAX_CELLS + 1]; /* the first `made` ones */
};

int plb_enumeration_open(const plb_space *space, plb_enumeration **walk, plb_message *message) {
    plb_enumeration *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for positions");
    made->space = space;
    made->keyed = space->index.kind == PLB_KEYS;
    pthread_mutex_init(&made->lock, NULL);
    *walk = made;
    return PLB_OK;
}

void plb_enumeration_close(plb_enumeration *walk) {
    if (!walk) return;
    for (int ply = 0; ply < walk->made; ply++) plb_key_ply_free(&walk->plies[ply]);
    pthread_mutex_destroy(&walk->lock);
    free(walk);
}

const plb_game *plb_enumeration_game(const plb_enumeration *walk) {
    return &walk->space->game;
}

/* ---- plies of keys ---- */

static int make_next_ply(plb_enumeration *walk, const volatile sig_atomic_t *stop) {
    plb_key_ply *next = &walk->plies[walk->made];
    int error = walk->made ? plb_key_ply_next(&walk->space->game, &walk->space->symmetry, next - 1,
                                              stop, next)
                           : plb_key_ply_first(next);
    walk->made += !error;
    return error;
}

int plb_enumeration_begin(plb_enumeration *walk, int ply, const volatile sig_atomic_t *stop,
                          plb_message *message) {
    int error = PLB_OK;
    if (!walk->keyed) return error;
    pthread_mutex_lock(&walk->lock);
    while (walk->made <= ply && !error) error = make_next_ply(walk, stop);
    int made = walk->made;
    pthread_mutex_unlock(&walk->lock);
    if (error == PLB_EINTERRUPTED) return plb_fail(message, error, "interrupted");
    if (error) return plb_fail(message, error, "out of memory for the positions of ply %d", made);
    return PLB_OK;
}

static void visit_keys(const plb_enumeration *walk, int ply, uint64_t chunk,
                       plb_enumeration_visitor *visit, void *context) {
    const plb_space *s = walk->space;
    const plb_key_ply *keys = &walk->plies[ply];
    uint64_t end = plb_min((chunk + 1) * CHUNK_KEYS, keys->count);
    bool more = true;
    for (uint64_t k = chunk * CHUNK_KEYS; more && k < end; k++)
        more = visit(context, keys->positions[k],
                     plb_orbit_count(&s->game, &s->symmetry, keys->positions[k]));
}

static bool draw_key(const plb_enumeration *walk, int ply, uint64_t *random, plb_position *position,
                     uint64_t *count) {
    const plb_key_ply *keys = &walk->plies[ply];
    if (!keys->count) return false;
    *position = keys->positions[plb_random_below(random, keys->count)];
    *count = plb_orbit_count(&walk->space->game, &walk->space->symmetry, *position);
    return true;
}

/* The images of one key from an element on; returns whether to go on. */
static bool list_key(const plb_enumeration *walk, plb_enumeration_cursor *at, uint64_t *entries,
                     plb_enumeration_visitor *visit, void *context) {
    const plb_key_ply *keys = &walk->plies[at->ply];
    plb_orbit_row images[PLB_MAX_SYMMETRIES];
    at->done = at->slab == keys->count;
    if (at->done) return false;
    int i = 0, count = plb_orbit_list(&walk->space->game, &walk->space->symmetry,
                                      keys->positions[at->slab], images);
    bool more = true;
    while (i < count && (uint64_t)images[i].element < at->element) i++;
    for (; more && i < count && *entries; i++, --*entries)
        more = visit(context, images[i].position, 1);
    at->element = i < count ? images[i].element : 0;
    if (i == count) at->done = ++at->slab == keys->count;
    return more;
}

/* A ply without positions has one cursor, where a list of it begins. */
static bool is_key_cursor(const plb_enumeration *walk, const plb_enumeration_cursor *cursor) {
    return cursor->done ||
           (cursor->slab < plb_max(1, walk->plies[cursor->ply].count) &&
            cursor->element < (uint64_t)walk->space->symmetry.order && !cursor->rank);
}

/* ---- either ---- */

uint64_t plb_enumeration_entries(const plb_enumeration *walk, int ply) {
    return walk->keyed ? walk->plies[ply].count : plb_index_size(&walk->space->index, ply);
}

uint64_t plb_enumeration_most_positions(const plb_enumeration *walk, int ply) {
    const plb_index_ply *slabs = &walk->space->index.plies[ply];
    return walk->keyed ? walk->plies[ply].count * walk->space->symmetry.order
                       : slabs->codes * slabs->slab_size;
}

bool plb_enumeration_has(const plb_enumeration *walk) {
    return walk->keyed;
}

uint64_t plb_enumeration_chunks(const plb_enumeration *walk, int ply) {
    return walk->keyed ? plb_divide_up(walk->plies[ply].count, CHUNK_KEYS)
                       : plb_enumeration_slab_chunks(&walk->space->index, ply);
}

void plb_enumeration_chunk(const plb_enumeration *walk, int ply, uint64_t chunk,
                           plb_enumeration_visitor *visit, void *context) {
    if (walk->keyed)
        visit_keys(walk, ply, chunk, visit, context);
    else
        plb_enumeration_slab_chunk(walk->space, ply, chunk, visit, context);
}

bool plb_enumeration_goes_before(const plb_enumeration *walk, plb_position position,
                                 plb_position other) {
    if (walk->keyed) return plb_position_is_less(position, other);
    plb_entry a = plb_index_rank(&walk->space->index, position);
    plb_entry b = plb_index_rank(&walk->space->index, other);
    return a.slab != b.slab ? a.slab < b.slab : a.rank < b.rank;
}

plb_position plb_enumeration_canonical(const plb_enumeration *walk, plb_position position) {
    return walk->keyed ? position : plb_enumeration_slab_canonical(&walk->space->index, position);
}

bool plb_enumeration_draw(const plb_enumeration *walk, int ply, uint64_t *random,
                          plb_position *position, uint64_t *count) {
    return walk->keyed ? draw_key(walk, ply, random, position, count)
                       : plb_enumeration_slab_draw(walk->space, ply, random, position, count);
}

bool plb_enumeration_is_cursor(const plb_enumeration *walk, const plb_enumeration_cursor *cursor) {
    return walk->keyed ? is_key_cursor(walk, cursor)
                       : plb_enumeration_is_slab_cursor(&walk->space->index, cursor);
}

void plb_enumeration_list(const plb_enumeration *walk, plb_enumeration_cursor *cursor,
                          uint64_t entries, plb_enumeration_visitor *visit, void *context) {
    for (bool more = true; more && entries && !cursor->done;)
        more = walk->keyed
                   ? list_key(walk, cursor, &entries, visit, context)
                   : plb_enumeration_slab_list(walk->space, cursor, &entries, visit, context);
}
