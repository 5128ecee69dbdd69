/* SPDX-License-Identifier: MIT
 *
 * Kernels: whole slabs solved with word-wide boolean algebra on bit planes.
 *
 * Inserting stone i in colour b is monotone in rank: the words of the child slab whose bit i is b
 * are, in numeric order, the words of the parent. So "my child by this move has the property" is
 * a gather of the child's plane, and the reverse a scatter. Where i lies above the low stones
 * whole blocks correspond; below, each block is gathered with a precomputed mask (masks.h).
 *
 *     parent block (hi, lo)        child blocks for i >= PLB_LOW    (hi with b inserted, lo)
 *                                  child blocks for i <  PLB_LOW    (hi 0, ..) and (hi 1, ..): the
 *                                  parent's top low stone has become the lowest stone of hi
 *
 * Planes are laid out as slab.h says. Must not know: symmetry, files, threads.
 */
#ifndef PLB_BUILDER_KERNELS_H
#define PLB_BUILDER_KERNELS_H

#include "builder/slab.h"
#include "tables/scale.h"

/* The outcomes of a slab: a plane for each bit of a code (tables/scale.h). */
typedef struct plb_planes {
    uint64_t *plane[PLB_PLANES];
} plb_planes;

typedef struct plb_kernels {
    const char *name;
    bool (*is_supported)(void);

    /* Let the mover, colour b, place stone i: every position gets the better of its outcome and
     * its child's.
     *
     * parent, child  [in]      shapes of the live blocks; the child has one stone more
     * planes         [in]      of the scale
     * from           [in]      planes of the child
     * dead           [in]      code of a move into a dead block: it completes a group, which is
     *                          the best that can happen to the mover or (misere) changes nothing
     * to             [in,out]  planes of the parent  */
    void (*pull)(const plb_slab *parent, const plb_slab *child, int i, unsigned b, int planes,
                 const plb_planes *from, unsigned dead, plb_planes *to);

    /* Mark the positions that placing stone i in colour b makes of the marked ones:
     * child plane |= scattered parent plane. The child's shape may be its fringe. */
    void (*push)(const plb_slab *parent, const plb_slab *child, int i, unsigned b,
                 const uint64_t *from, uint64_t *to);

    /* plane = positions in which all stones of one of the groups have colour b.
     *
     * slab    [in]   shape of live blocks
     * groups  [in]   [count] sets of stones, not empty
     * plane   [out]  of the slab  */
    void (*lines)(const plb_slab *slab, const uint64_t *groups, int count, unsigned b,
                  uint64_t *plane);
} plb_kernels;

extern const plb_kernels plb_kernels_portable; /* any machine */
extern const plb_kernels plb_kernels_bmi2;     /* x86-64 with BMI2 and AVX2 */

/* The fastest kernels that this machine can run. */
const plb_kernels *plb_kernels_best(void);

#endif
