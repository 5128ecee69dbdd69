/* SPDX-License-Identifier: MIT
 *
 * Solves a slab in pieces: a piece has as many runs (builder/planes/slab_runs.h) as fit in memory
 * together with the runs of the next ply to which their moves lead. Only one child is in memory at
 * a time. No result depends on the pieces.
 *
 *     slab     [ piece 0       | piece 1 | piece 2     ]      [runs][runs].. each
 *     child    [ its runs for 0   |  for 1  |  for 2   ]
 *     image    what is not canonical: its runs that have words of the piece, again some at a time
 *
 * What is in memory at a time:
 *
 *     [ piece | a child                         ]
 *     [ piece | some of an image | its child    ]
 *     [ piece | some of an image | permuted     ]
 */
#ifndef PLB_BUILDER_SLABS_SLAB_PIECES_H
#define PLB_BUILDER_SLABS_SLAB_PIECES_H

#include "builder/planes/kernels.h"
#include "builder/slabs/block_writer.h"
#include "builder/slabs/plane_source.h"

/* A move to a child: the slab's image under an element has it, and a canonical set of cells. */
typedef struct plb_piece_move {
    int element;
    uint64_t canonical;
    plb_step step;
    plb_run_map map; /* from the image */
    double *bytes;   /* of the runs of the child */
} plb_piece_move;

typedef struct plb_slab_pieces {
    plb_piece_move moves[PLB_MAX_CELLS];
    int move_count, next_bits;          /* run bits of the children */
    bool has_image[PLB_MAX_SYMMETRIES]; /* is there a move with the element? */
    bool has_images;                    /* any */
    plb_run_map images[PLB_MAX_SYMMETRIES];
    double *image_bytes[PLB_MAX_SYMMETRIES]; /* of the runs of each image, */
    double span_bytes;                       /* and for each run from the first one to the last */
    plb_run_size *sizes;                     /* of the runs of the slab, */
    double *own_bytes;                       /* and what is in memory of each */
    double *memory;                          /* [capacity] of all these */
    size_t capacity;
    double max_bytes;
    double permuted_share; /* of the bytes of a piece: planes to which an image is permuted */
    /* The piece: */
    plb_runs runs;
    double bytes;           /* of its own */
    uint64_t next;          /* the first run that is in no piece yet */
    plb_rank_range ranks;   /* of the slab */
    uint64_t blocks_before; /* in earlier pieces */
} plb_slab_pieces;

/* What a slab is cut for. */
typedef struct plb_pieces_form {
    const plb_index *index;
    const plb_threads *threads;
    const plb_ply_planes *made, *neighbour; /* neighbour: NULL if there is no next ply */
    double open_planes;                     /* planes of live blocks that a slab takes in memory */
    double max_bytes;                       /* that a piece may take, if it is not a single run */
} plb_pieces_form;

/* Begin a slab: it has no piece yet. Errors: PLB_ENOMEM. Free in any case; zeroed at first. */
int plb_slab_pieces_begin(const plb_pieces_form *form, uint64_t occupied, plb_slab_pieces *pieces);
void plb_slab_pieces_free(plb_slab_pieces *pieces);

/* Go on to the next piece; false if there is none. */
bool plb_slab_pieces_next(plb_slab_pieces *pieces);

/* Of some runs of the slab (element 0) or of an image the first ones from `*next` on that fit the
 * memory together with what the moves of the element lead to: then *next is the first one that is
 * left. */
plb_runs plb_slab_pieces_take(const plb_slab_pieces *pieces, int element, const plb_runs *some,
                              uint64_t *next);

/* What a slab takes, cut or not: its own planes; those of a child; those of an image, where there
 * are any; and what permuting to it needs besides. In bytes. */
typedef struct plb_piece_needs {
    double own, child, image, fixed;
} plb_piece_needs;

/* The least memory for such a slab with a number of run bits: pieces of less would take long. */
double plb_slab_pieces_min_bytes(const plb_piece_needs *needs, int run_bits);

#endif
