/* SPDX-License-Identifier: MIT
 *
 * Makes the blocks of a table from the planes of slabs: copies the ranks without the gaps between
 * blocks of planes, and encodes the values that must be stored.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "builder/slabs/ply_model.h"
#include "tables/threads.h"

/* Makes one segment after another. Idle threads help with slabs of many blocks. */
typedef struct plb_block_writer plb_block_writer;

/* Properties of the blocks of a table. */
typedef struct plb_block_form {
    uint64_t identity;      /* of the table (tables/store/checksum.h) */
    int level;              /* of compression, for blocks that are not predicted */
    uint64_t block_entries; /* of the largest block */
    int planes;
    const plb_index *index;
} plb_block_form;

/* threads and index must outlive it. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_block_writer_open(const plb_threads *threads, const plb_block_form *form,
                          plb_block_writer **writer);
void plb_block_writer_close(plb_block_writer *writer);

/* Free the buffers for slabs of many blocks. */
void plb_block_writer_release_chunks(plb_block_writer *writer);

/* Begin a segment of a ply. prediction: shared by all writers of the ply; NULL: there is none.
 * marks_quiet: `stored` has all quiet positions; in those that are not stored both players win. */
int plb_block_writer_begin(plb_block_writer *writer, const plb_block_layout *layout, int ply,
                           uint64_t segment, plb_ply_prediction *prediction, bool marks_quiet);

/* Ranks [first, end) of a slab. */
typedef struct plb_rank_range {
    uint64_t first, end;
} plb_rank_range;

/* Add the next ranks of the segment: those of a slab or of its next piece. One word after the end
 * of values and of stored may be read.
 *
 * values  [in]  planes of at least these ranks; their shape must have ranks
 * stored  [in]  the positions whose values must be stored; others may get any. NULL: none  */
int plb_block_writer_add(plb_block_writer *writer, plb_rank_range ranks, const plb_planes *values,
                         const uint64_t *stored);

/* The finished segment, owned by the writer until the next begin. */
int plb_block_writer_end(plb_block_writer *writer, const uint8_t **bytes, size_t *size);
