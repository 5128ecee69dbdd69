/* SPDX-License-Identifier: MIT */
#include "builder/planes/slab_planes.h"

#include <string.h>

uint64_t plb_slab_planes_bytes(const plb_slab *shape, int planes) {
    uint64_t words = planes * shape->words + 1 + 2 * shape->blocks + 1;
    return sizeof(plb_slab_planes) + words * sizeof(uint64_t);
}

void plb_slab_planes_lay_out(plb_slab_planes *piece, const plb_slab *shape, int planes) {
    plb_slab *copy = &piece->shape;
    piece->planes = (plb_planes){copy, planes, (uint64_t *)(piece + 1)};
    *copy = *shape;
    copy->groups = copy->rank = NULL;
    copy->group_count = copy->low_groups = 0;
    copy->hi = piece->planes.words + planes * shape->words + 1;
    copy->start = copy->hi + shape->blocks;
    copy->start[0] = 0;
    if (shape->blocks) {
        memcpy(copy->hi, shape->hi, shape->blocks * sizeof *shape->hi);
        memcpy(copy->start, shape->start, (shape->blocks + 1) * sizeof *shape->start);
    }
}
