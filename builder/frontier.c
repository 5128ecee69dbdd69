/* SPDX-License-Identifier: MIT
 *
 * Planes as scratch items. The words of all planes behind one another are cut into chunks, each a
 * zstd frame of its own, so that threads can share an item:
 *
 *     [end of frame 0 | end of frame 1 | ..]   64 bits each, counted from behind this directory
 *     [frame 0][frame 1]..
 *
 * An item of a few words is stored as it is.
 */
#include "builder/frontier.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#include "tables/bits.h"

enum {
    LEVEL = -5,            /* of zstd: scratch data is written and read about once */
    PLAIN_BYTES = 512,     /* an item up to this size is not worth compressing */
    CHUNK_WORDS = 1 << 15, /* of a frame */
    FRAMES = 16,           /* that are made at a time */
    SOUGHT = 64,           /* items that are kept, at most, but for .. */
    KEPT = PLB_SLOTS + 1,  /* .. those in slots: one more than there are */
};

/* ---- memory ---- */

static size_t round_up(size_t words) {
    return (words + 8) / 8 * 8;
}

int plb_words_reserve(plb_words *buffer, size_t words) {
    enum { SMALL = 1 << 17, HUGE_PAGE = 2 << 20, HUGE_BYTES = 16 << 20 };
    bool fits = words + 1 <= buffer->capacity;
    if (fits && (buffer->capacity <= SMALL || buffer->capacity / 4 <= words)) return PLB_OK;
    free(buffer->words);
    buffer->capacity = 0;
    size_t bytes = round_up(words) * sizeof *buffer->words;
    bool huge = bytes >= HUGE_BYTES;
    if (huge) bytes = plb_divide_up(bytes, HUGE_PAGE) * HUGE_PAGE;
    buffer->words = aligned_alloc(huge ? HUGE_PAGE : 64, bytes);
    if (!buffer->words) return PLB_ENOMEM;
    if (huge)
        madvise(buffer->words, bytes, MADV_HUGEPAGE); /* else most of the time is page faults */
    buffer->capacity = round_up(words);
    return PLB_OK;
}

void plb_words_free(plb_words *buffer) {
    free(buffer->words);
    *buffer = (plb_words){NULL, 0};
}

/* Bytes that are appended to. */
typedef struct byte_list {
    uint8_t *bytes;
    size_t size, capacity;
} byte_list;

static int reserve_bytes(byte_list *list, size_t capacity) {
    if (capacity <= list->capacity) return PLB_OK;
    uint8_t *bytes = realloc(list->bytes, capacity);
    if (!bytes) return PLB_ENOMEM;
    list->bytes = bytes;
    list->capacity = capacity;
    return PLB_OK;
}

static int append_bytes(byte_list *list, const byte_list *more) {
    size_t size = list->size + more->size;
    if (size > list->capacity && reserve_bytes(list, size + size / 4)) return PLB_ENOMEM;
    memcpy(list->bytes + list->size, more->bytes, more->size);
    list->size = size;
    return PLB_OK;
}

/* ---- compressors ---- */

typedef struct codec {
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    uint64_t *chunk; /* [CHUNK_WORDS] of a chunk that lies in several planes */
} codec;

struct plb_codecs {
    const plb_team *team;
    int opened;
    codec *each; /* [opened], in the end one for each thread of the team */
};

int plb_codecs_open(const plb_team *team, plb_codecs **codecs) {
    plb_codecs *made = calloc(1, sizeof *made);
    if (made) made->each = calloc(team->threads, sizeof *made->each);
    bool good = made && made->each;
    if (made) made->team = team;
    for (int t = 0; t < team->threads && good; t++) {
        codec *c = &made->each[t];
        made->opened = t + 1;
        c->compressor = ZSTD_createCCtx();
        c->decompressor = ZSTD_createDCtx();
        c->chunk = malloc(CHUNK_WORDS * sizeof *c->chunk);
        good = c->compressor && c->decompressor && c->chunk;
    }
    if (good)
        *codecs = made;
    else
        plb_codecs_close(made);
    return good ? PLB_OK : PLB_ENOMEM;
}

void plb_codecs_close(plb_codecs *codecs) {
    if (!codecs) return;
    for (int t = 0; t < codecs->opened; t++) {
        ZSTD_freeCCtx(codecs->each[t].compressor);
        ZSTD_freeDCtx(codecs->each[t].decompressor);
        free(codecs->each[t].chunk);
    }
    free(codecs->each);
    free(codecs);
}

/* ---- couriers ---- */

/* An item that was fetched. */
typedef struct kept_item {
    const plb_spool *spool; /* NULL while empty */
    uint64_t slab, used;    /* used: when it was asked for last */
    int slots;              /* that hold it */
    plb_slab shape;
    plb_words planes;
} kept_item;

/* What was fetched for a user: a kept item, and what it was carried over to. */
typedef struct slot {
    kept_item *item; /* NULL while empty */
    plb_slab shape;
    plb_words planes[PLB_PLANES];
} slot;

struct plb_courier {
    const plb_index *index;
    plb_codecs *codecs;
    uint64_t kept_bytes, biggest_bytes; /* for all that is kept; of an item since the ply began */
    uint64_t clock;
    kept_item kept[KEPT];
    slot slots[PLB_SLOTS];
    int used; /* slots before this one may hold an item */
    plb_permuter permuter;
    byte_list packed, frames[FRAMES];
};

int plb_courier_open(const plb_index *index, plb_codecs *codecs, uint64_t kept_bytes,
                     plb_courier **courier) {
    plb_courier *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->codecs = codecs;
    made->permuter.team = codecs->team;
    made->kept_bytes = kept_bytes;
    *courier = made;
    return PLB_OK;
}

static int fail_memory(plb_message *message) {
    return plb_fail(message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

/* ---- storing ---- */

/* Planes as one sequence of words. */
typedef struct joined_planes {
    uint64_t *const *planes;
    size_t words, total; /* of a plane, of all */
} joined_planes;

/* Words [first, last) of the sequence: where they are, or copied together. */
static const uint64_t *join_words(const joined_planes *j, size_t first, size_t last,
                                  uint64_t *copy) {
    size_t plane = first / j->words, at = first % j->words;
    if (at + (last - first) <= j->words) return j->planes[plane] + at;
    for (size_t i = 0, count; first < last; first += count, i += count) {
        plane = first / j->words;
        at = first % j->words;
        count = plb_min(last - first, j->words - at);
        memcpy(copy + i, j->planes[plane] + at, count * sizeof *copy);
    }
    return copy;
}

/* Make the frame of a chunk. */
static int pack_chunk(const codec *c, const joined_planes *j, size_t chunk, byte_list *frame) {
    size_t first = chunk * CHUNK_WORDS, last = plb_min(first + CHUNK_WORDS, j->total);
    size_t bytes = (last - first) * sizeof(uint64_t), bound = ZSTD_compressBound(bytes);
    if (reserve_bytes(frame, bound)) return PLB_ENOMEM;
    const uint64_t *words = join_words(j, first, last, c->chunk);
    frame->size = ZSTD_compressCCtx(c->compressor, frame->bytes, bound, words, bytes, LEVEL);
    return ZSTD_isError(frame->size) ? PLB_ENOMEM : PLB_OK;
}

/* Append frames [first, last) to the packed item and note their ends. */
static int pack_frames(plb_courier *courier, const joined_planes *j, size_t first, size_t last,
                       size_t directory_bytes) {
    int error = PLB_OK;
#pragma omp taskloop num_tasks( \
    plb_team_tasks(courier->codecs->team, last - first)) if (last - first > 1) shared(error)
    for (size_t chunk = first; chunk < last; chunk++) {
        const codec *c = &courier->codecs->each[omp_get_thread_num()];
        if (pack_chunk(c, j, chunk, &courier->frames[chunk - first])) {
#pragma omp atomic write
            error = PLB_ENOMEM;
        }
    }
    for (size_t chunk = first; chunk < last && !error; chunk++) {
        error = append_bytes(&courier->packed, &courier->frames[chunk - first]);
        uint64_t end = courier->packed.size - directory_bytes;
        memcpy(courier->packed.bytes + chunk * sizeof end, &end, sizeof end);
    }
    return error;
}

int plb_courier_store(plb_courier *courier, plb_spool *spool, uint64_t slab, int count,
                      uint64_t *const planes[], size_t words, plb_message *message) {
    joined_planes j = {planes, words, count * words};
    size_t bytes = j.total * sizeof(uint64_t);
    if (bytes <= PLAIN_BYTES) {
        uint64_t copy[PLAIN_BYTES / sizeof(uint64_t)];
        const uint64_t *all = bytes ? join_words(&j, 0, j.total, copy) : copy;
        return plb_spool_put(spool, slab, all, bytes, message);
    }
    size_t chunks = plb_divide_up(j.total, CHUNK_WORDS), directory = chunks * sizeof(uint64_t);
    int error = reserve_bytes(&courier->packed, directory);
    courier->packed.size = directory;
    for (size_t first = 0; first < chunks && !error; first += FRAMES)
        error = pack_frames(courier, &j, first, plb_min(first + FRAMES, chunks), directory);
    if (error) return fail_memory(message);
    return plb_spool_put(spool, slab, courier->packed.bytes, courier->packed.size, message);
}

/* ---- reading ---- */

/* Unpack a chunk of an item of a number of words. Any bytes are safe. */
static bool unpack_chunk(const plb_courier *courier, size_t chunk, size_t chunks, size_t total,
                         uint64_t *words) {
    const byte_list *packed = &courier->packed;
    size_t directory = chunks * sizeof(uint64_t), first = chunk * CHUNK_WORDS;
    size_t bytes = plb_min(CHUNK_WORDS, total - first) * sizeof *words;
    uint64_t begin = 0, end;
    if (directory > packed->size) return false;
    if (chunk > 0) memcpy(&begin, packed->bytes + (chunk - 1) * sizeof begin, sizeof begin);
    memcpy(&end, packed->bytes + chunk * sizeof end, sizeof end);
    if (begin > end || end > packed->size - directory) return false;
    return bytes == ZSTD_decompressDCtx(courier->codecs->each[omp_get_thread_num()].decompressor,
                                        words + first, bytes, packed->bytes + directory + begin,
                                        end - begin);
}

static bool unpack_item(const plb_courier *courier, size_t total, uint64_t *words) {
    size_t chunks = plb_divide_up(total, CHUNK_WORDS);
    bool good = true;
#pragma omp taskloop num_tasks(plb_team_tasks(courier->codecs->team, chunks)) if (chunks > 1) \
    shared(good)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        if (!unpack_chunk(courier, chunk, chunks, total, words)) {
#pragma omp atomic write
            good = false;
        }
    }
    return good;
}

/* Read an item of a number of words. */
static int read_planes(plb_courier *courier, const plb_spool *spool, uint64_t slab,
                       plb_words *planes, size_t words, plb_message *message) {
    size_t size = plb_spool_size_bytes(spool, slab), bytes = words * sizeof(uint64_t);
    if (plb_words_reserve(planes, words)) return fail_memory(message);
    if (bytes <= PLAIN_BYTES && size == bytes)
        return plb_spool_get(spool, slab, planes->words, message);
    if (reserve_bytes(&courier->packed, size)) return fail_memory(message);
    courier->packed.size = size;
    int error = plb_spool_get(spool, slab, courier->packed.bytes, message);
    if (error) return error;
    if (!unpack_item(courier, words, planes->words))
        return plb_fail(message, PLB_ECORRUPT, "a scratch file is damaged: slab %llu",
                        (unsigned long long)slab);
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
        for (int p = 0; p < PLB_PLANES; p++) plb_words_free(&courier->slots[s].planes[p]);
    }
    courier->biggest_bytes = 0;
}

/* Much memory goes, too: slabs of another ply have another size. */
void plb_courier_forget(plb_courier *courier) {
    enum { MUCH = 1 << 18 };
    plb_courier_release(courier);
    for (int k = 0; k < KEPT; k++) courier->kept[k].spool = NULL;
    if (courier->biggest_bytes > MUCH) free_kept(courier);
}

void plb_courier_close(plb_courier *courier) {
    if (!courier) return;
    free_kept(courier);
    plb_permuter_free(&courier->permuter);
    free(courier->packed.bytes);
    for (int f = 0; f < FRAMES; f++) free(courier->frames[f].bytes);
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

/* Carry kept planes over to a set that is not canonical. */
static int carry_planes(plb_courier *courier, int element, uint64_t occupied, int count,
                        unsigned dead_code, slot *s, uint64_t *planes[]) {
    const kept_item *from = s->item;
    uint64_t *source[PLB_PLANES];
    bool dead[PLB_PLANES];
    int error = plb_slab_shape(courier->index->game, occupied, PLB_LIVE, &s->shape);
    for (int p = 0; p < count && !error; p++) {
        error = plb_words_reserve(&s->planes[p], s->shape.words);
        source[p] = from->planes.words + p * from->shape.words;
        planes[p] = s->planes[p].words;
        dead[p] = dead_code >> p & 1;
    }
    if (error) return error;
    return plb_permute(&courier->permuter, courier->index->symmetry, element, &from->shape,
                       &s->shape, count, source, dead, planes);
}

int plb_courier_fetch(plb_courier *courier, int number, const plb_spool *spool, uint64_t occupied,
                      int count, unsigned dead, const plb_slab **shape, uint64_t *planes[],
                      plb_message *message) {
    uint64_t canonical;
    kept_item *item;
    slot *s = &courier->slots[number];
    int element = plb_symmetry_canonical(courier->index->symmetry, occupied, &canonical);
    if (s->item) s->item->slots--;
    s->item = NULL;
    if (number >= courier->used) courier->used = number + 1;
    int error = fetch_canonical(courier, spool, canonical, count, &item, message);
    if (error) return error;
    s->item = item;
    item->slots++;
    if (canonical != occupied) {
        *shape = &s->shape;
        error = carry_planes(courier, element, occupied, count, dead, s, planes);
        return error ? fail_memory(message) : PLB_OK;
    }
    *shape = &item->shape;
    for (int p = 0; p < count; p++) planes[p] = item->planes.words + p * item->shape.words;
    return PLB_OK;
}
