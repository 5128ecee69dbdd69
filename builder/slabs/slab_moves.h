/* SPDX-License-Identifier: MIT
 *
 * The outcome of each position is the best one, for the player to move, of its children. Values are
 * stored only for canonical sets of cells. A child that is not canonical becomes so under an
 * element of the symmetry group. Its move is then pulled to the slab's image under this element,
 * and the image is permuted: one permutation for all moves with this element, and of planes that
 * are about half as big as those of a child.
 *
 *     slab         ------- move ------>   child
 *       ^ permute                           | element
 *     its image    <------ pull -------   canonical child
 */
#pragma once

#include "builder/slabs/ply_pass.h"

/* Fetch the children of the slab that the worker has begun, and find the outcomes of all moves
 * whose children are not canonical. w->has_outcomes: there are such moves, and w->planes has their
 * outcomes. Errors: those of plb_plane_source_fetch. */
int plb_moves_find(const plb_pass *p, plb_slab_worker *w);

/* Find the outcomes of all moves of the piece. Errors: those of plb_plane_source_fetch. */
int plb_moves_find_piece(const plb_pass *p, plb_slab_worker *w);

/* Set the positions of a range to the worst outcome for the mover, or to a draw if the board is
 * full. */
void plb_moves_fill_worst(const plb_pass *p, const plb_planes *planes, plb_block_range range);

/* Improve the outcomes of a range by all moves with this element, whose children were fetched. */
void plb_moves_pull(const plb_pass *p, const plb_slab_worker *w, int element, plb_block_range range,
                    const plb_planes *to);
