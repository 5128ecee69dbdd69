/* SPDX-License-Identifier: MIT
 *
 * Computes the planes of a set of cells from those of its image under a symmetry: a permutation of
 * the ranks of a slab.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/games/symmetry.h"
#include "tables/threads.h"

/* Threads and a buffer for permutations; the buffer is zeroed at first. */
typedef struct plb_permuter {
    const plb_threads *threads;
    void *directory; /* [capacity] bytes: finds the block of a hi of `from` */
    size_t capacity;
    bool avoids_avx512;                               /* for tests */
    bool (*wants)(const void *context, size_t range); /* NULL: all ranges of PLB_RANGE_BLOCKS blocks
                                                         of `to`; others stay as they are */
    const void *context;
} plb_permuter;

void plb_permuter_free(plb_permuter *permuter);

/* Permute planes. The permutation is computed once for all planes of a call.
 *
 * element  [in]   symmetry that maps to->shape->occupied to from->shape->occupied
 * from     [in]   at most PLB_PLANES planes
 * missing  [in]   code of positions in blocks that `from` does not have: bit p for plane p
 * to       [out]  as many planes, all words of wanted ranges
 *
 * Errors: PLB_ENOMEM. */
int plb_permute(plb_permuter *permuter, const plb_symmetry *symmetry, int element,
                const plb_planes *from, unsigned missing, const plb_planes *to);

/* Is a permutation to a set of cells done bit by bit? words: those of all planes together. */
bool plb_permute_goes_by_bits(const plb_symmetry *symmetry, int element, uint64_t occupied,
                              uint64_t words);

/* Bytes of the directory for slabs of a number of stones, if some or none are permuted by bits. */
size_t plb_permute_directory_bytes(bool some_by_bits, int stones);
