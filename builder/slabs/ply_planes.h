/* SPDX-License-Identifier: MIT
 *
 * A layer: the planes of one ply. As many as fit stay in memory for the next ply; all others are in
 * scratch files, one for each part of the ply. Other ranks may send more.
 */
#pragma once

#include "builder/buffer.h"
#include "builder/planes/kernels.h"
#include "builder/planes/slab_runs.h"
#include "builder/ply_parts.h"
#include "builder/scratch/build_folder.h"
#include "builder/scratch/scratch_codec.h"
#include "builder/scratch/scratch_file.h"
#include "builder/slabs/plane_cache.h"
#include "builder/slabs/ply_memory.h"

typedef struct plb_slab_engine plb_slab_engine; /* slab_state.h */

/* A packed record that another rank has sent (rank_exchange.h). */
typedef struct plb_received_record {
    plb_bytes packed; /* bytes NULL: none has arrived */
    bool has_wins;    /* in run 0: records of the slab have the wins that files do not store */
} plb_received_record;

typedef struct plb_received plb_received; /* what a layer has received */

/* The planes of a ply. Those of this rank are in memory, in scratch files by part, or in both. */
typedef struct plb_ply_planes {
    plb_parts parts;
    plb_scratch *scratch[PLB_PLY_PARTS]; /* NULL: that of the part is not open */
    plb_ply_memory *memory;              /* NULL: no planes are in memory */
    plb_segment_run own[PLB_PLY_PARTS];  /* segments that this rank has, by parts */
    plb_received *received;              /* NULL: nothing was received */
    plb_plane_cache *cache;              /* NULL: planes that are read are not cached */
    plb_block_set set;                   /* the blocks that the planes have */
    int planes;                          /* of a slab, at most PLB_PLANES */
    int run_bits;     /* a slab has a record for each of its 1 << run_bits runs (slab_runs.h) */
    unsigned missing; /* code of positions in all other blocks: its bit p is that of plane p */
    const plb_kernels *kernels; /* to find the wins that files do not store: positions in which the
                                   mover can complete a group; NULL: all are stored */
} plb_ply_planes;

/* Number of highest stones that make a run of the slabs of a ply: the bigger the slabs, the more;
 * 0: a slab is one run. finest: as many as possible, for tests. */
int plb_ply_planes_run_bits(const plb_index *index, int ply, bool finest);

/* The words of a run in planes; none if the run has no blocks. */
plb_plane_words plb_ply_planes_run_words(const plb_planes *planes, int bits, uint64_t run);

/* Take planes of a shape from a stack. Errors: PLB_ENOMEM. */
int plb_ply_planes_take(plb_word_stack *stack, const plb_slab *shape, int count,
                        plb_planes *planes);

/* The parts of a file's ply; of reach there is one part. */
plb_parts plb_ply_planes_parts(const plb_slab_engine *engine, plb_scratch_file file);

/* Create a file, or open one to read. Errors: those of plb_journal_create, plb_journal_read. */
int plb_ply_planes_create_file(const plb_slab_engine *engine, plb_scratch_file file,
                               plb_scratch **scratch, plb_message *message);
int plb_ply_planes_read_file(const plb_slab_engine *engine, plb_scratch_file file,
                             plb_scratch **scratch, plb_message *message);

/* The memory for the planes of a file's ply; planes of another file are cleared. */
plb_ply_memory *plb_ply_planes_find_memory(plb_slab_engine *engine, plb_scratch_file file);

/* The layer of a file's ply, without opening scratch files. Close it in any case. */
plb_ply_planes plb_ply_planes_name(plb_slab_engine *engine, plb_scratch_file file);
void plb_ply_planes_close(plb_ply_planes *layer);

/* Begin to write a part of a layer. Errors: PLB_ENOMEM, those of plb_journal_create. */
int plb_ply_planes_create_part(plb_slab_engine *engine, plb_scratch_file file,
                               plb_ply_planes *layer, plb_message *message);

/* Open a layer to read the needed parts (a bit mask): the scratch files of those that are not in
 * memory. Errors: those of plb_journal_read. */
int plb_ply_planes_open(plb_slab_engine *engine, plb_scratch_file file, uint32_t needed,
                        plb_ply_planes *layer, plb_message *message);

/* Free the memory of all parts but the needed ones (a bit mask). */
void plb_ply_planes_keep(const plb_ply_planes *layer, uint32_t needed);

/* Are all planes of a part that this rank has in memory? */
bool plb_ply_planes_is_held(const plb_ply_planes *layer, int part);
