/* SPDX-License-Identifier: MIT
 *
 * Planes that stay unpacked in memory from the pass over a ply to the pass over the next one, which
 * then need not read and unpack them. Planes that do not fit are only in the scratch file of the
 * ply.
 */
#ifndef PLB_BUILDER_SLABS_PLY_MEMORY_H
#define PLB_BUILDER_SLABS_PLY_MEMORY_H

#include "builder/planes/slab_shape.h"

/* Memory for the planes of two plies. */
typedef struct plb_memory_pool plb_memory_pool;

/* bytes: the most it takes, apart from a few bytes per slab; it grows to the most that was ever in
 * use at a time. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_memory_pool_open(uint64_t bytes, plb_memory_pool **pool);
void plb_memory_pool_close(plb_memory_pool *pool);

/* Give back what is not in use. */
void plb_memory_pool_trim(plb_memory_pool *pool);

/* Planes of a ply, by number of slab. */
typedef struct plb_ply_memory plb_ply_memory;

/* The memory of even plies or of odd ones; it belongs to the pool. */
plb_ply_memory *plb_memory_pool_ply(plb_memory_pool *pool, int ply);

/* Forget all planes; begin a ply with a number of slabs. Errors: PLB_ENOMEM. */
void plb_ply_memory_clear(plb_ply_memory *memory);
int plb_ply_memory_begin(plb_ply_memory *memory, uint64_t slabs);

/* Space for planes of a slab, which are not written yet, and one word more; NULL when there is
 * none, or memory is NULL. Threads: safe, each its own slabs. */
const plb_planes *plb_ply_memory_add(plb_ply_memory *memory, uint64_t slab, const plb_slab *shape,
                                     int planes);

/* Forget the planes of slabs [first, last): others may take their space. Threads: safe if no other
 * one adds or finds these slabs. */
void plb_ply_memory_forget(plb_ply_memory *memory, uint64_t first, uint64_t last);

/* Bytes that planes of a slab take besides themselves and their shape. */
size_t plb_ply_memory_slab_bytes(void);

/* The planes of a slab, whose shape is without groups and ranks; NULL if they are not there, or
 * memory is NULL. Threads: safe, between passes that add. */
const plb_planes *plb_ply_memory_find(const plb_ply_memory *memory, uint64_t slab);

/* Has a ply begun? And are slabs [first, last) all there? memory must not be NULL. */
bool plb_ply_memory_has_begun(const plb_ply_memory *memory);
bool plb_ply_memory_has(const plb_ply_memory *memory, uint64_t first, uint64_t last);

#endif
