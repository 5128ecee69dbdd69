/* SPDX-License-Identifier: MIT
 *
 * Planes that stay unpacked in memory from the pass over a ply to the next pass, which then need
 * not read and unpack them. Planes that do not fit are only in the scratch file of the ply.
 */
#pragma once

#include "builder/planes/slab_shape.h"

/* Memory for the planes of two plies. */
typedef struct plb_memory_pool plb_memory_pool;

/* bytes: upper limit, apart from a few bytes per slab. Memory is taken when it is first used.
 * Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_memory_pool_open(uint64_t bytes, plb_memory_pool **pool);
void plb_memory_pool_close(plb_memory_pool *pool);

/* Give memory that is not in use back to the system. */
void plb_memory_pool_trim(plb_memory_pool *pool);

/* Planes of a ply, by the number of their slab. */
typedef struct plb_ply_memory plb_ply_memory;

/* The memory of even plies or of odd ones; it belongs to the pool. */
plb_ply_memory *plb_memory_pool_ply(plb_memory_pool *pool, int ply);

/* Free all planes; begin a ply with a number of slabs. Errors: PLB_ENOMEM. */
void plb_ply_memory_clear(plb_ply_memory *memory);
int plb_ply_memory_begin(plb_ply_memory *memory, uint64_t slabs);

/* Allocate planes of a slab, uninitialized, and one more word. NULL: there is no space, or memory
 * is NULL. Threads: safe, for different slabs. */
const plb_planes *plb_ply_memory_add(plb_ply_memory *memory, uint64_t slab, const plb_slab *shape,
                                     int planes);

/* Free the planes of slabs [first, last). Threads: safe if no other one uses these slabs. */
void plb_ply_memory_forget(plb_ply_memory *memory, uint64_t first, uint64_t last);

/* Bytes per slab besides planes and shape, about. */
size_t plb_ply_memory_slab_bytes(void);

/* The planes of a slab; their shape has no groups and ranks. NULL: they are not here, or memory is
 * NULL. Threads: safe while none adds. */
const plb_planes *plb_ply_memory_find(const plb_ply_memory *memory, uint64_t slab);

/* Has a ply begun? Are all slabs [first, last) here? memory must not be NULL for the first one. */
bool plb_ply_memory_has_begun(const plb_ply_memory *memory);
bool plb_ply_memory_has(const plb_ply_memory *memory, uint64_t first, uint64_t last);
