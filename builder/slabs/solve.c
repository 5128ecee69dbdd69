/* SPDX-License-Identifier: MIT
 *
 * The backward pass: values, and the segments of the table.
 */
#include <string.h>

#include "builder/slabs/pass.h"
#include "tables/distances.h"
#include "tables/settle.h"

/* What a move into a dead block is worth. */
static unsigned dead_code(const plb_pass *p) {
    return plb_outcome_code_encode(&p->sweep->coding, p->ply + 1);
}

/* All next moves, and the open positions of the slab itself behind them. */
static int fetch_children(const plb_pass *p, plb_lane *l, uint64_t occupied) {
    uint64_t cells = plb_game_playable(p->sweep->index->game, occupied);
    for (; cells && p->neighbour; cells &= cells - 1) {
        plb_step *step = &l->neighbours[l->neighbour_count].step;
        *step = (plb_step){.parent = &l->slab,
                           .i = plb_slab_stone(occupied, plb_lowest(cells)),
                           .b = p->ply % 2 == 0};
        int error =
            plb_add_neighbour(p, l, occupied | (cells & -cells), dead_code(p), &step->child);
        if (error) return error;
    }
    return PLB_OK;
}

/* Every position begins with the worst outcome for the mover, or on the full board a draw. */
static void fill_values(const plb_pass *p, const plb_lane *l, plb_run run) {
    bool full = p->ply == p->sweep->index->game->cells;
    unsigned worst = full ? 0 : plb_outcome_code_worst(&p->sweep->coding, p->ply);
    for (int i = 0; i < p->sweep->coding.planes; i++) {
        uint64_t *part = l->planes.plane[i] + plb_run_start(&l->slab, run);
        if (worst >> i & 1)
            plb_fill_run(&l->slab, run, part);
        else
            memset(part, 0, plb_run_words(&l->slab, run) * sizeof *part);
    }
}

/* The best of the outcomes that all moves lead to. */
static void pull_children(const plb_pass *p, const plb_lane *l, plb_run run) {
    const plb_sweep *sweep = p->sweep;
    for (int n = 0; n < l->neighbour_count; n++)
        sweep->options.kernels->pull(&l->neighbours[n].step, run, sweep->coding.planes,
                                     &l->neighbours[n].planes, dead_code(p), &l->planes);
}

/* Positions in which the last mover has completed a group: the game has ended here. */
static void settle_terminals(const plb_pass *p, const plb_lane *l, plb_hand *h, plb_run run) {
    const plb_sweep *sweep = p->sweep;
    unsigned ended = plb_outcome_code_encode(&sweep->coding, p->ply);
    const uint64_t *lines = h->lines;
    sweep->options.kernels->lines(&l->slab, run, l->slab.groups, l->slab.group_count, p->ply % 2,
                                  h->lines);
    for (int v = 0; v < sweep->coding.planes; v++) {
        uint64_t *part = l->planes.plane[v] + plb_run_start(&l->slab, run);
        uint64_t set = ended >> v & 1 ? ~0ULL : 0;
        for (size_t i = 0; i < plb_run_words(&l->slab, run); i++)
            part[i] = (part[i] & ~lines[i]) | (lines[i] & set);
    }
}

/* Positions of a run in which nobody has a group; settle_terminals has left the last mover's. */
static const uint64_t *find_open(const plb_pass *p, const plb_lane *l, plb_hand *h, plb_run run) {
    size_t words = plb_run_words(&l->slab, run);
    uint64_t others[PLB_RUN_WORDS];
    p->sweep->options.kernels->lines(&l->slab, run, l->slab.groups, l->slab.group_count,
                                     p->ply % 2 == 0, others);
    plb_fill_run(&l->slab, run, h->marks);
    for (size_t i = 0; i < words; i++) h->marks[i] &= ~h->lines[i] & ~others[i];
    return h->marks;
}

/* Count the open positions, and keep those in `stored` whose values must be. */
static int choose_stored(const plb_pass *p, plb_lane *l, plb_hand *h, plb_run run) {
    const plb_sweep *sweep = p->sweep;
    size_t at = plb_run_start(&l->slab, run), words = plb_run_words(&l->slab, run);
    uint64_t *stored = l->stored.words + at;
    const uint64_t *open = l->open ? l->open + at : find_open(p, l, h, run);
    const plb_tally_slab slab = {&sweep->coding, p->ply,   sweep->index->game->cells,
                                 l->number,      l->orbit, &l->slab,
                                 &l->planes};
    plb_tally_add(&slab, run, open, &h->tally);
    if (!plb_settle_is_stored_ply(p->ply)) return PLB_OK;
    memcpy(stored, open, words * sizeof *stored);
    int error = plb_quiet_keep(&h->quiet, sweep->index->game, sweep->options.kernels, &l->slab, run,
                               stored);
    if (plb_count_ones(stored, words)) {
#pragma omp atomic write
        l->stores = true;
    }
    return error;
}

static int solve_run(const plb_pass *p, plb_lane *l, plb_hand *h, plb_run run) {
    fill_values(p, l, run);
    pull_children(p, l, run);
    settle_terminals(p, l, h, run);
    return choose_stored(p, l, h, run);
}

static int values_slab(plb_pass *p, plb_lane *l, uint64_t slab) {
    uint64_t occupied = plb_index_slab_cells(p->sweep->index, p->ply, slab), *open = NULL;
    const plb_slab *shape;
    if (plb_begin_slab(p, l, slab, occupied) || plb_words_reserve(&l->stored, l->slab.words))
        return plb_fail_lane(l);
    int error = fetch_children(p, l, occupied);
    if (!error && p->reach)
        error = plb_courier_fetch(l->courier, l->neighbour_count, p->reach, occupied, 1, 0, &shape,
                                  &open, &l->message);
    if (error) return error;
    l->open = open;
    if (plb_share_runs(p, l, &l->slab, solve_run) ||
        plb_block_maker_add(l->maker, &l->slab, &l->planes, l->stores ? l->stored.words : NULL))
        return plb_fail_lane(l);
    return l->is_held ? PLB_OK : plb_store_slab(p, l, slab);
}

static int values_segment(plb_pass *p, plb_lane *l, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    if (plb_block_maker_begin(l->maker, &p->cut, p->ply, segment)) return plb_fail_lane(l);
    for (uint64_t slab = first; slab < last; slab++) {
        int error = values_slab(p, l, slab);
        if (error) return error;
    }
    const uint8_t *bytes;
    size_t size;
    int error = plb_block_maker_end(l->maker, &bytes, &size);
    if (error) return plb_fail(&l->message, error, "a segment of the table exceeds 4 GiB");
    return plb_spool_put(p->table, segment, bytes, size, &l->message);
}

static plb_tally sum_tallies(const plb_sweep *sweep) {
    plb_tally sum;
    plb_tally_clear(&sum);
    for (int t = 0; t < sweep->options.threads; t++) plb_tally_merge(&sweep->hands[t].tally, &sum);
    return sum;
}

static plb_ply_stats make_stats(const plb_pass *p, const plb_reach_counts *counts,
                                const plb_tally *tally) {
    uint64_t won = tally->won[PLB_X_WINS], lost = tally->won[PLB_O_WINS];
    plb_ply_stats stats = {.total = counts->open + counts->terminal,
                           .terminal = counts->terminal,
                           .won = won,
                           .drawn = counts->open - won - lost,
                           .lost = lost};
    bool x_won = plb_outcome_code_encode(&p->sweep->coding, p->ply) >> PLB_X_WINS & 1;
    *(x_won ? &stats.won : &stats.lost) += counts->terminal;
    return stats;
}

static plb_longest find_longest(const plb_pass *p, const plb_far_position *far) {
    if (far->plies == PLB_NO_DTM) return (plb_longest){.plies = PLB_NO_DTM};
    const plb_index *index = p->sweep->index;
    plb_position position = plb_index_unrank(index, (plb_place){p->ply, far->slab, far->rank});
    return (plb_longest){.plies = far->plies,
                         .x = plb_game_bits_of_cells(index->game, position.x),
                         .o = plb_game_bits_of_cells(index->game, position.o)};
}

static plb_ply_distances make_distances(const plb_pass *p, const plb_reach_counts *counts,
                                        const plb_tally *tally) {
    const plb_game *game = p->sweep->index->game;
    plb_ply_distances made = {0};
    for (int plies = 0; plies <= game->cells - p->ply; plies++) {
        uint64_t count = plies ? tally->ends[p->ply + plies] : counts->terminal;
        (plb_distance_is_win(game, plies) ? made.wins : made.losses)[plies] = count;
    }
    bool x_moves = p->ply % 2 == 0;
    made.longest_win = find_longest(p, &tally->longest[x_moves ? PLB_X_WINS : PLB_O_WINS]);
    made.longest_loss = find_longest(p, &tally->longest[x_moves ? PLB_O_WINS : PLB_X_WINS]);
    return made;
}

static plb_ply_results make_results(const plb_pass *p, const plb_reach_counts *counts) {
    plb_tally tally = sum_tallies(p->sweep);
    plb_ply_results results = {.stats = make_stats(p, counts, &tally)};
    if (p->sweep->coding.values == PLB_DTM) results.distances = make_distances(p, counts, &tally);
    return results;
}

int plb_sweep_backward(plb_sweep *sweep, int ply, const plb_layer *after, const plb_layer *reach,
                       const plb_layer *values, plb_spool *table, const plb_reach_counts *counts,
                       plb_ply_results *results, plb_message *message) {
    plb_pass p = {.sweep = sweep,
                  .ply = ply,
                  .planes = sweep->coding.planes,
                  .solves = true,
                  .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
                  .neighbour = after,
                  .reach = reach,
                  .made = values,
                  .table = table,
                  .message = message};
    int error = plb_run_pass(&p, values_segment);
    if (!error) *results = make_results(&p, counts);
    return error;
}

static int save_segment(plb_pass *p, plb_lane *l, uint64_t segment) {
    uint64_t first, last;
    plb_cut_slabs(&p->cut, segment, &first, &last);
    int error = PLB_OK;
    for (uint64_t slab = first; slab < last && !error; slab++) {
        const plb_held *held = plb_hold_find(p->made->hold, slab);
        if (held)
            error = plb_courier_store(l->courier, p->made->spool, slab, held->planes,
                                      p->planes * held->shape.words, &l->message);
    }
    return error;
}

int plb_sweep_save(plb_sweep *sweep, int ply, const plb_layer *values, plb_message *message) {
    plb_pass p = {.sweep = sweep,
                  .ply = ply,
                  .planes = sweep->coding.planes,
                  .cut = plb_cut_ply(sweep->index, ply, sweep->options.block_positions),
                  .made = values,
                  .message = message};
    return plb_run_pass(&p, save_segment);
}
