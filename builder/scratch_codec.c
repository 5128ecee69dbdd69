/* SPDX-License-Identifier: MIT */
#include "builder/scratch_codec.h"

#include <lz4.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
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

static int pack_chunk(const plb_scratch_codec *codec, const uint64_t *words, size_t count,
                      plb_bytes *to) {
    int bytes = (int)(count * sizeof *words), bound = LZ4_compressBound(bytes);
    if (plb_bytes_reserve(to, bound)) return PLB_ENOMEM;
    char *state = codec->states + (size_t)omp_get_thread_num() * LZ4_sizeofState();
    to->size = LZ4_compress_fast_extState(state, (const char *)words, (char *)to->bytes, bytes,
                                          bound, ACCELERATION);
    return to->size ? PLB_OK : PLB_ENOMEM;
}

/* Append chunks [first, last) to the record and note their ends. */
static int pack_chunks(const plb_scratch_codec *codec, const uint64_t *words, size_t count,
                       size_t first, size_t last, plb_packed_record *packed) {
    size_t directory = plb_divide_up(count, CHUNK_WORDS) * sizeof(uint64_t);
    int error = PLB_OK;
#pragma omp taskloop num_tasks( \
    plb_threads_tasks(codec->threads, last - first)) if (last - first > 1) shared(error)
    for (size_t c = first; c < last; c++) {
        if (pack_chunk(codec, words + c * CHUNK_WORDS, chunk_words(count, c),
                       &packed->chunks[c - first])) {
#pragma omp atomic write
            error = PLB_ENOMEM;
        }
    }
    for (size_t c = first; c < last && !error; c++) {
        error = plb_bytes_append(&packed->record, &packed->chunks[c - first]);
        uint64_t end = packed->record.size - directory;
        memcpy(packed->record.bytes + c * sizeof end, &end, sizeof end);
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
    for (size_t first = 0; first < chunks && !error; first += PLB_CHUNKS)
        error =
            pack_chunks(codec, words, count, first, plb_min(first + PLB_CHUNKS, chunks), packed);
    return error;
}

/* ---- unpacking ---- */

static bool unpack_chunk(const plb_bytes *record, size_t chunk, uint64_t *words, size_t count) {
    size_t directory = plb_divide_up(count, CHUNK_WORDS) * sizeof(uint64_t);
    int bytes = (int)(chunk_words(count, chunk) * sizeof *words);
    uint64_t begin = 0, end;
    if (directory > record->size) return false;
    if (chunk > 0) memcpy(&begin, record->bytes + (chunk - 1) * sizeof begin, sizeof begin);
    memcpy(&end, record->bytes + chunk * sizeof end, sizeof end);
    if (begin > end || end > record->size - directory) return false;
    if (end - begin > (uint64_t)LZ4_compressBound(bytes)) return false;
    return bytes == LZ4_decompress_safe((const char *)record->bytes + directory + begin,
                                        (char *)(words + chunk * CHUNK_WORDS), (int)(end - begin),
                                        bytes);
}

bool plb_scratch_codec_unpack(const plb_scratch_codec *codec, const plb_bytes *record,
                              uint64_t *words, size_t count) {
    if (count <= PLAIN_WORDS) {
        bool fits = record->size == count * sizeof *words;
        if (fits && count) memcpy(words, record->bytes, record->size);
        return fits;
    }
    size_t chunks = plb_divide_up(count, CHUNK_WORDS);
    bool good = true;
#pragma omp taskloop num_tasks(plb_threads_tasks(codec->threads, chunks)) if (chunks > 1) \
    shared(good)
    for (size_t c = 0; c < chunks; c++) {
        if (!unpack_chunk(record, c, words, count)) {
#pragma omp atomic write
            good = false;
        }
    }
    return good;
}
