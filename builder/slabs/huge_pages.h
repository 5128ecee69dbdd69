/* SPDX-License-Identifier: MIT
 *
 * A range of addresses whose pages become writable when they are needed, and are given back, so
 * that a bound on the memory of the process counts just those. Its pages are huge ones.
 */
#ifndef PLB_BUILDER_SLABS_HUGE_PAGES_H
#define PLB_BUILDER_SLABS_HUGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { PLB_RANGE_PAGE = 2 << 20 }; /* bytes */

typedef struct plb_address_range {
    uint8_t *bytes; /* at a page; NULL: there are none */
    uint64_t room;  /* a multiple of PLB_RANGE_PAGE */
    uint8_t *mapped;
    uint64_t mapped_bytes;
} plb_address_range;

/* Map so many bytes, or as many as the system grants, maybe none; unmap them. */
plb_address_range plb_address_range_map(uint64_t bytes);
void plb_address_range_unmap(plb_address_range *range);

/* Make bytes of the range writable that are not, or give those back that are, with what is in them:
 * whole pages. false: the system refuses, they are as writable as before. */
bool plb_address_range_set(const plb_address_range *range, uint64_t from, uint64_t bytes,
                           bool writable);

#endif
