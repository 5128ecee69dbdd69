/* SPDX-License-Identifier: MIT */
#include "builder/slabs/slab_worker.h"

#include <stdlib.h>

int plb_slab_worker_open(plb_slab_worker *worker, const plb_index *index,
                         const plb_threads *threads, const plb_scratch_codec *codec,
                         const plb_block_form *form) {
    worker->permuter.threads = threads;
    int error = plb_plane_source_open(index, threads, codec, &worker->source);
    return error ? error : plb_block_writer_open(threads, form, &worker->writer);
}

void plb_slab_worker_release(plb_slab_worker *worker) {
    plb_plane_source_shrink(worker->source);
    plb_words_free_big(&worker->own_planes);
    plb_words_free_big(&worker->stored);
    plb_words_free_big(&worker->open_words);
    plb_words_free_big(&worker->fringe_reach);
    plb_words_free_big(&worker->image_planes);
    plb_words_free_big(&worker->permuted);
    plb_permuter_free(&worker->permuter);
    plb_slab_free(&worker->image);
    plb_slab_free(&worker->slab);
    plb_slab_free(&worker->live);
    plb_slab_free(&worker->fringe);
}

void plb_slab_worker_close(plb_slab_worker *worker) {
    plb_plane_source_close(worker->source);
    plb_block_writer_close(worker->writer);
    plb_slab_free(&worker->slab);
    plb_slab_free(&worker->live);
    plb_slab_free(&worker->fringe);
    plb_words_free(&worker->stored);
    plb_words_free(&worker->open_words);
    plb_words_free(&worker->fringe_reach);
    plb_words_free(&worker->own_planes);
    plb_words_free(&worker->image_planes);
    plb_words_free(&worker->permuted);
    plb_permuter_free(&worker->permuter);
    plb_slab_free(&worker->image);
}

enum { OWN_BYTES = 8 << 20 }; /* writers of segments and other things of the same size everywhere */

/* own_planes, fringe_reach, and a plane that is being packed. */
double plb_slab_worker_forward_bytes(double live_bytes) {
    return 3 * live_bytes + OWN_BYTES;
}

/* own_planes, stored, and what is being packed; image_planes, and what the second image and more
 * are permuted to; the open positions, and fringe_reach. */
double plb_slab_worker_backward_bytes(double open_bytes, double solved_bytes, int planes,
                                      int symmetries) {
    int images = symmetries > 2 ? 2 : symmetries - 1;
    return (planes * (1 + images) + 2) * solved_bytes + 2 * open_bytes + OWN_BYTES;
}

int plb_thread_state_open(plb_thread_state *state, const plb_game *game, const plb_kernels *kernels,
                          const plb_columns *columns) {
    state->masks = (plb_reach_masks){.columns = columns, .most_bytes = plb_masks_bytes(game)};
    state->quiet.game = game;
    state->quiet.kernels = kernels;
    state->lines = malloc(PLB_RUN_WORDS * sizeof *state->lines);
    state->marks = malloc(PLB_RUN_WORDS * sizeof *state->marks);
    return state->lines && state->marks ? PLB_OK : PLB_ENOMEM;
}

void plb_thread_state_close(plb_thread_state *state) {
    free(state->lines);
    free(state->marks);
    plb_reach_masks_free(&state->masks);
    plb_quiet_free(&state->quiet);
}
