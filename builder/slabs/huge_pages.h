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

typedef struct plb_huge_pages {
    uint8_t *bytes; /* at a page; NULL: there are none */
    uint64_t room;  /* a multiple of PLB_RANGE_PAGE */
    uint8_t *mapped;
    uint64_t mapped_bytes;
} plb_huge_pages;

/* Map so many bytes, or as many as the system grants, maybe none; unmap them. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes);
void plb_huge_pages_unmap(plb_huge_pages *range);

/* Make bytes of the range writable that are not, or give those back that are, with what is in them:
 * whole pages. false: the system refuses, they are as writable as before. */
bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable);

#endif
