/* SPDX-License-Identifier: MIT */
#include "builder/buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/message.h"

enum {
    LINE = 64, /* of the processor's cache, bytes */
    PAGE = 4096,
    HUGE_BYTES = 16 << 20, /* from here on huge pages pay */
    SMALL_WORDS = 1 << 17, /* of a buffer that is not big, at most */
};

int plb_words_reserve(plb_words *buffer, size_t words) {
    bool fits = words + 1 <= buffer->capacity;
    if (fits && (buffer->capacity <= SMALL_WORDS || buffer->capacity / 4 <= words)) return PLB_OK;
    plb_words_free(buffer);
    size_t bytes = plb_divide_up((words + 1) * sizeof *buffer->words, LINE) * LINE;
    buffer->words = aligned_alloc(LINE, bytes);
    if (!buffer->words) return PLB_ENOMEM;
    buffer->capacity = bytes / sizeof *buffer->words;
    memset(buffer->words + words, 0, (buffer->capacity - words) * sizeof *buffer->words);
    if (bytes >= HUGE_BYTES) {
        /* Ask for huge pages, else most of the time is page faults. What they do not fit at the
         * ends is left to small ones: to align big buffers to huge pages would cost address space,
         * which counts. */
        uint8_t *memory = (uint8_t *)buffer->words;
        size_t ahead = -(uintptr_t)memory % PAGE;
        madvise(memory + ahead, bytes - ahead, MADV_HUGEPAGE);
    }
    return PLB_OK;
}

void plb_words_free(plb_words *buffer) {
    free(buffer->words);
    *buffer = (plb_words){NULL, 0};
}

void plb_words_free_big(plb_words *buffer) {
    if (buffer->capacity > SMALL_WORDS) plb_words_free(buffer);
}

int plb_bytes_reserve(plb_bytes *list, size_t capacity) {
    if (capacity <= list->capacity) return PLB_OK;
    if (!PLB_ARRAY_RESIZE(list->bytes, capacity)) return PLB_ENOMEM;
    list->capacity = capacity;
    return PLB_OK;
}

int plb_bytes_append(plb_bytes *list, const plb_bytes *more) {
    size_t size = list->size + more->size;
    if (size > list->capacity && plb_bytes_reserve(list, size + size / 4)) return PLB_ENOMEM;
    memcpy(list->bytes + list->size, more->bytes, more->size);
    list->size = size;
    return PLB_OK;
}

void plb_bytes_free(plb_bytes *list) {
    free(list->bytes);
    *list = (plb_bytes){NULL, 0, 0};
}

/* ---- ranges of addresses ---- */

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
    const uint64_t aligning = PLB_HUGE_PAGE; /* so that huge pages can be aligned */
    bytes -= bytes % PLB_HUGE_PAGE;
    uint8_t *mapped = bytes ? map_bytes(bytes + aligning) : MAP_FAILED;
    while (mapped == MAP_FAILED && bytes) {
        bytes = bytes / 2 / PLB_HUGE_PAGE * PLB_HUGE_PAGE;
        if (bytes) mapped = map_half(bytes + aligning);
    }
    if (mapped == MAP_FAILED) return (plb_huge_pages){NULL, 0, NULL, 0};
    uint64_t mapped_bytes = bytes + aligning;
    madvise(mapped, mapped_bytes, MADV_HUGEPAGE); /* else much of the time is page faults */
    uint8_t *first = mapped + (PLB_HUGE_PAGE - (uintptr_t)mapped % PLB_HUGE_PAGE);
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

/* ---- what is free of a range ----
 *
 * There is at most one gap more than allocations, so that there is memory for a gap before each
 * allocation and none is needed to give one back. */

/* Space for the gaps between so many allocations. */
static bool reserve(plb_free_ranges *ranges, size_t allocations) {
    if (allocations + 1 <= ranges->capacity) return true;
    size_t capacity = 2 * allocations + 16;
    if (!PLB_ARRAY_RESIZE(ranges->gaps, capacity)) return false;
    ranges->capacity = capacity;
    return true;
}

int plb_free_ranges_open(uint64_t bytes, plb_free_ranges *ranges) {
    *ranges = (plb_free_ranges){NULL, 0, 0, 0};
    if (!reserve(ranges, 0)) return PLB_ENOMEM;
    if (bytes) ranges->gaps[ranges->count++] = (plb_gap){0, bytes};
    return PLB_OK;
}

void plb_free_ranges_close(plb_free_ranges *ranges) {
    free(ranges->gaps);
    *ranges = (plb_free_ranges){NULL, 0, 0, 0};
}

/* Put other gaps where one or more were. */
static void replace(plb_free_ranges *ranges, size_t at, size_t old, const plb_gap *gaps,
                    size_t count) {
    plb_gap *rest = ranges->gaps + at + old;
    memmove(ranges->gaps + at + count, rest, (ranges->count - at - old) * sizeof *rest);
    for (size_t i = 0; i < count; i++) ranges->gaps[at + i] = gaps[i];
    ranges->count += count - old;
}

bool plb_free_ranges_take(plb_free_ranges *ranges, uint64_t bytes, uint64_t *from) {
    size_t at = 0;
    while (at < ranges->count && ranges->gaps[at].end - ranges->gaps[at].from < bytes) at++;
    if (at == ranges->count || !reserve(ranges, ranges->allocations + 1)) return false;
    plb_gap *gap = &ranges->gaps[at];
    *from = gap->from;
    gap->from += bytes;
    if (gap->from == gap->end) replace(ranges, at, 1, NULL, 0);
    ranges->allocations++;
    return true;
}

void plb_free_ranges_give_back(plb_free_ranges *ranges, uint64_t from, uint64_t bytes) {
    plb_gap made = {from, from + bytes};
    size_t first = PLB_FIRST(gap, ranges->count, ranges->gaps[gap].from >= from);
    size_t end = first;
    if (first > 0 && ranges->gaps[first - 1].end == made.from)
        made.from = ranges->gaps[--first].from;
    if (end < ranges->count && ranges->gaps[end].from == made.end)
        made.end = ranges->gaps[end++].end;
    assert(ranges->allocations > 0 && ranges->count + 1 - (end - first) <= ranges->capacity);
    replace(ranges, first, end - first, &made, 1);
    ranges->allocations--;
}
