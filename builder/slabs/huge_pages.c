/* SPDX-License-Identifier: MIT */
#include "builder/slabs/huge_pages.h"

#include <stddef.h>
#include <sys/mman.h>

static uint8_t *map_bytes(uint64_t bytes) {
    return mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The same if as much is left. */
static uint8_t *map_half(uint64_t bytes) {
    uint8_t *half = map_bytes(bytes), *rest = map_bytes(bytes);
    if (rest != MAP_FAILED) munmap(rest, bytes);
    if (rest != MAP_FAILED || half == MAP_FAILED) return half;
    munmap(half, bytes);
    return MAP_FAILED;
}

/* Where the system grants less, less is mapped: at most half of what is left of the address space,
 * as all else has to have some. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes) {
    const uint64_t aligning = PLB_RANGE_PAGE; /* so that huge pages can be aligned */
    bytes -= bytes % PLB_RANGE_PAGE;
    uint8_t *mapped = bytes ? map_bytes(bytes + aligning) : MAP_FAILED;
    while (mapped == MAP_FAILED && bytes) {
        bytes = bytes / 2 / PLB_RANGE_PAGE * PLB_RANGE_PAGE;
        if (bytes) mapped = map_half(bytes + aligning);
    }
    if (mapped == MAP_FAILED) return (plb_huge_pages){NULL, 0, NULL, 0};
    uint64_t mapped_bytes = bytes + aligning;
    madvise(mapped, mapped_bytes, MADV_HUGEPAGE); /* else much of the time is page faults */
    uint8_t *first = mapped + (PLB_RANGE_PAGE - (uintptr_t)mapped % PLB_RANGE_PAGE);
    return (plb_huge_pages){first, bytes, mapped, mapped_bytes};
}

void plb_huge_pages_unmap(plb_huge_pages *range) {
    if (range->mapped) munmap(range->mapped, range->mapped_bytes);
    *range = (plb_huge_pages){NULL, 0, NULL, 0};
}

bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable) {
    if (!bytes) return true; /* there may be no range */
    uint8_t *pages = range->bytes + from;
    if (!writable) madvise(pages, bytes, MADV_DONTNEED);
    return mprotect(pages, bytes, writable ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}
