/* SPDX-License-Identifier: MIT
 *
 * Positions one by one, or with AVX-512 up to 64 at a time: a byte for each entry of a word, of
 * which those of the quiet ones are moved together.
 */
#include "tables/codec/quiet_list.h"

#include <stdlib.h>

#include "tables/bits.h"
#include "tables/format/outcome_code.h"
#include "tables/vocabulary.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    VECTOR = 64, /* bytes that may be written at once, wanted or not */
    DRAWS = 2,   /* before the first code */
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

/* What is known of the entries of a word. */
typedef struct word_codes {
    uint64_t stored, planes[PLB_PLANES];
} word_codes;

PLB_ALWAYS_INLINE word_codes find_codes(const plb_block_codes *codes, int planes,
                                        const plb_quiet_word *w) {
    word_codes known;
    int bits = plb_bit_length(w->quiet);
    known.stored = plb_read_bits(codes->stored, w->offset, bits);
    for (int p = 0; p < planes; p++)
        known.planes[p] = plb_read_bits(codes->planes + p * codes->stride, w->offset, bits);
    return known;
}

/* The bits of some planes as a number. */
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
/* 64 such numbers. */
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

/* The compiler makes a loop of its own for codes without rounds. */
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
    list_by(cursor, codes, planes, put_each, list);
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
