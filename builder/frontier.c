/* SPDX-License-Identifier: MIT
 *
 * Planes as scratch items: the words of all planes behind one another, as they are when they are
 * few, else as one zstd frame.
 */
#include "builder/frontier.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    LEVEL = -5,       /* of zstd: scratch data is written and read about once */
    PLAIN_BYTES = 512 /* an item up to this size is not worth compressing */
};

struct plb_courier {
    const plb_index *index;
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    plb_permuter permuter;
    plb_words packed, joined, carried[PLB_FRONTIER_PLANES];
    plb_slab canonical;
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

int plb_courier_open(const plb_index *index, plb_courier **courier) {
    plb_courier *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
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
    for (int p = 0; p < PLB_FRONTIER_PLANES; p++) plb_words_free(&courier->carried[p]);
    plb_slab_free(&courier->canonical);
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

/* Read an item into `joined`. */
static int read_planes(plb_courier *courier, const plb_spool *spool, uint64_t slab, size_t words,
                       plb_message *message) {
    size_t size = plb_spool_size_bytes(spool, slab), bytes = words * sizeof(uint64_t);
    if (plb_words_reserve(&courier->joined, words)) return fail_memory(message);
    if (bytes <= PLAIN_BYTES && size == bytes)
        return plb_spool_get(spool, slab, courier->joined.words, message);
    if (plb_words_reserve(&courier->packed, size / sizeof(uint64_t) + 1))
        return fail_memory(message);
    int error = plb_spool_get(spool, slab, courier->packed.words, message);
    if (error) return error;
    size_t got = ZSTD_decompressDCtx(courier->decompressor, courier->joined.words, bytes,
                                     courier->packed.words, size);
    if (got != bytes)
        return plb_fail(message, PLB_ECORRUPT, "a scratch file is damaged: slab %llu",
                        (unsigned long long)slab);
    return PLB_OK;
}

static int carry_planes(plb_courier *courier, int element, uint64_t occupied, int count,
                        const bool dead[], plb_slab *shape, uint64_t *planes[]) {
    uint64_t *source[PLB_FRONTIER_PLANES];
    int error = plb_slab_shape(courier->index->game, occupied, PLB_LIVE, shape);
    for (int p = 0; p < count && !error; p++) {
        error = plb_words_reserve(&courier->carried[p], shape->words);
        source[p] = courier->joined.words + p * courier->canonical.words;
        planes[p] = courier->carried[p].words;
    }
    if (error) return error;
    return plb_permute(&courier->permuter, courier->index->symmetry, element, &courier->canonical,
                       shape, count, source, dead, planes);
}

int plb_courier_fetch(plb_courier *courier, const plb_spool *spool, uint64_t occupied, int count,
                      const bool dead[], plb_slab *shape, uint64_t *planes[],
                      plb_message *message) {
    const plb_index *index = courier->index;
    uint64_t canonical;
    int element = plb_symmetry_canonical(index->symmetry, occupied, &canonical);
    plb_slab *stored = canonical == occupied ? shape : &courier->canonical;
    if (plb_slab_shape(index->game, canonical, PLB_LIVE, stored)) return fail_memory(message);
    int error = read_planes(courier, spool, plb_index_slab(index, canonical), count * stored->words,
                            message);
    if (error) return error;
    for (int p = 0; p < count; p++) planes[p] = courier->joined.words + p * stored->words;
    if (canonical == occupied) return PLB_OK;
    error = carry_planes(courier, element, occupied, count, dead, shape, planes);
    return error ? fail_memory(message) : PLB_OK;
}
