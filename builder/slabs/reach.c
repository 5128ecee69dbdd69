/* SPDX-License-Identifier: MIT
 *
 * The forward pass: what can be reached.
 */
#include <string.h>

#include "builder/slabs/pass.h"

/* Begin the slab and its fringe. */
static int begin_reach(const plb_pass *p, plb_lane *l, uint64_t slab, uint64_t occupied) {
    if (plb_begin_slab(p, l, slab, occupied) ||
        plb_slab_shape(p->sweep->index->game, occupied, PLB_FRINGE, &l->fringe) ||
        plb_words_reserve(&l->fringe_reach, l->fringe.words))
        return plb_fail_lane(l);
    return PLB_OK;
}

/* All last moves: each removable stone of the last mover's colour. */
static int fetch_parents(const plb_pass *p, plb_lane *l, uint64_t occupied) {
    uint64_t stones = plb_game_removable(p->sweep->index->game, occupied);
    for (; stones; stones &= stones - 1) {
        plb_step *step = &l->neighbours[l->neighbour_count].step;
        *step = (plb_step){.i = plb_slab_stone(occupied, plb_lowest(stones)), .b = p->ply % 2};
        int error = plb_add_neighbour(p, l, occupied ^ (stones & -stones), 0, &step->parent);
        if (error) return error;
    }
    return PLB_OK;
}

static void push_parents(const plb_pass *p, const plb_lane *l, const plb_slab *slab, plb_run run,
                         uint64_t *reach) {
    memset(reach + plb_run_start(slab, run), 0, plb_run_words(slab, run) * sizeof *reach);
    for (int n = 0; n < l->neighbour_count; n++) {
        plb_step step = l->neighbours[n].step;
        step.child = slab;
        p->sweep->options.kernels->push(&step, run, l->neighbours[n].planes.plane[0], reach);
    }
}

/* Without gravity any order of moves will do. A position is reachable when nobody has a group, or
 * when only the last mover has and some stone is part of all his: for each stone, those positions
 * in which no group without it is complete. */
static void reach_freely(const plb_pass *p, plb_hand *h, const plb_slab *slab, plb_run run,
                         uint64_t *reach) {
    const plb_kernels *kernels = p->sweep->options.kernels;
    unsigned last = p->ply % 2;
    uint64_t without[slab->group_count + 1], *lines = h->lines;
    size_t words = plb_run_words(slab, run);
    reach += plb_run_start(slab, run);
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
    plb_fill_run(slab, run, h->marks);
    for (size_t i = 0; i < words; i++) reach[i] &= h->marks[i] & ~lines[i];
}

static void find_reach(const plb_pass *p, const plb_lane *l, plb_hand *h, const plb_slab *slab,
                       plb_run run, uint64_t *reach) {
    if (p->sweep->index->game->gravity && p->ply > 0)
        push_parents(p, l, slab, run, reach);
    else
        reach_freely(p, h, slab, run, reach);
}

/* Blocks of the fringe hold terminal positions alone. */
static int reach_fringe(const plb_pass *p, plb_lane *l, plb_hand *h, plb_run run) {
    uint64_t *reach = l->fringe_reach.words;
    find_reach(p, l, h, &l->fringe, run, reach);
    h->terminal += l->orbit * plb_count_ones(reach + plb_run_start(&l->fringe, run),
                                             plb_run_words(&l->fringe, run));
    return PLB_OK;
}

/* Count what was reached, and leave the open positions in the plane. */
static int reach_live(const plb_pass *p, plb_lane *l, plb_hand *h, plb_run run) {
    find_reach(p, l, h, &l->slab, run, l->planes.plane[0]);
    uint64_t *reach = l->planes.plane[0] + plb_run_start(&l->slab, run), *lines = h->lines;
    size_t words = plb_run_words(&l->slab, run);
    p->sweep->options.kernels->lines(&l->slab, run, l->slab.groups, l->slab.group_count, p->ply % 2,
                                     lines);
    h->terminal += l->orbit * plb_count_common(reach, lines, words);
    for (size_t i = 0; i < words; i++) reach[i] &= ~lines[i];
    h->open += l->orbit * plb_count_ones(reach, words);
    return PLB_OK;
}

static int reach_slab(plb_pass *p, plb_lane *l, uint64_t slab) {
    uint64_t occupied = plb_index_slab_cells(p->sweep->index, p->ply, slab);
    int error = begin_reach(p, l, slab, occupied);
    if (!error && p->sweep->index->game->gravity) error = fetch_parents(p, l, occupied);
    if (error) return error;
    plb_share_runs(p, l, &l->fringe, reach_fringe);
    plb_share_runs(p, l, &l->slab, reach_live);
    return plb_store_slab(p, l, slab);
}

static int reach_segment(plb_pass *p, plb_lane *l, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    int error = PLB_OK;
    for (uint64_t slab = first; slab < last && !error; slab++) error = reach_slab(p, l, slab);
    return error;
}

int plb_sweep_forward(plb_sweep *sweep, int ply, const plb_layer *before, const plb_layer *reach,
                      plb_reach_counts *counts, plb_message *message) {
    plb_pass p = {.sweep = sweep,
                  .ply = ply,
                  .planes = 1,
                  .solves = true,
                  .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
                  .neighbour = before,
                  .made = reach,
                  .message = message};
    int error = plb_run_pass(&p, reach_segment);
    if (error) return error;
    *counts = (plb_reach_counts){0, 0};
    for (int t = 0; t < sweep->options.threads; t++) {
        counts->open += sweep->hands[t].open;
        counts->terminal += sweep->hands[t].terminal;
    }
    return PLB_OK;
}
