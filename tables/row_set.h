/* SPDX-License-Identifier: MIT
 *
 * Rows of numbers, all of one length, each kept once. Must not know: what they mean.
 */
#ifndef PLB_TABLES_ROW_SET_H
#define PLB_TABLES_ROW_SET_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed but for the length it is empty. */
typedef struct plb_row_set {
    size_t length;  /* numbers in a row */
    uint32_t *rows; /* [count][length] */
    uint32_t count, room;
    uint32_t *slots;     /* [slot_count] number of a row + 1, or 0: free */
    uint32_t slot_count; /* a power of two, or 0 */
} plb_row_set;

/* The number of a row, which becomes the next one if there is no such row yet, or the negative
 * PLB_ENOMEM. Pointers to rows end with it. */
int64_t plb_row_set_add(plb_row_set *set, const uint32_t *row);

void plb_row_set_free(plb_row_set *set);

static inline const uint32_t *plb_row_set_at(const plb_row_set *set, uint32_t number) {
    return set->rows + number * set->length;
}

#endif
