/* SPDX-License-Identifier: MIT
 *
 * Sets of rows of bytes, all of the same size. Each distinct row is kept once; rows are numbered
 * from 0 in the order in which they were added. Must not know: what is in a row.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* {.bytes = size of a row} is an empty set. */
typedef struct plb_tuple_set {
    size_t bytes;  /* of a row */
    uint8_t *rows; /* [count][bytes] */
    uint32_t count, capacity;
    uint32_t *slots;     /* [slot_count] number of a row + 1, or 0: free */
    uint32_t slot_count; /* a power of two, or 0 */
} plb_tuple_set;

/* Make room for `more` rows, at most PLB_ADDED_TOGETHER: adding them cannot fail then. This, and
 * adding a row without it, makes pointers to rows invalid. Errors: PLB_ENOMEM. */
int plb_tuple_set_reserve(plb_tuple_set *set, uint32_t more);

/* The number of a row, which is added if it is new; or PLB_ENOMEM, which is negative. */
int64_t plb_tuple_set_add(plb_tuple_set *set, const void *row);

/* The same for up to PLB_ADDED_TOGETHER rows, faster than one by one. Errors: PLB_ENOMEM. */
enum { PLB_ADDED_TOGETHER = 16 };
int plb_tuple_set_add_several(plb_tuple_set *set, const void *rows, int count, uint32_t *numbers);

static inline const void *plb_tuple_set_at(const plb_tuple_set *set, uint32_t number) {
    return set->rows + number * set->bytes;
}

/* Both make the set empty: clear keeps its memory, free does not. */
void plb_tuple_set_clear(plb_tuple_set *set);
void plb_tuple_set_free(plb_tuple_set *set);
