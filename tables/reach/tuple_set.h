/* SPDX-License-Identifier: MIT
 *
 * Rows of numbers, all of one size, each kept once. Must not know: what they mean.
 */
#ifndef PLB_TABLES_REACH_TUPLE_SET_H
#define PLB_TABLES_REACH_TUPLE_SET_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed but for the size of a row it is empty. */
typedef struct plb_tuple_set {
    size_t bytes;  /* of a row */
    uint8_t *rows; /* [count][bytes] */
    uint32_t count, capacity;
    uint32_t *slots;     /* [slot_count] number of a row + 1, or 0: free */
    uint32_t slot_count; /* a power of two, or 0 */
} plb_tuple_set;

/* The number of a row, which becomes the next one if there is no such row yet, or the negative
 * PLB_ENOMEM. Pointers to rows end with it. */
int64_t plb_tuple_set_add(plb_tuple_set *set, const void *row);

void plb_tuple_set_free(plb_tuple_set *set);

static inline const void *plb_tuple_set_at(const plb_tuple_set *set, uint32_t number) {
    return set->rows + number * set->bytes;
}

#endif
