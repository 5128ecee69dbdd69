/* SPDX-License-Identifier: MIT */
#include "builder/codec.h"

#include <lz4.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    PLAIN_WORDS = 64,      /* an item up to this size is not worth compressing */
    CHUNK_WORDS = 1 << 15, /* of a chunk */
    ACCELERATION = 1,      /* of LZ4: 4 would pack 12 % faster and cost 13 % more bytes */
};

struct plb_codec {
    const plb_team *team;
    char *states; /* LZ4's, one after the other, for each thread of the team */
};

int plb_codec_open(const plb_team *team, plb_codec **codec) {
    plb_codec *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->team = team;
    made->states = malloc((size_t)team->threads * LZ4_sizeofState());
    if (!made->states) {
        plb_codec_close(made);
        return PLB_ENOMEM;
    }
    *codec = made;
    return PLB_OK;
}

void plb_codec_close(plb_codec *codec) {
    if (!codec) return;
    free(codec->states);
    free(codec);
}

void plb_packed_free(plb_packed *packed) {
    plb_bytes_free(&packed->item);
    for (int c = 0; c < PLB_CHUNKS; c++) plb_bytes_free(&packed->chunks[c]);
}

/* The words of a chunk. */
static size_t chunk_words(size_t count, size_t chunk) {
    return plb_min(CHUNK_WORDS, count - chunk * CHUNK_WORDS);
}

/* ---- packing ---- */

static int pack_chunk(const plb_codec *codec, const uint64_t *words, size_t count, plb_bytes *to) {
    int bytes = (int)(count * sizeof *words), bound = LZ4_compressBound(bytes);
    if (plb_bytes_reserve(to, bound)) return PLB_ENOMEM;
    char *state = codec->states + (size_t)omp_get_thread_num() * LZ4_sizeofState();
    to->size = LZ4_compress_fast_extState(state, (const char *)words, (char *)to->bytes, bytes,
                                          bound, ACCELERATION);
    return to->size ? PLB_OK : PLB_ENOMEM;
}

/* Append chunks [first, last) to the item and note their ends. */
static int pack_chunks(const plb_codec *codec, const uint64_t *words, size_t count, size_t first,
                       size_t last, plb_packed *packed) {
    size_t directory = plb_divide_up(count, CHUNK_WORDS) * sizeof(uint64_t);
    int error = PLB_OK;
#pragma omp taskloop num_tasks(plb_team_tasks(codec->team, last - first)) if (last - first > 1) \
    shared(error)
    for (size_t c = first; c < last; c++) {
        if (pack_chunk(codec, words + c * CHUNK_WORDS, chunk_words(count, c),
                       &packed->chunks[c - first])) {
#pragma omp atomic write
            error = PLB_ENOMEM;
        }
    }
    for (size_t c = first; c < last && !error; c++) {
        error = plb_bytes_append(&packed->item, &packed->chunks[c - first]);
        uint64_t end = packed->item.size - directory;
        memcpy(packed->item.bytes + c * sizeof end, &end, sizeof end);
    }
    return error;
}

int plb_codec_pack(const plb_codec *codec, const uint64_t *words, size_t count,
                   plb_packed *packed) {
    size_t chunks = plb_divide_up(count, CHUNK_WORDS), bytes = count * sizeof *words;
    bool plain = count <= PLAIN_WORDS;
    packed->item.size = plain ? bytes : chunks * sizeof(uint64_t);
    int error = plb_bytes_reserve(&packed->item, packed->item.size);
    if (plain) {
        if (!error && bytes) memcpy(packed->item.bytes, words, bytes);
        return error;
    }
    for (size_t first = 0; first < chunks && !error; first += PLB_CHUNKS)
        error =
            pack_chunks(codec, words, count, first, plb_min(first + PLB_CHUNKS, chunks), packed);
    return error;
}

/* ---- unpacking ---- */

static bool unpack_chunk(const plb_bytes *item, size_t chunk, uint64_t *words, size_t count) {
    size_t directory = plb_divide_up(count, CHUNK_WORDS) * sizeof(uint64_t);
    int bytes = (int)(chunk_words(count, chunk) * sizeof *words);
    uint64_t begin = 0, end;
    if (directory > item->size) return false;
    if (chunk > 0) memcpy(&begin, item->bytes + (chunk - 1) * sizeof begin, sizeof begin);
    memcpy(&end, item->bytes + chunk * sizeof end, sizeof end);
    if (begin > end || end > item->size - directory) return false;
    if (end - begin > (uint64_t)LZ4_compressBound(bytes)) return false;
    return bytes == LZ4_decompress_safe((const char *)item->bytes + directory + begin,
                                        (char *)(words + chunk * CHUNK_WORDS), (int)(end - begin),
                                        bytes);
}

bool plb_codec_unpack(const plb_codec *codec, const plb_bytes *item, uint64_t *words,
                      size_t count) {
    if (count <= PLAIN_WORDS) {
        bool fits = item->size == count * sizeof *words;
        if (fits && count) memcpy(words, item->bytes, item->size);
        return fits;
    }
    size_t chunks = plb_divide_up(count, CHUNK_WORDS);
    bool good = true;
#pragma omp taskloop num_tasks(plb_team_tasks(codec->team, chunks)) if (chunks > 1) shared(good)
    for (size_t c = 0; c < chunks; c++) {
        if (!unpack_chunk(item, c, words, count)) {
#pragma omp atomic write
            good = false;
        }
    }
    return good;
}
