/* SPDX-License-Identifier: MIT */
#include "builder/buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/message.h"

enum { CACHE_LINE = 64 }; /* bytes */

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

/* ---- address ranges of huge pages ---- */

static uint8_t *map_bytes(uint64_t bytes) {
    return mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Map bytes only if the same number of bytes could be mapped again. */
static uint8_t *map_half(uint64_t bytes) {
    uint8_t *half = map_bytes(bytes), *rest = map_bytes(bytes);
    if (rest != MAP_FAILED) munmap(rest, bytes);
    if (rest != MAP_FAILED || half == MAP_FAILED) return half;
    munmap(half, bytes);
    return MAP_FAILED;
}

/* If the system refuses, map at most half of the address space that is left: other allocations need
 * some, too. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes) {
    const uint64_t padding = PLB_HUGE_PAGE; /* for the alignment */
    bytes -= bytes % PLB_HUGE_PAGE;
    uint8_t *mapped = bytes ? map_bytes(bytes + padding) : MAP_FAILED;
    while (mapped == MAP_FAILED && bytes) {
        bytes = bytes / 2 / PLB_HUGE_PAGE * PLB_HUGE_PAGE;
        if (bytes) mapped = map_half(bytes + padding);
    }
    if (mapped == MAP_FAILED) return (plb_huge_pages){NULL, 0, NULL};
    madvise(mapped, bytes + padding, MADV_HUGEPAGE); /* small pages cost many page faults */
    uint8_t *first = mapped + (PLB_HUGE_PAGE - (uintptr_t)mapped % PLB_HUGE_PAGE);
    return (plb_huge_pages){first, bytes, mapped};
}

void plb_huge_pages_unmap(plb_huge_pages *range) {
    if (range->mapped) munmap(range->mapped, range->size + PLB_HUGE_PAGE);
    *range = (plb_huge_pages){NULL, 0, NULL};
}

bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable) {
    if (!bytes) return true; /* the range may be empty */
    uint8_t *pages = range->bytes + from;
    if (!writable) madvise(pages, bytes, MADV_DONTNEED);
    return mprotect(pages, bytes, writable ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

/* ---- a stack of words ---- */

/* Header of an allocation outside the range; the words begin one cache line after it. */
typedef struct plb_overflow {
    struct plb_overflow *previous;
} plb_overflow;

void plb_word_stack_open(uint64_t bytes, plb_word_stack *stack) {
    struct rlimit space;
    *stack = (plb_word_stack){0};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur == RLIM_INFINITY)
        stack->range = plb_huge_pages_map(bytes);
}

void plb_word_stack_close(plb_word_stack *stack) {
    plb_word_stack_release(stack, (plb_stack_mark){0});
    plb_huge_pages_unmap(&stack->range);
    *stack = (plb_word_stack){0};
}

static uint64_t *take_from_range(plb_word_stack *stack, uint64_t bytes) {
    uint64_t end = stack->top + bytes, more = 0;
    if (end > stack->range.size) return NULL;
    if (end > stack->writable)
        more = plb_divide_up(end - stack->writable, PLB_HUGE_PAGE) * PLB_HUGE_PAGE;
    if (!plb_huge_pages_set(&stack->range, stack->writable, more, true)) return NULL;
    uint64_t *taken = (uint64_t *)(stack->range.bytes + stack->top);
    stack->writable += more;
    stack->top = end;
    return taken;
}

uint64_t *plb_word_stack_take(plb_word_stack *stack, size_t words) {
    uint64_t bytes = plb_divide_up((words + 1) * sizeof(uint64_t), CACHE_LINE) * CACHE_LINE;
    uint64_t *taken = take_from_range(stack, bytes);
    if (taken) return taken;
    plb_overflow *overflow = aligned_alloc(CACHE_LINE, CACHE_LINE + bytes);
    if (!overflow) return NULL;
    overflow->previous = stack->overflow;
    stack->overflow = overflow;
    taken = (uint64_t *)((uint8_t *)overflow + CACHE_LINE);
    taken[words] = 0;
    return taken;
}

plb_stack_mark plb_word_stack_mark(const plb_word_stack *stack) {
    return (plb_stack_mark){stack->top, stack->overflow};
}

void plb_word_stack_release(plb_word_stack *stack, plb_stack_mark mark) {
    while (stack->overflow != mark.overflow) {
        plb_overflow *previous = stack->overflow->previous;
        free(stack->overflow);
        stack->overflow = previous;
    }
    stack->top = mark.top;
}

void plb_word_stack_trim(plb_word_stack *stack, uint64_t bytes) {
    plb_word_stack_release(stack, (plb_stack_mark){0});
    uint64_t kept = plb_min(stack->writable, plb_divide_up(bytes, PLB_HUGE_PAGE) * PLB_HUGE_PAGE);
    if (plb_huge_pages_set(&stack->range, kept, stack->writable - kept, false))
        stack->writable = kept;
}

/* ---- free ranges ----
 *
 * There is at most one gap more than allocations. So memory for gaps is reserved when allocating,
 * and freeing cannot fail. */

/* Reserve memory for the gaps between this many allocations. */
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

/* Replace `old` gaps from index `at` on by other ones. */
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
