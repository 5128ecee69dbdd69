/* SPDX-License-Identifier: MIT
 *
 * What is needed to work on a slab: a worker has one slab at a time, a thread one run of
 * any slab. Must not know: which slabs there are.
 */
#ifndef PLB_BUILDER_SLABS_SLAB_WORKER_H
#define PLB_BUILDER_SLABS_SLAB_WORKER_H

#include "builder/planes/permute.h"
#include "builder/planes/quiet_planes.h"
#include "builder/planes/reach_masks.h"
#include "builder/slabs/block_writer.h"
#include "builder/slabs/outcome_tally.h"
#include "builder/slabs/plane_source.h"

/* Of masks of what can be reached, of a thread: 7x6 uses up 16 MiB, 6x5 takes as long with one. */
static inline size_t plb_masks_bytes(const plb_game *game) {
    return game->cells > 36 ? 16 << 20 : 2 << 20;
}

/* Reachable positions of a ply, all of each orbit; the notes of a reach file. */
typedef struct plb_reach_counts {
    uint64_t open, terminal; /* terminal: a group is complete */
} plb_reach_counts;

/* What a thread needs for itself, and what it has counted since the ply began. */
typedef struct plb_thread_state {
    uint64_t *lines, *marks; /* [PLB_RUN_WORDS] of a run */
    plb_quiet quiet;
    plb_reach_masks masks;
    plb_reach_counts reached;
    plb_outcome_tally tally; /* of open positions whose values were solved, */
    uint64_t solved;         /* of which there are so many */
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
    plb_planes planes;     /* of the slab: in the memory of its ply, or in own_planes */
    plb_words own_planes;
    plb_words stored, open_words, fringe_reach;
    plb_neighbour neighbours[PLB_MAX_CELLS];
    int neighbour_count;
    int element;            /* the slab's image under it, */
    plb_slab image;         /* for children that are not canonical */
    plb_words image_planes; /* of the image, and .. */
    plb_words permuted;     /* .. what they become if the slab has others already */
    plb_permuter permuter;
    bool is_begun;          /* do its planes have the values by images? */
    plb_planes open;        /* open positions of its live blocks, if they were found before */
    bool is_in_memory;      /* its planes are in the memory of its ply */
    bool stores;            /* must any of its values be stored? */
    uint64_t number, orbit; /* of the slab in its ply; slabs that it stands for */
    plb_message message;
} plb_slab_worker;

/* threads, codec and index must outlive the worker. Errors: PLB_ENOMEM; close also after that. */
int plb_slab_worker_open(plb_slab_worker *worker, const plb_index *index,
                         const plb_threads *threads, const plb_scratch_codec *codec,
                         const plb_block_form *form);
void plb_slab_worker_close(plb_slab_worker *worker);

/* Give back what slabs of another ply needed. */
void plb_slab_worker_release(plb_slab_worker *worker);

/* The memory of a worker besides its neighbours: in the forward pass by the bytes of a plane of
 * live blocks; in the backward pass by those of a plane of open positions, unless they are found
 * run by run, and of one of blocks whose values are solved, by the planes of a value and by how
 * many symmetries there are. */
double plb_slab_worker_forward_bytes(double live_bytes);
double plb_slab_worker_backward_bytes(double open_bytes, double solved_bytes, int planes,
                                      int symmetries);

/* game, kernels and columns must outlive the state. Errors: PLB_ENOMEM; close also after that. */
int plb_thread_state_open(plb_thread_state *state, const plb_game *game, const plb_kernels *kernels,
                          const plb_columns *columns);
void plb_thread_state_close(plb_thread_state *state);

#endif
