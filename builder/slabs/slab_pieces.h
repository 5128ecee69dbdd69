/* SPDX-License-Identifier: MIT
 *
 * Cuts a slab into pieces that are solved one after another. A piece has as many consecutive runs
 * (builder/planes/slab_runs.h) as fit in memory together with the runs of a child to which their
 * moves lead. Only one child is in memory at a time. No result depends on the pieces.
 *
 *     slab     [ piece 0       | piece 1 | piece 2     ]      each has some runs
 *     child    [ runs for 0    |  for 1  |  for 2      ]
 *     image    of the slab, if a child is not canonical: runs for the piece, a few at a time
 *
 * In memory at a time is one of these:
 *
 *     [ piece | runs of a child                       ]
 *     [ piece | runs of an image | runs of its child  ]
 *     [ piece | runs of an image | permuted           ]
 */
#pragma once

#include "builder/planes/kernels.h"
#include "builder/slabs/block_writer.h"
#include "builder/slabs/plane_source.h"

/* A move, as one from the slab's image under `element`, so that the child is canonical. */
typedef struct plb_piece_move {
    int element;
    uint64_t canonical;
    plb_step step;
    plb_run_map map; /* from runs of the image to runs of the child */
    double *bytes;   /* [1 << next_bits] of the runs of the child */
} plb_piece_move;

typedef struct plb_slab_pieces {
    plb_piece_move moves[PLB_MAX_CELLS];
    int move_count, next_bits;          /* next_bits: run bits of the children */
    bool has_image[PLB_MAX_SYMMETRIES]; /* is there a move with this element? */
    bool has_images;                    /* with any but the identity */
    plb_run_map images[PLB_MAX_SYMMETRIES];
    double *image_bytes[PLB_MAX_SYMMETRIES]; /* of each run of an image, .. */
    double span_bytes;   /* .. and to permute, for each run from the first to the last one */
    plb_run_size *sizes; /* of each run of the slab, .. */
    double *own_bytes;   /* .. and its bytes in memory */
    double *memory;      /* [capacity] of all these arrays */
    size_t capacity;
    double max_bytes;      /* of what is in memory at a time */
    double permuted_share; /* bytes of permuted planes for each byte of a piece */
    /* The current piece: */
    plb_runs runs;
    double bytes;
    uint64_t next;          /* the first run after the piece */
    plb_rank_range ranks;   /* of the piece */
    uint64_t blocks_before; /* blocks of earlier pieces */
} plb_slab_pieces;

/* What pieces depend on. */
typedef struct plb_pieces_form {
    const plb_index *index;
    const plb_threads *threads;
    const plb_ply_planes *made, *neighbour; /* neighbour: NULL if there is no next ply */
    double open_planes;                     /* planes of live blocks beside `made` */
    double max_bytes; /* in memory at a time; a piece of one run may take more */
} plb_pieces_form;

/* Begin a slab, before its first piece. pieces: zeroed, or used before. Free it in any case.
 * Errors: PLB_ENOMEM. */
int plb_slab_pieces_begin(const plb_pieces_form *form, uint64_t occupied, plb_slab_pieces *pieces);
void plb_slab_pieces_free(plb_slab_pieces *pieces);

/* Go on to the next piece; false if there is none. */
bool plb_slab_pieces_next(plb_slab_pieces *pieces);

/* Take runs in order, from *next on, out of some runs of the slab (element 0) or of an image: as
 * many as fit in memory with a child of the moves of this element, at least one. *next becomes the
 * first run after them. */
plb_runs plb_slab_pieces_take(const plb_slab_pieces *pieces, int element, const plb_runs *some,
                              uint64_t *next);

/* Bytes that a whole slab needs: for its own planes; for a child; for an image, if there are any;
 * and for permuting, however it is cut. */
typedef struct plb_piece_needs {
    double own, child, image, fixed;
} plb_piece_needs;

/* The least bytes for solving such a slab in pieces: with less it would take too long. */
double plb_slab_pieces_min_bytes(const plb_piece_needs *needs, int run_bits);
