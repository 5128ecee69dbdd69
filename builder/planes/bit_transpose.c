/* SPDX-License-Identifier: MIT
 *
 * Transposition of a 64x64 bit matrix in six steps, after H. S. Warren, Hacker's Delight, section
 * 7-3. The four rows at a distance of 16 are the lanes of a vector: two of the steps permute parts
 * of a vector, four exchange bits of two vectors.
 */
#include "builder/planes/bit_transpose.h"

#include <string.h>

#include "tables/bits.h"
#include "tables/cpu_dispatch.h"

enum { VECTORS = 16 };

typedef uint64_t vector __attribute__((vector_size(32), may_alias));
typedef uint32_t vector_32 __attribute__((vector_size(32)));
typedef uint16_t vector_16 __attribute__((vector_size(32)));

/* One of the four steps that exchange bits, of rows at a distance. */
PLB_ALWAYS_INLINE void swap_bits(vector rows[VECTORS], int distance, uint64_t mask) {
    for (int i = 0; i < VECTORS; i++) {
        if (i & distance) continue;
        vector moved = (rows[i] >> distance ^ rows[i + distance]) & mask;
        rows[i] ^= moved << distance;
        rows[i + distance] ^= moved;
    }
}

/* Transpose a matrix whose rows are at their places (plb_transpose_place), also afterwards. */
PLB_ALWAYS_INLINE void transpose(uint64_t words[PLB_TRANSPOSE_RUNS]) {
    vector rows[VECTORS];
    memcpy(rows, words, sizeof rows);
    for (int i = 0; i < VECTORS; i++) {
        vector_32 r = (vector_32)rows[i];
        vector_16 halves = (vector_16)__builtin_shufflevector(r, r, 0, 4, 2, 6, 1, 5, 3, 7);
        rows[i] = (vector)__builtin_shufflevector(halves, halves, 0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10,
                                                  14, 9, 13, 11, 15);
    }
    swap_bits(rows, 8, 0x00FF00FF00FF00FF);
    swap_bits(rows, 4, 0x0F0F0F0F0F0F0F0F);
    swap_bits(rows, 2, 0x3333333333333333);
    swap_bits(rows, 1, 0x5555555555555555);
    memcpy(words, rows, sizeof rows);
}

/* Permute the queued runs. A word of `columns` has the same source bit of all runs. */
PLB_ALWAYS_INLINE void permute(const plb_bit_transpose *b) {
    uint64_t columns[PLB_TRANSPOSE_SOURCES * PLB_TRANSPOSE_STRIDE], rows[PLB_TRANSPOSE_RUNS];
    for (int s = 0; s < b->sources; s++)
        for (int first = 0; first < b->source_bits[s]; first += 64) {
            uint64_t *column = columns + s * PLB_TRANSPOSE_STRIDE + first;
            int count = (int)plb_min(b->source_bits[s] - first, 64);
            memset(column, 0, PLB_TRANSPOSE_RUNS * sizeof *column);
            for (int r = 0; r < b->queued; r++)
                column[plb_transpose_place(r)] =
                    plb_read_bits(b->source[s][r] + first / 64, b->source_shift[s][r], count);
            transpose(column);
        }
    for (int first = 0; first < b->bits; first += 64) {
        int count = (int)plb_min(b->bits - first, 64);
        memset(rows, 0, sizeof rows);
        /* cppcheck-suppress uninitvar; the sources have set all that is read */
        for (int i = 0; i < count; i++) rows[plb_transpose_place(i)] = columns[b->order[first + i]];
        transpose(rows);
        for (int r = 0; r < b->queued; r++)
            plb_write_bits(b->target[r] + first / 64, b->target_shift[r], count,
                           rows[plb_transpose_place(r)]);
    }
}

PLB_AVX2 static void permute_avx2(const plb_bit_transpose *b) {
    permute(b);
}

void plb_bit_transpose_flush(plb_bit_transpose *b) {
    if (!b->queued) return;
    (plb_has_avx2() ? permute_avx2 : permute)(b);
    b->queued = 0;
}
