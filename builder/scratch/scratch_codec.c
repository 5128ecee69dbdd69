/* SPDX-License-Identifier: MIT */
#include "builder/scratch/scratch_codec.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <lz4.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/message.h"

enum {
    PLAIN_WORDS = 64,      /* records up to this size are not compressed */
    CHUNK_WORDS = 1 << 15, /* words of a chunk in all planes together */
    OUTCOME_PLANES = 2,    /* a record with this number of planes has outcomes */
    ACCELERATION = 1,      /* of LZ4; 4 would be 12 % faster, but take 13 % more bytes */
};

/* Buffers of a thread. */
typedef struct packing_buffers {
    LZ4_stream_t state;
    uint64_t folded[CHUNK_WORDS];
} packing_buffers;

struct plb_scratch_codec {
    const plb_threads *threads;
    plb_vectors vectors;
    packing_buffers *buffers; /* [threads] */
};

int plb_scratch_codec_open(const plb_threads *threads, plb_vectors vectors,
                           plb_scratch_codec **codec) {
    plb_scratch_codec *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->threads = threads;
    made->vectors = vectors;
    made->buffers = malloc(threads->count * sizeof *made->buffers);
    /* cppcheck-suppress memleak ; `made` becomes *codec or is closed */
    return PLB_HAND_OVER(made->buffers ? PLB_OK : PLB_ENOMEM, made, codec, plb_scratch_codec_close);
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

/* The division of planes into chunks. */
typedef struct chunks_layout {
    int planes;
    size_t words;       /* of a plane */
    size_t chunk_words; /* of a plane in a chunk; the last chunk may be smaller */
    size_t chunks;
    size_t directory_bytes;
} chunks_layout;

static chunks_layout divide_planes(int planes, size_t words) {
    chunks_layout c = {.planes = planes, .words = words, .chunk_words = CHUNK_WORDS / planes};
    c.chunks = plb_divide_up(words, c.chunk_words);
    c.directory_bytes = planes * c.chunks * sizeof(uint64_t);
    return c;
}

static size_t words_of_chunk(const chunks_layout *c, size_t chunk) {
    return plb_min(c->chunk_words, c->words - chunk * c->chunk_words);
}

static bool is_plain(int planes, size_t words) {
    return planes * words <= PLAIN_WORDS;
}

/* ---- outcomes ----
 *
 * The two planes "x wins" and "o wins" are transformed into two planes that compress better. Draws
 * are rare, and many outcomes are never read; these have a one in both planes:
 *
 *     outcome               x wins   o wins   draw      never read
 *     first   "x wins"      1        0        0         repeat
 *     second  "not drawn"   repeat   1        0         repeat
 *
 * "Repeat" copies the bit of the position before, so that there are long runs of equal bits. The
 * inverse returns the outcome; for one that is never read, any. */

/* All arrays are [words] and must not overlap. */
static void fold_planes(const uint64_t *restrict x_wins, const uint64_t *restrict o_wins,
                        size_t words, uint64_t *restrict first, uint64_t *restrict second) {
    uint64_t before_first = 0, before_second = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t x = x_wins[w], o = o_wins[w];
        first[w] = plb_run_on(x, x & o, before_first);
        second[w] = plb_run_on(o, x, before_second);
        before_first = plb_spread_last(first[w]);
        before_second = plb_spread_last(second[w]);
    }
}

/* ---- runs ----
 *
 * The format for planes in which most bits equal the bit before. A byte is changed if any of its
 * bits differs from the bit before it. Only changed bytes are stored:
 *
 *     for each word with changed bytes    [bit mask of the changed bytes][these bytes]
 *     for each group with changed bytes   [bit mask of its words that have some]
 *     [bit mask of the groups that have some]
 *
 * A reader may read up to 8 bytes beyond the bytes of the words: the last part has 8 or more. */

enum {
    GROUP_WORDS = 64,
    GROUPS = CHUNK_WORDS / GROUP_WORDS,
    MAX_RUNS = 3 /* if runs take more than 1 / MAX_RUNS of the plane, LZ4 is used */
};
static const uint64_t byte_tops = 0x8080808080808080;

/* Returns a bit mask of the words with changed bytes. before: the word before the first one. */
typedef uint64_t find_changed(const uint64_t *words, size_t count, uint64_t before);

static uint64_t find_one_by_one(const uint64_t *words, size_t count, uint64_t before) {
    uint64_t changed = 0;
    for (size_t w = 0; w < count; w++) {
        changed |= (uint64_t)(words[w] != plb_spread_last(before)) << w;
        before = words[w];
    }
    return changed;
}

/* Returns the highest bit of each changed byte of a word. */
static uint64_t find_changed_bytes(uint64_t word, uint64_t before) {
    uint64_t change = word ^ (word << 1 | before >> 63);
    return (((change & ~byte_tops) + ~byte_tops) | change) & byte_tops;
}

/* Write the bit mask of the changed bytes of a word, then these bytes. Returns their end; up to 8
 * more bytes are overwritten. */
typedef uint8_t *pack_word(uint64_t word, uint64_t before, uint8_t *to);

static uint8_t *pack_byte_by_byte(uint64_t word, uint64_t before, uint8_t *to) {
    uint64_t tops = find_changed_bytes(word, before);
    *to++ = (uint8_t)((tops >> 7) * 0x0102040810204080 >> 56);
    for (int byte = 0; byte < 8; byte++) {
        *to = (uint8_t)(word >> 8 * byte);
        to += tops >> (8 * byte + 7) & 1;
    }
    return to;
}

/* Pack a plane as runs. Returns the size, or 0 if it is more than about max_bytes. */
PLB_ALWAYS_INLINE size_t pack_runs(const uint64_t *plane, size_t words, size_t max_bytes,
                                   uint8_t *to, find_changed *find, pack_word *pack) {
    uint64_t some[GROUPS] = {0}, groups[GROUPS / 64] = {0}, before = 0;
    size_t count = plb_divide_up(words, GROUP_WORDS), changed = 0;
    uint8_t *at = to;
    for (size_t g = 0; g < count; g++) {
        const uint64_t *group = plane + g * GROUP_WORDS;
        size_t size = plb_min(words - g * GROUP_WORDS, GROUP_WORDS);
        uint64_t left = some[changed] = find(group, size, before);
        if ((size_t)(at - to) > max_bytes) return 0;
        if (left) groups[g / 64] |= 1ULL << g % 64;
        changed += left != 0;
        for (; left; left &= left - 1) {
            int w = plb_lowest(left);
            at = pack(group[w], w ? group[w - 1] : before, at);
        }
        before = group[size - 1];
    }
    memcpy(at, some, changed * sizeof *some);
    at += changed * sizeof *some;
    size_t bytes = plb_divide_up(count, 64) * sizeof *groups;
    memcpy(at, groups, bytes);
    return at - to + bytes;
}

/* Expand a bit mask of bytes to a mask of their bits. */
static uint64_t find_bytes(uint64_t there) {
    uint64_t spread = (there * 0x0101010101010101) & 0x8040201008040201;
    return ((spread + ~byte_tops) & byte_tops) / 0x80 * 0xff;
}

/* Unpack a word. Returns the end of its bytes. */
typedef const uint8_t *unpack_word(const uint8_t *at, uint64_t before, uint64_t *to);

static const uint8_t *unpack_byte_by_byte(const uint8_t *at, uint64_t before, uint64_t *to) {
    uint64_t there = *at++, word = 0;
    for (int byte = 0; byte < 8; byte++) {
        uint64_t is_there = there >> byte & 1;
        word |= (*at & -is_there) << 8 * byte;
        at += is_there;
    }
    *to = plb_run_on(word, ~find_bytes(there), before);
    return at;
}

/* Unpack a plane; false if it is damaged. */
PLB_ALWAYS_INLINE bool unpack_runs(const uint8_t *from, size_t size, size_t words, uint64_t *plane,
                                   unpack_word *unpack) {
    uint64_t groups[GROUPS / 64] = {0}, before = 0;
    size_t count = plb_divide_up(words, GROUP_WORDS), changed = 0;
    size_t bytes = plb_divide_up(count, 64) * sizeof *groups;
    if (size < bytes) return false;
    memcpy(groups, from + size - bytes, bytes);
    for (size_t i = 0; i < plb_divide_up(count, 64); i++) changed += plb_popcount(groups[i]);
    if (size - bytes < changed * sizeof(uint64_t)) return false;
    const uint8_t *at = from, *end = from + size - bytes - changed * sizeof(uint64_t), *some = end;
    for (size_t g = 0; g < count; g++) {
        uint64_t *group = plane + g * GROUP_WORDS, there = 0;
        size_t group_words = plb_min(words - g * GROUP_WORDS, GROUP_WORDS);
        if (groups[g / 64] >> g % 64 & 1) {
            there = plb_get64(some) & plb_low_bits((int)group_words);
            some += sizeof there;
        }
        uint64_t begin = before, last = 0; /* last: bit w is the highest bit of word w */
        for (uint64_t left = there; left; left &= left - 1) {
            int w = plb_lowest(left);
            if (at >= end) return false;
            at = unpack(at, before, &group[w]);
            before = plb_spread_last(group[w]);
            last |= (before & 1) << w;
        }
        last = plb_run_on(last, ~there, begin);
        for (size_t w = 0; w < group_words; w++) {
            uint64_t is_there = -(there >> w & 1), filled = -(last >> w & 1);
            group[w] = (group[w] & is_there) | (filled & ~is_there);
        }
    }
    return at == end;
}

#ifdef __x86_64__
PLB_AVX2 static uint64_t find_by_fours(const uint64_t *words, size_t count, uint64_t before) {
    uint64_t changed = words[0] != plb_spread_last(before);
    size_t w = 1;
    for (; w + 4 <= count; w += 4) {
        __m256i four = _mm256_loadu_si256((const __m256i *)(words + w));
        __m256i befores = _mm256_loadu_si256((const __m256i *)(words + w - 1));
        __m256i filled = _mm256_cmpgt_epi64(_mm256_setzero_si256(), befores);
        __m256d same = _mm256_castsi256_pd(_mm256_cmpeq_epi64(four, filled));
        changed |= (uint64_t)(~_mm256_movemask_pd(same) & 15) << w;
    }
    if (w < count) changed |= find_one_by_one(words + w, count - w, words[w - 1]) << w;
    return changed;
}

PLB_AVX2 static uint8_t *pack_with_pext(uint64_t word, uint64_t before, uint8_t *to) {
    uint64_t tops = find_changed_bytes(word, before);
    uint64_t bytes = _pext_u64(word, tops / 0x80 * 0xff);
    *to++ = (uint8_t)_pext_u64(tops, byte_tops);
    memcpy(to, &bytes, sizeof bytes);
    return to + plb_popcount(tops);
}

PLB_AVX2 static const uint8_t *unpack_with_pdep(const uint8_t *at, uint64_t before, uint64_t *to) {
    uint64_t there = *at, bytes = find_bytes(there);
    *to = plb_run_on(_pdep_u64(plb_get64(at + 1), bytes), ~bytes, before);
    return at + 1 + plb_popcount(there);
}
#else
static find_changed *const find_by_fours = find_one_by_one;
static pack_word *const pack_with_pext = pack_byte_by_byte;
static unpack_word *const unpack_with_pdep = unpack_byte_by_byte;
#endif

PLB_AVX2 static size_t pack_runs_avx2(const uint64_t *plane, size_t words, size_t max_bytes,
                                      uint8_t *to) {
    return pack_runs(plane, words, max_bytes, to, find_by_fours, pack_with_pext);
}

PLB_AVX2 static bool unpack_runs_avx2(const uint8_t *from, size_t size, size_t words,
                                      uint64_t *plane) {
    return unpack_runs(from, size, words, plane, unpack_with_pdep);
}

/* ---- packing ---- */

/* Maximum size of a block. (Packing as runs stops one group after 1 / MAX_RUNS of the plane.) */
static size_t bound_block(size_t words) {
    return 1 + (size_t)LZ4_compressBound((int)(words * sizeof(uint64_t))) + GROUP_WORDS + 32;
}

typedef struct packing {
    const plb_scratch_codec *codec;
    chunks_layout chunks_layout;
    const plb_plane_words *from;
    size_t first, last; /* the chunks [first, last) are packed together */
    plb_packed_record *packed;
} packing;

/* Pack words of a plane: outcomes as runs, if these are short; everything else by LZ4. The first
 * byte tells which. Returns the size; 0: out of memory. */
static size_t pack_block(plb_vectors vectors, packing_buffers *buffers, const uint64_t *plane,
                         size_t words, bool is_outcome, uint8_t *to) {
    int bytes = (int)(words * sizeof *plane);
    size_t size = 0, max = bytes / MAX_RUNS, bound = bound_block(words);
    if (is_outcome)
        size = vectors == PLB_ANY_VECTORS
                   ? pack_runs(plane, words, max, to + 1, find_one_by_one, pack_byte_by_byte)
                   : pack_runs_avx2(plane, words, max, to + 1);
    *to = size > 0;
    if (!size)
        size = LZ4_compress_fast_extState(&buffers->state, (const char *)plane, (char *)to + 1,
                                          bytes, (int)bound - 1, ACCELERATION);
    return size ? size + 1 : 0;
}

/* Pack a chunk; outcomes are folded first. */
static int pack_chunk(void *context, size_t number) {
    const packing *p = context;
    const chunks_layout *c = &p->chunks_layout;
    plb_packed_chunk *to = &p->packed->chunks[number];
    size_t chunk = p->first + number, words = words_of_chunk(c, chunk);
    packing_buffers *buffers = &p->codec->buffers[plb_threads_number()];
    const uint64_t *plane[PLB_PLANES];
    if (plb_bytes_reserve(&to->blocks, c->planes * bound_block(words))) return PLB_ENOMEM;
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
        size_t size = pack_block(p->codec->vectors, buffers, plane[i], words,
                                 c->planes == OUTCOME_PLANES, to->blocks.bytes + to->blocks.size);
        if (!size) return PLB_ENOMEM;
        to->ends[i] = to->blocks.size += size;
    }
    return PLB_OK;
}

/* Pack chunks [first, last), append them to the record, and write their ends to its directory. */
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
    plb_vectors vectors;
    chunks_layout chunks_layout;
    const plb_bytes *record;
    const plb_plane_words *to;
} unpacking;

/* Unpack block `number` of the record. */
static bool unpack_block(const unpacking *u, size_t number, uint64_t *to, size_t words) {
    const plb_bytes *record = u->record;
    size_t directory = u->chunks_layout.directory_bytes;
    if (directory > record->size) return false;
    const uint8_t *entry = record->bytes + number * sizeof(uint64_t);
    uint64_t begin = number > 0 ? plb_get64(entry - sizeof begin) : 0, end = plb_get64(entry);
    if (begin >= end || end > record->size - directory || end - begin > bound_block(words))
        return false;
    const uint8_t *block = record->bytes + directory + begin;
    size_t size = end - begin - 1;
    if (*block == 1)
        return u->vectors == PLB_ANY_VECTORS
                   ? unpack_runs(block + 1, size, words, to, unpack_byte_by_byte)
                   : unpack_runs_avx2(block + 1, size, words, to);
    int bytes = (int)(words * sizeof *to);
    return *block == 0 &&
           LZ4_decompress_safe((const char *)block + 1, (char *)to, (int)size, bytes) == bytes;
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
        /* The inverse of fold_planes, in place. */
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
    unpacking u = {codec->vectors, divide_planes(to->count, to->words), record, to};
    return plb_threads_share(codec->threads, u.chunks_layout.chunks, unpack_chunk, &u) == PLB_OK;
}
