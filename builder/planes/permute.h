/* SPDX-License-Identifier: MIT
 *
 * Planes of a set of cells from the planes of its image: a symmetry of the cells is a permutation
 * of the ranks of a slab.
 */
#ifndef PLB_BUILDER_PLANES_PERMUTE_H
#define PLB_BUILDER_PLANES_PERMUTE_H

#include "builder/planes/slab_shape.h"
#include "tables/games/symmetry.h"
#include "tables/threads.h"

/* Memory that permutations use again and again; zeroed at first, but for `threads`. */
typedef struct plb_permuter {
    const plb_threads *threads; /* threads that share the work */
    void *directory;            /* where the block of each hi of `from` is */
    size_t capacity;            /* bytes */
} plb_permuter;

void plb_permuter_free(plb_permuter *permuter);

/* Permute planes. All planes of a call share the work of finding out what goes where.
 *
 * element  [in]   takes to->shape->occupied to from->shape->occupied
 * from     [in]   at most PLB_PLANES planes
 * missing  [in]   code of a position in a block that `from` has not: its bit in plane p is bit p
 * to       [out]  as many planes, all words of them
 *
 * Errors: PLB_ENOMEM. */
int plb_permute(plb_permuter *permuter, const plb_symmetry *symmetry, int element,
                const plb_planes *from, unsigned missing, const plb_planes *to);

/* Does a permutation to a set of cells, whose planes have a number of words together, go bit by
 * bit? And the memory that a permuter takes for slabs of some stones, if some do, or none. */
bool plb_permute_goes_by_bits(const plb_symmetry *symmetry, int element, uint64_t occupied,
                              uint64_t words);
size_t plb_permute_directory_bytes(bool some_by_bits, int stones);

#endif
