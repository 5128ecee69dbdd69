/* SPDX-License-Identifier: MIT
 *
 * Blocks from planes. A position that need not be stored takes the value of the one before it, so
 * that runs grow; each plane is filled for itself.
 */
#include "builder/pack.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

struct plb_block_maker {
    plb_packer *packer;
    const plb_cut *cut;
    uint64_t segment, block, slab; /* block and slab: next of the segment */
    int planes;
    uint64_t words;             /* of one plane of the largest block */
    uint64_t *values;           /* [planes * words] of the block in the making */
    uint64_t *stored, *decided; /* [words] what must be kept, and what of that is no draw */
};

int plb_block_maker_open(int level, uint64_t block_positions, int planes, plb_block_maker **maker) {
    plb_block_maker *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->words = block_positions / 64 + 1;
    made->planes = planes;
    made->values = calloc(planes * made->words, sizeof *made->values);
    made->stored = calloc(made->words, sizeof *made->stored);
    made->decided = calloc(made->words, sizeof *made->decided);
    int error = plb_packer_open(level, &made->packer);
    if (error || !made->values || !made->stored || !made->decided) {
        plb_block_maker_close(made);
        return PLB_ENOMEM;
    }
    *maker = made;
    return PLB_OK;
}

void plb_block_maker_close(plb_block_maker *maker) {
    if (!maker) return;
    plb_packer_close(maker->packer);
    free(maker->values);
    free(maker->stored);
    free(maker->decided);
    free(maker);
}

int plb_block_maker_begin(plb_block_maker *maker, const plb_cut *cut, int ply, uint64_t segment) {
    maker->cut = cut;
    maker->segment = segment;
    maker->block = maker->slab = 0;
    return plb_packer_begin(maker->packer, ply, segment * cut->blocks_per_segment,
                            plb_cut_blocks(cut, segment));
}

int plb_block_maker_end(plb_block_maker *maker, const uint8_t **bytes, size_t *size) {
    return plb_packer_end(maker->packer, bytes, size);
}

/* ---- one block ---- */

/* Give every bit outside `stored` the value of the nearest stored bit before it. Adding the ones
 * to the mask of places where a one may go lets a carry run to the next stored zero. */
static void fill_runs(uint64_t *plane, const uint64_t *stored, uint64_t words) {
    uint64_t before = 0;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t ones = plane[w] & stored[w], zeros = stored[w] & ~ones, may = ~zeros;
        uint64_t starts = ones | (before & may & 1);
        uint64_t reached = may & ~(may + starts);
        /* A start that the carry ran over is cleared and set again by its own addition. */
        plane[w] = reached | starts;
        before = plane[w] >> 63;
    }
}

static bool any_word(const uint64_t *words, uint64_t count) {
    for (uint64_t w = 0; w < count; w++)
        if (words[w]) return true;
    return false;
}

/* Fill the planes of the block and close the gaps between them. The round of a draw may be
 * anything, too. */
static void fill_planes(plb_block_maker *maker, uint64_t words) {
    const uint64_t *x_wins = maker->values + PLB_X_WINS * maker->words;
    const uint64_t *o_wins = maker->values + PLB_O_WINS * maker->words;
    for (uint64_t w = 0; w < words; w++)
        maker->decided[w] = maker->stored[w] & (x_wins[w] | o_wins[w]);
    for (int p = 0; p < maker->planes; p++) {
        uint64_t *plane = maker->values + p * maker->words;
        fill_runs(plane, p < PLB_ROUND ? maker->stored : maker->decided, words);
        memmove(maker->values + p * words, plane, words * sizeof *plane);
    }
}

/* Fill the block in the making, hand it over, and clear it. */
static int finish_block(plb_block_maker *maker) {
    uint64_t positions = plb_cut_positions(maker->cut, maker->segment, maker->block);
    uint64_t words = plb_segment_plane_words(positions);
    bool needed = any_word(maker->stored, words);
    if (needed) fill_planes(maker, words);
    int error = plb_packer_add(maker->packer, needed ? maker->values : NULL, maker->planes * words);
    memset(maker->values, 0, maker->planes * maker->words * sizeof *maker->values);
    memset(maker->stored, 0, maker->words * sizeof *maker->stored);
    maker->block++;
    return error;
}

/* ---- from live blocks to ranks side by side ---- */

/* Copy count bits to a place where there are zeros. */
static void copy_bits(uint64_t *to, uint64_t to_bit, const uint64_t *from, uint64_t from_bit,
                      uint64_t count) {
    while (count > 0) {
        uint64_t step = plb_min(count, 64 - to_bit % 64);
        uint64_t bits = from[from_bit / 64] >> (from_bit % 64);
        if (from_bit % 64 + step > 64) bits |= from[from_bit / 64 + 1] << (64 - from_bit % 64);
        to[to_bit / 64] |= (bits & plb_low_bits((int)step)) << (to_bit % 64);
        to_bit += step;
        from_bit += step;
        count -= step;
    }
}

/* Copy the ranks [first, last) of a slab to offset `to` of the block in the making. *cursor is
 * the first live block that may reach into them. */
static void copy_ranks(plb_block_maker *maker, const plb_slab *slab, const plb_planes *values,
                       const uint64_t *stored, uint64_t first, uint64_t last, uint64_t to,
                       size_t *cursor) {
    for (; *cursor < slab->blocks && slab->rank[*cursor] < last; ++*cursor) {
        uint64_t rank = slab->rank[*cursor];
        uint64_t end = rank + plb_block_bits(slab->low, plb_slab_low_ones(slab, *cursor));
        uint64_t begin = plb_max(rank, first), stop = plb_min(end, last);
        if (begin < stop) {
            uint64_t from = slab->start[*cursor] * 64 + begin - rank, at = to + begin - first;
            for (int p = 0; p < maker->planes; p++)
                copy_bits(maker->values + p * maker->words, at, values->plane[p], from,
                          stop - begin);
            copy_bits(maker->stored, at, stored, from, stop - begin);
        }
        if (end > last) break;
    }
}

int plb_block_maker_add(plb_block_maker *maker, const plb_slab *slab, const plb_planes *values,
                        const uint64_t *stored) {
    const plb_cut *cut = maker->cut;
    size_t cursor = 0;
    int error = PLB_OK;
    if (cut->slabs_per_block) {
        uint64_t at = maker->slab++ % cut->slabs_per_block * cut->slab_size;
        copy_ranks(maker, slab, values, stored, 0, cut->slab_size, at, &cursor);
        uint64_t positions = plb_cut_positions(cut, maker->segment, maker->block);
        return at + cut->slab_size == positions ? finish_block(maker) : PLB_OK;
    }
    for (uint64_t b = 0; b < cut->blocks_per_slab && !error; b++) {
        uint64_t first = b * cut->block_positions;
        uint64_t last = plb_min(first + cut->block_positions, cut->slab_size);
        copy_ranks(maker, slab, values, stored, first, last, 0, &cursor);
        error = finish_block(maker);
    }
    return error;
}
