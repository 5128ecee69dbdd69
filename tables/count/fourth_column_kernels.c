/* SPDX-License-Identifier: MIT
 *
 * The vectors: a block is one of AVX-512.
 */
#include "tables/count/fourth_column_kernels.h"

#include <string.h>

#include "tables/count/simd_lanes.h"

/* Of what blocks lack: for one colour; of one block. */
enum { COLOUR_LACKS = PLB_LACKS * PLB_FOURTH_LANES, LACKS = 2 * COLOUR_LACKS };

/* ---- blocks ---- */

/* The columns of a block that make no group. */
PLB_ALWAYS_INLINE plb_block leave_open(const uint64_t *set, const uint64_t *lacks,
                                       const uint32_t rows[2]) {
    return plb_block_at(set, 0) & plb_block_lacking(lacks, rows[0]) &
           plb_block_lacking(lacks + COLOUR_LACKS, rows[1]);
}

/* ---- open positions, and their last stones ---- */

/* Blocks of columns after which x, or o, was the last to move. tops: of the three columns. */
PLB_ALWAYS_INLINE void count_blocks(const plb_open_run *r, int x, int blocks, int tops,
                                    size_t growing, bool open_only) {
    int begin = x ? r->odd : 0;
    const uint64_t *set = r->set + (size_t)begin * PLB_FOURTH_LANES;
    const uint64_t *lacks = r->lacks + (size_t)begin * LACKS;
    plb_block_sums *sums = r->sums + begin;
    for (int i = 0; i < blocks; i++) {
        plb_block open = leave_open(set + i * PLB_FOURTH_LANES, lacks + i * LACKS, r->rows);
        plb_block_add(sums[i].open, plb_block_popcount(open));
        if (open_only) continue;
        plb_block lasts = plb_block_popcount(open & plb_block_at(set + growing, i));
        for (int c = 0; c < 3; c++)
            if ((tops >> c & 1) == x)
                lasts += plb_block_popcount(open & plb_block_at(r->before[c], i));
        plb_block_add(sums[i].lasts, lasts);
    }
}

/* All runs of a shape. */
PLB_ALWAYS_INLINE void count_open(const plb_fourth_runs *runs, int size, int tops, bool open_only) {
    int even = size / (PLB_FOURTH_BLOCKS + 1), odd = size % (PLB_FOURTH_BLOCKS + 1);
    size_t growing = plb_fourth_at(runs->fourth, 1, 0);
    for (int i = runs->open_first[size * 8 + tops]; i; i = runs->open[i - 1].next) {
        count_blocks(&runs->open[i - 1], 0, even, tops, growing, open_only);
        count_blocks(&runs->open[i - 1], 1, odd, tops, growing, open_only);
    }
}

/* The compiler makes loops of their own for all tops. */
PLB_ALWAYS_INLINE void count_all_open(const plb_fourth_runs *runs) {
    for (int size = 1; size < PLB_FOURTH_SIZES; size++) {
        if (runs->open_only) {
            for (int tops = 0; tops < 8; tops++) count_open(runs, size, tops, true);
            continue;
        }
        count_open(runs, size, 0, false);
        count_open(runs, size, 1, false);
        count_open(runs, size, 2, false);
        count_open(runs, size, 3, false);
        count_open(runs, size, 4, false);
        count_open(runs, size, 5, false);
        count_open(runs, size, 6, false);
        count_open(runs, size, 7, false);
    }
}

/* ---- several stones that complete the same group ---- */

PLB_ALWAYS_INLINE void count_repeats(const plb_repeat_run *r, int blocks) {
    for (int i = 0; i < blocks; i++) {
        const uint64_t *lacks = r->lacks + (size_t)i * LACKS;
        const uint64_t *of_x = lacks + r->x * COLOUR_LACKS;
        plb_block all = leave_open(r->set + i * PLB_FOURTH_LANES, lacks, r->rows);
        plb_block top = (plb_block)(plb_block_at(r->stones, i) == (uint64_t)r->row + 1);
        all &= ~plb_block_lacking(of_x, 1U << r->row) & (top | ((uint64_t)r->is_on_top - 1));
        plb_block any = all & top & plb_block_at(r->growing, i), repeats = plb_block_popcount(any);
        for (int c = 0; c < 3; c++) {
            plb_block one = all & plb_block_at(r->before[c], i);
            any |= one;
            repeats += plb_block_popcount(one);
        }
        plb_block_add(r->sums[i].repeats, repeats - plb_block_popcount(any));
    }
}

PLB_ALWAYS_INLINE void count_all_repeats(const plb_fourth_runs *runs) {
    for (int blocks = 1; blocks <= PLB_FOURTH_BLOCKS; blocks++)
        for (int i = runs->repeat_first[blocks]; i; i = runs->repeats[i - 1].next)
            count_repeats(&runs->repeats[i - 1], blocks);
}

/* ---- all that wait ---- */

PLB_ALWAYS_INLINE void count_all(const plb_fourth_runs *runs) {
    count_all_open(runs);
    count_all_repeats(runs);
}

#ifdef PLB_LANES_AVX2
void plb_fourth_runs_count_avx2(const plb_fourth_runs *runs) {
    count_all(runs);
}
#else
PLB_AVX512 static void count_avx512(const plb_fourth_runs *runs) {
    count_all(runs);
}

static void forget(plb_fourth_runs *runs) {
    runs->open_count = runs->repeat_count = 0;
    memset(runs->open_first, 0, sizeof runs->open_first);
    memset(runs->repeat_first, 0, sizeof runs->repeat_first);
}

void plb_fourth_runs_begin(plb_fourth_runs *runs, const plb_fourth_columns *fourth, bool open_only,
                           plb_vectors vectors) {
    runs->fourth = fourth;
    runs->open_only = open_only;
    runs->vectors = vectors;
    forget(runs);
}

void plb_fourth_runs_flush(plb_fourth_runs *runs) {
    if (runs->vectors == PLB_AVX512_VECTORS) count_avx512(runs);
#ifdef __x86_64__
    else if (runs->vectors == PLB_AVX2_VECTORS)
        plb_fourth_runs_count_avx2(runs);
#endif
    else
        count_all(runs);
    forget(runs);
}
#endif
