/* SPDX-License-Identifier: MIT
 *
 * Blocks from planes. A position that need not be stored takes the value of the one before it, so
 * that runs grow; each plane is filled for itself.
 */
#include "builder/slabs/pack.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

enum {
    PARTS = 16,       /* of a slab that are made at a time */
    PART_BLOCKS = 64, /* blocks of a part */
};

/* Makes blocks one after the other. */
typedef struct bench {
    plb_segment_writer *writer;
    uint64_t *values;           /* [planes * words] of the block in the making */
    uint64_t *stored, *decided; /* [words] what must be kept, and what of that is no draw */
    bool used;                  /* else values and stored are zero, as in most dead parts */
} bench;

struct plb_block_maker {
    const plb_team *team;
    plb_block_form form;
    uint64_t words; /* of one plane of the largest block */
    const plb_cut *cut;
    int ply;
    uint64_t segment, block, slab; /* block and slab: next of the segment */
    bench own, parts[PARTS];       /* parts are opened when they are needed */
};

static void close_bench(bench *bench) {
    plb_segment_writer_close(bench->writer);
    free(bench->values);
    free(bench->stored);
    free(bench->decided);
    memset(bench, 0, sizeof *bench);
}

static int open_bench(const plb_block_maker *maker, bench *bench) {
    if (bench->writer) return PLB_OK;
    bench->values = calloc(maker->form.planes * maker->words, sizeof *bench->values);
    bench->stored = calloc(maker->words, sizeof *bench->stored);
    bench->decided = calloc(maker->words, sizeof *bench->decided);
    int error = plb_segment_writer_open(maker->form.identity, maker->form.level, &bench->writer);
    if (!error && bench->values && bench->stored && bench->decided) return PLB_OK;
    close_bench(bench);
    return PLB_ENOMEM;
}

int plb_block_maker_open(const plb_team *team, const plb_block_form *form,
                         plb_block_maker **maker) {
    plb_block_maker *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->team = team;
    made->form = *form;
    made->words = form->positions / 64 + 1;
    int error = open_bench(made, &made->own);
    if (error)
        plb_block_maker_close(made);
    else
        *maker = made;
    return error;
}

void plb_block_maker_rest(plb_block_maker *maker) {
    for (int p = 0; p < PARTS; p++) close_bench(&maker->parts[p]);
}

void plb_block_maker_close(plb_block_maker *maker) {
    if (!maker) return;
    plb_block_maker_rest(maker);
    close_bench(&maker->own);
    free(maker);
}

int plb_block_maker_begin(plb_block_maker *maker, const plb_cut *cut, int ply, uint64_t segment) {
    maker->cut = cut;
    maker->ply = ply;
    maker->segment = segment;
    maker->block = maker->slab = 0;
    return plb_segment_writer_begin(maker->own.writer, ply, segment * cut->blocks_per_segment,
                                    plb_cut_blocks(cut, segment));
}

int plb_block_maker_end(plb_block_maker *maker, const uint8_t **bytes, size_t *size) {
    return plb_segment_writer_end(maker->own.writer, bytes, size);
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
static void fill_planes(const plb_block_maker *maker, bench *bench, uint64_t words) {
    const uint64_t *x_wins = bench->values + PLB_X_WINS * maker->words;
    const uint64_t *o_wins = bench->values + PLB_O_WINS * maker->words;
    for (uint64_t w = 0; w < words; w++)
        bench->decided[w] = bench->stored[w] & (x_wins[w] | o_wins[w]);
    for (int p = 0; p < maker->form.planes; p++) {
        uint64_t *plane = bench->values + p * maker->words;
        fill_runs(plane, p < PLB_ROUND ? bench->stored : bench->decided, words);
        memmove(bench->values + p * words, plane, words * sizeof *plane);
    }
}

/* Fill the block in the making, a number of the segment, hand it over, and clear it. */
static int finish_block(const plb_block_maker *maker, bench *bench, uint64_t block) {
    uint64_t positions = plb_cut_positions(maker->cut, maker->segment, block);
    uint64_t words = plb_segment_plane_words(positions);
    bool needed = bench->used && any_word(bench->stored, words);
    if (needed) fill_planes(maker, bench, words);
    int error = plb_segment_writer_add(bench->writer, needed ? bench->values : NULL,
                                       maker->form.planes * words);
    if (!bench->used) return error;
    bench->used = false;
    memset(bench->values, 0, maker->form.planes * maker->words * sizeof *bench->values);
    memset(bench->stored, 0, maker->words * sizeof *bench->stored);
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

/* A slab with its values. */
typedef struct valued_slab {
    const plb_slab *slab;
    const plb_planes *values;
    const uint64_t *stored;
} valued_slab;

static uint64_t end_of_block(const plb_slab *slab, size_t block) {
    return slab->rank[block] + plb_block_bits(slab->low, plb_slab_low_ones(slab, block));
}

/* The first live block that ends behind a rank. */
static size_t find_cursor(const plb_slab *slab, uint64_t rank) {
    size_t first = 0, last = slab->blocks;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (end_of_block(slab, middle) <= rank)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Copy the ranks [first, last) of a slab to offset `to` of the block in the making. *cursor is
 * the first live block that may reach into them. */
static void copy_ranks(const plb_block_maker *maker, bench *bench, const valued_slab *v,
                       uint64_t first, uint64_t last, uint64_t to, size_t *cursor) {
    const plb_slab *slab = v->slab;
    for (; *cursor < slab->blocks && slab->rank[*cursor] < last; ++*cursor) {
        uint64_t rank = slab->rank[*cursor], end = end_of_block(slab, *cursor);
        uint64_t begin = plb_max(rank, first), stop = plb_min(end, last);
        if (begin < stop) {
            uint64_t from = slab->start[*cursor] * 64 + begin - rank, at = to + begin - first;
            bench->used = true;
            for (int p = 0; p < maker->form.planes; p++)
                copy_bits(bench->values + p * maker->words, at, v->values->plane[p], from,
                          stop - begin);
            copy_bits(bench->stored, at, v->stored, from, stop - begin);
        }
        if (end > last) break;
    }
}

/* ---- small slabs: several to a block ---- */

static int add_small_slab(plb_block_maker *maker, const valued_slab *v) {
    const plb_cut *cut = maker->cut;
    size_t cursor = 0;
    uint64_t at = maker->slab++ % cut->slabs_per_block * cut->slab_size;
    if (v->stored) copy_ranks(maker, &maker->own, v, 0, cut->slab_size, at, &cursor);
    if (at + cut->slab_size < plb_cut_positions(cut, maker->segment, maker->block)) return PLB_OK;
    return finish_block(maker, &maker->own, maker->block++);
}

/* ---- big slabs: several blocks each, made in parts ---- */

/* Make blocks [first, last) of the slab that begins with the next block of the segment. */
static int make_part(const plb_block_maker *maker, bench *bench, const valued_slab *v,
                     uint64_t first, uint64_t last) {
    const plb_cut *cut = maker->cut;
    uint64_t number = maker->segment * cut->blocks_per_segment + maker->block + first;
    size_t cursor = find_cursor(v->slab, first * cut->block_positions);
    int error = open_bench(maker, bench);
    if (!error) error = plb_segment_writer_begin(bench->writer, maker->ply, number, last - first);
    for (uint64_t b = first; b < last && !error; b++) {
        uint64_t begin = b * cut->block_positions;
        uint64_t end = plb_min(begin + cut->block_positions, cut->slab_size);
        copy_ranks(maker, bench, v, begin, end, 0, &cursor);
        error = finish_block(maker, bench, maker->block + b);
    }
    return error;
}

/* Make up to PARTS parts from a block on, and join them. */
static int add_parts(plb_block_maker *maker, const valued_slab *v, uint64_t from) {
    uint64_t blocks = maker->cut->blocks_per_slab;
    uint64_t parts = plb_min(PARTS, plb_divide_up(blocks - from, PART_BLOCKS));
    int error = PLB_OK;
#pragma omp taskloop num_tasks(plb_team_tasks(maker->team, parts)) if (parts > 1) shared(error)
    for (uint64_t p = 0; p < parts; p++) {
        uint64_t first = from + p * PART_BLOCKS;
        if (make_part(maker, &maker->parts[p], v, first, plb_min(first + PART_BLOCKS, blocks))) {
#pragma omp atomic write
            error = PLB_ENOMEM;
        }
    }
    for (uint64_t p = 0; p < parts && !error; p++)
        error = plb_segment_writer_join(maker->own.writer, maker->parts[p].writer);
    return error;
}

int plb_block_maker_add(plb_block_maker *maker, const plb_slab *slab, const plb_planes *values,
                        const uint64_t *stored) {
    const plb_cut *cut = maker->cut;
    valued_slab v = {slab, values, stored};
    if (cut->slabs_per_block) return add_small_slab(maker, &v);
    int error = PLB_OK;
    for (uint64_t b = 0; b < cut->blocks_per_slab && !stored && !error; b++)
        error = plb_segment_writer_add(maker->own.writer, NULL, 0);
    for (uint64_t b = 0; b < cut->blocks_per_slab && stored && !error; b += PARTS * PART_BLOCKS)
        error = add_parts(maker, &v, b);
    maker->block += cut->blocks_per_slab;
    return error;
}
