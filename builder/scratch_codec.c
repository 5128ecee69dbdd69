/* SPDX-License-Identifier: MIT */
#include "builder/scratch_codec.h"

#include <lz4.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/little_endian.h"
#include "tables/message.h"

enum {
    PLAIN_WORDS = 64,      /* a record up to this size is not worth compressing */
    CHUNK_WORDS = 1 << 15, /* of a chunk */
    ACCELERATION = 1,      /* of LZ4: 4 would pack 12 % faster and cost 13 % more bytes */
};

struct plb_scratch_codec {
    const plb_threads *threads;
    char *states; /* LZ4's, one for each thread */
};

int plb_scratch_codec_open(const plb_threads *threads, plb_scratch_codec **codec) {
    plb_scratch_codec *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->threads = threads;
    made->states = malloc((size_t)threads->count * LZ4_sizeofState());
    if (!made->states) {
        plb_scratch_codec_close(made);
        return PLB_ENOMEM;
    }
    *codec = made;
    return PLB_OK;
}

void plb_scratch_codec_close(plb_scratch_codec *codec) {
    if (!codec) return;
    free(codec->states);
    free(codec);
}

void plb_packed_record_free(plb_packed_record *packed) {
    plb_bytes_free(&packed->record);
    for (int c = 0; c < PLB_CHUNKS; c++) plb_bytes_free(&packed->chunks[c]);
}

/* The words of a chunk. */
static size_t chunk_words(size_t count, size_t chunk) {
    return plb_min(CHUNK_WORDS, count - chunk * CHUNK_WORDS);
}

/* ---- packing ---- */

/* Chunks of a plane that are packed at a time. */
typedef struct packing {
    const plb_scratch_codec *codec;
    const uint64_t *words;
    size_t count, first, last; /* words; chunks [first, last) */
    plb_packed_record *packed;
} packing;

static int pack_chunk(void *context, size_t number) {
    const packing *p = context;
    plb_bytes *to = &p->packed->chunks[number];
    size_t chunk = p->first + number;
    const uint64_t *words = p->words + chunk * CHUNK_WORDS;
    int bytes = (int)(chunk_words(p->count, chunk) * sizeof *words);
    int bound = LZ4_compressBound(bytes);
    if (plb_bytes_reserve(to, bound)) return PLB_ENOMEM;
    char *state = p->codec->states + (size_t)omp_get_thread_num() * LZ4_sizeofState();
    to->size = LZ4_compress_fast_extState(state, (const char *)words, (char *)to->bytes, bytes,
                                          bound, ACCELERATION);
    return to->size ? PLB_OK : PLB_ENOMEM;
}

/* Append the chunks to the record and note their ends. */
static int pack_chunks(packing *p) {
    size_t directory = plb_divide_up(p->count, CHUNK_WORDS) * sizeof(uint64_t);
    plb_bytes *record = &p->packed->record;
    int error = plb_threads_share(p->codec->threads, p->last - p->first, pack_chunk, p);
    for (size_t c = p->first; c < p->last && !error; c++) {
        error = plb_bytes_append(record, &p->packed->chunks[c - p->first]);
        uint64_t end = record->size - directory;
        memcpy(record->bytes + c * sizeof end, &end, sizeof end);
    }
    return error;
}

int plb_scratch_codec_pack(const plb_scratch_codec *codec, const uint64_t *words, size_t count,
                           plb_packed_record *packed) {
    size_t chunks = plb_divide_up(count, CHUNK_WORDS), bytes = count * sizeof *words;
    bool plain = count <= PLAIN_WORDS;
    packed->record.size = plain ? bytes : chunks * sizeof(uint64_t);
    int error = plb_bytes_reserve(&packed->record, packed->record.size);
    if (plain) {
        if (!error && bytes) memcpy(packed->record.bytes, words, bytes);
        return error;
    }
    packing p = {.codec = codec, .words = words, .count = count, .packed = packed};
    for (; p.first < chunks && !error; p.first = p.last) {
        p.last = plb_min(p.first + PLB_CHUNKS, chunks);
        error = pack_chunks(&p);
    }
    return error;
}

/* ---- unpacking ---- */

typedef struct unpacking {
    const plb_bytes *record;
    uint64_t *words;
    size_t count;
} unpacking;

static int unpack_chunk(void *context, size_t chunk) {
    const unpacking *u = context;
    const plb_bytes *record = u->record;
    size_t directory = plb_divide_up(u->count, CHUNK_WORDS) * sizeof(uint64_t);
    int bytes = (int)(chunk_words(u->count, chunk) * sizeof *u->words);
    if (directory > record->size) return PLB_ECORRUPT;
    const uint8_t *entry = record->bytes + chunk * sizeof(uint64_t);
    uint64_t begin = chunk > 0 ? plb_get64(entry - sizeof begin) : 0, end = plb_get64(entry);
    if (begin > end || end > record->size - directory) return PLB_ECORRUPT;
    if (end - begin > (uint64_t)LZ4_compressBound(bytes)) return PLB_ECORRUPT;
    int unpacked =
        LZ4_decompress_safe((const char *)record->bytes + directory + begin,
                            (char *)(u->words + chunk * CHUNK_WORDS), (int)(end - begin), bytes);
    return unpacked == bytes ? PLB_OK : PLB_ECORRUPT;
}

bool plb_scratch_codec_unpack(const plb_scratch_codec *codec, const plb_bytes *record,
                              uint64_t *words, size_t count) {
    if (count <= PLAIN_WORDS) {
        bool fits = record->size == count * sizeof *words;
        if (fits && count) memcpy(words, record->bytes, record->size);
        return fits;
    }
    unpacking u = {record, words, count};
    return plb_threads_share(codec->threads, plb_divide_up(count, CHUNK_WORDS), unpack_chunk, &u) ==
           PLB_OK;
}
