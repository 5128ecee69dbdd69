/* SPDX-License-Identifier: MIT
 *
 * Reads planes of slabs from memory, a cache, scratch files or other ranks, and permutes them if
 * the set of cells is not canonical. Writes planes to scratch files.
 */
#pragma once

#include "builder/scratch/scratch_codec.h"
#include "builder/slabs/ply_planes.h"
#include "tables/index/index.h"

/* Fetches and stores planes for one slab at a time; idle threads help. */
typedef struct plb_plane_source plb_plane_source;

enum { PLB_SLOTS = PLB_MAX_CELLS + 1 }; /* all neighbours of a slab, and the slab itself */

/* index, threads, codec and stack must outlive it. Errors: PLB_ENOMEM. Free with
 * plb_plane_source_close. */
int plb_plane_source_open(const plb_index *index, const plb_threads *threads,
                          const plb_scratch_codec *codec, plb_word_stack *stack,
                          plb_plane_source **source);
void plb_plane_source_close(plb_plane_source *source);

/* Free the memory that slabs of another ply needed. */
void plb_plane_source_shrink(plb_plane_source *source);

/* Empty the slots, before the caches of their layers begin another ply or are closed. */
void plb_plane_source_release(plb_plane_source *source);

/* Write the planes of a slab to the scratch file of its part.
 *
 * runs    [in]  runs to write, each once; NULL: all
 * planes  [in]  planes of exactly these runs
 *
 * Errors: PLB_ENOMEM, those of errno. */
int plb_plane_source_store(plb_plane_source *source, const plb_ply_planes *layer, uint64_t slab,
                           const plb_runs *runs, const plb_planes *planes, plb_message *message);

/* A set of cells, canonical or not; or some runs of a canonical one. */
typedef struct plb_slab_part {
    uint64_t occupied;
    const plb_runs *runs; /* NULL: all */
} plb_slab_part;

/* Fetch planes into a slot. If only some runs are wanted they are not cached; planes with all runs
 * may be returned.
 *
 * slot    [in]   in [0, PLB_SLOTS)
 * planes  [out]  read-only; valid until the slot is used again or emptied, or the stack is released
 *                to a mark before this call
 *
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_plane_source_fetch(plb_plane_source *source, int slot, const plb_ply_planes *layer,
                           plb_slab_part part, plb_planes *planes, plb_message *message);
