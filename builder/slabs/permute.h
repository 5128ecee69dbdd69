/* SPDX-License-Identifier: MIT
 *
 * Planes of a set that is not canonical, from the planes of its canonical image: a symmetry of
 * the cells is a permutation of the ranks of a slab.
 */
#ifndef PLB_BUILDER_SLABS_PERMUTE_H
#define PLB_BUILDER_SLABS_PERMUTE_H

#include "builder/slabs/slab.h"
#include "builder/threads.h"
#include "tables/outcome_code.h"
#include "tables/symmetry.h"

/* Memory that permutations use again and again; zeroed at first, but for `threads`. */
typedef struct plb_permuter {
    const plb_threads *threads; /* threads that share the work */
    void *directory;            /* where the block of each hi of `from` is */
    size_t capacity;            /* bytes */
} plb_permuter;

void plb_permuter_free(plb_permuter *permuter);

/* Carry planes over. All planes of a call share the work of finding out what goes where.
 *
 * element  [in]   takes to->occupied to from->occupied, the canonical set
 * planes   [in]   number of planes, in [1, PLB_PLANES]
 * source   [in]   planes of `from`
 * dead     [in]   for each plane, the bit of a position that lies in a dead block of `from`
 * target   [out]  planes of `to`, all words of them
 *
 * Errors: PLB_ENOMEM. */
int plb_permute(plb_permuter *permuter, const plb_symmetry *symmetry, int element,
                const plb_slab *from, const plb_slab *to, int planes, uint64_t *const source[],
                const bool dead[], uint64_t *const target[]);

#endif
