/* SPDX-License-Identifier: MIT */
#include "builder/slabs/solve_children.h"

#include <string.h>

#include "tables/games/rules.h"

/* ---- all moves ---- */

static int fetch_child(const plb_pass *p, plb_slab_worker *w, uint64_t occupied, int cell) {
    const plb_symmetry *symmetry = p->engine->index->symmetry;
    plb_neighbour *child = &w->neighbours[w->neighbour_count];
    uint64_t canonical;
    child->element = plb_symmetry_canonical(symmetry, occupied | 1ULL << cell, &canonical);
    plb_step step = {plb_slab_stone(canonical, symmetry->image[child->element][cell]),
                     plb_ply_x_moves(p->ply)};
    return plb_pass_add_neighbour(p, w, step, canonical);
}

static int fetch_children(const plb_pass *p, plb_slab_worker *w) {
    uint64_t occupied = w->slab.occupied;
    uint64_t cells = plb_game_playable(p->engine->index->game, occupied);
    int error = PLB_OK;
    for (; cells && p->neighbour && !error; cells &= cells - 1)
        error = fetch_child(p, w, occupied, plb_lowest(cells));
    return error;
}

/* Every position begins with the worst outcome for the mover, or on the full board a draw. */
static void fill_worst(const plb_pass *p, const plb_planes *planes, plb_run run) {
    bool full = p->ply == p->engine->index->game->cells;
    unsigned worst = full ? 0 : plb_outcome_code_worst(&p->engine->coding, p->ply);
    for (int i = 0; i < planes->count; i++) {
        uint64_t *run_words = plb_planes_get(planes, i) + plb_slab_run_start(planes->shape, run);
        if (worst >> i & 1)
            plb_slab_fill_run(planes->shape, run, run_words);
        else
            memset(run_words, 0, plb_slab_run_words(planes->shape, run) * sizeof *run_words);
    }
}

/* The best of what is there and the outcomes that the moves of an element lead to. */
static void pull_moves(const plb_pass *p, const plb_slab_worker *w, int element, plb_run run,
                       const plb_planes *to) {
    for (int n = 0; n < w->neighbour_count; n++) {
        const plb_neighbour *child = &w->neighbours[n];
        if (child->element == element)
            p->engine->kernels->pull(child->step, run, &child->planes, p->neighbour->missing, to);
    }
}

/* ---- those of images ---- */

static plb_planes image_planes(const plb_slab_worker *w) {
    return (plb_planes){&w->image, w->planes.count, w->image_planes.words};
}

static int pull_image_run(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                          plb_run run) {
    (void)state;
    plb_planes image = image_planes(w);
    fill_worst(p, &image, run);
    pull_moves(p, w, w->element, run, &image);
    return PLB_OK;
}

/* to = what the moves of an element lead to. Blocks that the image has not are won or dead like
 * those of the slab. */
static int find_by_image(const plb_pass *p, plb_slab_worker *w, int element, const plb_planes *to) {
    const plb_index *index = p->engine->index;
    uint64_t occupied = plb_symmetry_map(index->symmetry, element, w->slab.occupied);
    if (plb_slab_shape(index->game, occupied, p->made->part, &w->image) ||
        plb_words_reserve(&w->image_planes, to->count * w->image.words))
        return PLB_ENOMEM;
    w->element = element;
    int error = plb_pass_share_runs(p, w, &w->image, pull_image_run);
    if (error) return error;
    plb_planes image = image_planes(w);
    return plb_permute(&w->permuter, index->symmetry, element, &image, p->made->missing, to);
}

static int merge_run(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state, plb_run run) {
    (void)state;
    plb_planes permuted = {&w->slab, w->planes.count, w->permuted.words};
    p->engine->kernels->merge(plb_ply_x_moves(p->ply), run, &permuted, &w->planes);
    return PLB_OK;
}

/* The slab begins with the outcomes by its first image; those by others are merged. */
static int add_image(const plb_pass *p, plb_slab_worker *w, int element) {
    bool is_first = !w->is_begun;
    w->is_begun = true;
    if (is_first) return find_by_image(p, w, element, &w->planes);
    if (plb_words_reserve(&w->permuted, w->planes.count * w->slab.words)) return PLB_ENOMEM;
    plb_planes permuted = {&w->slab, w->planes.count, w->permuted.words};
    int error = find_by_image(p, w, element, &permuted);
    return error ? error : plb_pass_share_runs(p, w, &w->slab, merge_run);
}

/* Is the element of a child that of none before it? */
static bool is_new(const plb_slab_worker *w, int child) {
    for (int n = 0; n < child; n++)
        if (w->neighbours[n].element == w->neighbours[child].element) return false;
    return true;
}

/* ---- */

int plb_children_fetch(const plb_pass *p, plb_slab_worker *w) {
    int error = fetch_children(p, w);
    if (error) return error;
    w->is_begun = false;
    for (int n = 0; n < w->neighbour_count; n++)
        if (w->neighbours[n].element && is_new(w, n) && add_image(p, w, w->neighbours[n].element))
            return plb_pass_fail_memory(w);
    return PLB_OK;
}

void plb_children_pull(const plb_pass *p, const plb_slab_worker *w, plb_run run) {
    if (!w->is_begun) fill_worst(p, &w->planes, run);
    pull_moves(p, w, 0, run, &w->planes);
}
