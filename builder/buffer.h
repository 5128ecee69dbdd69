/* SPDX-License-Identifier: MIT
 *
 * Memory: buffers that grow as needed and are used again and again, ranges of addresses, and which
 * bytes of one are free. A zeroed struct is empty.
 */
#ifndef PLB_BUILDER_BUFFER_H
#define PLB_BUILDER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of planes. */
typedef struct plb_words {
    uint64_t *words;
    size_t capacity;
} plb_words;

/* Reserve space for a number of words and one more, which kernels may read after the last: it has
 * some value, though no result depends on it. Much more than that is given back. What was there is
 * lost. Errors: PLB_ENOMEM. */
int plb_words_reserve(plb_words *buffer, size_t words);
void plb_words_free(plb_words *buffer);
void plb_words_free_big(plb_words *buffer); /* only if it is more than a MiB */

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
    uint8_t *bytes; /* at a page; NULL: there are none */
    uint64_t size;  /* a multiple of PLB_HUGE_PAGE */
    uint8_t *mapped;
    uint64_t mapped_bytes;
} plb_huge_pages;

/* Map so many bytes, or as many as the system grants, maybe none; unmap them. */
plb_huge_pages plb_huge_pages_map(uint64_t bytes);
void plb_huge_pages_unmap(plb_huge_pages *range);

/* Make bytes of the range writable that are not, or give those back that are, with what is in them:
 * whole pages. false: the system refuses, they are as writable as before. */
bool plb_huge_pages_set(const plb_huge_pages *range, uint64_t from, uint64_t bytes, bool writable);

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
