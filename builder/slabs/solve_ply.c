/* SPDX-License-Identifier: MIT
 *
 * A slab is solved in these steps: fetch its children; pull the outcomes of all moves; set those of
 * positions with a known end; find the open positions, count them, and choose those whose values
 * must be stored; write the blocks of the table, then the planes for the previous ply.
 */
#include "builder/slabs/solve_ply.h"

#include <string.h>

#include "builder/slabs/rank_exchange.h"
#include "builder/slabs/slab_moves.h"
#include "tables/games/static_value.h"

plb_block_set plb_solve_blocks(const plb_game *game, plb_value_kind values) {
    return values == PLB_WDL && !game->misere ? PLB_UNDECIDED : PLB_LIVE;
}

/* ---- ranges ---- */

/* lines = positions with a known end. If won blocks are not solved, the mover can complete a group;
 * values of positions in which the game is over are then never read. Else the last mover has
 * completed a group. */
static int find_ends(const plb_pass *p, const plb_slab_worker *w, plb_thread_state *state,
                     plb_block_range range) {
    const plb_slab_engine *engine = p->engine;
    if (engine->set == PLB_UNDECIDED)
        return plb_quiet_find_completing(&state->quiet, &w->slab, range, state->lines);
    engine->kernels->lines(&w->slab, range, w->slab.groups, w->slab.low_groups,
                           !plb_ply_x_moves(p->ply), state->lines);
    return PLB_OK;
}

/* Set the code of the positions with a known end. If won blocks are not solved, only values of open
 * positions are read: all others, and the bits after each block, get 1 in all planes, which
 * compresses well (scratch_codec.h). */
static void set_ends(const plb_pass *p, const plb_slab_worker *w, const uint64_t *ends,
                     plb_block_range range, const uint64_t *open) {
    const plb_slab_engine *engine = p->engine;
    bool completes = engine->set == PLB_UNDECIDED;
    unsigned code = plb_outcome_code_encode(&engine->coding, completes ? p->ply + 1 : p->ply);
    uint64_t unused = completes ? ~0ULL : 0;
    size_t count = plb_slab_range_words(&w->slab, range);
    for (int v = 0; v < w->planes.count; v++) {
        uint64_t *words = plb_planes_get(&w->planes, v) + plb_slab_range_start(&w->slab, range);
        uint64_t set = code >> v & 1 ? ~0ULL : 0;
        for (size_t i = 0; i < count; i++)
            words[i] = (words[i] & ~ends[i]) | (ends[i] & set) | (~open[i] & unused);
    }
}

/* state->marks = positions of a range in which no player has a group; by columns, only reachable
 * ones. all = the same, also those that are not reachable; or NULL. */
static int find_ungrouped(const plb_pass *p, const plb_slab *slab, plb_thread_state *state,
                          plb_block_range range, uint64_t *all) {
    uint64_t *marks = state->marks;
    int error = PLB_OK;
    p->engine->kernels->ungrouped(slab, range, slab->groups, slab->low_groups, marks);
    if (all) memcpy(all, marks, plb_slab_range_words(slab, range) * sizeof *marks);
    if (p->engine->way != PLB_REACH_BY_COLUMNS) return PLB_OK;
    for (size_t block = range.first; block < range.last && !error; block++) {
        error = plb_reach_masks_keep(&state->masks, slab, block, marks);
        marks += slab->start[block + 1] - slab->start[block];
    }
    return error;
}

/* Keep only those blocks of `live` that are not solved: all their open positions are won. */
static void keep_won(const plb_slab *solved, plb_slab *live) {
    size_t kept = 0, next = 0;
    live->words = 0;
    for (size_t block = 0; block < live->blocks; block++) {
        size_t words = live->start[block + 1] - live->start[block];
        if (next < solved->blocks && solved->hi[next] == live->hi[block]) {
            next++;
            continue;
        }
        live->hi[kept] = live->hi[block];
        live->start[kept++] = live->words;
        live->words += words;
    }
    if (live->blocks) live->start[kept] = live->words;
    live->blocks = kept;
}

/* Count the open positions of the won blocks. */
static int count_won(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                     plb_block_range range) {
    int error = find_ungrouped(p, &w->live, state, range, NULL);
    state->reached.total +=
        w->orbit * plb_pass_count_ones(state->marks, plb_slab_range_words(&w->live, range));
    return error;
}

/* The open positions of a range. */
static int find_open(const plb_pass *p, const plb_slab_worker *w, plb_thread_state *state,
                     plb_block_range range, const uint64_t **open) {
    const plb_planes *known = &w->open;
    *open = state->marks;
    if (known->words && p->made->set == PLB_LIVE) {
        *open = known->words + plb_slab_range_start(&w->slab, range);
    } else if (known->words) {
        plb_slab_copy_range(known->shape, known->words, &w->slab, range, state->marks);
    } else {
        bool marks = plb_pass_marks_quiet(p) && plb_static_value_is_stored_ply(p->ply);
        uint64_t *stored = w->stored + plb_slab_range_start(&w->slab, range);
        return find_ungrouped(p, &w->slab, state, range, marks ? stored : NULL);
    }
    return PLB_OK;
}

/* Count the open positions; `stored` gets those whose values must be stored, or all quiet ones. */
static int choose_stored(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                         plb_block_range range, const uint64_t *open) {
    const plb_slab_engine *engine = p->engine;
    size_t at = plb_slab_range_start(&w->slab, range),
           words = plb_slab_range_words(&w->slab, range);
    uint64_t *stored = w->stored + at;
    const plb_outcome_tally_slab slab = {.coding = &engine->coding,
                                         .ply = p->ply,
                                         .cells = engine->index->game->cells,
                                         .number = w->number,
                                         .orbit = w->orbit,
                                         .planes = &w->planes};
    plb_outcome_tally_add(&slab, range, open, &state->tally);
    if (!plb_static_value_is_stored_ply(p->ply)) return PLB_OK;
    if (w->open.words || !plb_pass_marks_quiet(p)) memcpy(stored, open, words * sizeof *stored);
    const uint64_t *completing = engine->set == PLB_UNDECIDED ? state->lines : NULL;
    int error = plb_quiet_keep(&state->quiet, &w->slab, range, completing, stored);
    for (int v = PLB_X_WINS; v <= PLB_O_WINS && engine->set == PLB_LIVE; v++) { /* else set_ends */
        uint64_t *wins = plb_planes_get(&w->planes, v) + at;
        for (size_t i = 0; i < words; i++) wins[i] |= stored[i] & ~open[i];
    }
    for (size_t i = 0; i < words; i++)
        if (stored[i]) {
            __atomic_store_n(&w->stores, true, __ATOMIC_RELAXED);
            break;
        }
    return error;
}

/* Before planes go to a scratch file: positions in which the mover can complete a group get 1 in
 * all planes, which compresses well. These wins are found again on reading (plane_source.c). */
static void erase_wins(const plb_pass *p, const plb_slab_worker *w, plb_block_range range,
                       const uint64_t *completing) {
    size_t count = plb_slab_range_words(&w->slab, range);
    if (p->engine->set != PLB_UNDECIDED || w->is_in_memory) return;
    for (int v = 0; v < w->planes.count; v++) {
        uint64_t *words = plb_planes_get(&w->planes, v) + plb_slab_range_start(&w->slab, range);
        for (size_t i = 0; i < count; i++) words[i] |= completing[i];
    }
}

/* Solve a range. One that is not in the sample stores nothing. */
static int solve_range(const plb_pass *p, plb_slab_worker *w, plb_thread_state *state,
                       plb_block_range range) {
    if (!plb_pass_solves_range(p, w, range.first)) {
        memset(w->stored + plb_slab_range_start(&w->slab, range), 0,
               plb_slab_range_words(&w->slab, range) * sizeof *w->stored);
        return PLB_OK;
    }
    const uint64_t *open;
    if (!w->has_outcomes) plb_moves_fill_worst(p, &w->planes, range);
    plb_moves_pull(p, w, 0, range, &w->planes);
    int error = find_ends(p, w, state, range);
    if (!error) error = find_open(p, w, state, range, &open);
    if (error) return error;
    set_ends(p, w, state->lines, range, open);
    error = choose_stored(p, w, state, range, open);
    erase_wins(p, w, range, state->lines);
    return error;
}

/* Reserve memory for a slab or a piece, and fetch its children. */
static int fetch_slab(const plb_pass *p, plb_slab_worker *w, uint64_t slab, uint64_t occupied) {
    w->open = (plb_planes){0};
    if (plb_pass_begin_slab(p, w, slab, occupied)) return plb_pass_fail_memory(w);
    w->stored = plb_word_stack_take(&w->stack, w->slab.words);
    if (!w->stored) return plb_pass_fail_memory(w);
    int error = w->runs ? plb_moves_find_piece(p, w) : plb_moves_find(p, w);
    if (!error && p->reach)
        error = plb_plane_source_fetch(w->source, w->neighbour_count, p->reach,
                                       (plb_slab_part){occupied, w->runs}, &w->open, &w->message);
    return error;
}

/* Find the values of a slab or a piece, and which of them must be stored. Without gravity also find
 * and count the reachable positions. */
static int find_values(plb_pass *p, plb_slab_worker *w, uint64_t slab, uint64_t occupied) {
    int error = fetch_slab(p, w, slab, occupied);
    w->is_too_big = error == PLB_ENOMEM && !w->runs;
    if (error) return error;
    bool counts = p->engine->way == PLB_REACH_FREELY && !p->samples;
    if ((counts && plb_reach_freely(p, w, occupied)) ||
        plb_pass_share_ranges(p, w, &w->slab, solve_range))
        return plb_pass_fail_memory(w);
    return PLB_OK;
}

/* Solve a slab or a piece and write its blocks; slabs that are not in a sample are skipped. By
 * columns also count the open positions of blocks that are not solved. */
static int solve_ranks(plb_pass *p, plb_slab_worker *w, uint64_t slab, plb_rank_range ranks) {
    const plb_slab_engine *engine = p->engine;
    uint64_t occupied = plb_index_slab_cells(engine->index, p->ply, slab);
    bool solves = !p->samples || plb_ply_prediction_samples_slab(p->prediction, slab);
    bool counts = p->solves && engine->way == PLB_REACH_BY_COLUMNS && p->made->set != PLB_LIVE &&
                  !engine->options.is_trial;
    w->stores = false;
    int error = solves ? find_values(p, w, slab, occupied) : PLB_OK;
    if (error) return error;
    if (counts) {
        if (plb_slab_shape(engine->index->game, occupied, PLB_LIVE, w->runs, &w->live))
            return plb_pass_fail_memory(w);
        keep_won(&w->slab, &w->live);
        if (plb_pass_share_ranges(p, w, &w->live, count_won)) return plb_pass_fail_memory(w);
    }
    if (plb_block_writer_add(w->writer, ranks, &w->planes, w->stores ? w->stored : NULL))
        return plb_pass_fail_memory(w);
    if (p->samples || w->is_in_memory) return PLB_OK;
    return plb_plane_source_store(w->source, p->made, slab, w->runs, &w->planes, &w->message);
}

static int solve_pieces(plb_pass *p, plb_slab_worker *w, uint64_t slab, double piece_bytes) {
    const plb_slab_engine *engine = p->engine;
    int open_planes = engine->way == PLB_REACH_FREELY ? 2 : engine->way == PLB_REACH_FORWARD;
    const plb_pieces_form form = {engine->index, &engine->threads, p->made,
                                  p->neighbour,  open_planes,      piece_bytes};
    int error = PLB_OK;
    plb_permuter_free(&w->permuter); /* an earlier slab may have needed more */
    if (plb_slab_pieces_begin(&form, plb_index_slab_cells(engine->index, p->ply, slab), &w->pieces))
        return plb_pass_fail_memory(w);
    while (!error && plb_slab_pieces_next(&w->pieces)) {
        w->runs = &w->pieces.runs;
        w->blocks_before = w->pieces.blocks_before;
        error = solve_ranks(p, w, slab, w->pieces.ranks);
    }
    w->runs = NULL;
    w->blocks_before = 0;
    return error;
}

/* Solve a slab: in pieces if slabs of the ply do not fit in memory with their children, or if this
 * one turns out to be too big, because it is bigger than the forecast from samples. */
static int solve_slab(plb_pass *p, plb_slab_worker *w, uint64_t slab) {
    double piece_bytes = plb_slab_worker_piece_bytes(p->engine, p->ply);
    bool skips = p->samples && !plb_ply_prediction_samples_slab(p->prediction, slab);
    w->runs = NULL;
    w->blocks_before = 0;
    w->is_too_big = false;
    if (piece_bytes > 0 && !skips) return solve_pieces(p, w, slab, piece_bytes);
    int error = solve_ranks(p, w, slab, (plb_rank_range){0, p->parts.layout.slab_size});
    if (!w->is_too_big) return error;
    if (p->made->memory) plb_ply_memory_forget(p->made->memory, slab, slab + 1);
    plb_slab_worker_shrink(w, 0);
    return solve_pieces(p, w, slab, p->engine->options.budget->slab_bytes[p->ply]);
}

/* Solve the part or its sample, while planes arrive from other ranks. */
static int run_pass(plb_pass *p) {
    plb_plane_demand demand = {.part = {PLB_SCRATCH_VALUES, p->ply, p->part},
                               .read = {PLB_SCRATCH_VALUES, p->ply + 1, 0},
                               .layer = p->neighbour,
                               .sample = p->samples ? p->prediction : NULL};
    int error = p->neighbour ? plb_exchange_begin(p->engine, &demand, p->message) : PLB_OK;
    if (!error) error = plb_pass_run(p, solve_slab);
    return plb_exchange_end(p->neighbour, error, p->message);
}

/* Planes of the sample are not kept in the memory of the ply. */
int plb_solve_sample(plb_pass *p) {
    plb_ply_planes made = *p->made;
    plb_pass sample = *p;
    made.memory = NULL;
    sample.made = &made;
    sample.samples = true;
    if (!plb_exchange_divides(p->engine, p->ply) && p->run.first < p->run.last)
        sample.run = (plb_segment_run){0, p->parts.layout.segments};
    plb_ply_prediction_begin(p->prediction, &p->engine->parts.layout);
    if (!p->prediction->is_sampling) return PLB_OK;
    int error = run_pass(&sample);
    error = plb_exchange_sample(p->engine, p->ply, p->prediction, error, p->message);
    plb_ply_prediction_end_sample(p->prediction);
    return error;
}

int plb_solve_part(plb_pass *p) {
    plb_slab_engine *engine = p->engine;
    p->solves = true;
    int error = run_pass(p);
    plb_ply_sums part = {.reached = plb_reach_sum(engine)}, *sums = &engine->sums;
    plb_outcome_tally_clear(&part.tally);
    for (int t = 0; t < engine->options.threads; t++)
        plb_outcome_tally_merge(&engine->states[t].tally, &part.tally);
    error = plb_exchange_sums(engine, p->ply, &part, error, p->message);
    sums->reached.total += part.reached.total;
    sums->reached.terminal += part.reached.terminal;
    plb_outcome_tally_merge(&part.tally, &sums->tally);
    return error;
}

/* By columns, the open positions that were found must be as many as exact counting gives. If rank 0
 * solves a ply alone, the other ranks have found none. */
int plb_solve_results(const plb_pass *p, plb_ply_stats *reached, plb_ply_results *results) {
    const plb_slab_engine *engine = p->engine;
    const plb_index_ply *ply = &engine->index->plies[p->ply];
    const plb_ply_sums *sums = &engine->sums;
    if (engine->way == PLB_REACH_FREELY) *reached = sums->reached;
    uint64_t open = sums->reached.total + sums->tally.positions;
    uint64_t counted = reached->total - reached->terminal;
    bool is_first = plb_ranks_number(engine->options.ranks) == 0;
    bool has_counts = is_first || plb_exchange_divides(engine, p->ply);
    bool compares = engine->way == PLB_REACH_BY_COLUMNS && !engine->options.is_trial;
    if (compares && has_counts && open != counted)
        return plb_fail(p->message, PLB_ECORRUPT,
                        "ply %d: %llu positions in which the game goes on were found; exact "
                        "counting gives %llu",
                        p->ply, (unsigned long long)open, (unsigned long long)counted);
    bool is_kept = engine->options.keeps_segments && plb_exchange_divides(engine, p->ply);
    *results = (plb_ply_results){
        .slabs = ply->slabs,
        .slab_size = ply->slab_size,
        .own = is_kept ? p->run : (plb_segment_run){0, is_first ? UINT64_MAX : 0},
        .ranks = is_kept ? plb_ranks_count(engine->options.ranks) : 1,
        .stats = plb_outcome_tally_stats(&sums->tally, &engine->coding, p->ply, reached)};
    if (engine->coding.values == PLB_DTM)
        results->distances =
            plb_outcome_tally_distances(&sums->tally, engine->index, p->ply, reached);
    return PLB_OK;
}

static int save_slab(plb_pass *p, plb_slab_worker *w, uint64_t slab) {
    const plb_planes *planes = plb_ply_memory_find(p->made->memory, slab);
    if (!planes) return PLB_OK;
    return plb_plane_source_store(w->source, p->made, slab, NULL, planes, &w->message);
}

int plb_solve_save_part(plb_pass *p) {
    return plb_pass_run(p, save_slab);
}
