/* SPDX-License-Identifier: MIT
 *
 * The files and the memory of the planes of a ply. They stay in memory for the next ply as far as
 * they fit; all others are in the scratch files of the parts of the ply.
 */
#ifndef PLB_BUILDER_SLABS_PLY_PLANES_H
#define PLB_BUILDER_SLABS_PLY_PLANES_H

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

/* Packed records that other ranks send, while the ply is worked on (rank_exchange.h). */
typedef struct plb_received_record {
    plb_bytes packed; /* bytes NULL: it is not there */
    bool has_wins;    /* of run 0: those that are not stored, too, in all records of the slab */
} plb_received_record;

typedef struct plb_received plb_received;

/* The planes of a ply: in memory, and in the scratch files of its parts those that are not; the
 * others may be there too. */
typedef struct plb_ply_planes {
    plb_parts parts;
    plb_scratch
        *scratch[PLB_PLY_PARTS];        /* NULL: all of the part are in memory, or needed no more */
    plb_ply_memory *memory;             /* NULL: nothing is in memory */
    plb_segment_run own[PLB_PLY_PARTS]; /* that this process has, by parts */
    plb_received *received;             /* NULL: nothing is */
    plb_plane_cache *cache;             /* NULL: what is read is not kept for others */
    plb_block_set set;                  /* the blocks that the planes have */
    int planes;                         /* of a slab, at most PLB_PLANES */
    int run_bits;     /* a slab is a record for each of so many runs (slab_runs.h) */
    unsigned missing; /* code of a position in another block: its bit in plane p is bit p */
    const plb_kernels *kernels; /* what finds the wins that are not stored: of positions in which
                                   the mover completes a group immediately; NULL: all are stored */
} plb_ply_planes;

/* The stones that make a run of the slabs of a ply: the more the bigger they are; 0: they are one.
 * finest: as many as there can be, which tests ask for. */
int plb_ply_planes_run_bits(const plb_index *index, int ply, bool finest);

/* The words of a run in planes; none if it has no blocks. */
plb_plane_words plb_ply_planes_run_words(const plb_planes *planes, int bits, uint64_t run);

/* Take so many planes of a shape from a stack. Errors: PLB_ENOMEM. */
int plb_ply_planes_take(plb_word_stack *stack, const plb_slab *shape, int count,
                        plb_planes *planes);

/* The parts of a file's ply: reachable positions are made as one. */
plb_parts plb_ply_planes_parts(const plb_slab_engine *engine, plb_scratch_file file);

/* Create a file, or open one to read it. Errors: those of plb_journal_create and plb_journal_read.
 */
int plb_ply_planes_create_file(const plb_slab_engine *engine, plb_scratch_file file,
                               plb_scratch **scratch, plb_message *message);
int plb_ply_planes_read_file(const plb_slab_engine *engine, plb_scratch_file file,
                             plb_scratch **scratch, plb_message *message);

/* The memory for the planes of a file's ply; what another file has left there is cleared. */
plb_ply_memory *plb_ply_planes_find_memory(plb_slab_engine *engine, plb_scratch_file file);

/* The planes of a file's ply, without its scratch files. Close it in any case. */
plb_ply_planes plb_ply_planes_name(plb_slab_engine *engine, plb_scratch_file file);
void plb_ply_planes_close(plb_ply_planes *layer);

/* Begin a part of a layer, or the layer with its first one. Errors: PLB_ENOMEM, those of
 * plb_journal_create. */
int plb_ply_planes_create_part(plb_slab_engine *engine, plb_scratch_file file,
                               plb_ply_planes *layer, plb_message *message);

/* Open a layer that was made: the scratch files of those parts that are needed, as bits, and not in
 * memory. Errors: those of plb_journal_read. */
int plb_ply_planes_open(plb_slab_engine *engine, plb_scratch_file file, uint32_t needed,
                        plb_ply_planes *layer, plb_message *message);

/* Let memory forget the parts that are needed no more: all but those given as bits. */
void plb_ply_planes_keep(const plb_ply_planes *layer, uint32_t needed);

/* Are all planes in memory that this process has made of a part? */
bool plb_ply_planes_is_held(const plb_ply_planes *layer, int part);

#endif
