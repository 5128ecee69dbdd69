/* SPDX-License-Identifier: MIT
 *
 * Lists positions one by one, or several at a time: with BMI2 it gathers the bits of planes at the
 * quiet entries and spreads them to eight bytes; with AVX-512 it makes a byte for each entry of a
 * word, and compresses the bytes of the quiet ones.
 */
#include "tables/codec/quiet_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/format/outcome_code.h"
#include "tables/vocabulary.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* ---- cursor ---- */

static void begin_slab(plb_quiet_cursor *c, uint64_t slab, uint64_t rank) {
    c->slab = slab;
    c->first = rank;
    c->last = plb_min(c->block->layout->slab_size, rank + c->entries - c->begin);
    c->word = c->words = 0;
    /* A batch at the end of a block may continue in the next block. */
    bool continues = c->entries == c->all && !c->quiet;
    plb_colour_cursor_begin(c->colours, plb_index_slab_cells(c->index, c->block->ply, slab), rank,
                            continues ? c->block->layout->slab_size : c->last, c->quiet, c->begin);
}

plb_quiet_cursor plb_quiet_cursor_begin(const plb_index *index, plb_colour_cursor *colours,
                                        const plb_ply_block *block, uint64_t until,
                                        const uint64_t *quiet) {
    plb_block_address begin = {block->ply, block->number, 0};
    plb_entry first = plb_block_layout_entry(block->layout, begin);
    plb_quiet_cursor c = {.index = index, .block = block, .colours = colours, .quiet = quiet};
    c.all = plb_block_layout_block_entries(block->layout, block->number);
    c.entries = plb_min(until, c.all);
    begin_slab(&c, first.slab, first.rank);
    return c;
}

/* Go on to the next batch that may have a quiet position. */
static bool find_batch(plb_quiet_cursor *c) {
    for (;;) {
        bool is_at_end = c->batch && c->batch->rank + c->batch->entries >= c->last;
        if (is_at_end) {
            c->begin += c->last - c->first;
            c->batch = NULL;
            if (c->begin == c->entries) return false;
            begin_slab(c, c->slab + 1, 0);
        }
        c->batch = plb_colour_cursor_next(c->colours);
        if (!c->batch->is_decided) return true;
    }
}

/* The next word with a quiet position, without those of other blocks. */
bool plb_quiet_cursor_next(plb_quiet_cursor *c, plb_quiet_word *found) {
    uint64_t rank, quiet, skipped;
    do {
        if (++c->word >= c->words) {
            if (!find_batch(c)) return false;
            c->words = (c->batch->entries + 63) / 64;
            c->word = 0;
        }
        rank = c->batch->rank + 64ULL * (unsigned)c->word;
        quiet = c->batch->quiet[c->word];
        if (rank + 64 > c->last) quiet &= rank < c->last ? plb_low_bits((int)(c->last - rank)) : 0;
        skipped = rank < c->first ? c->first - rank : 0;
        quiet = skipped < 64 ? quiet >> skipped : 0;
    } while (!quiet);
    found->quiet = quiet;
    for (int f = 0; f < PLB_FEATURES; f++)
        found->features[f] = c->batch->features[f][c->word] >> skipped;
    found->offset = c->begin + rank + skipped - c->first;
    found->low_stones = c->batch->low_stones + 64 * c->word + skipped;
    return true;
}

/* ---- list ---- */

enum {
    VECTOR = 64, /* bytes that a store writes, also those after the last entry */
    DRAWS = 2,   /* codes before the first one */
};

int plb_quiet_list_open(uint64_t entries, plb_quiet_list *list) {
    uint64_t room = entries + VECTOR;
    *list = (plb_quiet_list){.features = calloc(plb_size(3 * room + DRAWS), 1)};
    if (!list->features) return PLB_ENOMEM;
    list->low_stones = list->features + room;
    list->codes = list->low_stones + room + DRAWS;
    return PLB_OK;
}

void plb_quiet_list_free(plb_quiet_list *list) {
    free(list->features);
    *list = (plb_quiet_list){.count = 0};
}

/* The codes of the entries of a word. */
typedef struct word_codes {
    uint64_t stored, planes[PLB_PLANES];
} word_codes;

PLB_ALWAYS_INLINE word_codes find_codes(const plb_block_codes *codes, int planes,
                                        const plb_quiet_word *w) {
    word_codes known;
    int bits = plb_bit_length(w->quiet);
    assert(planes > PLB_O_WINS);
    for (int p = 0; p < planes; p++)
        known.planes[p] = plb_read_bits(codes->planes + p * codes->stride, w->offset, bits);
    known.stored = codes->marks_quiet ? ~(known.planes[PLB_X_WINS] & known.planes[PLB_O_WINS])
                                      : plb_read_bits(codes->stored, w->offset, bits);
    return known;
}

/* The bits of `count` planes at one entry, as a number. */
PLB_ALWAYS_INLINE uint8_t number_at(const uint64_t *planes, int count, int bit) {
    unsigned number = 0;
    for (int p = 0; p < count; p++) number |= (unsigned)(planes[p] >> bit & 1) << p;
    return (uint8_t)number;
}

PLB_ALWAYS_INLINE void put_each(const plb_quiet_word *w, const word_codes *known, int planes,
                                plb_quiet_list *list) {
    for (uint64_t left = w->quiet; left; left &= left - 1, list->count++) {
        int bit = plb_lowest(left);
        bool is_stored = known->stored >> bit & 1;
        list->features[list->count] = number_at(w->features, PLB_FEATURES, bit);
        list->low_stones[list->count] = w->low_stones[bit];
        list->codes[list->count] =
            (uint8_t)(number_at(known->planes, planes, bit) | (is_stored ? 0 : PLB_NOT_STORED));
    }
}

#ifdef __x86_64__
static const uint64_t each_byte = 0x0101010101010101;

/* For each entry of a mask the bits of `count` planes, and of `last` as bit 7: 8 at a time. */
PLB_AVX2 static inline void gather_numbers(const uint64_t *planes, int count, uint64_t last,
                                           uint64_t mask, uint8_t *to) {
    uint64_t gathered[PLB_PLANES], last_gathered = _pext_u64(last, mask);
    for (int p = 0; p < count; p++) gathered[p] = _pext_u64(planes[p], mask);
    for (int i = 0, entries = plb_popcount(mask); i < entries; i += 8) {
        uint64_t numbers = _pdep_u64(last_gathered >> i, each_byte) << 7;
        for (int p = 0; p < count; p++) numbers |= _pdep_u64(gathered[p] >> i, each_byte) << p;
        memcpy(to + i, &numbers, sizeof numbers);
    }
}

PLB_AVX2 static inline void put_gathered(const plb_quiet_word *w, const word_codes *known,
                                         int planes, plb_quiet_list *list) {
    uint8_t *low_stones = list->low_stones + list->count;
    gather_numbers(w->features, PLB_FEATURES, 0, w->quiet, list->features + list->count);
    gather_numbers(known->planes, planes, ~known->stored, w->quiet, list->codes + list->count);
    for (int first = 0; first < 64; first += 8) {
        uint64_t bytes, which = w->quiet >> first & 0xff;
        memcpy(&bytes, w->low_stones + first, sizeof bytes);
        bytes = _pext_u64(bytes, _pdep_u64(which, each_byte) * 0xff);
        memcpy(low_stones, &bytes, sizeof bytes);
        low_stones += plb_popcount(which);
    }
    list->count += (size_t)plb_popcount(w->quiet);
}

/* The same for 64 entries. */
PLB_AVX512 static inline __m512i numbers_of(const uint64_t *planes, int count) {
    __m512i numbers = _mm512_setzero_si512();
    for (int p = 0; p < count; p++)
        numbers =
            _mm512_mask_add_epi8(numbers, planes[p], numbers, _mm512_set1_epi8((char)(1 << p)));
    return numbers;
}

PLB_AVX512 static inline void put_bytes(uint8_t *to, uint64_t which, __m512i bytes) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(which, bytes));
}

PLB_AVX512 static inline void put_all(const plb_quiet_word *w, const word_codes *known, int planes,
                                      plb_quiet_list *list) {
    size_t at = list->count;
    __m512i not_stored = _mm512_maskz_set1_epi8(~known->stored, (char)PLB_NOT_STORED);
    put_bytes(list->features + at, w->quiet, numbers_of(w->features, PLB_FEATURES));
    put_bytes(list->low_stones + at, w->quiet, _mm512_loadu_si512(w->low_stones));
    put_bytes(list->codes + at, w->quiet,
              _mm512_or_si512(numbers_of(known->planes, planes), not_stored));
    list->count += (size_t)plb_popcount(w->quiet);
}
#else
#define put_all put_each
#define put_gathered put_each
#endif

typedef void put_word(const plb_quiet_word *w, const word_codes *known, int planes,
                      plb_quiet_list *list);

PLB_ALWAYS_INLINE void list_all(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                                put_word *put, plb_quiet_list *list) {
    plb_quiet_word w;
    while (plb_quiet_cursor_next(cursor, &w)) {
        word_codes known = find_codes(codes, planes, &w);
        put(&w, &known, planes, list);
    }
}

/* A separate loop for codes without rounds, in which `planes` is a constant. */
PLB_ALWAYS_INLINE void list_by(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                               put_word *put, plb_quiet_list *list) {
    if (planes == PLB_ROUND)
        list_all(cursor, codes, PLB_ROUND, put, list);
    else
        list_all(cursor, codes, planes, put, list);
}

PLB_AVX512 static void list_avx512(plb_quiet_cursor *cursor, const plb_block_codes *codes,
                                   int planes, plb_quiet_list *list) {
    list_by(cursor, codes, planes, put_all, list);
}

PLB_AVX2 static void list_avx2(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                               plb_quiet_list *list) {
    list_by(cursor, codes, planes, put_gathered, list);
}

void plb_quiet_list_make(plb_quiet_cursor *cursor, const plb_block_codes *codes, int planes,
                         plb_vectors vectors, plb_quiet_list *list) {
    list->count = 0;
    if (vectors == PLB_AVX512_VECTORS)
        list_avx512(cursor, codes, planes, list);
    else if (vectors == PLB_AVX2_VECTORS)
        list_avx2(cursor, codes, planes, list);
    else
        list_by(cursor, codes, planes, put_each, list);
}
