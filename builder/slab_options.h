/* SPDX-License-Identifier: MIT
 *
 * What one may ask of the engine of slabs alone: tests and measurements do. Zeroed: what is best.
 */
#ifndef PLB_BUILDER_SLAB_OPTIONS_H
#define PLB_BUILDER_SLAB_OPTIONS_H

#include <stdint.h>

/* How it finds what can be reached (builder/slabs/reach_ply.h). */
typedef enum plb_reach_way {
    PLB_REACH_BEST,
    PLB_REACH_FORWARD,
    PLB_REACH_FREELY,
    PLB_REACH_BY_COLUMNS
} plb_reach_way;

typedef struct plb_slab_options {
    plb_reach_way reach;               /* of the two ways that boards with counts have */
    const struct plb_kernels *kernels; /* NULL: the best of this machine */
    double
        divided_entries;  /* of plies that ranks divide, at least (builder/slabs/rank_exchange.h) */
    uint64_t piece_bytes; /* slabs are solved in the smallest pieces there can be, or some that take
                             so many bytes; 0: if the budget says so */
} plb_slab_options;

#endif
