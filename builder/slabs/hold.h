/* SPDX-License-Identifier: MIT
 *
 * Planes held in memory as they are, from the sweep over a ply to the sweep over its neighbour,
 * which then need not read and unpack them. What a hold has no room for is in the ply's spool
 * alone.
 */
#ifndef PLB_BUILDER_SLABS_HOLD_H
#define PLB_BUILDER_SLABS_HOLD_H

#include "builder/slabs/slab.h"

/* Memory for the planes of two plies. */
typedef struct plb_pool plb_pool;

/* bytes: the most it takes, apart from a few bytes per slab; it takes no more than what was held at
 * a time until now. Errors: PLB_ENOMEM. Close accepts NULL. */
int plb_pool_open(uint64_t bytes, plb_pool **pool);
void plb_pool_close(plb_pool *pool);

/* Planes of a slab. */
typedef struct plb_held {
    plb_slab shape;   /* without groups and ranks */
    uint64_t *planes; /* behind one another, and one word more */
} plb_held;

/* Planes of a ply, by number of slab. */
typedef struct plb_hold plb_hold;

/* The pool's hold for even plies or for odd ones; it belongs to the pool. */
plb_hold *plb_pool_hold(plb_pool *pool, int ply);

/* Let go of everything; begin a ply of so many slabs. Errors: PLB_ENOMEM. */
void plb_hold_clear(plb_hold *hold);
int plb_hold_begin(plb_hold *hold, uint64_t slabs);

/* Room for planes of a slab, which are not written yet; NULL when there is none, or no hold.
 * Threads: safe, each its own slabs. */
plb_held *plb_hold_add(plb_hold *hold, uint64_t slab, const plb_slab *shape, int planes);

/* What is held of a slab; NULL if nothing is, or there is no hold. Threads: safe, between sweeps
 * that add. */
const plb_held *plb_hold_find(const plb_hold *hold, uint64_t slab);

/* Has a ply begun, and are all slabs of it held? There must be a hold. */
bool plb_hold_has_all(const plb_hold *hold);

#endif
