/* SPDX-License-Identifier: MIT
 *
 * Planes on their way to and from scratch files: compressed when that pays, and carried over to
 * sets of cells that are not canonical when they are fetched.
 */
#ifndef PLB_BUILDER_SLABS_FRONTIER_H
#define PLB_BUILDER_SLABS_FRONTIER_H

#include "builder/codec.h"
#include "builder/slabs/hold.h"
#include "builder/slabs/permute.h"
#include "builder/spool.h"
#include "tables/index.h"
#include "tables/outcome_code.h"

/* Where the planes of a ply are: held in memory, and in a spool those that are not; the others may
 * be there too. */
typedef struct plb_layer {
    plb_spool *spool; /* NULL: all are held */
    plb_hold *hold;   /* NULL: nothing is held */
} plb_layer;

/* Fetches and stores planes for one slab at a time; threads that are idle help it. It keeps what
 * it fetched last, since slabs that follow each other share neighbours. */
typedef struct plb_courier plb_courier;

enum { PLB_SLOTS = PLB_MAX_CELLS + 1 }; /* sets that are fetched at a time: neighbours, itself */

/* index, team and codec must outlive it. Errors: PLB_ENOMEM. Free with plb_courier_close. */
int plb_courier_open(const plb_index *index, const plb_team *team, const plb_codec *codec,
                     plb_courier **courier);
void plb_courier_close(plb_courier *courier);

/* Begin a ply: forget what was kept, for its spools may be closed, and keep up to kept_bytes beyond
 * what is in the slots. */
void plb_courier_begin(plb_courier *courier, uint64_t kept_bytes);

/* Empty the slots. */
void plb_courier_release(plb_courier *courier);

/* Store planes of the slab with a number: so many words, all planes behind one another. */
int plb_courier_store(plb_courier *courier, plb_spool *spool, uint64_t slab, const uint64_t *planes,
                      size_t words, plb_message *message);

/* Fetch the planes of any set of cells into a slot.
 *
 * slot      [in]   in [0, PLB_SLOTS)
 * layer     [in]   planes of its ply
 * occupied  [in]   the set, canonical or not
 * count     [in]   planes of an item, at most PLB_PLANES
 * dead      [in]   code of a position in a dead block: its bit in plane p is bit p
 * shape     [out]  live blocks of the set
 * planes    [out]  count planes; like the shape owned by the courier until the slot is used again
 *                  or emptied, not to be changed
 *
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
int plb_courier_fetch(plb_courier *courier, int slot, const plb_layer *layer, uint64_t occupied,
                      int count, unsigned dead, const plb_slab **shape, uint64_t *planes[],
                      plb_message *message);

#endif
