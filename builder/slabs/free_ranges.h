/* SPDX-License-Identifier: MIT
 *
 * Which bytes of a range are free. Allocations are taken from the first place where they fit, so
 * that what is given back serves again before anything else is touched.
 */
#ifndef PLB_BUILDER_SLABS_FREE_RANGES_H
#define PLB_BUILDER_SLABS_FREE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [from, end). */
typedef struct plb_gap {
    uint64_t from, end;
} plb_gap;

typedef struct plb_free_ranges {
    plb_gap *gaps; /* [count] what is free, ascending, none next to each other */
    size_t count, capacity;
    size_t allocations; /* that are taken */
} plb_free_ranges;

/* All of so many bytes is free, or nothing is. Errors: PLB_ENOMEM; to be closed in any case. */
int plb_free_ranges_open(uint64_t bytes, plb_free_ranges *ranges);
void plb_free_ranges_close(plb_free_ranges *ranges);

/* Take an allocation, 1 byte or more; false: it fits nowhere. */
bool plb_free_ranges_take(plb_free_ranges *ranges, uint64_t bytes, uint64_t *from);

/* Give back an allocation that was taken. */
void plb_free_ranges_give_back(plb_free_ranges *ranges, uint64_t from, uint64_t bytes);

#endif
