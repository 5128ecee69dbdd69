/* SPDX-License-Identifier: MIT
 *
 * The division of plies into parts, which are solved one after another, and the block size of new
 * tables (readers take it from the table, tables/format/meta.h). A part has consecutive segments,
 * and so whole slabs; most plies are a single part. After each part of a ply, the parts of the next
 * ply that are no longer needed are deleted from memory and disk. Small parts need less space, but
 * threads wait for each other at the end of each.
 */
#pragma once

#include "tables/bits.h"
#include "tables/format/block_layout.h"
#include "tables/format/outcome_code.h"

/* Entries of a block (builder/MEASUREMENTS.md). Blocks with distances are smaller, because they
 * take longer to decode and a probe decodes those of all moves. */
static inline int plb_block_entries(plb_value_kind values) {
    return values == PLB_DTM ? 1 << 11 : 1 << 13;
}

enum { PLB_PLY_PARTS = 32 }; /* maximum per ply */

/* Minimum index entries of a part. With smaller parts connect-6x5-k4 takes longer. */
static const double PLB_PART_ENTRIES = 0x1p27;

/* The half-open range [first, last) of segments of a ply. */
typedef struct plb_segment_run {
    uint64_t first, last;
} plb_segment_run;

typedef struct plb_parts {
    plb_block_layout layout; /* of the ply */
    int count;               /* in [1, PLB_PLY_PARTS] */
} plb_parts;

/* The number of parts of a ply. */
static inline int plb_parts_count(double entries, double part_entries) {
    double parts = entries / part_entries;
    if (parts < 2) return 1;
    return parts < PLB_PLY_PARTS ? (int)parts : PLB_PLY_PARTS;
}

static inline plb_parts plb_parts_make(const plb_block_layout *layout, double part_entries) {
    double entries = (double)layout->slabs * (double)layout->slab_size;
    int count = plb_parts_count(entries, part_entries);
    return (plb_parts){*layout, (int)plb_max(1, plb_min(layout->segments, count))};
}

/* The first segment and the first slab of a part. For part == count: the end of the ply. */
static inline uint64_t plb_parts_first_segment(const plb_parts *parts, int part) {
    return parts->layout.segments * part / parts->count;
}
static inline uint64_t plb_parts_first_slab(const plb_parts *parts, int part) {
    return plb_min(plb_parts_first_segment(parts, part) * parts->layout.slabs_per_segment,
                   parts->layout.slabs);
}

/* The number of segments and of slabs of a part. */
static inline uint64_t plb_parts_segments(const plb_parts *parts, int part) {
    return plb_parts_first_segment(parts, part + 1) - plb_parts_first_segment(parts, part);
}
static inline uint64_t plb_parts_slabs(const plb_parts *parts, int part) {
    return plb_parts_first_slab(parts, part + 1) - plb_parts_first_slab(parts, part);
}

/* The part to which a slab belongs. */
static inline int plb_parts_find(const plb_parts *parts, uint64_t slab) {
    uint64_t segment = slab / parts->layout.slabs_per_segment;
    return (int)(((segment + 1) * parts->count - 1) / parts->layout.segments);
}
