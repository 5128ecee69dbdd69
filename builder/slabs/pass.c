/* SPDX-License-Identifier: MIT */
#include "builder/slabs/pass.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static int open_hand(plb_hand *h) {
    h->lines = malloc(PLB_RUN_WORDS * sizeof *h->lines);
    h->marks = malloc(PLB_RUN_WORDS * sizeof *h->marks);
    return h->lines && h->marks ? PLB_OK : PLB_ENOMEM;
}

static int open_lane(plb_sweep *sweep, plb_lane *l) {
    const plb_sweep_options *o = &sweep->options;
    int error = plb_courier_open(sweep->index, &sweep->team, sweep->codec, &l->courier);
    if (error) return error;
    plb_block_form form = {o->identity, o->level, o->block_positions, sweep->coding.planes};
    return plb_block_maker_open(&sweep->team, &form, &l->maker);
}

int plb_sweep_open(const plb_index *index, const plb_sweep_options *options, plb_sweep **sweep) {
    plb_sweep *made = calloc(1, sizeof *made);
    if (!made) return PLB_ENOMEM;
    made->index = index;
    made->coding = plb_outcome_code_make(index->game, options->values);
    made->options = *options;
    made->team.threads = options->threads;
    made->hands = calloc(options->threads, sizeof *made->hands);
    made->lanes = calloc(options->threads, sizeof *made->lanes);
    int error = made->hands && made->lanes ? PLB_OK : PLB_ENOMEM;
    if (!error) error = plb_codec_open(&made->team, &made->codec);
    for (int t = 0; t < options->threads && !error; t++) error = open_hand(&made->hands[t]);
    for (int l = 0; l < options->threads && !error; l++) error = open_lane(made, &made->lanes[l]);
    if (error)
        plb_sweep_close(made);
    else
        *sweep = made;
    return error;
}

static void free_hand(plb_hand *h) {
    free(h->lines);
    free(h->marks);
    plb_quiet_free(&h->quiet);
}

static void free_lane(plb_lane *l) {
    plb_courier_close(l->courier);
    plb_block_maker_close(l->maker);
    plb_slab_free(&l->slab);
    plb_slab_free(&l->fringe);
    plb_words_free(&l->stored);
    plb_words_free(&l->fringe_reach);
    plb_words_free(&l->own_planes);
}

void plb_sweep_close(plb_sweep *sweep) {
    if (!sweep) return;
    for (int t = 0; sweep->hands && t < sweep->options.threads; t++) free_hand(&sweep->hands[t]);
    for (int l = 0; sweep->lanes && l < sweep->options.threads; l++) free_lane(&sweep->lanes[l]);
    plb_codec_close(sweep->codec);
    free(sweep->hands);
    free(sweep->lanes);
    free(sweep);
}

/* ---- running a pass ---- */

static bool should_stop(const plb_pass *p) {
    int error;
#pragma omp atomic read
    error = p->error;
    return error || (p->solves && p->sweep->options.stop && *p->sweep->options.stop);
}

static void finish_segment(plb_pass *p, const plb_lane *l, uint64_t segment, int error) {
    const plb_sweep_options *options = &p->sweep->options;
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
#pragma omp critical(plb_sweep)
    {
        if (error && !p->error) {
            if (p->message) *p->message = l->message;
#pragma omp atomic write
            p->error = error;
        }
        if (!error && p->solves && options->advance)
            options->advance(options->context, (last - first) * p->cut.slab_size);
    }
}

/* Take over half of what the lane with most work has left. */
static void take_over(plb_sweep *sweep, plb_lane *l) {
    plb_lane *most = l;
    for (int i = 0; i < sweep->options.threads; i++) {
        plb_lane *other = &sweep->lanes[i];
        if (other->last - other->next > most->last - most->next) most = other;
    }
    uint64_t half = plb_divide_up(most->last - most->next, 2);
    l->last = most->last;
    l->next = most->last -= half;
}

/* The next segment to be worked on; false when there is none, or the pass is to end. A lane works
 * on neighbours as long as it can, for they share children, which need then not be fetched by
 * another lane. */
static bool take_segment(plb_pass *p, plb_lane *l, uint64_t *segment) {
    bool taken;
#pragma omp critical(plb_segments)
    {
        if (l->next == l->last) take_over(p->sweep, l);
        taken = l->next < l->last;
        if (taken) *segment = l->next++;
    }
    return taken && !should_stop(p);
}

static void run_lane(plb_pass *p, plb_lane *l, plb_segment_work *work) {
    uint64_t segment;
    plb_team_begin(&p->sweep->team);
    while (take_segment(p, l, &segment)) finish_segment(p, l, segment, work(p, l, segment));
    plb_team_end(&p->sweep->team);
}

/* Give a lane its segments, and back what another ply needed. */
static void begin_lane(const plb_pass *p, plb_lane *l, uint64_t next, uint64_t last) {
    const plb_sweep_options *o = &p->sweep->options;
    l->next = next;
    l->last = last;
    plb_courier_begin(l->courier, o->kept_bytes / o->lanes[p->ply]);
    if (next == last) plb_block_maker_rest(l->maker);
    plb_words_free_big(&l->own_planes);
    plb_words_free_big(&l->stored);
    plb_words_free_big(&l->fringe_reach);
    plb_slab_free(&l->slab);
    plb_slab_free(&l->fringe);
}

int plb_run_pass(plb_pass *p, plb_segment_work *work) {
    plb_sweep *sweep = p->sweep;
    int lanes = sweep->options.lanes[p->ply];
    for (int t = 0; t < sweep->options.threads; t++) {
        plb_hand *h = &sweep->hands[t];
        h->open = h->terminal = 0;
        plb_tally_clear(&h->tally);
        uint64_t next = plb_min(t, lanes), last = plb_min(t + 1, lanes);
        begin_lane(p, &sweep->lanes[t], p->cut.segments * next / lanes,
                   p->cut.segments * last / lanes);
    }
    /* Threads without a lane wait at the end of the loop, and there run the tasks of lanes. */
#pragma omp parallel for schedule(static, 1) num_threads(sweep->options.threads)
    for (int l = 0; l < lanes; l++) run_lane(p, &sweep->lanes[l], work);
    if (p->error) return p->error;
    if (should_stop(p)) return plb_fail(p->message, PLB_EINTERRUPTED, "interrupted");
    return PLB_OK;
}

int plb_share_runs(const plb_pass *p, plb_lane *l, const plb_slab *slab, plb_run_work *work) {
    size_t runs = plb_divide_up(slab->blocks, PLB_RUN_BLOCKS);
    int error = PLB_OK;
#pragma omp taskloop num_tasks(plb_team_tasks(&p->sweep->team, runs)) if (runs > 1) \
    shared(error, work)
    for (size_t r = 0; r < runs; r++) {
        size_t first = r * PLB_RUN_BLOCKS;
        plb_run run = {first, plb_min(first + PLB_RUN_BLOCKS, slab->blocks)};
        if (work(p, l, &p->sweep->hands[omp_get_thread_num()], run)) {
#pragma omp atomic write
            error = PLB_ENOMEM;
        }
    }
    return error;
}

int plb_fail_lane(plb_lane *l) {
    return plb_fail(&l->message, PLB_ENOMEM, "out of memory for the planes of a slab");
}

int plb_begin_slab(const plb_pass *p, plb_lane *l, uint64_t slab, uint64_t occupied) {
    plb_courier_release(l->courier);
    l->neighbour_count = 0;
    l->stores = false;
    l->number = slab;
    l->orbit = plb_symmetry_orbit_size(p->sweep->index->symmetry, occupied);
    if (plb_slab_shape(p->sweep->index->game, occupied, PLB_LIVE, &l->slab)) return PLB_ENOMEM;
    plb_held *held = plb_hold_add(p->made->hold, slab, &l->slab, p->planes);
    l->is_held = held != NULL;
    if (!held && plb_words_reserve(&l->own_planes, p->planes * l->slab.words)) return PLB_ENOMEM;
    for (int i = 0; i < p->planes; i++)
        l->planes.plane[i] = (held ? held->planes : l->own_planes.words) + i * l->slab.words;
    return PLB_OK;
}

int plb_add_neighbour(const plb_pass *p, plb_lane *l, uint64_t occupied, unsigned dead,
                      const plb_slab **shape) {
    int number = l->neighbour_count++;
    return plb_courier_fetch(l->courier, number, p->neighbour, occupied, p->planes, dead, shape,
                             l->neighbours[number].planes.plane, &l->message);
}

int plb_store_slab(const plb_pass *p, plb_lane *l, uint64_t slab) {
    return plb_courier_store(l->courier, p->made->spool, slab, l->planes.plane[0],
                             p->planes * l->slab.words, &l->message);
}

void plb_fill_run(const plb_slab *slab, plb_run run, uint64_t *part) {
    for (size_t block = run.first; block < run.last; block++) {
        uint64_t bits = plb_block_bits(slab->low, plb_slab_low_ones(slab, block));
        for (uint64_t w = slab->start[block]; w < slab->start[block + 1]; w++) {
            *part++ = plb_low_bits((int)plb_min(bits, 64));
            bits -= plb_min(bits, 64);
        }
    }
}
