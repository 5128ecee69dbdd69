/* SPDX-License-Identifier: MIT
 *
 * The planes of a slab and their shape in one piece of memory:
 *
 *     [slab_piece][planes, one word][hi][start]
 */
#ifndef PLB_BUILDER_PLANES_SLAB_PLANES_H
#define PLB_BUILDER_PLANES_SLAB_PLANES_H

#include "builder/planes/slab_shape.h"

typedef struct plb_slab_planes {
    plb_planes planes; /* not written yet */
    plb_slab shape;    /* without groups and ranks */
} plb_slab_planes;

enum { PLB_PLANES_ALIGNMENT = 64 }; /* bytes, where there are many pieces */

/* The bytes of a piece with so many planes of a shape, which then are laid out in memory for it. */
uint64_t plb_slab_planes_bytes(const plb_slab *shape, int planes);
void plb_slab_planes_lay_out(plb_slab_planes *piece, const plb_slab *shape, int planes);

#endif
