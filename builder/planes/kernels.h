/* SPDX-License-Identifier: MIT
 *
 * Kernels: whole slabs solved with word-wide boolean algebra on bit planes.
 *
 * Inserting stone i in colour b is monotone in rank: the words of the child slab whose bit i is b
 * are, in numeric order, the words of the parent. So "my child by this move has the property" is
 * a gather of the child's plane, and the reverse a scatter. Where i lies above the low stones
 * whole blocks correspond; below, each block is gathered with a precomputed mask (slab_shape.h).
 *
 *     parent block (hi, lo)        child blocks for i >= PLB_LOW    (hi with b inserted, lo)
 *                                  child blocks for i <  PLB_LOW    (hi 0, ..) and (hi 1, ..): the
 *                                  parent's top low stone has become the lowest stone of hi
 *
 * Planes are laid out as slab_shape.h says. Must not know: symmetry, files, threads.
 */
#ifndef PLB_BUILDER_PLANES_KERNELS_H
#define PLB_BUILDER_PLANES_KERNELS_H

#include "builder/planes/slab_shape.h"
#include "tables/format/outcome_code.h"

/* A move from slab to slab: the child has one stone more than the parent. */
typedef struct plb_step {
    int stone;       /* its number among those of the child */
    unsigned colour; /* 1 = x */
} plb_step;

typedef struct plb_kernels {
    const char *name;

    /* Let the mover play: every position gets the better of its outcome and its child's.
     *
     * range    [in]      blocks of the parent
     * child    [in]      outcomes: a plane for each bit of a code (tables/format/outcome_code.h)
     * missing  [in]      code of a move into a block that the child has not: the best that can
     *                    happen to the mover, or the worst
     * parent   [in,out]  as many planes  */
    void (*pull)(plb_step step, plb_block_range range, const plb_planes *child, unsigned missing,
                 const plb_planes *parent);

    /* Every position gets the better of two outcomes for the mover.
     *
     * range  [in]      blocks of the slab
     * from   [in]      outcomes of the slab
     * to     [in,out]  as many planes of the same shape  */
    void (*merge)(unsigned colour, plb_block_range range, const plb_planes *from,
                  const plb_planes *to);

    /* Mark the positions that the move makes of the marked ones: child |= scattered parent. One
     * plane each; the child's may be that of its fringe. range: blocks of the child. */
    void (*push)(plb_step step, plb_block_range range, const plb_planes *parent,
                 const plb_planes *child);

    /* range_words = positions in which all stones of one of the groups have a colour.
     *
     * slab         [in]   shape of live blocks
     * groups       [in]   [count] sets of stones, not empty
     * range_words  [out]  the words of the range, from its first on; PLB_BLOCK_WORDS behind them
     *                     may become anything  */
    void (*lines)(const plb_slab *slab, plb_block_range range, const uint64_t *groups, int count,
                  unsigned colour, uint64_t *range_words);

    /* range_words = positions in which no group is complete in a colour, or those that are have a
     * stone in common: this may have been placed last. slab: any blocks; the bits behind a block
     * may become anything; else as lines. */
    void (*common_stone)(const plb_slab *slab, plb_block_range range, const uint64_t *groups,
                         int count, unsigned colour, uint64_t *range_words);
} plb_kernels;

extern const plb_kernels plb_kernels_portable; /* any machine */
extern const plb_kernels plb_kernels_bmi2;     /* x86-64 where plb_has_avx2 */

/* The fastest kernels that this machine can run. */
const plb_kernels *plb_kernels_best(void);

#endif
