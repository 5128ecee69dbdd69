/* SPDX-License-Identifier: MIT
 *
 * How a ply is cut into parts, which are made one after another. A part is a run of segments, so it
 * has whole slabs; most plies are a single part.
 */
#ifndef PLB_BUILDER_PARTS_H
#define PLB_BUILDER_PARTS_H

#include "builder/build_folder.h"
#include "tables/bits.h"
#include "tables/cut.h"

/* Entries of the index in a part, about, unless there would be more than PLB_PLY_PARTS. */
static const double PLB_PART_ENTRIES = 0x1p36;

typedef struct plb_parts {
    plb_cut cut; /* of the ply */
    int count;   /* from 1 to PLB_PLY_PARTS */
} plb_parts;

static inline plb_parts plb_parts_make(const plb_cut *cut, double part_entries) {
    double parts = (double)cut->slabs * (double)cut->slab_size / part_entries;
    uint64_t most = plb_min(cut->segments, PLB_PLY_PARTS);
    return (plb_parts){*cut, parts <= 1 || most <= 1 ? 1
                             : parts < (double)most  ? (int)parts
                                                     : (int)most};
}

/* The first segment and the first slab of a part; of the part after the last one, where they end.
 */
static inline uint64_t plb_parts_first_segment(const plb_parts *parts, int part) {
    return parts->cut.segments * part / parts->count;
}
static inline uint64_t plb_parts_first_slab(const plb_parts *parts, int part) {
    return plb_min(plb_parts_first_segment(parts, part) * parts->cut.slabs_per_segment,
                   parts->cut.slabs);
}

/* The part of a slab. */
static inline int plb_parts_find(const plb_parts *parts, uint64_t slab) {
    uint64_t segment = slab / parts->cut.slabs_per_segment;
    return (int)(((segment + 1) * parts->count - 1) / parts->cut.segments);
}

#endif
