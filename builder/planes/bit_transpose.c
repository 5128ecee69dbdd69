/* SPDX-License-Identifier: MIT
 *
 * Transposition of 64 words of 64 bits in six steps, three at a time, so that the compiler keeps
 * rows in registers. Source: H. S. Warren, Hacker's Delight, section 7-3.
 */
#include "builder/planes/bit_transpose.h"

#include <string.h>

#include "tables/bits.h"

static inline void swap_bits(uint64_t *row, uint64_t *later, int distance, uint64_t mask) {
    uint64_t moved = (*row >> distance ^ *later) & mask;
    *row ^= moved << distance;
    *later ^= moved;
}

/* Three of the six steps of a transposition for eight rows that they mix: bits go to rows 4, 2
 * and 1 strides away. */
static inline void transpose_eight(uint64_t rows[], int stride, const uint64_t masks[3]) {
    uint64_t r[8];
    for (int i = 0; i < 8; i++) r[i] = rows[i * stride];
    for (int i = 0; i < 4; i++) swap_bits(&r[i], &r[i + 4], 4 * stride, masks[0]);
    for (int i = 0; i < 2; i++) swap_bits(&r[i], &r[i + 2], 2 * stride, masks[1]);
    for (int i = 4; i < 6; i++) swap_bits(&r[i], &r[i + 2], 2 * stride, masks[1]);
    for (int i = 0; i < 8; i += 2) swap_bits(&r[i], &r[i + 1], stride, masks[2]);
    for (int i = 0; i < 8; i++) rows[i * stride] = r[i];
}

static void transpose(uint64_t rows[64]) {
    static const uint64_t far[3] = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF};
    static const uint64_t near[3] = {0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555};
    for (int i = 0; i < 8; i++) transpose_eight(rows + i, 8, far);
    for (int i = 0; i < 64; i += 8) transpose_eight(rows + i, 1, near);
}

/* A word of `columns` for each bit of a source: the bits of the runs that wait. */
void plb_bit_transpose_flush(plb_bit_transpose *b) {
    uint64_t columns[PLB_TRANSPOSE_SOURCES * PLB_TRANSPOSE_STRIDE], rows[PLB_TRANSPOSE_RUNS];
    if (!b->waiting) return;
    for (int s = 0; s < b->sources; s++)
        for (int first = 0; first < b->source_bits[s]; first += 64) {
            uint64_t *column = columns + s * PLB_TRANSPOSE_STRIDE + first;
            int count = (int)plb_min(b->source_bits[s] - first, 64);
            for (int r = 0; r < b->waiting; r++)
                column[r] =
                    plb_read_bits(b->source[s][r] + first / 64, b->source_shift[s][r], count);
            memset(column + b->waiting, 0, (PLB_TRANSPOSE_RUNS - b->waiting) * sizeof *column);
            transpose(column);
        }
    for (int first = 0; first < b->bits; first += 64) {
        int count = (int)plb_min(b->bits - first, 64);
        for (int i = 0; i < count; i++) rows[i] = columns[b->order[first + i]];
        memset(rows + count, 0, (PLB_TRANSPOSE_RUNS - count) * sizeof *rows);
        transpose(rows);
        for (int r = 0; r < b->waiting; r++)
            plb_write_bits(b->target[r] + first / 64, b->target_shift[r], count, rows[r]);
    }
    b->waiting = 0;
}
