/* SPDX-License-Identifier: MIT
 *
 * Memory: bytes that grow as needed and are used again and again, ranges of addresses, stacks in
 * them, and which bytes of one are free. A zeroed struct is empty.
 */
#ifndef PLB_BUILDER_BUFFER_H
#define PLB_BUILDER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are appended to. */
typedef struct plb_bytes {
    uint8_t *bytes;
    size_t size, capacity;
} plb_bytes;

/* Reserve space for a number of bytes in all; what is there stays. Errors: PLB_ENOMEM. */
int plb_bytes_reserve(plb_bytes *list, size_t capacity);
int plb_bytes_append(plb_bytes *list, const plb_bytes *more);
void plb_bytes_free(plb_bytes *list);

/* ---- ranges of addresses ----
 *
 * Their pages become writable when they are needed, and are given back, so that a bound on the
 * memory of the process counts just those. They are huge ones. */

enum { PLB_HUGE_PAGE = 2 << 20 }; /* bytes */

typedef struct plb_huge_pages {
    uint8_t *bytes;  /* at a page; NULL: there are none */
    uint64_t size;   /* a multiple of PLB_HUGE_PAGE */
    uint8_t *mapped; /* with a page more, so that they can be aligned */
} plb_huge_pages;

/* Map so many bytes, or as many as the system grants, maybe none; unmap them. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes);
void plb_huge_pages_unmap(plb_huge_pages *range);

/* Make bytes of the range writable that are not, or give those back that are, with what is in them:
 * whole pages. false: the system refuses, they are as writable as before. */
bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable);

/* ---- a stack of words ----
 *
 * Planes that a slab needs, one on top of the other. The pages of a range of addresses stay for the
 * next slab, for fresh ones cost time; what the range has no space for is allocated apart. */

typedef struct plb_word_stack {
    plb_huge_pages range;
    uint64_t writable;       /* bytes of the range that were made writable, */
    uint64_t top;            /* and that are taken */
    struct plb_apart *apart; /* the last one that was allocated apart; NULL: there is none */
} plb_word_stack;

/* Map a range of so many bytes, or fewer; none where the address space is limited, since all of it
 * would count. A zeroed stack has none. */
void plb_word_stack_open(uint64_t bytes, plb_word_stack *stack);
void plb_word_stack_close(plb_word_stack *stack);

/* Take a number of words, and one more that kernels may read though no result depends on its value.
 * They have any values, and lie at a line of the processor's cache. NULL: there is no memory. */
uint64_t *plb_word_stack_take(plb_word_stack *stack, size_t words);

/* What was taken after a mark is released; a zeroed mark: all. */
typedef struct plb_stack_mark {
    uint64_t top;
    struct plb_apart *apart;
} plb_stack_mark;
plb_stack_mark plb_word_stack_mark(const plb_word_stack *stack);
void plb_word_stack_release(plb_word_stack *stack, plb_stack_mark mark);

/* Release all, and give pages back that are beyond so many bytes. */
void plb_word_stack_trim(plb_word_stack *stack, uint64_t bytes);

/* ---- what is free of a range ----
 *
 * Allocations are taken from the first place where they fit, so that what is given back serves
 * again before anything else is touched. */

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
