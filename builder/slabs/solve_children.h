/* SPDX-License-Identifier: MIT
 *
 * What the next moves of a slab lead to. Values are there of canonical sets of cells only, so that
 * a child that is none is looked at under an element of the symmetry group that makes it one. The
 * moves that have an element in common are pulled to the image of the slab under it, and what is
 * the best of them is permuted: once for all of them, and a slab is about half as big as a child.
 *
 *     slab         ------- move ------>   child
 *       ^ permute                           | element
 *     its image    <------ pull -------   canonical child
 */
#ifndef PLB_BUILDER_SLABS_SOLVE_CHILDREN_H
#define PLB_BUILDER_SLABS_SOLVE_CHILDREN_H

#include "builder/slabs/ply_pass.h"

/* Fetch the children of the worker's slab, and find what the moves lead to whose children are not
 * canonical. p->neighbour: values of the next ply; NULL: there are no moves. Errors: those of
 * plb_plane_source_fetch, with a message. */
int plb_children_fetch(const plb_pass *p, plb_slab_worker *w);

/* Every position of a run of the slab gets the best of the outcomes that all moves lead to; on the
 * full board a draw. */
void plb_children_pull(const plb_pass *p, const plb_slab_worker *w, plb_run run);

#endif
