/* SPDX-License-Identifier: MIT */
#include "builder/slabs/reach_ply.h"

#include <string.h>

#include "tables/count/position_count.h"
#include "tables/reach/column_automaton.h"

/* Processor seconds per entry that the forward pass takes, beyond those of finding positions by
 * columns without automaton and counts. Measured: 1.4e-10 to 3e-10 on a dozen boards from 5x6 to
 * 10x3 with k 4 and 5, 7e-10 on 5x5; less on high boards with k 3, where the game ends early. */
static const double forward_seconds = 3e-10;

double plb_reach_ahead_seconds(const plb_game *game) {
    plb_count_board board;
    if (!plb_count_check_find_board(game, &board)) return 0;
    return plb_position_count_seconds(&board) +
           plb_column_automaton_seconds(game->width, game->height, game->k);
}

plb_reach_way plb_reach_choose(const plb_index *index, plb_reach_way wanted) {
    const plb_game *game = index->game;
    plb_count_board board;
    double entries = 0;
    if (!game->gravity) return PLB_REACH_FREELY;
    if (game->cylinder || !plb_count_check_find_board(game, &board)) return PLB_REACH_FORWARD;
    if (wanted != PLB_REACH_BEST) return wanted;
    bool ends_early = game->k < 4 && game->height > game->width + 1;
    if (ends_early) return PLB_REACH_FORWARD;
    for (int ply = 0; ply <= game->cells; ply++) entries += (double)plb_index_size(index, ply);
    return plb_reach_ahead_seconds(game) < entries * forward_seconds ? PLB_REACH_BY_COLUMNS
                                                                     : PLB_REACH_FORWARD;
}

/* ---- ranges ---- */

/* Without gravity a position is reachable if no player has a group, or if only the last mover has
 * groups and they have a stone in common, which was placed last. */
static void reach_freely(const plb_pass *p, plb_thread_state *state, plb_block_range range,
                         const plb_planes *plane) {
    const plb_kernels *kernels = p->engine->kernels;
    const plb_slab *slab = plane->shape;
    unsigned last = !plb_ply_x_moves(p->ply);
    uint64_t *reach = plane->words + plb_slab_range_start(slab, range);
    size_t words = plb_slab_range_words(slab, range);
    plb_slab_fill_range(slab, range, reach);
    kernels->common_stone(slab, range, slab->groups, slab->group_count, last, state->marks);
    kernels->lines(slab, range, slab->groups, slab->low_groups, !last, state->lines);
    for (size_t i = 0; i < words; i++) reach[i] &= state->marks[i] & ~state->lines[i];
}

/* plane = reachable positions of a range: the empty board, or children of open positions. */
static void reach_range(const plb_pass *p, const plb_slab_worker *w, plb_thread_state *state,
                        plb_block_range range, const plb_planes *plane) {
    uint64_t *range_words = plane->words + plb_slab_range_start(plane->shape, range);
    if (p->engine->way == PLB_REACH_FREELY) {
        reach_freely(p, state, range, plane);
        return;
    }
    if (p->ply == 0) {
        plb_slab_fill_range(plane->shape, range, range_words);
        return;
    }
    memset(range_words, 0, plb_slab_range_words(plane->shape, range) * sizeof *range_words);
    for (int n = 0; n < w->neighbour_count; n++)
        p->engine->kernels->push(w->neighbours[n].step, range, &w->neighbours[n].planes, plane);
}

/* Count the reachable positions of the fringe: all are terminal. */
static int reach_fringe(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                        plb_block_range range) {
    const plb_planes *plane = &w->fringe_reach;
    reach_range(p, w, state, range, plane);
    const uint64_t *reach = plane->words + plb_slab_range_start(plane->shape, range);
    uint64_t terminal =
        w->orbit * plb_pass_count_ones(reach, plb_slab_range_words(plane->shape, range));
    state->reached.terminal += terminal;
    state->reached.total += terminal;
    return PLB_OK;
}

/* Count the reachable positions of live blocks, and keep the open ones in w->open. */
static int reach_live(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                      plb_block_range range) {
    const plb_slab *slab = w->open.shape;
    uint64_t *reach = w->open.words + plb_slab_range_start(slab, range), *lines = state->lines;
    size_t words = plb_slab_range_words(slab, range);
    reach_range(p, w, state, range, &w->open);
    p->engine->kernels->lines(slab, range, slab->groups, slab->low_groups, !plb_ply_x_moves(p->ply),
                              lines);
    state->reached.total += w->orbit * plb_pass_count_ones(reach, words);
    state->reached.terminal += w->orbit * plb_pass_count_common(reach, lines, words);
    for (size_t i = 0; i < words; i++) reach[i] &= ~lines[i];
    return PLB_OK;
}

/* ---- slabs ---- */

/* Work on the fringe of a slab, then on its live blocks: w->open. */
static int reach_slab(const plb_pass *p, plb_slab_worker *w, uint64_t occupied) {
    int error = plb_slab_shape(p->engine->index->game, occupied, PLB_FRINGE, w->runs, &w->fringe);
    if (!error) error = plb_ply_planes_take(&w->stack, &w->fringe, 1, &w->fringe_reach);
    if (!error) error = plb_pass_share_ranges(p, w, &w->fringe, reach_fringe);
    return error ? error : plb_pass_share_ranges(p, w, w->open.shape, reach_live);
}

/* Push the open positions of all parents. Any removable stone may have been placed last. */
static int push_to_slab(plb_pass *p, plb_slab_worker *w, uint64_t slab) {
    uint64_t occupied = plb_index_slab_cells(p->engine->index, p->ply, slab);
    uint64_t stones = plb_game_removable(p->engine->index->game, occupied);
    if (plb_pass_begin_slab(p, w, slab, occupied)) return plb_pass_fail_memory(w);
    int error = PLB_OK;
    for (; stones && !error; stones &= stones - 1) {
        plb_step step = {plb_slab_stone(occupied, plb_lowest(stones)), !plb_ply_x_moves(p->ply)};
        error = plb_pass_add_neighbour(p, w, step, occupied ^ (stones & -stones));
    }
    if (error) return error;
    w->open = w->planes;
    if (reach_slab(p, w, occupied)) return plb_pass_fail_memory(w);
    return plb_plane_source_store(w->source, p->made, slab, w->runs, &w->planes, &w->message);
}

int plb_reach_ply(plb_pass *p) {
    p->solves = true;
    return plb_pass_run(p, push_to_slab);
}

int plb_reach_freely(const plb_pass *p, plb_slab_worker *w, uint64_t occupied) {
    const plb_game *game = p->engine->index->game;
    bool is_live = p->made->set == PLB_LIVE;
    int error = is_live ? PLB_OK : plb_slab_shape(game, occupied, PLB_LIVE, w->runs, &w->live);
    const plb_slab *shape = is_live ? &w->slab : &w->live;
    if (!error) error = plb_ply_planes_take(&w->stack, shape, 1, &w->open);
    return error ? error : reach_slab(p, w, occupied);
}

plb_ply_stats plb_reach_sum(const plb_slab_engine *engine) {
    plb_ply_stats sum = {0};
    for (int t = 0; t < engine->options.threads; t++) {
        sum.total += engine->states[t].reached.total;
        sum.terminal += engine->states[t].reached.terminal;
    }
    return sum;
}
