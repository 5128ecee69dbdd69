/* SPDX-License-Identifier: MIT */
#include "builder/scratch/scratch_codec.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    PLAIN_WORDS = 64,      /* a record up to this size is not worth compressing */
    CHUNK_WORDS = 1 << 15, /* of a chunk, in all planes */
    OUTCOME_PLANES = 2,    /* that are folded */
    ACCELERATION = 1,      /* of LZ4: 4 would pack 12 % faster and cost 13 % more bytes */
};

/* What a thread packs with. */
typedef struct packing_buffers {
    LZ4_stream_t state;
    uint64_t folded[CHUNK_WORDS];
} packing_buffers;

struct plb_scratch_codec {
    const plb_threads *threads;
    packing_buffers *buffers; /* one for each thread */
};

int plb_scratch_codec_open(const plb_threads *threads, plb_scratch_codec **codec) {
    plb_scratch_codec *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->threads = threads;
    made->buffers = malloc(threads->count * sizeof *made->buffers);
    if (!made->buffers) {
        plb_scratch_codec_close(made);
        return PLB_ENOMEM;
    }
    *codec = made;
    return PLB_OK;
}

void plb_scratch_codec_close(plb_scratch_codec *codec) {
    if (!codec) return;
    free(codec->buffers);
    free(codec);
}

void plb_packed_record_free(plb_packed_record *packed) {
    plb_bytes_free(&packed->record);
    for (int c = 0; c < PLB_CHUNKS; c++) plb_bytes_free(&packed->chunks[c].blocks);
}

/* Planes, and how they are divided into chunks. */
typedef struct chunks_layout {
    int planes;
    size_t words;       /* of a plane, */
    size_t chunk_words; /* and of it in a chunk, but for the last one */
    size_t chunks;
    size_t directory_bytes;
} chunks_layout;

static chunks_layout divide_planes(int planes, size_t words) {
    chunks_layout c = {.planes = planes, .words = words, .chunk_words = CHUNK_WORDS / planes};
    c.chunks = plb_divide_up(words, c.chunk_words);
    c.directory_bytes = planes * c.chunks * sizeof(uint64_t);
    return c;
}

/* The words of a plane in a chunk. */
static size_t words_of_chunk(const chunks_layout *c, size_t chunk) {
    return plb_min(c->chunk_words, c->words - chunk * c->chunk_words);
}

static bool is_plain(int planes, size_t words) {
    return planes * words <= PLAIN_WORDS;
}

/* ---- outcomes ----
 *
 * Two planes, x wins and o wins, as two that compress better. Draws are rare and most outcomes are
 * never asked for; those of them that are known not to be have both bits:
 *
 *     asked for            x wins   o wins   draw      never: both
 *     first   x wins       1        0        0         as the position before it
 *     second  won, lost    any      1        0         any
 *
 * Any is as the position before it, too, so that both have long runs of equal bits. What comes back
 * is the outcome, or where there were both bits, any one. */

/* A word whose unknown positions get the bit of the one before them: a one runs on through the
 * unknown positions after it as the carry of a sum does. before: all bits are that of the position
 * before the word. (Only what lies before the first known position waits for it.) */
static inline uint64_t run_on(uint64_t word, uint64_t unknown, uint64_t before) {
    word &= ~unknown;
    uint64_t reached = (word << 1) & unknown, beginning = unknown & ~(unknown + 1);
    word |= unknown & ~(unknown + reached);
    return word | (beginning & before);
}

/* All bits are the last one of a word. */
static inline uint64_t spread_last(uint64_t word) {
    return -(word >> 63);
}

/* All are [words]; none may overlap another. */
static void fold_planes(const uint64_t *restrict x_wins, const uint64_t *restrict o_wins,
                        size_t words, uint64_t *restrict first, uint64_t *restrict second) {
    uint64_t before_first = 0, before_second = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t x = x_wins[w], o = o_wins[w];
        first[w] = run_on(x, x & o, before_first);
        second[w] = run_on(o, x, before_second);
        before_first = spread_last(first[w]);
        before_second = spread_last(second[w]);
    }
}

/* ---- packing ---- */

/* Chunks that are packed at a time. */
typedef struct packing {
    const plb_scratch_codec *codec;
    chunks_layout chunks_layout;
    const plb_plane_words *from;
    size_t first, last; /* chunks [first, last) */
    plb_packed_record *packed;
} packing;

/* Outcomes are folded. */
static int pack_chunk(void *context, size_t number) {
    const packing *p = context;
    const chunks_layout *c = &p->chunks_layout;
    plb_packed_chunk *to = &p->packed->chunks[number];
    size_t chunk = p->first + number, words = words_of_chunk(c, chunk);
    int bytes = (int)(words * sizeof(uint64_t)), bound = LZ4_compressBound(bytes);
    packing_buffers *buffers = &p->codec->buffers[plb_threads_number()];
    const uint64_t *plane[PLB_PLANES];
    if (plb_bytes_reserve(&to->blocks, (size_t)c->planes * bound)) return PLB_ENOMEM;
    for (int i = 0; i < c->planes; i++)
        plane[i] = p->from->planes + i * p->from->stride + chunk * c->chunk_words;
    if (c->planes == OUTCOME_PLANES) {
        uint64_t *first = buffers->folded, *second = first + words;
        fold_planes(plane[0], plane[1], words, first, second);
        plane[0] = first;
        plane[1] = second;
    }
    to->blocks.size = 0;
    for (int i = 0; i < c->planes; i++) {
        char *block = (char *)to->blocks.bytes + to->blocks.size;
        int size = LZ4_compress_fast_extState(&buffers->state, (const char *)plane[i], block, bytes,
                                              bound, ACCELERATION);
        if (!size) return PLB_ENOMEM;
        to->ends[i] = to->blocks.size += size;
    }
    return PLB_OK;
}

/* Append the chunks to the record and note the ends of their blocks. */
static int pack_chunks(packing *p) {
    plb_bytes *record = &p->packed->record;
    int planes = p->chunks_layout.planes;
    int error = plb_threads_share(p->codec->threads, p->last - p->first, pack_chunk, p);
    for (size_t c = p->first; c < p->last && !error; c++) {
        const plb_packed_chunk *chunk = &p->packed->chunks[c - p->first];
        size_t begin = record->size - p->chunks_layout.directory_bytes;
        error = plb_bytes_append(record, &chunk->blocks);
        for (int i = 0; i < planes; i++) {
            uint64_t end = begin + chunk->ends[i];
            memcpy(record->bytes + (c * planes + i) * sizeof end, &end, sizeof end);
        }
    }
    return error;
}

int plb_scratch_codec_pack(const plb_scratch_codec *codec, const plb_plane_words *from,
                           plb_packed_record *packed) {
    packing p = {.codec = codec,
                 .chunks_layout = divide_planes(from->count, from->words),
                 .from = from,
                 .packed = packed};
    size_t plane_bytes = from->words * sizeof *from->planes;
    bool plain = is_plain(from->count, from->words);
    packed->record.size = plain ? from->count * plane_bytes : p.chunks_layout.directory_bytes;
    int error = plb_bytes_reserve(&packed->record, packed->record.size);
    if (plain) {
        for (int i = 0; i < from->count && plane_bytes && !error; i++)
            memcpy(packed->record.bytes + i * plane_bytes, from->planes + i * from->stride,
                   plane_bytes);
        return error;
    }
    for (; p.first < p.chunks_layout.chunks && !error; p.first = p.last) {
        p.last = plb_min(p.first + PLB_CHUNKS, p.chunks_layout.chunks);
        error = pack_chunks(&p);
    }
    return error;
}

/* ---- unpacking ---- */

typedef struct unpacking {
    chunks_layout chunks_layout;
    const plb_bytes *record;
    const plb_plane_words *to;
} unpacking;

/* Unpack a block, a number of the record, to so many words. */
static bool unpack_block(const unpacking *u, size_t number, uint64_t *to, size_t words) {
    const plb_bytes *record = u->record;
    size_t directory = u->chunks_layout.directory_bytes;
    int bytes = (int)(words * sizeof *to);
    if (directory > record->size) return false;
    const uint8_t *entry = record->bytes + number * sizeof(uint64_t);
    uint64_t begin = number > 0 ? plb_get64(entry - sizeof begin) : 0, end = plb_get64(entry);
    if (begin > end || end > record->size - directory) return false;
    if (end - begin > (uint64_t)LZ4_compressBound(bytes)) return false;
    const char *block = (const char *)record->bytes + directory + begin;
    return LZ4_decompress_safe(block, (char *)to, (int)(end - begin), bytes) == bytes;
}

static int unpack_chunk(void *context, size_t chunk) {
    const unpacking *u = context;
    const chunks_layout *c = &u->chunks_layout;
    size_t words = words_of_chunk(c, chunk);
    uint64_t *planes = u->to->planes + chunk * c->chunk_words;
    for (int i = 0; i < c->planes; i++)
        if (!unpack_block(u, chunk * c->planes + i, planes + i * u->to->stride, words))
            return PLB_ECORRUPT;
    if (c->planes == OUTCOME_PLANES) {
        /* In place: from first and second to x_wins and o_wins. */
        uint64_t *restrict second = planes + u->to->stride;
        for (size_t w = 0; w < words; w++) second[w] &= ~planes[w];
    }
    return PLB_OK;
}

bool plb_scratch_codec_unpack(const plb_scratch_codec *codec, const plb_bytes *record,
                              const plb_plane_words *to) {
    if (is_plain(to->count, to->words)) {
        size_t plane_bytes = to->words * sizeof *to->planes;
        bool fits = record->size == to->count * plane_bytes;
        for (int i = 0; i < to->count && plane_bytes && fits; i++)
            memcpy(to->planes + i * to->stride, record->bytes + i * plane_bytes, plane_bytes);
        return fits;
    }
    unpacking u = {divide_planes(to->count, to->words), record, to};
    return plb_threads_share(codec->threads, u.chunks_layout.chunks, unpack_chunk, &u) == PLB_OK;
}
