/* SPDX-License-Identifier: MIT
 *
 * The state of the engine of slabs, private to this folder: the engine; a worker for each slab that
 * is being solved; and a thread's data for a range of any slab. Must not know: which slabs there
 * are.
 */
#ifndef PLB_BUILDER_SLABS_SLAB_STATE_H
#define PLB_BUILDER_SLABS_SLAB_STATE_H

#include <pthread.h>

#include "builder/engine.h"
#include "builder/planes/permute.h"
#include "builder/planes/quiet_planes.h"
#include "builder/planes/reach_masks.h"
#include "builder/slabs/block_writer.h"
#include "builder/slabs/outcome_tally.h"
#include "builder/slabs/plane_source.h"
#include "builder/slabs/slab_pieces.h"

/* ---- of threads and slabs ---- */

/* Of masks of what can be reached, of a thread: 7x6 uses up 16 MiB, 6x5 takes as long with one. */
static inline size_t plb_masks_bytes(const plb_game *game) {
    return game->cells > 36 ? 16 << 20 : 2 << 20;
}

/* What a thread needs for itself, and what it has counted since the ply began. */
typedef struct plb_thread_state {
    uint64_t *lines, *marks; /* [PLB_RANGE_WORDS] of a range */
    plb_quiet quiet;
    plb_reach_masks masks;
    plb_ply_stats reached;   /* total and terminal alone */
    plb_outcome_tally tally; /* of open positions whose values were solved */
} plb_thread_state;

/* A neighbour of the slab. */
typedef struct plb_neighbour {
    plb_step step;
    int element; /* of a child: that makes its set of cells canonical; the planes are its image's */
    plb_planes planes;
} plb_neighbour;

/* What work on one slab needs, and the segments that are to be worked on next. */
typedef struct plb_slab_worker {
    uint64_t next, last; /* segments [next, last) */
    plb_plane_source *source;
    plb_block_writer *writer;
    plb_slab slab;         /* the slab that is worked on, */
    plb_slab live, fringe; /* the parts of it of which it is found what can be reached */
    plb_planes planes;     /* of the slab: in the memory of its ply, or on the stack, */
    plb_word_stack stack;  /* as all that follows: emptied when a slab begins */
    uint64_t *stored;      /* the positions whose values must be stored */
    plb_planes fringe_reach;
    plb_neighbour neighbours[PLB_MAX_CELLS];
    int neighbour_count;
    int element;         /* the slab's image under it, */
    plb_slab image;      /* for children that are not canonical, */
    plb_planes permuted; /* and what its planes become if the slab has others already */
    plb_permuter permuter;
    plb_slab_pieces pieces; /* of the slab, */
    const plb_runs *runs;   /* and of the piece that is worked on; NULL: it is whole */
    uint64_t blocks_before; /* of the slab, in earlier pieces */
    plb_planes pulled;      /* what moves are pulled to: of the image, or of a piece */
    bool is_begun;          /* do its planes have the values by images? */
    plb_planes open;        /* open positions of its live blocks, if they were found before */
    bool is_in_memory;      /* its planes are in the memory of its ply */
    bool stores;            /* must any of its values be stored? */
    bool is_too_big;        /* did the memory not suffice for it and all that its moves lead to? */
    uint64_t number, orbit; /* of the slab in its ply; slabs that it stands for */
    plb_message message;
} plb_slab_worker;

/* ---- of the engine ---- */

/* What was counted in a ply of values. */
typedef struct plb_ply_sums {
    plb_ply_stats
        reached; /* total and terminal alone; by columns, of blocks that were not solved */
    plb_outcome_tally tally; /* of open positions of the blocks that were solved */
} plb_ply_sums;

/* Parts of the next ply that a ply needs from each of its parts on, as bits. */
typedef struct plb_needed_parts {
    int ply; /* or -1 */
    uint32_t from[PLB_PLY_PARTS];
} plb_needed_parts;

/* The engine. */
struct plb_slab_engine {
    /* Written when it is opened: */
    plb_engine_options options;
    const plb_index *index;
    const plb_kernels *kernels;
    plb_outcome_code coding;
    plb_block_set set;            /* the blocks that values have */
    plb_reach_way way;            /* how open positions are found; by columns: */
    plb_column_automaton columns; /* their automaton, */
    plb_ply_stats *reachable;     /* and what there is on each ply, total and terminal alone */
    plb_threads threads;
    plb_scratch_codec *codec;
    plb_memory_pool *pool;
    plb_plane_cache *cache;
    plb_build_point resumed;                      /* what was solved by an earlier run */
    uint64_t *cuts;                               /* of several ranks (rank_exchange.c), and .. */
    plb_bytes *sent_messages, *received_messages; /* .. [ranks] of a round: they serve again */
    plb_thread_state *states; /* [options.threads] each written by its thread, cleared by a pass */
    plb_slab_worker *workers; /* [options.threads] each written by its thread, .. */
    pthread_mutex_t lock;     /* .. but for its segments, which this guards; and errors of passes */
    /* Written by slab_engine.c, between passes: */
    plb_parts parts;               /* of the ply that is solved, */
    plb_ply_prediction prediction; /* how its blocks are predicted, */
    plb_ply_sums sums;             /* and what was counted .. */
    int summed_ply, summed_parts;  /* .. of which ply, in so many parts */
    plb_needed_parts needed;       /* of the ply that was asked for last */
    plb_scratch_file cached;       /* planes of which file the cache has; ply -1: none */
    /* Written by ply_planes.c: */
    plb_scratch_file in_memory[2]; /* planes of which file the pool has, of even and of odd plies */
};

/* Open and close the engine with all that it owns (engine.h). */
int plb_slab_engine_open(const plb_engine_options *options, void **state, plb_engine_traits *traits,
                         plb_message *message);
void plb_slab_engine_close(void *state);

/* The bytes that a piece of a slab of a ply may take; 0: slabs are whole. And those that a worker
 * may take for planes of either. */
double plb_slab_worker_piece_bytes(const plb_slab_engine *engine, int ply);
double plb_slab_worker_planes_bytes(const plb_slab_engine *engine, int ply);

/* How many workers a ply has; the other threads help them. */
int plb_slab_workers_count(const plb_slab_engine *engine, int ply);

/* Give back what workers needed for slabs of another ply, all but what they may take for planes of
 * this one; or what a worker has beyond so many bytes of planes. */
void plb_slab_workers_begin_ply(plb_slab_engine *engine, int ply);
void plb_slab_worker_shrink(plb_slab_worker *worker, double planes_bytes);

/* The memory of a worker besides its neighbours: in the forward pass by the bytes of a plane of
 * live blocks; in the backward pass by those of a plane of open positions, unless they are found
 * range by range, and of one of blocks whose values are solved, by the planes of a value and by how
 * many symmetries there are. */
double plb_slab_worker_forward_bytes(double live_bytes);
double plb_slab_worker_backward_bytes(double open_bytes, double solved_bytes, int planes,
                                      int symmetries);

#endif
