/* SPDX-License-Identifier: MIT
 *
 * The state of the engine of slabs, private to this folder: the engine; a worker for each slab that
 * is solved at the same time; and per-thread state, since several threads may share a slab. Must
 * not know: which slabs there are.
 */
#pragma once

#include <pthread.h>

#include "builder/engine.h"
#include "builder/planes/permute.h"
#include "builder/planes/quiet_planes.h"
#include "builder/planes/reach_masks.h"
#include "builder/slabs/block_writer.h"
#include "builder/slabs/outcome_tally.h"
#include "builder/slabs/plane_source.h"
#include "builder/slabs/slab_pieces.h"

/* ---- threads and workers ---- */

/* Memory of a thread for reach masks: 7x6 uses up 16 MiB; 6x5 is as fast with 1 MiB. */
static inline size_t plb_masks_bytes(const plb_game *game) {
    return game->cells > 36 ? 16 << 20 : 2 << 20;
}

/* Per-thread state, and what the thread has counted in the current pass. */
typedef struct plb_thread_state {
    uint64_t *lines, *marks; /* [PLB_RANGE_WORDS] of a range */
    plb_quiet quiet;
    plb_reach_masks masks;
    plb_ply_stats reached;   /* only total and terminal */
    plb_outcome_tally tally; /* of open positions whose values were solved */
} plb_thread_state;

/* A child of the slab, or in the forward pass a parent. */
typedef struct plb_neighbour {
    plb_step step;
    int element; /* of a child: makes its set of cells canonical; `planes` are of this image */
    plb_planes planes;
} plb_neighbour;

/* The work on one slab, and the segments that the worker takes next. */
typedef struct plb_slab_worker {
    uint64_t next, last; /* segments [next, last) */
    plb_plane_source *source;
    plb_block_writer *writer;
    plb_slab slab;         /* shape of `planes`: blocks whose values are solved, or live blocks */
    plb_slab live, fringe; /* live blocks of the slab; those of its fringe */
    plb_planes planes;     /* values, or in the forward pass open positions: in the memory of the
                              ply, or on the stack */
    plb_word_stack stack;  /* of all planes below; emptied when a slab begins */
    uint64_t *stored;      /* a plane: positions whose values must be stored */
    plb_planes fringe_reach;
    plb_neighbour neighbours[PLB_MAX_CELLS];
    int neighbour_count;
    int element;         /* of the symmetry group: for children that it makes canonical, .. */
    plb_slab image;      /* .. the shape of the slab's image under it, .. */
    plb_planes permuted; /* .. and their outcomes for the slab, if it has outcomes already */
    plb_permuter permuter;
    plb_slab_pieces pieces; /* of the slab */
    const plb_runs *runs;   /* of the current piece; NULL: the slab is solved whole */
    uint64_t blocks_before; /* of the slab, in earlier pieces */
    plb_planes pulled;      /* where pull writes: planes of the image, or of a piece */
    bool has_outcomes;      /* `planes` has outcomes of moves already, to be improved by others */
    plb_planes open;        /* open positions of the live blocks, if they were found before */
    bool is_in_memory;      /* `planes` is in the memory of its ply */
    bool stores;            /* is any position in `stored`? */
    bool is_too_big;        /* the memory did not suffice for the whole slab with its children */
    uint64_t number, orbit; /* of the slab in its ply; size of its orbit, in slabs */
    plb_message message;
} plb_slab_worker;

/* ---- the engine ---- */

/* Counts of a ply of values. */
typedef struct plb_ply_sums {
    plb_ply_stats reached; /* only total and terminal; by columns, of blocks that are not solved */
    plb_outcome_tally tally; /* of open positions of the blocks that are solved */
} plb_ply_sums;

/* The parts of the next ply that each part of a ply and the later ones need, as bit masks. */
typedef struct plb_needed_parts {
    int ply; /* or -1 */
    uint32_t from[PLB_PLY_PARTS];
} plb_needed_parts;

struct plb_slab_engine {
    /* Constant after the engine is opened: */
    plb_engine_options options;
    const plb_index *index;
    const plb_kernels *kernels;
    plb_outcome_code coding;
    plb_block_set set;            /* the blocks whose values are solved */
    plb_reach_way way;            /* how open positions are found */
    plb_column_automaton columns; /* by columns: the automaton, */
    plb_ply_stats *reachable;     /* [cells + 1] and exact counts, only total and terminal */
    plb_threads threads;
    plb_scratch_codec *codec;
    plb_memory_pool *pool;
    plb_plane_cache *cache;
    plb_build_point resumed;                      /* what an earlier run has solved */
    uint64_t *cuts;                               /* division among ranks (rank_exchange.c) */
    plb_bytes *sent_messages, *received_messages; /* [ranks] buffers, reused in every round */
    plb_thread_state *states; /* [options.threads] written by their threads, cleared by a pass */
    plb_slab_worker *workers; /* [options.threads] written by their threads, segments by any */
    pthread_mutex_t lock;     /* guards the workers' segments, and the errors of passes */
    /* Written by slab_engine.c, between passes: */
    plb_parts parts;               /* of the current ply */
    plb_ply_prediction prediction; /* of its blocks */
    plb_ply_sums sums;             /* of the first summed_parts parts of summed_ply */
    int summed_ply, summed_parts;
    plb_needed_parts needed; /* of the ply for which they were last computed */
    plb_scratch_file cached; /* the file whose planes are in the cache; ply -1: none */
    /* Written by ply_planes.c: */
    plb_scratch_file in_memory[2]; /* files whose planes are in the pool, of even and odd plies */
};

/* Open and close the engine with all that it owns (engine.h). */
int plb_slab_engine_open(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                         plb_message *message);
void plb_slab_engine_close(void *state);

/* Bytes that a piece of a slab of a ply may take; 0: slabs are solved whole. */
double plb_slab_worker_piece_bytes(const plb_slab_engine *engine, int ply);

/* How many workers a ply has; the other threads help them. */
int plb_slab_workers_count(const plb_slab_engine *engine, int ply);

/* Free what workers have kept from slabs of another ply, except stacks of the size that this ply
 * needs. Shrink one worker: its stack keeps at most planes_bytes. */
void plb_slab_workers_begin_ply(plb_slab_engine *engine, int ply);
void plb_slab_worker_shrink(plb_slab_worker *worker, double planes_bytes);

/* Bytes of a worker, without its neighbours. Arguments are the bytes of one plane: of live blocks;
 * of open positions (by columns only those of its shape); of blocks whose values are solved.
 * planes: of a value. */
double plb_slab_worker_forward_bytes(double live_bytes);
double plb_slab_worker_backward_bytes(double open_bytes, double solved_bytes, int planes,
                                      int symmetries);
