/* SPDX-License-Identifier: MIT
 *
 * Sets of rows of bytes, all of one size, each kept once: a row has the number of those that came
 * before it. Must not know: what is in a row.
 */
#ifndef PLB_TABLES_TUPLE_SET_H
#define PLB_TABLES_TUPLE_SET_H

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

/* Have room for so many rows more, which can be added without an error then. Pointers to rows end
 * here, and where rows are added without. Errors: PLB_ENOMEM. */
int plb_tuple_set_reserve(plb_tuple_set *set, uint32_t more);

/* The number of a row, which becomes the next one if there is no such row yet, or the negative
 * PLB_ENOMEM. */
int64_t plb_tuple_set_add(plb_tuple_set *set, const void *row);

/* The same of up to PLB_ADDED_TOGETHER rows, which takes less than one by one. Errors: PLB_ENOMEM.
 */
enum { PLB_ADDED_TOGETHER = 16 };
int plb_tuple_set_add_several(plb_tuple_set *set, const void *rows, int count, uint32_t *numbers);

static inline const void *plb_tuple_set_at(const plb_tuple_set *set, uint32_t number) {
    return set->rows + number * set->bytes;
}

/* What is left is an empty set: with the memory that it had, or with none. */
void plb_tuple_set_clear(plb_tuple_set *set);
void plb_tuple_set_free(plb_tuple_set *set);

#endif
