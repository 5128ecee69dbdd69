/* SPDX-License-Identifier: MIT
 *
 * The outcomes of a slab by its moves: the best outcome of the next ply for the player to move.
 */
#ifndef PLB_BUILDER_SLABS_SLAB_MOVES_H
#define PLB_BUILDER_SLABS_SLAB_MOVES_H

#include "builder/slabs/ply_pass.h"

/* Fetch the children of the slab that the worker has begun, and find what the moves lead to whose
 * children are not canonical: once for each element that these have. The slab begins with the
 * outcomes by the first of them, if there are any (w->has_outcomes); those by others are merged.
 * Errors: those of plb_plane_source_fetch. */
int plb_moves_find(const plb_pass *p, plb_slab_worker *w);

/* Find what all moves of the piece lead to. Errors: as above. */
int plb_moves_find_piece(const plb_pass *p, plb_slab_worker *w);

/* Every position of a range begins with the worst outcome for the mover, or on the full board a
 * draw. */
void plb_moves_fill_worst(const plb_pass *p, const plb_planes *planes, plb_block_range range);

/* The best of what is there and the outcomes that the moves of an element lead to, whose children
 * were fetched. */
void plb_moves_pull(const plb_pass *p, const plb_slab_worker *w, int element, plb_block_range range,
                    const plb_planes *to);

#endif
