/* SPDX-License-Identifier: MIT
 *
 * Kernels: Boolean operations on bit planes, 64 positions at a time.
 *
 * Inserting stone i with colour b keeps the order of colourings: those of the child slab in which
 * stone i has colour b are, in numeric order, those of the parent slab. So "the child by this move
 * has the property" is a gather from the child's plane, and the reverse a scatter. If i is above
 * the low stones, whole blocks correspond. Otherwise each block is gathered with a precomputed mask
 * (slab_shape.h).
 *
 *     parent block (hi, lo)        child blocks for i >= PLB_LOW    (hi with b inserted, lo)
 *                                  child blocks for i <  PLB_LOW    (hi 0, ..) and (hi 1, ..): the
 *                                  parent's top low stone has become the lowest stone of hi
 *
 * Layout of planes: slab_shape.h. Must not know: symmetry, files, threads.
 */
#pragma once

#include "builder/planes/slab_shape.h"
#include "tables/format/outcome_code.h"

/* A move from slab to slab: the child has one stone more than the parent. */
typedef struct plb_step {
    int stone;       /* number of the new stone among those of the child */
    unsigned colour; /* 1 = x */
} plb_step;

typedef struct plb_kernels {
    const char *name;

    /* Combine each parent with its child by a move: the better outcome for the mover remains.
     *
     * range    [in]      blocks of the parent
     * child    [in]      outcomes: a plane for each bit of a code (tables/format/outcome_code.h)
     * missing  [in]      code of all positions in blocks that the child does not have: the best one
     *                    for the mover, or the worst
     * parent   [in,out]  as many planes  */
    void (*pull)(plb_step step, plb_block_range range, const plb_planes *child, unsigned missing,
                 const plb_planes *parent);

    /* Set each outcome to the better of two for the mover.
     *
     * range  [in]      blocks of the slab
     * from   [in]      outcomes of the slab
     * to     [in,out]  as many planes of the same shape  */
    void (*merge)(unsigned colour, plb_block_range range, const plb_planes *from,
                  const plb_planes *to);

    /* child |= positions to which the move leads from those of `parent`. One plane each; the
     * child's shape may be its fringe. range: blocks of the child. */
    void (*push)(plb_step step, plb_block_range range, const plb_planes *parent,
                 const plb_planes *child);

    /* range_words = positions in which all stones of one of the groups have a colour.
     *
     * slab         [in]   shape of live blocks
     * groups       [in]   [count] sets of stones, not empty
     * range_words  [out]  the words of the range; up to PLB_BLOCK_WORDS more are overwritten  */
    void (*lines)(const plb_slab *slab, plb_block_range range, const uint64_t *groups, int count,
                  unsigned colour, uint64_t *range_words);

    /* range_words = positions in which no player has all stones of one of the groups. groups: each
     * has a low stone. Otherwise as for lines. */
    void (*ungrouped)(const plb_slab *slab, plb_block_range range, const uint64_t *groups,
                      int count, uint64_t *range_words);

    /* range_words = positions in which the complete groups of a colour have a stone in common,
     * which may have been placed last, or there is no complete group. slab: any blocks. Padding
     * bits after a block are undefined. Otherwise as for lines. */
    void (*common_stone)(const plb_slab *slab, plb_block_range range, const uint64_t *groups,
                         int count, unsigned colour, uint64_t *range_words);
} plb_kernels;

extern const plb_kernels plb_kernels_portable; /* any machine */
extern const plb_kernels plb_kernels_bmi2;     /* x86-64 where plb_has_avx2 */

/* The fastest kernels that this machine can run. */
const plb_kernels *plb_kernels_best(void);
