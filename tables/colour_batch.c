/* SPDX-License-Identifier: MIT
 *
 * Batches. The low words with j ones are the same in all batches, so that a plane of each low stone
 * is made once for each j; a group that the high stones do not decide is the conjunction of the
 * planes of its low stones. Where low stones are missing (fewer than 14 in all) the first words of
 * a plane are those without them, in the same order.
 */
#include "tables/colour_batch.h"

#include <stdlib.h>
#include <string.h>

#include "tables/binomial.h"
#include "tables/rules.h"
#include "tables/wide.h"

enum { LOW = PLB_BATCH_STONES, LOW_MASK = (1 << LOW) - 1, VECTOR = 4 };

static uint16_t low_words[LOW + 1][PLB_BATCH_ENTRIES];
static plb_batch_plane stone_planes[LOW + 1][LOW]; /* where a low stone is x */

__attribute__((constructor)) static void fill_stone_planes(void) {
    int count[LOW + 1] = {0};
    for (int word = 0; word <= LOW_MASK; word++) {
        int ones = plb_popcount(word), at = count[ones]++;
        low_words[ones][at] = (uint16_t)word;
        for (int i = 0; i < LOW; i++)
            if (word >> i & 1) stone_planes[ones][i][at / 64] |= 1ULL << at % 64;
    }
}

/* The stones of a group that are there, as a word. */
typedef struct line {
    uint64_t high;
    unsigned low;
} line;

/* Lines that lack a cell: those of cell c are lines[first[c]] to lines[first[c + 1] - 1]. */
typedef struct cell_lines {
    line *lines;
    int first[PLB_MAX_CELLS + 1];
} cell_lines;

struct plb_batch_walk {
    const plb_game *game;
    int stones, ones;
    bool x_moves;
    uint64_t occupied, playable, empty;
    bool is_kept;   /* the batch is the next one, too */
    line *settling; /* lines that settle a position in either colour, once they are complete */
    int settling_count;
    cell_lines near;
    uint64_t high;
    plb_colour_batch batch;
};

int plb_batch_walk_open(const plb_game *game, plb_batch_walk **walk) {
    plb_batch_walk *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->game = game;
    made->settling = malloc((game->group_count + 1) * sizeof *made->settling);
    made->near.lines = malloc((game->group_count + 1) * sizeof *made->near.lines);
    if (!made->settling || !made->near.lines) {
        plb_batch_walk_close(made);
        return PLB_ENOMEM;
    }
    *walk = made;
    return PLB_OK;
}

void plb_batch_walk_close(plb_batch_walk *walk) {
    if (!walk) return;
    free(walk->settling);
    free(walk->near.lines);
    free(walk);
}

/* ---- the lines of a slab ---- */

static line make_line(uint64_t cells, uint64_t occupied) {
    uint64_t word = 0;
    for (; cells; cells &= cells - 1)
        word |= 1ULL << plb_popcount(occupied & ((cells & -cells) - 1));
    return (line){word >> LOW, (unsigned)(word & LOW_MASK)};
}

/* The one cell that a group lacks, or -1. */
static int missing_cell(uint64_t group, uint64_t occupied) {
    uint64_t missing = group & ~occupied;
    return missing && !(missing & (missing - 1)) ? plb_lowest(missing) : -1;
}

static void sort_near_lines(plb_batch_walk *walk, uint64_t occupied) {
    const plb_game *game = walk->game;
    int next[PLB_MAX_CELLS + 1] = {0};
    for (int g = 0; g < game->group_count; g++) {
        int cell = missing_cell(game->groups[g], occupied);
        if (cell >= 0) next[cell + 1]++;
    }
    for (int c = 0; c < PLB_MAX_CELLS; c++) next[c + 1] += next[c];
    memcpy(walk->near.first, next, sizeof next);
    for (int g = 0; g < game->group_count; g++) {
        int cell = missing_cell(game->groups[g], occupied);
        if (cell >= 0)
            walk->near.lines[next[cell]++] = make_line(game->groups[g] & occupied, occupied);
    }
}

/* Whole groups, and in normal play those that any player completes at once. */
static void find_settling_lines(plb_batch_walk *walk, uint64_t occupied) {
    const plb_game *game = walk->game;
    int count = 0;
    for (int g = 0; g < game->group_count; g++)
        if ((game->groups[g] & ~occupied) == 0)
            walk->settling[count++] = make_line(game->groups[g], occupied);
    for (uint64_t cells = game->misere ? 0 : walk->playable; cells; cells &= cells - 1) {
        int cell = plb_lowest(cells);
        for (int l = walk->near.first[cell]; l < walk->near.first[cell + 1]; l++)
            walk->settling[count++] = walk->near.lines[l];
    }
    walk->settling_count = count;
}

static int low_ones(const plb_batch_walk *walk) {
    return walk->ones - plb_popcount(walk->high);
}

static void begin_slab(plb_batch_walk *walk, uint64_t occupied) {
    walk->occupied = occupied;
    walk->stones = plb_popcount(occupied);
    walk->ones = plb_ply_ones(walk->stones);
    walk->x_moves = plb_ply_x_moves(walk->stones);
    walk->playable = plb_game_playable(walk->game, occupied);
    walk->empty = walk->game->board & ~occupied;
    sort_near_lines(walk, occupied);
    find_settling_lines(walk, occupied);
}

/* Blocks come one after the other, and a batch may belong to two. */
void plb_batch_walk_begin(plb_batch_walk *walk, uint64_t occupied, uint64_t rank) {
    plb_colour_batch *batch = &walk->batch;
    bool is_same_slab = batch->entries && walk->occupied == occupied;
    walk->is_kept = is_same_slab && rank - batch->rank < (uint64_t)batch->entries;
    if (walk->is_kept) return;
    if (!is_same_slab) begin_slab(walk, occupied);
    uint64_t word = plb_binomial_unrank(walk->stones, walk->ones, rank);
    walk->high = word >> LOW;
    batch->rank = rank - plb_binomial_rank(word & LOW_MASK);
    batch->entries = 0;
}

/* ---- planes of a batch ---- */

/* A batch in the making: its high stones, and the planes of the low ones. */
typedef struct part {
    uint64_t high;
    plb_batch_plane *stones;
    int words;
} part;

PLB_ALWAYS_INLINE bool can_be(const line *l, uint64_t high, bool x) {
    return (l->high & (x ? ~high : high)) == 0;
}

/* plane |= where all low stones of a line are x, or all are o. Most lines have one to three. */
PLB_ALWAYS_INLINE void add_low_stones(const part *p, unsigned low, bool x, uint64_t *plane) {
    uint64_t flip = x ? 0 : ~0ULL;
    const uint64_t *stones[PLB_BATCH_STONES], *a, *b, *c;
    int count = 0;
    for (; low; low &= low - 1) stones[count++] = p->stones[plb_lowest(low)];
    if (count == 0) {
        memset(plane, 0xff, p->words * sizeof *plane);
        return;
    }
    a = stones[0];
    b = stones[count > 1];
    c = stones[count > 2 ? 2 : 0];
    if (count <= 3) {
#pragma omp simd
        for (int w = 0; w < p->words; w++)
            plane[w] |= (a[w] ^ flip) & (b[w] ^ flip) & (c[w] ^ flip);
        return;
    }
    plb_batch_plane all;
    memset(all, 0xff, p->words * sizeof *all);
    for (int i = 0; i < count; i++) {
#pragma omp simd
        for (int w = 0; w < p->words; w++) all[w] &= stones[i][w] ^ flip;
    }
#pragma omp simd
    for (int w = 0; w < p->words; w++) plane[w] |= all[w];
}

PLB_ALWAYS_INLINE void add_line(const part *p, const line *l, bool x, uint64_t *plane) {
    if (can_be(l, p->high, x)) add_low_stones(p, l->low, x, plane);
}

/* plane = where a player completes a group on a cell. */
PLB_ALWAYS_INLINE void find_threats(const plb_batch_walk *walk, const part *p, int cell, bool x,
                                    uint64_t *plane) {
    memset(plane, 0, p->words * sizeof *plane);
    for (int l = walk->near.first[cell]; l < walk->near.first[cell + 1]; l++)
        add_line(p, &walk->near.lines[l], x, plane);
}

/* The cell on which a group is completed if a move to `cell` is to lose at once, or -1, and by
 * whom. */
static int losing_cell(const plb_batch_walk *walk, int cell, bool *by_x) {
    const plb_game *game = walk->game;
    *by_x = walk->x_moves == game->misere;
    if (game->misere) return cell;
    bool has_above = game->gravity && walk->empty >> cell >> 1 & ~(game->bottom >> cell >> 1) & 1;
    return has_above ? cell + 1 : -1;
}

/* Do the high stones alone settle all of it? */
static bool is_settled(const plb_batch_walk *walk) {
    for (int l = 0; l < walk->settling_count; l++) {
        const line *line = &walk->settling[l];
        if (!line->low && (can_be(line, walk->high, true) || can_be(line, walk->high, false)))
            return true;
    }
    return false;
}

PLB_ALWAYS_INLINE void find_quiet(const plb_batch_walk *walk, const part *p, uint64_t *quiet) {
    plb_batch_plane settled = {0}, some = {0}, loses;
    memset(quiet, 0, p->words * sizeof *quiet);
    for (int l = 0; l < walk->settling_count; l++) {
        add_line(p, &walk->settling[l], true, settled);
        add_line(p, &walk->settling[l], false, settled);
    }
    for (uint64_t cells = walk->playable; cells; cells &= cells - 1) {
        bool by_x;
        int cell = losing_cell(walk, plb_lowest(cells), &by_x);
        memset(loses, 0, p->words * sizeof *loses);
        if (cell >= 0) find_threats(walk, p, cell, by_x, loses);
        for (int w = 0; w < p->words; w++) {
            quiet[w] |= some[w] & ~loses[w];
            some[w] |= ~loses[w];
        }
    }
    for (int w = 0; w < p->words; w++) quiet[w] &= ~settled[w];
}

/* Features of one column, from a cell up. */
PLB_ALWAYS_INLINE void add_column(const plb_batch_walk *walk, const part *p, int cell, int end,
                                  plb_batch_plane *features) {
    plb_batch_plane open, x, o; /* open: no threat below */
    int height = walk->game->height;
    memset(open, 0xff, p->words * sizeof *open);
    for (; cell < end; cell++) {
        if (walk->near.first[cell] == walk->near.first[cell + 1]) continue;
        int odd = cell % height & 1;
        find_threats(walk, p, cell, true, x);
        find_threats(walk, p, cell, false, o);
        for (int w = 0; w < p->words; w++) {
            features[odd][w] |= o[w] & open[w];
            features[2 + odd][w] |= x[w] & open[w];
            open[w] &= ~(x[w] | o[w]);
        }
    }
}

PLB_ALWAYS_INLINE void find_features(const plb_batch_walk *walk, const part *p,
                                     plb_batch_plane *features) {
    const plb_game *game = walk->game;
    for (int f = 0; f < PLB_FEATURES; f++) memset(features[f], 0, p->words * sizeof *features[f]);
    for (uint64_t bottom = game->bottom; bottom; bottom &= bottom - 1) {
        int first = plb_lowest(bottom), end = first + game->height;
        uint64_t empty = walk->empty >> first & plb_low_bits(game->height);
        if (empty) add_column(walk, p, first + plb_lowest(empty), end, features);
    }
}

/* Words of a plane that are worked on: whole vectors. */
static int vector_words(int entries) {
    return (entries + 64 * VECTOR - 1) / (64 * VECTOR) * VECTOR;
}

PLB_ALWAYS_INLINE void find_planes(plb_batch_walk *walk) {
    plb_colour_batch *batch = &walk->batch;
    part p = {walk->high, stone_planes[low_ones(walk)], vector_words(batch->entries)};
    find_quiet(walk, &p, batch->quiet);
    uint64_t any = 0;
    for (int w = 0; w < p.words; w++) {
        int left = batch->entries - 64 * w;
        batch->quiet[w] &= left > 0 ? plb_low_bits(left) : 0;
        any |= batch->quiet[w];
    }
    batch->is_settled = !any;
    if (any) find_features(walk, &p, batch->features);
}

PLB_AVX2 static void find_planes_avx2(plb_batch_walk *walk) {
    find_planes(walk);
}

const plb_colour_batch *plb_batch_walk_next(plb_batch_walk *walk) {
    plb_colour_batch *batch = &walk->batch;
    if (walk->is_kept) {
        walk->is_kept = false;
        return batch;
    }
    int most = walk->stones < LOW ? walk->stones : LOW;
    if (batch->entries) {
        do walk->high++;
        while (low_ones(walk) < 0 || low_ones(walk) > most);
    }
    batch->rank += batch->entries;
    batch->entries = (int)plb_binomial[most][low_ones(walk)];
    batch->low_words = low_words[low_ones(walk)];
    batch->is_settled = is_settled(walk);
    if (batch->is_settled) return batch;
    if (plb_has_avx2())
        find_planes_avx2(walk);
    else
        find_planes(walk);
    return batch;
}
