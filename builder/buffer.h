/* SPDX-License-Identifier: MIT
 *
 * Memory: growing byte buffers, address ranges of huge pages, stack allocators in them, and a list
 * of free ranges. A zeroed struct is empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing byte buffer. */
typedef struct plb_bytes {
    uint8_t *bytes;
    size_t size, capacity;
} plb_bytes;

/* Make the capacity at least this large; the contents stay. Errors of both: PLB_ENOMEM. */
int plb_bytes_reserve(plb_bytes *list, size_t capacity);
int plb_bytes_append(plb_bytes *list, const plb_bytes *more);
void plb_bytes_free(plb_bytes *list);

/* ---- address ranges of huge pages ----
 *
 * The address range is reserved at once; pages become writable when they are needed. Only these
 * count towards a limit on the memory of the process. */

enum { PLB_HUGE_PAGE = 2 << 20 }; /* bytes */

typedef struct plb_huge_pages {
    uint8_t *bytes;  /* aligned to a huge page; NULL: no range */
    uint64_t size;   /* a multiple of PLB_HUGE_PAGE */
    uint8_t *mapped; /* start of the mapping, which is a page longer because of the alignment */
} plb_huge_pages;

/* Map this many bytes, or as many as the system grants, possibly none; unmap them. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes);
void plb_huge_pages_unmap(plb_huge_pages *range);

/* Make whole pages writable, or return writable ones to the system, which discards their contents.
 * false: the system refuses, and the pages are as writable as before. */
bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable);

/* ---- a stack of words ----
 *
 * A stack allocator for the planes of a slab. Its pages are kept for the next slab, because page
 * faults cost time. What does not fit in the address range is allocated on the heap. */

typedef struct plb_word_stack {
    plb_huge_pages range;
    uint64_t writable;             /* bytes of the range that are writable */
    uint64_t top;                  /* bytes that are allocated */
    struct plb_overflow *overflow; /* the last allocation outside the range; NULL: none */
} plb_word_stack;

/* Map an address range of up to this many bytes; none if the address space is limited, because the
 * whole range would count. A zeroed stack has no range. */
void plb_word_stack_open(uint64_t bytes, plb_word_stack *stack);
void plb_word_stack_close(plb_word_stack *stack);

/* Allocate words, aligned to a cache line, with undefined values. One more word after them may be
 * read: kernels do, although no result depends on its value. NULL: out of memory. */
uint64_t *plb_word_stack_take(plb_word_stack *stack, size_t words);

/* Release everything that was allocated after a mark; a zeroed mark: everything. */
typedef struct plb_stack_mark {
    uint64_t top;
    struct plb_overflow *overflow;
} plb_stack_mark;
plb_stack_mark plb_word_stack_mark(const plb_word_stack *stack);
void plb_word_stack_release(plb_word_stack *stack, plb_stack_mark mark);

/* Release everything, and return pages beyond this many bytes to the system. */
void plb_word_stack_trim(plb_word_stack *stack, uint64_t bytes);

/* ---- free ranges ----
 *
 * A first-fit allocator of a byte range: freed memory is used again before untouched memory. */

/* Bytes [from, end). */
typedef struct plb_gap {
    uint64_t from, end;
} plb_gap;

typedef struct plb_free_ranges {
    plb_gap *gaps; /* [count] free ranges, ascending, never adjacent */
    size_t count, capacity;
    size_t allocations; /* number of allocations in use */
} plb_free_ranges;

/* Begin with this many free bytes. Errors: PLB_ENOMEM; close it in any case. */
int plb_free_ranges_open(uint64_t bytes, plb_free_ranges *ranges);
void plb_free_ranges_close(plb_free_ranges *ranges);

/* Allocate 1 byte or more; false: there is no gap that is large enough. */
bool plb_free_ranges_take(plb_free_ranges *ranges, uint64_t bytes, uint64_t *from);

/* Free an allocation. */
void plb_free_ranges_give_back(plb_free_ranges *ranges, uint64_t from, uint64_t bytes);
