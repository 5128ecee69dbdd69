/* SPDX-License-Identifier: MIT */
#include "builder/slabs/slab_moves.h"

#include <string.h>

static int fetch_children(const plb_pass *p, plb_slab_worker *w) {
    const plb_symmetry *symmetry = p->engine->index->symmetry;
    uint64_t occupied = w->slab.occupied, canonical;
    uint64_t cells = p->neighbour ? plb_game_playable(p->engine->index->game, occupied) : 0;
    int error = PLB_OK;
    for (; cells && !error; cells &= cells - 1) {
        int element = plb_symmetry_canonical(symmetry, occupied | (cells & -cells), &canonical);
        int cell = symmetry->image[element][plb_lowest(cells)];
        plb_step step = {plb_slab_stone(canonical, cell), plb_ply_x_moves(p->ply)};
        w->neighbours[w->neighbour_count].element = element;
        error = plb_pass_add_neighbour(p, w, step, canonical);
    }
    return error;
}

void plb_moves_fill_worst(const plb_pass *p, const plb_planes *planes, plb_block_range range) {
    bool full = p->ply == p->engine->index->game->cells;
    unsigned worst = full ? 0 : plb_outcome_code_worst(&p->engine->coding, p->ply);
    for (int i = 0; i < planes->count; i++) {
        uint64_t *range_words =
            plb_planes_get(planes, i) + plb_slab_range_start(planes->shape, range);
        if (worst >> i & 1)
            plb_slab_fill_range(planes->shape, range, range_words);
        else
            memset(range_words, 0,
                   plb_slab_range_words(planes->shape, range) * sizeof *range_words);
    }
}

void plb_moves_pull(const plb_pass *p, const plb_slab_worker *w, int element, plb_block_range range,
                    const plb_planes *to) {
    for (int n = 0; n < w->neighbour_count; n++) {
        const plb_neighbour *child = &w->neighbours[n];
        if (child->element == element)
            p->engine->kernels->pull(child->step, range, &child->planes, p->neighbour->missing, to);
    }
}

/* Begin with the worst outcomes, then pull the fetched children. */
static int begin_range(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                       plb_block_range range) {
    (void)state;
    plb_moves_fill_worst(p, &w->pulled, range);
    plb_moves_pull(p, w, w->element, range, &w->pulled);
    return PLB_OK;
}

typedef struct solved_ranges {
    const plb_pass *p;
    const plb_slab_worker *w;
} solved_ranges;

static bool is_solved(const void *context, size_t range) {
    const solved_ranges *s = context;
    return plb_pass_solves_range(s->p, s->w, range * PLB_RANGE_BLOCKS);
}

/* to = outcomes of the moves with an element, by the slab's image. Blocks that the image lacks are
 * won or dead, as in the slab. Ranges that are not solved are undefined. */
static int find_by_image(const plb_pass *p, plb_slab_worker *w, int element, const plb_planes *to) {
    const plb_index *index = p->engine->index;
    uint64_t occupied = plb_symmetry_map(index->symmetry, element, w->slab.occupied);
    if (plb_slab_shape(index->game, occupied, p->made->set, NULL, &w->image) ||
        plb_ply_planes_take(&w->stack, &w->image, to->count, &w->pulled))
        return PLB_ENOMEM;
    w->element = element;
    int error = plb_pass_share_ranges(p, w, &w->image, begin_range);
    if (error) return error;
    solved_ranges solved = {p, w};
    w->permuter.wants = p->samples ? is_solved : NULL;
    w->permuter.context = &solved;
    error = plb_permute(&w->permuter, index->symmetry, element, &w->pulled, p->made->missing, to);
    w->permuter.wants = NULL;
    return error;
}

static int merge_range(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                       plb_block_range range) {
    (void)state;
    if (plb_pass_solves_range(p, w, range.first))
        p->engine->kernels->merge(plb_ply_x_moves(p->ply), range, &w->permuted, &w->planes);
    return PLB_OK;
}

int plb_moves_find(const plb_pass *p, plb_slab_worker *w) {
    bool is_done[PLB_MAX_SYMMETRIES] = {true};
    int error = fetch_children(p, w);
    if (error) return error;
    w->has_outcomes = false;
    for (int n = 0; n < w->neighbour_count && !error; n++) {
        int element = w->neighbours[n].element;
        if (is_done[element]) continue;
        is_done[element] = true;
        plb_stack_mark mark = plb_word_stack_mark(&w->stack);
        if (w->has_outcomes) {
            error = plb_ply_planes_take(&w->stack, &w->slab, w->planes.count, &w->permuted);
            if (!error) error = find_by_image(p, w, element, &w->permuted);
            if (!error) error = plb_pass_share_ranges(p, w, &w->slab, merge_range);
        } else {
            error = find_by_image(p, w, element, &w->planes);
            w->has_outcomes = true;
        }
        plb_word_stack_release(&w->stack, mark);
    }
    return error ? plb_pass_fail_memory(w) : PLB_OK;
}

/* ---- pieces ---- */

static int pull_range(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                      plb_block_range range) {
    (void)state;
    plb_moves_pull(p, w, w->element, range, &w->pulled);
    return PLB_OK;
}

/* to = outcomes of the moves with an element, in some runs of the slab's image: one child after
 * another. */
static int pull_runs(const plb_pass *p, plb_slab_worker *w, int element, const plb_runs *runs,
                     const plb_planes *to) {
    w->pulled = *to;
    w->element = element;
    w->neighbour_count = 0; /* so that begin_range pulls nothing */
    int error = plb_pass_share_ranges(p, w, to->shape, begin_range);
    w->neighbour_count = 1;
    for (int i = 0; i < w->pieces.move_count && !error; i++) {
        const plb_piece_move *move = &w->pieces.moves[i];
        plb_neighbour *child = &w->neighbours[0];
        if (move->element != element) continue;
        plb_runs child_runs = plb_runs_map_all(&move->map, runs, w->pieces.next_bits);
        plb_stack_mark mark = plb_word_stack_mark(&w->stack);
        child->step = move->step;
        child->element = element;
        error = plb_plane_source_fetch(w->source, 0, p->neighbour,
                                       (plb_slab_part){move->canonical, &child_runs},
                                       &child->planes, &w->message);
        if (!error) error = plb_pass_share_ranges(p, w, to->shape, pull_range);
        plb_word_stack_release(&w->stack, mark);
    }
    w->neighbour_count = 0;
    return error;
}

/* Find the outcomes of the moves with an element in some runs of the image, permute them, with the
 * worst outcome for positions of other runs, and merge them into the piece. */
static int merge_runs(const plb_pass *p, plb_slab_worker *w, int element, const plb_runs *runs) {
    const plb_index *index = p->engine->index;
    uint64_t occupied = plb_symmetry_map(index->symmetry, element, w->slab.occupied);
    int count = w->planes.count;
    plb_stack_mark mark = plb_word_stack_mark(&w->stack);
    plb_planes image;
    if (plb_slab_shape(index->game, occupied, p->made->set, runs, &w->image) ||
        plb_ply_planes_take(&w->stack, &w->image, count, &image))
        return plb_pass_fail_memory(w);
    int error = w->image.blocks ? pull_runs(p, w, element, runs, &image) : PLB_OK;
    if (!error && w->image.blocks) {
        unsigned worst = plb_outcome_code_worst(&p->engine->coding, p->ply);
        if (plb_ply_planes_take(&w->stack, &w->slab, count, &w->permuted) ||
            plb_permute(&w->permuter, index->symmetry, element, &image, worst, &w->permuted))
            return plb_pass_fail_memory(w);
        error = plb_pass_share_ranges(p, w, &w->slab, merge_range);
    }
    plb_word_stack_release(&w->stack, mark);
    return error;
}

int plb_moves_find_piece(const plb_pass *p, plb_slab_worker *w) {
    const plb_slab_pieces *s = &w->pieces;
    int error = pull_runs(p, w, 0, &s->runs, &w->planes);
    for (int e = 1; e < PLB_MAX_SYMMETRIES && !error; e++) {
        if (!s->has_image[e]) continue;
        plb_runs image = plb_runs_map_all(&s->images[e], &s->runs, s->runs.bits);
        for (uint64_t next = 0; !(next >> image.bits) && !error;) {
            plb_runs runs = plb_slab_pieces_take(s, e, &image, &next);
            error = merge_runs(p, w, e, &runs);
        }
    }
    w->has_outcomes = true;
    return error;
}
