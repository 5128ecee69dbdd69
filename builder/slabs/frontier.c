/* SPDX-License-Identifier: MIT */
#include "builder/slabs/frontier.h"

#include <stdlib.h>

#include "builder/codec.h"
#include "tables/bits.h"

enum {
    SOUGHT = 64,          /* items that are kept, at most, but for .. */
    KEPT = PLB_SLOTS + 1, /* .. those in slots: one more than there are */
};

/* An item that was fetched. */
typedef struct kept_item {
    const plb_spool *spool; /* NULL while empty */
    uint64_t slab, used;    /* used: when it was asked for last */
    int slots;              /* that hold it */
    plb_slab shape;
    plb_words planes;
} kept_item;

/* What was fetched for a user: a kept item, if it is from one, and what it was carried over to. */
typedef struct slot {
    kept_item *item;
    plb_slab shape;
    plb_words planes; /* behind one another */
} slot;

struct plb_courier {
    const plb_index *index;
    const plb_codec *codec;
    uint64_t kept_bytes, biggest_bytes; /* for all that is kept; of an item since the ply began */
    uint64_t clock;
    kept_item kept[KEPT];
    slot slots[PLB_SLOTS];
    int used; /* slots before this one may hold an item */
    plb_permuter permuter;
    plb_packed packed;
};

int plb_courier_open(const plb_index *index, const plb_team *team, const plb_codec *codec,
                     plb_courier **courier) {
    plb_courier *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->codec = codec;
    made->permuter.team = team;
    *courier = made;
    return PLB_OK;
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

/* ---- storing and reading ---- */

int plb_courier_store(plb_courier *courier, plb_spool *spool, uint64_t slab, const uint64_t *planes,
                      size_t words, plb_message *message) {
    if (plb_codec_pack(courier->codec, planes, words, &courier->packed))
        return fail_memory(message);
    const plb_bytes *item = &courier->packed.item;
    return plb_spool_put(spool, slab, item->bytes, item->size, message);
}

/* Read an item of a number of words. */
static int read_planes(plb_courier *courier, const plb_spool *spool, uint64_t slab,
                       plb_words *planes, size_t words, plb_message *message) {
    plb_bytes *item = &courier->packed.item;
    item->size = plb_spool_size_bytes(spool, slab);
    if (plb_words_reserve(planes, words) || plb_bytes_reserve(item, item->size))
        return fail_memory(message);
    int error = plb_spool_get(spool, slab, item->bytes, message);
    if (error) return error;
    if (!plb_codec_unpack(courier->codec, item, planes->words, words))
        return plb_spool_fail_damaged(spool, message);
    return PLB_OK;
}

/* ---- what is kept ---- */

void plb_courier_release(plb_courier *courier) {
    for (int s = 0; s < courier->used; s++) {
        if (courier->slots[s].item) courier->slots[s].item->slots--;
        courier->slots[s].item = NULL;
    }
    courier->used = 0;
}

static void free_kept(plb_courier *courier) {
    for (int k = 0; k < KEPT; k++) {
        plb_slab_free(&courier->kept[k].shape);
        plb_words_free(&courier->kept[k].planes);
    }
    for (int s = 0; s < PLB_SLOTS; s++) {
        plb_slab_free(&courier->slots[s].shape);
        plb_words_free(&courier->slots[s].planes);
    }
    courier->biggest_bytes = 0;
}

/* Much memory goes, too: slabs of another ply have another size. */
void plb_courier_begin(plb_courier *courier, uint64_t kept_bytes) {
    enum { MUCH = 1 << 18 };
    courier->kept_bytes = kept_bytes;
    plb_courier_release(courier);
    for (int k = 0; k < KEPT; k++) courier->kept[k].spool = NULL;
    if (courier->biggest_bytes > MUCH) free_kept(courier);
    if (courier->permuter.capacity > MUCH) plb_permuter_free(&courier->permuter);
    if (courier->packed.item.capacity > MUCH) plb_bytes_free(&courier->packed.item);
}

void plb_courier_close(plb_courier *courier) {
    if (!courier) return;
    free_kept(courier);
    plb_permuter_free(&courier->permuter);
    plb_packed_free(&courier->packed);
    free(courier);
}

/* The item if it is kept, or else the one to give up for it: of those in no slot the one not used
 * for longest, among as many as there is room for if all were as big as the biggest. There are
 * more items than slots, so that there is always one. */
static kept_item *find_kept(plb_courier *courier, const plb_spool *spool, uint64_t slab) {
    uint64_t room = plb_max(1, plb_min(SOUGHT, courier->kept_bytes / (courier->biggest_bytes + 1)));
    kept_item *oldest = NULL;
    for (uint64_t k = 0; k < KEPT && (k < room || !oldest); k++) {
        kept_item *item = &courier->kept[k];
        if (item->spool == spool && item->slab == slab) return item;
        if (item->slots) continue;
        if (!oldest || !item->spool || (oldest->spool && item->used < oldest->used)) oldest = item;
    }
    return oldest;
}

/* The planes of a canonical set. */
static int fetch_canonical(plb_courier *courier, const plb_spool *spool, uint64_t canonical,
                           int count, kept_item **found, plb_message *message) {
    uint64_t slab = plb_index_slab(courier->index, canonical);
    kept_item *item = find_kept(courier, spool, slab);
    item->used = ++courier->clock;
    *found = item;
    if (item->spool == spool && item->slab == slab) return PLB_OK;
    item->spool = NULL;
    if (plb_slab_shape(courier->index->game, canonical, PLB_LIVE, &item->shape))
        return fail_memory(message);
    int error =
        read_planes(courier, spool, slab, &item->planes, count * item->shape.words, message);
    if (error) return error;
    item->spool = spool;
    item->slab = slab;
    uint64_t bytes = item->planes.capacity * sizeof(uint64_t);
    courier->biggest_bytes = plb_max(courier->biggest_bytes, bytes);
    return PLB_OK;
}

/* ---- fetching ---- */

/* Planes and what they belong to. */
typedef struct source {
    const plb_slab *shape;
    uint64_t *planes; /* behind one another */
} source;

/* Find the planes of a canonical set: held, kept, or in the spool. */
static int find_source(plb_courier *courier, slot *s, const plb_layer *layer, uint64_t canonical,
                       int count, source *found, plb_message *message) {
    const plb_held *held = plb_hold_find(layer->hold, plb_index_slab(courier->index, canonical));
    if (held) {
        *found = (source){&held->shape, held->planes};
        return PLB_OK;
    }
    kept_item *item;
    int error = fetch_canonical(courier, layer->spool, canonical, count, &item, message);
    if (error) return error;
    s->item = item;
    item->slots++;
    *found = (source){&item->shape, item->planes.words};
    return PLB_OK;
}

/* Carry planes over to a set that is not canonical. */
static int carry_planes(plb_courier *courier, int element, uint64_t occupied, int count,
                        unsigned dead_code, const source *from, slot *s) {
    uint64_t *sources[PLB_PLANES], *targets[PLB_PLANES];
    bool dead[PLB_PLANES];
    if (plb_slab_shape(courier->index->game, occupied, PLB_LIVE, &s->shape) ||
        plb_words_reserve(&s->planes, count * s->shape.words))
        return PLB_ENOMEM;
    uint64_t bytes = s->planes.capacity * sizeof(uint64_t);
    courier->biggest_bytes = plb_max(courier->biggest_bytes, bytes);
    for (int p = 0; p < count; p++) {
        sources[p] = from->planes + p * from->shape->words;
        targets[p] = s->planes.words + p * s->shape.words;
        dead[p] = dead_code >> p & 1;
    }
    return plb_permute(&courier->permuter, courier->index->symmetry, element, from->shape,
                       &s->shape, count, sources, dead, targets);
}

int plb_courier_fetch(plb_courier *courier, int number, const plb_layer *layer, uint64_t occupied,
                      int count, unsigned dead, const plb_slab **shape, uint64_t *planes[],
                      plb_message *message) {
    uint64_t canonical;
    source from;
    slot *s = &courier->slots[number];
    int element = plb_symmetry_canonical(courier->index->symmetry, occupied, &canonical);
    if (s->item) s->item->slots--;
    s->item = NULL;
    if (number >= courier->used) courier->used = number + 1;
    int error = find_source(courier, s, layer, canonical, count, &from, message);
    if (error) return error;
    if (canonical != occupied) {
        if (carry_planes(courier, element, occupied, count, dead, &from, s))
            return fail_memory(message);
        from = (source){&s->shape, s->planes.words};
    }
    *shape = from.shape;
    for (int p = 0; p < count; p++) planes[p] = from.planes + p * from.shape->words;
    return PLB_OK;
}
