/* SPDX-License-Identifier: MIT
 *
 * Planes of neighbouring slabs: fetched from memory, a cache or scratch files, and permuted
 * where a set of cells is not canonical; and their way to scratch files.
 */
#ifndef PLB_BUILDER_SLABS_PLANE_SOURCE_H
#define PLB_BUILDER_SLABS_PLANE_SOURCE_H

#include "builder/planes/kernels.h"
#include "builder/ply_parts.h"
#include "builder/scratch/scratch_codec.h"
#include "builder/scratch/scratch_file.h"
#include "builder/slabs/plane_cache.h"
#include "builder/slabs/ply_memory.h"
#include "tables/format/outcome_code.h"
#include "tables/index/index.h"

/* The planes of a ply: in memory, and in the scratch files of its parts those that are not; the
 * others may be there too. */
typedef struct plb_ply_planes {
    plb_parts parts;
    plb_scratch
        *scratch[PLB_PLY_PARTS]; /* NULL: all of the part are in memory, or needed no more */
    plb_ply_memory *memory;      /* NULL: nothing is in memory */
    plb_plane_cache *cache;      /* NULL: what is read is not kept for others */
    plb_slab_part part;          /* the blocks that the planes have */
    int planes;                  /* of a slab, at most PLB_PLANES */
    unsigned missing; /* code of a position in another block: its bit in plane p is bit p */
    const plb_kernels *kernels; /* what finds the wins that are not stored: of positions in which
                                   the mover completes a group at once; NULL: all are stored */
} plb_ply_planes;

/* Fetches and stores planes for one slab at a time; threads that are idle help it. */
typedef struct plb_plane_source plb_plane_source;

enum { PLB_SLOTS = PLB_MAX_CELLS + 1 }; /* sets that are fetched at a time: neighbours, itself */

/* index, threads and codec must outlive it. Errors: PLB_ENOMEM. Free with plb_plane_source_close.
 */
int plb_plane_source_open(const plb_index *index, const plb_threads *threads,
                          const plb_scratch_codec *codec, plb_plane_source **source);
void plb_plane_source_close(plb_plane_source *source);

/* Give back what slabs of another ply needed. */
void plb_plane_source_shrink(plb_plane_source *source);

/* Empty the slots, before the caches of their layers begin another ply or are closed. */
void plb_plane_source_release(plb_plane_source *source);

/* Write the planes of a slab to the scratch file of its part. Errors: PLB_ENOMEM, those of errno.
 */
int plb_plane_source_store(plb_plane_source *source, const plb_ply_planes *layer, uint64_t slab,
                           const plb_planes *planes, plb_message *message);

/* Fetch the planes of any set of cells into a slot.
 *
 * slot      [in]   in [0, PLB_SLOTS)
 * occupied  [in]   the set, canonical or not
 * planes    [out]  owned by the source until the slot is used again or emptied, not to be changed
 *
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_plane_source_fetch(plb_plane_source *source, int slot, const plb_ply_planes *layer,
                           uint64_t occupied, plb_planes *planes, plb_message *message);

#endif
