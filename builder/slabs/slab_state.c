/* SPDX-License-Identifier: MIT */
#include "builder/slabs/slab_state.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>

#include "builder/slabs/rank_exchange.h"
#include "builder/slabs/reach_ply.h"
#include "builder/slabs/solve_ply.h"
#include "tables/count/position_count.h"

/* ---- workers and threads ---- */

double plb_slab_worker_piece_bytes(const plb_slab_engine *engine, int ply) {
    uint64_t bytes = engine->options.slabs.piece_bytes;
    return bytes ? (double)bytes : engine->options.budget->piece_bytes[ply];
}

/* Bytes that a worker may take for planes of a slab or a piece; 1 GiB if the budget has none. */
static double planes_bytes_of(const plb_slab_engine *engine, int ply) {
    double piece = plb_slab_worker_piece_bytes(engine, ply);
    double whole = engine->options.budget->slab_bytes[ply];
    return piece > 0 ? piece : whole > 0 ? whole : 0x1p30;
}

void plb_slab_worker_shrink(plb_slab_worker *worker, double planes_bytes) {
    plb_plane_source_shrink(worker->source);
    plb_word_stack_trim(&worker->stack, (uint64_t)planes_bytes);
    plb_permuter_free(&worker->permuter);
    plb_slab_free(&worker->image);
    plb_slab_free(&worker->slab);
    plb_slab_free(&worker->live);
    plb_slab_free(&worker->fringe);
}

int plb_slab_workers_count(const plb_slab_engine *engine, int ply) {
    int threads = engine->options.threads, workers = engine->options.budget->workers[ply];
    return workers ? (int)plb_min(workers, threads) : threads;
}

void plb_slab_workers_begin_ply(plb_slab_engine *engine, int ply) {
    int workers = plb_slab_workers_count(engine, ply);
    double planes_bytes = planes_bytes_of(engine, ply);
    for (int t = 0; t < engine->options.threads; t++)
        plb_slab_worker_shrink(&engine->workers[t], t < workers ? planes_bytes : 0);
}

enum { OWN_BYTES = 8 << 20 }; /* of a worker besides planes: mostly writers of segments */

/* Its own planes, fringe_reach, and a plane that is being packed. */
double plb_slab_worker_forward_bytes(double live_bytes) {
    return 3 * live_bytes + OWN_BYTES;
}

/* Planes of the slab, `stored`, and a plane that is being packed; planes of an image, and
 * `permuted` if there is more than one image; the open positions, and fringe_reach. */
double plb_slab_worker_backward_bytes(double open_bytes, double solved_bytes, int planes,
                                      int symmetries) {
    int images = symmetries > 2 ? 2 : symmetries - 1;
    return (planes * (1 + images) + 2) * solved_bytes + 2 * open_bytes + OWN_BYTES;
}

static int open_workers(plb_slab_engine *engine) {
    const plb_engine_options *o = &engine->options;
    const plb_game *game = engine->index->game;
    plb_block_form form = {o->identity, o->level, o->block_entries, engine->coding.planes,
                           engine->index};
    engine->states = calloc(o->threads, sizeof *engine->states);
    engine->workers = calloc(o->threads, sizeof *engine->workers);
    int error = engine->states && engine->workers ? PLB_OK : PLB_ENOMEM;
    double max_bytes = 0;
    for (int ply = 0; ply <= game->cells; ply++)
        max_bytes = fmax(max_bytes, planes_bytes_of(engine, ply));
    for (int t = 0; t < o->threads && !error; t++) {
        plb_thread_state *state = &engine->states[t];
        plb_slab_worker *worker = &engine->workers[t];
        state->masks =
            (plb_reach_masks){.columns = &engine->columns, .max_bytes = plb_masks_bytes(game)};
        state->quiet = (plb_quiet){.game = game, .kernels = engine->kernels};
        state->lines = malloc(PLB_RANGE_WORDS * sizeof *state->lines);
        state->marks = malloc(PLB_RANGE_WORDS * sizeof *state->marks);
        worker->permuter.threads = &engine->threads;
        plb_word_stack_open((uint64_t)max_bytes, &worker->stack);
        if (!state->lines || !state->marks) error = PLB_ENOMEM;
        if (!error)
            error = plb_plane_source_open(engine->index, &engine->threads, engine->codec,
                                          &worker->stack, &worker->source);
        if (!error) error = plb_block_writer_open(&engine->threads, &form, &worker->writer);
    }
    return error;
}

/* ---- by columns ---- */

static int open_columns(plb_slab_engine *engine, plb_message *message) {
    const plb_game *game = &engine->options.space->game;
    if (engine->way != PLB_REACH_BY_COLUMNS) return PLB_OK;
    int error = plb_column_automaton_make(game->width, game->height, game->k, engine->options.stop,
                                          &engine->columns);
    if (error == PLB_EINTERRUPTED) return plb_fail(message, error, "interrupted");
    if (error) return plb_fail(message, error, "out of memory for the automaton of columns");
    if (engine->options.is_trial) return PLB_OK;
    int threads = engine->options.budget->ahead_threads;
    const plb_count_work work = {.threads = threads ? threads : engine->options.threads,
                                 .stop = engine->options.stop,
                                 .advance = engine->options.count,
                                 .context = engine->options.context,
                                 .in_rounds = engine->options.budget->ahead_in_rounds};
    plb_position_counts counts;
    plb_count_board board;
    plb_count_check_find_board(game, &board);
    engine->reachable = calloc(game->cells + 1, sizeof *engine->reachable);
    if (!engine->reachable) return plb_fail(message, PLB_ENOMEM, "out of memory");
    if (plb_ranks_number(engine->options.ranks) > 0) return PLB_OK; /* rank 0 counts for all */
    error = plb_position_count(&board, &work, &counts, message);
    malloc_trim(0); /* else the process keeps much of what counting has freed */
    if (error) return error;
    for (int ply = 0; ply <= game->cells; ply++) { /* the counts fit 64 bits, as the index does */
        engine->reachable[ply].total = (uint64_t)counts.ply[ply].total;
        engine->reachable[ply].terminal = (uint64_t)counts.ply[ply].terminal;
    }
    plb_position_counts_free(&counts);
    return PLB_OK;
}

/* ---- the engine ---- */

int plb_slab_engine_open(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                         plb_message *message) {
    plb_slab_engine *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory");
    made->options = *options;
    made->resumed = options->journal->resume;
    made->index = &options->space->index;
    made->kernels = options->slabs.kernels ? options->slabs.kernels : plb_kernels_best();
    made->coding = plb_outcome_code_make(&options->space->game, options->values);
    made->set = plb_solve_blocks(&options->space->game, options->values);
    made->way = plb_reach_choose(made->index, options->slabs.reach);
    pthread_mutex_init(&made->lock, NULL);
    made->cached.ply = made->needed.ply = -1;
    int counted = open_columns(made, message); /* first: so the memory it frees is used again */
    int error = counted ? counted : plb_threads_open(options->threads, &made->threads);
    if (!error) error = plb_scratch_codec_open(&made->threads, plb_best_vectors(), &made->codec);
    if (!error) error = open_workers(made);
    if (!error) error = plb_memory_pool_open(options->budget->ply_memory_bytes, &made->pool);
    if (!error)
        error = plb_plane_cache_open(plb_budget_max_cache_bytes(options->budget), &made->cache);
    if (!error) error = plb_exchange_open(made);
    if (error && !counted)
        error = plb_fail(message, error, "out of memory for %d threads", options->threads);
    error = plb_ranks_agree(options->ranks, error, message);
    if (!error) error = plb_exchange_broadcast_cuts(made, message);
    if (!error && made->reachable)
        error = plb_ranks_broadcast(options->ranks, made->reachable,
                                    (options->space->game.cells + 1) * sizeof *made->reachable,
                                    message);
    if (!error)
        *traits = (plb_engine_traits){.goes_forward = made->way == PLB_REACH_FORWARD,
                                      .compares_counts = made->way == PLB_REACH_BY_COLUMNS};
    return PLB_HAND_OVER(error, made, state, plb_slab_engine_close);
}

void plb_slab_engine_close(void *state) {
    plb_slab_engine *engine = state;
    if (!engine) return;
    for (int t = 0; engine->states && t < engine->options.threads; t++) {
        free(engine->states[t].lines);
        free(engine->states[t].marks);
        plb_reach_masks_free(&engine->states[t].masks);
        plb_quiet_free(&engine->states[t].quiet);
    }
    for (int w = 0; engine->workers && w < engine->options.threads; w++) {
        plb_slab_worker *worker = &engine->workers[w];
        if (worker->source) plb_slab_worker_shrink(worker, 0);
        plb_plane_source_close(worker->source);
        plb_block_writer_close(worker->writer);
        plb_word_stack_close(&worker->stack);
        plb_slab_pieces_free(&worker->pieces);
    }
    free(engine->states);
    free(engine->workers);
    plb_column_automaton_free(&engine->columns);
    free(engine->reachable);
    plb_exchange_close(engine);
    plb_scratch_codec_close(engine->codec);
    plb_plane_cache_close(engine->cache);
    plb_memory_pool_close(engine->pool);
    plb_threads_close(&engine->threads);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}
