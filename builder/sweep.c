/* SPDX-License-Identifier: MIT
 *
 * The two passes. The unit of work is a segment: whole slabs, from planes to packed bytes, so
 * that nothing depends on how many threads there are.
 */
#include "builder/sweep.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "builder/frontier.h"
#include "builder/pack.h"
#include "builder/quiet.h"
#include "tables/bits.h"
#include "tables/settle.h"

/* What a thread needs for itself. */
typedef struct worker {
    plb_courier *courier;
    plb_block_maker *maker;
    plb_slab slab, fringe; /* the slab in work and its fringe */
    plb_words values[PLB_PLANES], lines, reach, fringe_reach;
    plb_quiet quiet;
    uint64_t open, terminal, won, lost; /* counted since the ply began; won and lost: of open ones,
                                           by the first player */
    plb_message message;
} worker;

struct plb_sweep {
    const plb_index *index;
    plb_scale scale;
    plb_sweep_options options;
    worker *workers; /* [options.threads] */
};

/* A ply in work, shared by the threads. */
typedef struct pass {
    plb_sweep *sweep;
    int ply;
    plb_cut cut;
    const plb_spool *neighbour, *reach;
    plb_spool *to_reach, *to_frontier, *to_table;
    int error; /* the first one; guarded by a critical section */
    plb_message *message;
} pass;

int plb_sweep_open(const plb_index *index, const plb_sweep_options *options, plb_sweep **sweep) {
    plb_sweep *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->scale = plb_scale_make(index->game, options->values);
    made->options = *options;
    made->workers = calloc(options->threads, sizeof *made->workers);
    int error = made->workers ? PLB_OK : PLB_ENOMEM;
    for (int t = 0; t < options->threads && !error; t++) {
        error = plb_courier_open(index, options->kept_bytes / options->threads,
                                 &made->workers[t].courier);
        if (!error)
            error = plb_block_maker_open(options->level, options->block_positions,
                                         made->scale.planes, &made->workers[t].maker);
    }
    if (error)
        plb_sweep_close(made);
    else
        *sweep = made;
    return error;
}

static void free_worker(worker *w) {
    plb_courier_close(w->courier);
    plb_block_maker_close(w->maker);
    plb_slab_free(&w->slab);
    plb_slab_free(&w->fringe);
    plb_quiet_free(&w->quiet);
    plb_words_free(&w->lines);
    plb_words_free(&w->reach);
    plb_words_free(&w->fringe_reach);
    for (int p = 0; p < PLB_PLANES; p++) plb_words_free(&w->values[p]);
}

void plb_sweep_close(plb_sweep *sweep) {
    if (!sweep) return;
    for (int t = 0; sweep->workers && t < sweep->options.threads; t++)
        free_worker(&sweep->workers[t]);
    free(sweep->workers);
    free(sweep);
}

/* ---- running a pass ---- */

typedef int segment_work(pass *p, worker *w, uint64_t segment);

static bool should_stop(const pass *p) {
    int error;
#pragma omp atomic read
    error = p->error;
    return error || (p->sweep->options.stop && *p->sweep->options.stop);
}

static void finish_segment(pass *p, const worker *w, uint64_t segment, int error) {
    const plb_sweep_options *options = &p->sweep->options;
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
#pragma omp critical(plb_sweep)
    {
        if (error && !p->error) {
            if (p->message) *p->message = w->message;
#pragma omp atomic write
            p->error = error;
        }
        if (!error && options->advance)
            options->advance(options->context, (last - first) * p->cut.slab_size);
    }
}

static int run_pass(pass *p, segment_work *work) {
    plb_sweep *sweep = p->sweep;
    for (int t = 0; t < sweep->options.threads; t++) {
        worker *w = &sweep->workers[t];
        w->open = w->terminal = w->won = w->lost = 0;
        plb_courier_forget(w->courier);
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(sweep->options.threads)
    for (uint64_t segment = 0; segment < p->cut.segments; segment++) {
        worker *w = &sweep->workers[omp_get_thread_num()];
        if (!should_stop(p)) finish_segment(p, w, segment, work(p, w, segment));
    }
    if (p->error) return p->error;
    if (should_stop(p)) return plb_fail(p->message, PLB_EINTERRUPTED, "interrupted");
    return PLB_OK;
}

static int fail_memory(worker *w) {
    return plb_fail(&w->message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

static uint64_t count_ones(const uint64_t *plane, size_t words) {
    uint64_t ones = 0;
    for (size_t w = 0; w < words; w++) ones += plb_popcount(plane[w]);
    return ones;
}

static uint64_t count_common(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t ones = 0;
    for (size_t w = 0; w < words; w++) ones += plb_popcount(a[w] & b[w]);
    return ones;
}

/* Set every position of a plane. */
static void fill_plane(const plb_slab *slab, uint64_t *plane) {
    for (size_t block = 0; block < slab->blocks; block++) {
        uint64_t bits = plb_block_bits(slab->low, plb_slab_low_ones(slab, block));
        for (uint64_t w = slab->start[block]; w < slab->start[block + 1]; w++) {
            plane[w] = plb_low_bits((int)plb_min(bits, 64));
            bits -= plb_min(bits, 64);
        }
    }
}

/* ---- forward ---- */

/* Shape the slab and its fringe and clear their planes of reachable positions. */
static int begin_reach(const pass *p, worker *w, uint64_t occupied) {
    const plb_game *game = p->sweep->index->game;
    if (plb_slab_shape(game, occupied, PLB_LIVE, &w->slab) ||
        plb_slab_shape(game, occupied, PLB_FRINGE, &w->fringe) ||
        plb_words_reserve(&w->reach, w->slab.words) ||
        plb_words_reserve(&w->lines, w->slab.words) ||
        plb_words_reserve(&w->fringe_reach, w->fringe.words))
        return fail_memory(w);
    memset(w->reach.words, 0, w->slab.words * sizeof(uint64_t));
    memset(w->fringe_reach.words, 0, w->fringe.words * sizeof(uint64_t));
    return PLB_OK;
}

/* Reach by all last moves: each removable stone of the last mover's colour. */
static int push_parents(const pass *p, worker *w) {
    const plb_sweep *sweep = p->sweep;
    uint64_t occupied = w->slab.occupied;
    unsigned last = p->ply % 2;
    uint64_t stones = plb_game_removable(sweep->index->game, occupied);
    for (; stones; stones &= stones - 1) {
        const plb_slab *parent;
        uint64_t *open;
        int stone = plb_slab_stone(occupied, plb_lowest(stones));
        int error = plb_courier_fetch(w->courier, p->neighbour, occupied ^ (stones & -stones), 1, 0,
                                      &parent, &open, &w->message);
        if (error) return error;
        sweep->options.kernels->push(parent, &w->slab, stone, last, open, w->reach.words);
        sweep->options.kernels->push(parent, &w->fringe, stone, last, open, w->fringe_reach.words);
    }
    return PLB_OK;
}

/* Without gravity any order of moves will do. A position is reachable when nobody has a group, or
 * when only the last mover has and some stone is part of all his: for each stone, those positions
 * in which no group without it is complete. */
static int reach_freely(const pass *p, worker *w, const plb_slab *slab, uint64_t *reach) {
    const plb_kernels *kernels = p->sweep->options.kernels;
    unsigned last = p->ply % 2;
    uint64_t without[slab->group_count + 1];
    if (plb_words_reserve(&w->lines, slab->words)) return fail_memory(w);
    uint64_t *lines = w->lines.words;
    kernels->lines(slab, slab->groups, slab->group_count, last, lines);
    for (size_t i = 0; i < slab->words; i++) reach[i] = ~lines[i];
    for (int stone = 0; slab->group_count && stone < slab->stones; stone++) {
        int count = 0;
        for (int g = 0; g < slab->group_count; g++)
            if (!(slab->groups[g] >> stone & 1)) without[count++] = slab->groups[g];
        kernels->lines(slab, without, count, last, lines);
        for (size_t i = 0; i < slab->words; i++) reach[i] |= ~lines[i];
    }
    kernels->lines(slab, slab->groups, slab->group_count, !last, lines);
    for (size_t i = 0; i < slab->words; i++) lines[i] = reach[i] & ~lines[i];
    fill_plane(slab, reach);
    for (size_t i = 0; i < slab->words; i++) reach[i] &= lines[i];
    return PLB_OK;
}

static int find_reach(const pass *p, worker *w) {
    if (p->sweep->index->game->gravity && p->ply > 0) return push_parents(p, w);
    int error = reach_freely(p, w, &w->fringe, w->fringe_reach.words);
    return error ? error : reach_freely(p, w, &w->slab, w->reach.words);
}

/* Count what was reached, and leave the open positions in the plane. */
static void count_reach(const pass *p, worker *w) {
    uint64_t *reach = w->reach.words, *lines = w->lines.words;
    size_t words = w->slab.words;
    p->sweep->options.kernels->lines(&w->slab, w->slab.groups, w->slab.group_count, p->ply % 2,
                                     lines);
    uint64_t orbit = plb_symmetry_orbit_size(p->sweep->index->symmetry, w->slab.occupied);
    uint64_t terminal =
        count_common(reach, lines, words) + count_ones(w->fringe_reach.words, w->fringe.words);
    for (size_t i = 0; i < words; i++) reach[i] &= ~lines[i];
    w->terminal += orbit * terminal;
    w->open += orbit * count_ones(reach, words);
}

static int reach_segment(pass *p, worker *w, uint64_t segment) {
    const plb_index *index = p->sweep->index;
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    int error = PLB_OK;
    for (uint64_t slab = first; slab < last && !error; slab++) {
        error = begin_reach(p, w, plb_index_slab_cells(index, p->ply, slab));
        if (error) break;
        error = find_reach(p, w);
        if (error) break;
        count_reach(p, w);
        error = plb_courier_store(w->courier, p->to_reach, slab, 1,
                                  (uint64_t *const[]){w->reach.words}, w->slab.words, &w->message);
    }
    return error;
}

int plb_sweep_forward(plb_sweep *sweep, int ply, const plb_spool *before, plb_spool *reach,
                      plb_reach_counts *counts, plb_message *message) {
    pass p = {.sweep = sweep,
              .ply = ply,
              .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
              .neighbour = before,
              .to_reach = reach,
              .message = message};
    int error = run_pass(&p, reach_segment);
    if (error) return error;
    *counts = (plb_reach_counts){0, 0};
    for (int t = 0; t < sweep->options.threads; t++) {
        counts->open += sweep->workers[t].open;
        counts->terminal += sweep->workers[t].terminal;
    }
    return PLB_OK;
}

/* ---- backward ---- */

static plb_planes planes_of(const worker *w) {
    plb_planes planes;
    for (int p = 0; p < PLB_PLANES; p++) planes.plane[p] = w->values[p].words;
    return planes;
}

/* Shape the slab and give every position the worst outcome for the mover, or on the full board a
 * draw. */
static int begin_values(const pass *p, worker *w, uint64_t occupied) {
    const plb_sweep *sweep = p->sweep;
    const plb_game *game = sweep->index->game;
    bool full = p->ply == game->cells;
    unsigned worst = full ? 0 : plb_scale_worst(&sweep->scale, p->ply);
    if (plb_slab_shape(game, occupied, PLB_LIVE, &w->slab) ||
        plb_words_reserve(&w->lines, w->slab.words))
        return fail_memory(w);
    for (int i = 0; i < sweep->scale.planes; i++) {
        if (plb_words_reserve(&w->values[i], w->slab.words)) return fail_memory(w);
        if (worst >> i & 1)
            fill_plane(&w->slab, w->values[i].words);
        else
            memset(w->values[i].words, 0, w->slab.words * sizeof(uint64_t));
    }
    return PLB_OK;
}

/* The best of the outcomes that all moves lead to. */
static int pull_children(const pass *p, worker *w) {
    const plb_sweep *sweep = p->sweep;
    uint64_t occupied = w->slab.occupied;
    unsigned mover = p->ply % 2 == 0, dead = plb_scale_encode(&sweep->scale, p->ply + 1);
    plb_planes to = planes_of(w);
    uint64_t cells = plb_game_playable(sweep->index->game, occupied);
    for (; cells; cells &= cells - 1) {
        const plb_slab *child;
        plb_planes from;
        int error = plb_courier_fetch(w->courier, p->neighbour, occupied | (cells & -cells),
                                      sweep->scale.planes, dead, &child, from.plane, &w->message);
        if (error) return error;
        sweep->options.kernels->pull(&w->slab, child, plb_slab_stone(occupied, plb_lowest(cells)),
                                     mover, sweep->scale.planes, &from, dead, &to);
    }
    return PLB_OK;
}

/* Positions in which the last mover has completed a group: the game has ended here. */
static void settle_terminals(const pass *p, worker *w) {
    const plb_sweep *sweep = p->sweep;
    unsigned ended = plb_scale_encode(&sweep->scale, p->ply);
    const uint64_t *lines = w->lines.words;
    sweep->options.kernels->lines(&w->slab, w->slab.groups, w->slab.group_count, p->ply % 2,
                                  w->lines.words);
    for (int v = 0; v < sweep->scale.planes; v++) {
        uint64_t *plane = w->values[v].words, set = ended >> v & 1 ? ~0ULL : 0;
        for (size_t i = 0; i < w->slab.words; i++)
            plane[i] = (plane[i] & ~lines[i]) | (lines[i] & set);
    }
}

/* Add the slab to the segment: the values of open positions that must be stored. */
static int pack_slab(const pass *p, worker *w, const uint64_t *open) {
    const plb_sweep *sweep = p->sweep;
    plb_planes values = planes_of(w);
    if (plb_words_reserve(&w->reach, w->slab.words)) return fail_memory(w);
    uint64_t *stored = w->reach.words;
    if (!plb_settle_is_stored_ply(p->ply)) {
        memset(stored, 0, w->slab.words * sizeof *stored);
    } else {
        memcpy(stored, open, w->slab.words * sizeof *stored);
        if (plb_quiet_keep(&w->quiet, sweep->index->game, sweep->options.kernels, &w->slab, stored))
            return fail_memory(w);
    }
    if (plb_block_maker_add(w->maker, &w->slab, &values, stored)) return fail_memory(w);
    return PLB_OK;
}

/* Count the open positions and add the slab to the segment. */
static int keep_values(const pass *p, worker *w, uint64_t slab) {
    const plb_slab *shape;
    uint64_t *open;
    uint64_t orbit = plb_symmetry_orbit_size(p->sweep->index->symmetry, w->slab.occupied);
    int error =
        plb_courier_fetch(w->courier, p->reach, w->slab.occupied, 1, 0, &shape, &open, &w->message);
    if (error) return error;
    plb_planes values = planes_of(w);
    w->won += orbit * count_common(values.plane[PLB_X_WINS], open, w->slab.words);
    w->lost += orbit * count_common(values.plane[PLB_O_WINS], open, w->slab.words);
    error = pack_slab(p, w, open);
    if (error) return error;
    return plb_courier_store(w->courier, p->to_frontier, slab, p->sweep->scale.planes, values.plane,
                             w->slab.words, &w->message);
}

static int values_segment(pass *p, worker *w, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    if (plb_block_maker_begin(w->maker, &p->cut, p->ply, segment)) return fail_memory(w);
    for (uint64_t slab = first; slab < last; slab++) {
        uint64_t occupied = plb_index_slab_cells(p->sweep->index, p->ply, slab);
        int error = begin_values(p, w, occupied);
        if (!error && p->neighbour) error = pull_children(p, w);
        if (error) return error;
        settle_terminals(p, w);
        error = keep_values(p, w, slab);
        if (error) return error;
    }
    const uint8_t *bytes;
    size_t size;
    int error = plb_block_maker_end(w->maker, &bytes, &size);
    if (error) return plb_fail(&w->message, error, "a segment of the table exceeds 4 GiB");
    return plb_spool_put(p->to_table, segment, bytes, size, &w->message);
}

static plb_ply_stats make_stats(const pass *p, const plb_reach_counts *counts) {
    const plb_sweep *sweep = p->sweep;
    uint64_t won = 0, lost = 0;
    for (int t = 0; t < sweep->options.threads; t++) {
        won += sweep->workers[t].won;
        lost += sweep->workers[t].lost;
    }
    plb_ply_stats stats = {.total = counts->open + counts->terminal,
                           .terminal = counts->terminal,
                           .won = won,
                           .drawn = counts->open - won - lost,
                           .lost = lost};
    bool x_won = plb_scale_encode(&sweep->scale, p->ply) >> PLB_X_WINS & 1;
    *(x_won ? &stats.won : &stats.lost) += counts->terminal;
    return stats;
}

int plb_sweep_backward(plb_sweep *sweep, int ply, const plb_spool *after, const plb_spool *reach,
                       plb_spool *frontier, plb_spool *table, const plb_reach_counts *counts,
                       plb_ply_stats *stats, plb_message *message) {
    pass p = {.sweep = sweep,
              .ply = ply,
              .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
              .neighbour = after,
              .reach = reach,
              .to_frontier = frontier,
              .to_table = table,
              .message = message};
    int error = run_pass(&p, values_segment);
    if (!error) *stats = make_stats(&p, counts);
    return error;
}
