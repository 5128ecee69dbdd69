/* SPDX-License-Identifier: MIT */
#include "builder/slabs/plane_source.h"

#include <stdlib.h>

#include "builder/slabs/permute.h"
#include "builder/slabs/quiet.h"
#include "tables/bits.h"
#include "tables/rules.h"

enum {
    CACHED = PLB_SLOTS + 1, /* slabs: one more than slots, so that one is in none */
    SOUGHT = 64,            /* of these, at most, unless all are in slots */
    WIN_BLOCKS = 512,       /* of a run */
};

/* Planes that were read. */
typedef struct cached_planes {
    const plb_scratch *scratch; /* NULL while empty */
    uint64_t slab, used;        /* used: when it was asked for last */
    int slots;                  /* that hold it */
    plb_slab shape;
    plb_words planes;
} cached_planes;

/* What was fetched for a user: cached planes, or what they were permuted to. */
typedef struct slot {
    cached_planes *cached;
    plb_slab shape;
    plb_words planes; /* one after another */
} slot;

struct plb_plane_source {
    const plb_index *index;
    const plb_scratch_codec *codec;
    uint64_t cache_bytes;   /* for all that is cached */
    uint64_t biggest_bytes; /* of one slab since the ply began */
    uint64_t clock;
    cached_planes cached[CACHED];
    slot slots[PLB_SLOTS];
    int used; /* slots before this one may hold planes */
    plb_permuter permuter;
    plb_packed_record packed;
};

int plb_plane_source_open(const plb_index *index, const plb_threads *threads,
                          const plb_scratch_codec *codec, plb_plane_source **source) {
    plb_plane_source *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->codec = codec;
    made->permuter.threads = threads;
    *source = made;
    return PLB_OK;
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

/* ---- storing and reading ---- */

/* The record of a slab: among those of its part. */
typedef struct record_place {
    plb_scratch *scratch;
    uint64_t number;
} record_place;

static record_place find_record(const plb_layer *layer, uint64_t slab) {
    int part = plb_parts_find(&layer->parts, slab);
    return (record_place){layer->scratch[part], slab - plb_parts_first_slab(&layer->parts, part)};
}

int plb_plane_source_store(plb_plane_source *source, const plb_layer *layer, uint64_t slab,
                           const plb_planes *planes, plb_message *message) {
    record_place place = find_record(layer, slab);
    if (plb_scratch_codec_pack(source->codec, planes->words, planes->count, planes->shape->words,
                               &source->packed))
        return fail_memory(message);
    const plb_bytes *record = &source->packed.record;
    return plb_scratch_put(place.scratch, place.number, record->bytes, record->size, message);
}

/* Read a record: `count` planes of so many words each. */
static int read_planes(plb_plane_source *source, record_place place, plb_words *planes, int count,
                       size_t words, plb_message *message) {
    plb_bytes *record = &source->packed.record;
    record->size = plb_scratch_size_bytes(place.scratch, place.number);
    if (plb_words_reserve(planes, count * words) || plb_bytes_reserve(record, record->size))
        return fail_memory(message);
    int error = plb_scratch_get(place.scratch, place.number, record->bytes, message);
    if (error) return error;
    if (!plb_scratch_codec_unpack(source->codec, record, planes->words, count, words))
        return plb_scratch_fail_damaged(place.scratch, message);
    return PLB_OK;
}

/* ---- wins that are not stored ---- */

typedef struct winning {
    const plb_planes *planes;
    const plb_kernels *kernels;
    uint64_t *sets; /* [count] what the mover needs to complete a group at once */
    int count;
    unsigned mover; /* 1 = x */
} winning;

/* A run of positions: where the mover has such a set he wins. */
static int win_run(void *context, size_t chunk) {
    const winning *win = context;
    const plb_slab *slab = win->planes->shape;
    uint64_t completing[WIN_BLOCKS * PLB_BLOCK_WORDS];
    plb_run run = {chunk * WIN_BLOCKS, plb_min((chunk + 1) * WIN_BLOCKS, slab->blocks)};
    size_t at = plb_slab_run_start(slab, run);
    uint64_t *wins = plb_planes_get(win->planes, win->mover ? PLB_X_WINS : PLB_O_WINS) + at;
    uint64_t *loses = plb_planes_get(win->planes, win->mover ? PLB_O_WINS : PLB_X_WINS) + at;
    win->kernels->lines(slab, run, win->sets, win->count, win->mover, completing);
    for (size_t w = 0; w < plb_slab_run_words(slab, run); w++) {
        wins[w] |= completing[w];
        loses[w] &= ~completing[w];
    }
    return PLB_OK;
}

/* The mover wins where he completes a group at once. */
static void find_wins(const plb_plane_source *source, const plb_kernels *kernels,
                      const plb_planes *planes) {
    const plb_game *game = source->index->game;
    const plb_slab *slab = planes->shape;
    uint64_t sets[game->group_count + 1];
    winning win = {planes, kernels, sets, 0, plb_ply_x_moves(slab->stones)};
    win.count = plb_quiet_list_completable(game, slab->occupied,
                                           plb_game_playable(game, slab->occupied), sets);
    if (win.count)
        plb_threads_share(source->permuter.threads, plb_divide_up(slab->blocks, WIN_BLOCKS),
                          win_run, &win);
}

/* ---- what is cached ---- */

void plb_plane_source_release(plb_plane_source *source) {
    for (int s = 0; s < source->used; s++) {
        if (source->slots[s].cached) source->slots[s].cached->slots--;
        source->slots[s].cached = NULL;
    }
    source->used = 0;
}

static void free_cached(plb_plane_source *source) {
    for (int k = 0; k < CACHED; k++) {
        plb_slab_free(&source->cached[k].shape);
        plb_words_free(&source->cached[k].planes);
    }
    for (int s = 0; s < PLB_SLOTS; s++) {
        plb_slab_free(&source->slots[s].shape);
        plb_words_free(&source->slots[s].planes);
    }
    source->biggest_bytes = 0;
}

void plb_plane_source_begin(plb_plane_source *source, uint64_t cache_bytes, bool is_first) {
    enum { MUCH = 1 << 18 };
    source->cache_bytes = cache_bytes;
    plb_plane_source_release(source);
    for (int k = 0; k < CACHED; k++) source->cached[k].scratch = NULL;
    if (!is_first) return;
    if (source->biggest_bytes > MUCH) free_cached(source);
    if (source->permuter.capacity > MUCH) plb_permuter_free(&source->permuter);
    if (source->packed.record.capacity > MUCH) plb_bytes_free(&source->packed.record);
}

void plb_plane_source_close(plb_plane_source *source) {
    if (!source) return;
    free_cached(source);
    plb_permuter_free(&source->permuter);
    plb_packed_record_free(&source->packed);
    free(source);
}

static void note_size(plb_plane_source *source, const plb_words *planes) {
    source->biggest_bytes =
        plb_max(source->biggest_bytes, planes->capacity * sizeof *planes->words);
}

/* The planes if they are cached, or else those to give up for them: of those in no slot the ones
 * not used for longest, among as many as there is room for if all were as big as the biggest. There
 * are more of them than slots, so that there are always some. */
static cached_planes *find_cached(plb_plane_source *source, const plb_scratch *scratch,
                                  uint64_t slab) {
    uint64_t room = plb_max(1, plb_min(SOUGHT, source->cache_bytes / (source->biggest_bytes + 1)));
    cached_planes *oldest = NULL;
    for (uint64_t k = 0; k < CACHED && (k < room || !oldest); k++) {
        cached_planes *cached = &source->cached[k];
        if (cached->scratch == scratch && cached->slab == slab) return cached;
        if (cached->slots) continue;
        if (!oldest || !cached->scratch || (oldest->scratch && cached->used < oldest->used))
            oldest = cached;
    }
    return oldest;
}

/* The planes of a canonical set, from the cache or from the scratch file. */
static int fetch_canonical(plb_plane_source *source, const plb_layer *layer, uint64_t canonical,
                           cached_planes **found, plb_message *message) {
    uint64_t slab = plb_index_slab(source->index, canonical);
    record_place place = find_record(layer, slab);
    const plb_scratch *scratch = place.scratch;
    cached_planes *cached = find_cached(source, scratch, slab);
    cached->used = ++source->clock;
    *found = cached;
    if (cached->scratch == scratch && cached->slab == slab) return PLB_OK;
    cached->scratch = NULL;
    if (plb_slab_shape(source->index->game, canonical, layer->part, &cached->shape))
        return fail_memory(message);
    size_t words = cached->shape.words;
    int error = read_planes(source, place, &cached->planes, layer->planes, words, message);
    if (error) return error;
    plb_planes planes = {&cached->shape, layer->planes, cached->planes.words};
    if (layer->kernels) find_wins(source, layer->kernels, &planes);
    cached->scratch = scratch;
    cached->slab = slab;
    note_size(source, &cached->planes);
    return PLB_OK;
}

/* ---- fetching ---- */

/* Find the planes of a canonical set: in memory, cached, or in the scratch file. */
static int find_planes(plb_plane_source *source, slot *s, const plb_layer *layer,
                       uint64_t canonical, plb_planes *found, plb_message *message) {
    uint64_t slab = plb_index_slab(source->index, canonical);
    const plb_planes *in_memory = plb_ply_memory_find(layer->memory, slab);
    if (in_memory) {
        *found = *in_memory;
        return PLB_OK;
    }
    cached_planes *cached;
    int error = fetch_canonical(source, layer, canonical, &cached, message);
    if (error) return error;
    s->cached = cached;
    cached->slots++;
    *found = (plb_planes){&cached->shape, layer->planes, cached->planes.words};
    return PLB_OK;
}

/* Carry planes over to a set that is not canonical. */
static int carry_planes(plb_plane_source *source, slot *s, const plb_layer *layer, int element,
                        uint64_t occupied, plb_planes *planes) {
    if (plb_slab_shape(source->index->game, occupied, layer->part, &s->shape) ||
        plb_words_reserve(&s->planes, planes->count * s->shape.words))
        return PLB_ENOMEM;
    note_size(source, &s->planes);
    plb_planes from = *planes;
    *planes = (plb_planes){&s->shape, from.count, s->planes.words};
    return plb_permute(&source->permuter, source->index->symmetry, element, &from, layer->missing,
                       planes);
}

int plb_plane_source_fetch(plb_plane_source *source, int number, const plb_layer *layer,
                           uint64_t occupied, plb_planes *planes, plb_message *message) {
    uint64_t canonical;
    slot *s = &source->slots[number];
    int element = plb_symmetry_canonical(source->index->symmetry, occupied, &canonical);
    if (s->cached) s->cached->slots--;
    s->cached = NULL;
    if (number >= source->used) source->used = number + 1;
    int error = find_planes(source, s, layer, canonical, planes, message);
    if (error || canonical == occupied) return error;
    if (carry_planes(source, s, layer, element, occupied, planes)) return fail_memory(message);
    return PLB_OK;
}
