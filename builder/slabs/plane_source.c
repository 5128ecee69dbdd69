/* SPDX-License-Identifier: MIT */
#include "builder/slabs/plane_source.h"

#include <stdlib.h>

#include "builder/planes/permute.h"
#include "builder/slabs/rank_exchange.h"
#include "tables/bits.h"
#include "tables/games/rules.h"

/* Where fetched planes are. */
typedef struct slot {
    plb_plane_cache *cache;
    plb_cached_slab *cached; /* taken from the cache; NULL: nothing was */
    plb_slab shape;          /* of planes that were read into the stack, */
    plb_slab permuted_shape; /* and of permuted planes */
} slot;

struct plb_plane_source {
    const plb_index *index;
    const plb_scratch_codec *codec;
    plb_word_stack *stack; /* of the planes of slots */
    slot slots[PLB_SLOTS];
    int used; /* slots [0, used) may hold planes */
    plb_permuter permuter;
    plb_packed_record packed;
};

int plb_plane_source_open(const plb_index *index, const plb_threads *threads,
                          const plb_scratch_codec *codec, plb_word_stack *stack,
                          plb_plane_source **source) {
    plb_plane_source *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->codec = codec;
    made->stack = stack;
    made->permuter.threads = threads;
    *source = made;
    return PLB_OK;
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

/* ---- storing and reading ---- */

typedef struct record_loop record_loop;
typedef int record_work(const record_loop *r, uint64_t run, const plb_plane_words *words,
                        plb_packed_record *packed, plb_message *message);

/* A loop over the records of a slab, which threads share. */
struct record_loop {
    plb_plane_source *source;
    plb_scratch *scratch;
    uint64_t first; /* number of the record of run 0 */
    int run_bits;
    const plb_runs *runs; /* these alone; NULL: all */
    const plb_planes *planes;
    const plb_received_record *received; /* [runs] from another rank; NULL: none */
    record_work *work;
    plb_message *message; /* of the first error */
    bool has_failed;
};

static record_loop find_records(plb_plane_source *source, const plb_ply_planes *layer,
                                uint64_t slab, const plb_runs *runs, const plb_planes *planes,
                                plb_message *message) {
    int part = plb_parts_find(&layer->parts, slab);
    uint64_t number = slab - plb_parts_first_slab(&layer->parts, part);
    return (record_loop){.source = source,
                         .scratch = layer->scratch[part],
                         .first = number << layer->run_bits,
                         .run_bits = layer->run_bits,
                         .runs = runs,
                         .planes = planes,
                         .message = message};
}

static int work_on_record(void *context, size_t run) {
    record_loop *r = context;
    if (r->runs && !plb_runs_have(r->runs, run)) return PLB_OK;
    plb_plane_words words = plb_ply_planes_run_words(r->planes, r->run_bits, run);
    if (!words.words) return PLB_OK;
    if (!r->run_bits) return r->work(r, run, &words, &r->source->packed, r->message);
    plb_packed_record packed = {.record = {.size = 0}};
    plb_message why = {.text = ""};
    int error = r->work(r, run, &words, &packed, &why);
    plb_packed_record_free(&packed);
    bool is_first = error && !__atomic_exchange_n(&r->has_failed, true, __ATOMIC_RELAXED);
    if (is_first && r->message) *r->message = why;
    return error;
}

static int for_each_record(record_loop *r, record_work *work) {
    r->work = work;
    return plb_threads_share(r->source->permuter.threads, 1ULL << r->run_bits, work_on_record, r);
}

static int store_record(const record_loop *r, uint64_t run, const plb_plane_words *words,
                        plb_packed_record *packed, plb_message *message) {
    if (plb_scratch_codec_pack(r->source->codec, words, packed)) return fail_memory(message);
    return plb_scratch_put(r->scratch, r->first + run, packed->record.bytes, packed->record.size,
                           message);
}

/* Unpack a record that another rank has sent, or that of the scratch file. */
static int read_record(const record_loop *r, uint64_t run, const plb_plane_words *words,
                       plb_packed_record *packed, plb_message *message) {
    const plb_bytes *received = r->received ? &r->received[run].packed : NULL;
    if (received && (received->bytes || !r->scratch)) {
        if (plb_scratch_codec_unpack(r->source->codec, received, words)) return PLB_OK;
        return plb_fail(message, PLB_ECORRUPT, "what another rank has sent is damaged");
    }
    plb_bytes *record = &packed->record;
    uint64_t number = r->first + run;
    record->size = plb_scratch_size_bytes(r->scratch, number);
    if (plb_bytes_reserve(record, record->size)) return fail_memory(message);
    int error = plb_scratch_get(r->scratch, number, record->bytes, message);
    if (error) return error;
    if (!plb_scratch_codec_unpack(r->source->codec, record, words))
        return plb_scratch_fail_damaged(r->scratch, message);
    return PLB_OK;
}

int plb_plane_source_store(plb_plane_source *source, const plb_ply_planes *layer, uint64_t slab,
                           const plb_runs *runs, const plb_planes *planes, plb_message *message) {
    record_loop records = find_records(source, layer, slab, runs, planes, message);
    return for_each_record(&records, store_record);
}

/* ---- wins that are not stored ---- */

typedef struct winning {
    const plb_planes *planes;
    const plb_kernels *kernels;
    uint64_t *sets; /* [count] stones with which the mover can complete a group */
    int count;
    unsigned mover; /* 1 = x */
} winning;

/* In a range of positions: if the mover has all stones of a set he wins. */
static int win_range(void *context, size_t chunk) {
    const winning *win = context;
    const plb_slab *slab = win->planes->shape;
    uint64_t completing[PLB_RANGE_WORDS];
    plb_block_range range = {chunk * PLB_RANGE_BLOCKS,
                             plb_min((chunk + 1) * PLB_RANGE_BLOCKS, slab->blocks)};
    size_t at = plb_slab_range_start(slab, range), words = plb_slab_range_words(slab, range);
    uint64_t *wins = plb_planes_get(win->planes, win->mover ? PLB_X_WINS : PLB_O_WINS) + at;
    uint64_t *loses = plb_planes_get(win->planes, win->mover ? PLB_O_WINS : PLB_X_WINS) + at;
    win->kernels->lines(slab, range, win->sets, win->count, win->mover, completing);
    for (size_t w = 0; w < words; w++) {
        wins[w] |= completing[w];
        loses[w] &= ~completing[w];
    }
    return PLB_OK;
}

/* Set the wins of positions in which the mover can complete a group. */
static void find_wins(const plb_plane_source *source, const plb_kernels *kernels,
                      const plb_planes *planes) {
    const plb_game *game = source->index->game;
    const plb_slab *slab = planes->shape;
    uint64_t sets[game->group_count + 1];
    winning win = {planes, kernels, sets, 0, plb_ply_x_moves(slab->stones)};
    win.count = plb_slab_list_completable(game, slab->occupied,
                                          plb_game_playable(game, slab->occupied), sets);
    if (win.count)
        plb_threads_share(source->permuter.threads, plb_divide_up(slab->blocks, PLB_RANGE_BLOCKS),
                          win_range, &win);
}

/* ---- slots ---- */

static void empty_slot(slot *s) {
    if (s->cached) plb_plane_cache_leave(s->cache, s->cached);
    s->cached = NULL;
}

void plb_plane_source_release(plb_plane_source *source) {
    for (int s = 0; s < source->used; s++) empty_slot(&source->slots[s]);
    source->used = 0;
}

void plb_plane_source_shrink(plb_plane_source *source) {
    enum { MUCH = 1 << 18 };
    plb_plane_source_release(source);
    for (slot *s = source->slots; s < source->slots + PLB_SLOTS; s++) {
        plb_slab_free(&s->shape);
        plb_slab_free(&s->permuted_shape);
    }
    if (source->permuter.capacity > MUCH) plb_permuter_free(&source->permuter);
    if (source->packed.record.capacity > MUCH) plb_bytes_free(&source->packed.record);
}

void plb_plane_source_close(plb_plane_source *source) {
    if (!source) return;
    plb_plane_source_shrink(source);
    plb_permuter_free(&source->permuter);
    plb_packed_record_free(&source->packed);
    free(source);
}

/* ---- fetching ---- */

/* Fetch planes of a canonical set of cells that are not in the memory of the ply. */
static int fetch_canonical(plb_plane_source *source, slot *s, const plb_ply_planes *layer,
                           plb_slab_part part, plb_planes *found, plb_message *message) {
    uint64_t slab = plb_index_slab(source->index, part.occupied);
    s->cache = part.runs ? NULL : layer->cache;
    if (s->cache) s->cached = plb_plane_cache_take(s->cache, slab);
    if (!s->cached) {
        if (plb_slab_shape(source->index->game, part.occupied, layer->set, part.runs, &s->shape))
            return fail_memory(message);
        if (s->cache) s->cached = plb_plane_cache_add(s->cache, slab, &s->shape, layer->planes);
    }
    if (s->cached) {
        *found = *s->cached->planes;
        if (s->cached->is_there) return PLB_OK;
    } else if (plb_ply_planes_take(source->stack, &s->shape, layer->planes, found)) {
        return fail_memory(message);
    }
    record_loop records = find_records(source, layer, slab, part.runs, found, message);
    int error = PLB_OK;
    if (layer->received && found->shape->words)
        error = plb_exchange_await(layer->received, slab, &records.received);
    if (error) /* not PLB_ENOMEM, which would mean that this slab is too big */
        error = plb_fail(message, PLB_EINTERRUPTED, "what another rank sends has not arrived");
    if (!error) error = for_each_record(&records, read_record);
    bool has_wins = records.received && records.received->has_wins;
    if (!error && layer->kernels && !has_wins) find_wins(source, layer->kernels, found);
    if (s->cached) plb_plane_cache_filled(s->cache, s->cached, !error);
    return error;
}

int plb_plane_source_fetch(plb_plane_source *source, int number, const plb_ply_planes *layer,
                           plb_slab_part part, plb_planes *planes, plb_message *message) {
    const plb_index *index = source->index;
    slot *s = &source->slots[number];
    uint64_t canonical;
    int element = plb_symmetry_canonical(index->symmetry, part.occupied, &canonical);
    empty_slot(s);
    if (number >= source->used) source->used = number + 1;
    const plb_planes *in_memory =
        plb_ply_memory_find(layer->memory, plb_index_slab(index, canonical));
    int error = PLB_OK;
    if (in_memory)
        *planes = *in_memory;
    else
        error = fetch_canonical(source, s, layer, (plb_slab_part){canonical, part.runs}, planes,
                                message);
    if (error || canonical == part.occupied) return error;
    plb_planes from = *planes;
    if (plb_slab_shape(index->game, part.occupied, layer->set, NULL, &s->permuted_shape) ||
        plb_ply_planes_take(source->stack, &s->permuted_shape, from.count, planes) ||
        plb_permute(&source->permuter, index->symmetry, element, &from, layer->missing, planes))
        return fail_memory(message);
    return PLB_OK;
}
