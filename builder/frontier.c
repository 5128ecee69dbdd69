/* SPDX-License-Identifier: MIT
 *
 * Planes as scratch items: the words of all planes behind one another, as they are when they are
 * few, else as one zstd frame.
 */
#include "builder/frontier.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tables/bits.h"

enum {
    LEVEL = -5,       /* of zstd: scratch data is written and read about once */
    PLAIN_BYTES = 512 /* an item up to this size is not worth compressing */
};

enum { KEPT = 48 }; /* items that are kept, at most */

/* An item that was fetched. */
typedef struct kept_item {
    const plb_spool *spool; /* NULL while empty */
    uint64_t slab, used;    /* used: when it was asked for last */
    plb_slab shape;
    plb_words planes;
} kept_item;

struct plb_courier {
    const plb_index *index;
    uint64_t kept_bytes, clock;
    kept_item kept[KEPT];
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    plb_permuter permuter;
    plb_words packed, joined, carried[PLB_PLANES];
    plb_slab carried_shape;
};

int plb_words_reserve(plb_words *buffer, size_t words) {
    if (words + 1 <= buffer->capacity) return PLB_OK;
    free(buffer->words);
    buffer->capacity = 0;
    buffer->words = aligned_alloc(64, (words + 8) / 8 * 64);
    if (!buffer->words) return PLB_ENOMEM;
    buffer->capacity = (words + 8) / 8 * 8;
    return PLB_OK;
}

void plb_words_free(plb_words *buffer) {
    free(buffer->words);
    *buffer = (plb_words){NULL, 0};
}

int plb_courier_open(const plb_index *index, uint64_t kept_bytes, plb_courier **courier) {
    plb_courier *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->kept_bytes = kept_bytes;
    made->compressor = ZSTD_createCCtx();
    made->decompressor = ZSTD_createDCtx();
    if (!made->compressor || !made->decompressor) {
        plb_courier_close(made);
        return PLB_ENOMEM;
    }
    *courier = made;
    return PLB_OK;
}

void plb_courier_close(plb_courier *courier) {
    if (!courier) return;
    ZSTD_freeCCtx(courier->compressor);
    ZSTD_freeDCtx(courier->decompressor);
    plb_permuter_free(&courier->permuter);
    plb_words_free(&courier->packed);
    plb_words_free(&courier->joined);
    for (int p = 0; p < PLB_PLANES; p++) plb_words_free(&courier->carried[p]);
    plb_slab_free(&courier->carried_shape);
    for (int k = 0; k < KEPT; k++) {
        plb_slab_free(&courier->kept[k].shape);
        plb_words_free(&courier->kept[k].planes);
    }
    free(courier);
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

int plb_courier_store(plb_courier *courier, plb_spool *spool, uint64_t slab, int count,
                      uint64_t *const planes[], size_t words, plb_message *message) {
    size_t plane_bytes = words * sizeof(uint64_t), bytes = count * plane_bytes;
    if (plb_words_reserve(&courier->joined, count * words)) return fail_memory(message);
    for (int p = 0; p < count; p++)
        memcpy(courier->joined.words + p * words, planes[p], plane_bytes);
    if (bytes <= PLAIN_BYTES)
        return plb_spool_put(spool, slab, courier->joined.words, bytes, message);
    size_t bound = ZSTD_compressBound(bytes);
    if (plb_words_reserve(&courier->packed, bound / sizeof(uint64_t) + 1))
        return fail_memory(message);
    size_t size = ZSTD_compressCCtx(courier->compressor, courier->packed.words, bound,
                                    courier->joined.words, bytes, LEVEL);
    if (ZSTD_isError(size)) return fail_memory(message);
    return plb_spool_put(spool, slab, courier->packed.words, size, message);
}

/* Read an item of a number of words. */
static int read_planes(plb_courier *courier, const plb_spool *spool, uint64_t slab,
                       plb_words *planes, size_t words, plb_message *message) {
    size_t size = plb_spool_size_bytes(spool, slab), bytes = words * sizeof(uint64_t);
    if (plb_words_reserve(planes, words)) return fail_memory(message);
    if (bytes <= PLAIN_BYTES && size == bytes)
        return plb_spool_get(spool, slab, planes->words, message);
    if (plb_words_reserve(&courier->packed, size / sizeof(uint64_t) + 1))
        return fail_memory(message);
    int error = plb_spool_get(spool, slab, courier->packed.words, message);
    if (error) return error;
    size_t got = ZSTD_decompressDCtx(courier->decompressor, planes->words, bytes,
                                     courier->packed.words, size);
    if (got != bytes)
        return plb_fail(message, PLB_ECORRUPT, "a scratch file is damaged: slab %llu",
                        (unsigned long long)slab);
    return PLB_OK;
}

void plb_courier_forget(plb_courier *courier) {
    for (int k = 0; k < KEPT; k++) courier->kept[k].spool = NULL;
}

/* The item if it is kept, or else the one to give up for it: the one not used for longest among as
 * many as there is room for, if all were as big as this ply's last. */
static kept_item *find_kept(plb_courier *courier, const plb_spool *spool, uint64_t slab) {
    uint64_t last_bytes = courier->kept[0].planes.capacity * sizeof(uint64_t) + 1;
    uint64_t room = plb_max(1, plb_min(KEPT, courier->kept_bytes / last_bytes));
    kept_item *oldest = &courier->kept[0];
    for (uint64_t k = 0; k < room; k++) {
        kept_item *item = &courier->kept[k];
        if (item->spool == spool && item->slab == slab) return item;
        if (!item->spool || (oldest->spool && item->used < oldest->used)) oldest = item;
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
    return PLB_OK;
}

/* Carry kept planes over to a set that is not canonical. */
static int carry_planes(plb_courier *courier, int element, uint64_t occupied, int count,
                        unsigned dead_code, const kept_item *from, uint64_t *planes[]) {
    uint64_t *source[PLB_PLANES];
    bool dead[PLB_PLANES];
    plb_slab *shape = &courier->carried_shape;
    int error = plb_slab_shape(courier->index->game, occupied, PLB_LIVE, shape);
    for (int p = 0; p < count && !error; p++) {
        error = plb_words_reserve(&courier->carried[p], shape->words);
        source[p] = from->planes.words + p * from->shape.words;
        planes[p] = courier->carried[p].words;
        dead[p] = dead_code >> p & 1;
    }
    if (error) return error;
    for (int p = 0; p < count && !error; p += 2)
        error = plb_permute(&courier->permuter, courier->index->symmetry, element, &from->shape,
                            shape, count - p < 2 ? 1 : 2, source + p, dead + p, planes + p);
    return error;
}

int plb_courier_fetch(plb_courier *courier, const plb_spool *spool, uint64_t occupied, int count,
                      unsigned dead, const plb_slab **shape, uint64_t *planes[],
                      plb_message *message) {
    uint64_t canonical;
    kept_item *item;
    int element = plb_symmetry_canonical(courier->index->symmetry, occupied, &canonical);
    int error = fetch_canonical(courier, spool, canonical, count, &item, message);
    if (error) return error;
    if (canonical != occupied) {
        *shape = &courier->carried_shape;
        error = carry_planes(courier, element, occupied, count, dead, item, planes);
        return error ? fail_memory(message) : PLB_OK;
    }
    *shape = &item->shape;
    for (int p = 0; p < count; p++) planes[p] = item->planes.words + p * item->shape.words;
    return PLB_OK;
}
