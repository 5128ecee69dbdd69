/* SPDX-License-Identifier: MIT
 *
 * The forward pass: what can be reached.
 */
#include "builder/slabs/reach.h"

#include <string.h>

/* Begin the slab and its fringe. */
static int begin_reach(const plb_pass *p, plb_slab_worker *w, uint64_t slab, uint64_t occupied) {
    if (plb_pass_begin_slab(p, w, slab, occupied) ||
        plb_slab_shape(p->engine->index->game, occupied, PLB_FRINGE, &w->fringe) ||
        plb_words_reserve(&w->fringe_reach, w->fringe.words))
        return plb_pass_fail_memory(w);
    return PLB_OK;
}

/* All last moves: each removable stone of the last mover's colour. */
static int fetch_parents(const plb_pass *p, plb_slab_worker *w, uint64_t occupied) {
    uint64_t stones = plb_game_removable(p->engine->index->game, occupied);
    for (; stones; stones &= stones - 1) {
        plb_step step = {plb_slab_stone(occupied, plb_lowest(stones)), !plb_ply_x_moves(p->ply)};
        int error = plb_pass_add_neighbour(p, w, step, occupied ^ (stones & -stones));
        if (error) return error;
    }
    return PLB_OK;
}

static void push_parents(const plb_pass *p, const plb_slab_worker *w, plb_run run,
                         const plb_planes *reach) {
    size_t bytes = plb_slab_run_words(reach->shape, run) * sizeof *reach->words;
    memset(reach->words + plb_slab_run_start(reach->shape, run), 0, bytes);
    for (int n = 0; n < w->neighbour_count; n++)
        p->engine->kernels->push(w->neighbours[n].step, run, &w->neighbours[n].planes, reach);
}

/* Without gravity any order of moves will do. A position is reachable when nobody has a group, or
 * when only the last mover has and some stone is part of all his: for each stone, those positions
 * in which no group without it is complete. */
static void reach_freely(const plb_pass *p, plb_thread_state *state, plb_run run,
                         const plb_planes *plane) {
    const plb_kernels *kernels = p->engine->kernels;
    const plb_slab *slab = plane->shape;
    unsigned last = !plb_ply_x_moves(p->ply);
    uint64_t without[slab->group_count + 1], *lines = state->lines;
    uint64_t *reach = plane->words + plb_slab_run_start(slab, run);
    size_t words = plb_slab_run_words(slab, run);
    kernels->lines(slab, run, slab->groups, slab->group_count, last, lines);
    for (size_t i = 0; i < words; i++) reach[i] = ~lines[i];
    for (int stone = 0; slab->group_count && stone < slab->stones; stone++) {
        int count = 0;
        for (int g = 0; g < slab->group_count; g++)
            if (!(slab->groups[g] >> stone & 1)) without[count++] = slab->groups[g];
        kernels->lines(slab, run, without, count, last, lines);
        for (size_t i = 0; i < words; i++) reach[i] |= ~lines[i];
    }
    kernels->lines(slab, run, slab->groups, slab->group_count, !last, lines);
    plb_slab_fill_run(slab, run, state->marks);
    for (size_t i = 0; i < words; i++) reach[i] &= state->marks[i] & ~lines[i];
}

static void find_reach(const plb_pass *p, const plb_slab_worker *w, plb_thread_state *state,
                       plb_run run, const plb_planes *reach) {
    if (p->engine->index->game->gravity && p->ply > 0)
        push_parents(p, w, run, reach);
    else
        reach_freely(p, state, run, reach);
}

/* Blocks of the fringe hold terminal positions alone. */
static int reach_fringe(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                        plb_run run) {
    plb_planes reach = {&w->fringe, 1, w->fringe_reach.words};
    find_reach(p, w, state, run, &reach);
    state->terminal +=
        w->orbit * plb_pass_count_ones(reach.words + plb_slab_run_start(&w->fringe, run),
                                       plb_slab_run_words(&w->fringe, run));
    return PLB_OK;
}

/* Count what was reached, and leave the open positions in the plane. */
static int reach_live(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state, plb_run run) {
    find_reach(p, w, state, run, &w->planes);
    uint64_t *reach = w->planes.words + plb_slab_run_start(&w->slab, run), *lines = state->lines;
    size_t words = plb_slab_run_words(&w->slab, run);
    p->engine->kernels->lines(&w->slab, run, w->slab.groups, w->slab.group_count,
                              !plb_ply_x_moves(p->ply), lines);
    state->terminal += w->orbit * plb_pass_count_common(reach, lines, words);
    for (size_t i = 0; i < words; i++) reach[i] &= ~lines[i];
    state->open += w->orbit * plb_pass_count_ones(reach, words);
    return PLB_OK;
}

static int reach_slab(plb_pass *p, plb_slab_worker *w, uint64_t slab) {
    uint64_t occupied = plb_index_slab_cells(p->engine->index, p->ply, slab);
    int error = begin_reach(p, w, slab, occupied);
    if (!error && p->engine->index->game->gravity) error = fetch_parents(p, w, occupied);
    if (error) return error;
    error = plb_pass_share_runs(p, w, &w->fringe, reach_fringe);
    if (!error) error = plb_pass_share_runs(p, w, &w->slab, reach_live);
    return error ? error : plb_pass_store_slab(p, w, slab);
}

static int reach_segment(plb_pass *p, plb_slab_worker *w, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    int error = PLB_OK;
    for (uint64_t slab = first; slab < last && !error; slab++) error = reach_slab(p, w, slab);
    return error;
}

int plb_reach_ply(plb_pass *p, plb_reach_counts *counts) {
    p->solves = true;
    int error = plb_pass_run(p, reach_segment);
    if (error) return error;
    *counts = (plb_reach_counts){0, 0};
    for (int t = 0; t < p->engine->options.threads; t++) {
        counts->open += p->engine->states[t].open;
        counts->terminal += p->engine->states[t].terminal;
    }
    return PLB_OK;
}
