/* SPDX-License-Identifier: MIT
 *
 * Growing arrays, and binary search. An array is a pointer from malloc, or NULL; its owner frees
 * it. If memory runs out, the array is unchanged and the result is false.
 */
#pragma once

#include <stdbool.h>
#include <stdlib.h>

#include "tables/bits.h"

/* Resize an array to `bytes` bytes. array: the address of the pointer. */
static inline bool plb_array_resize(void *array, uint64_t bytes) {
    void *items, *resized;
    memcpy(&items, array, sizeof items);
    resized = realloc(items, plb_size(bytes));
    if (resized) memcpy(array, &resized, sizeof resized);
    return resized;
}

/* Resize an array to `items` items. */
#define PLB_ARRAY_RESIZE(array, items) \
    plb_array_resize(&(array), (uint64_t)(items) * sizeof *(array))

/* Ensure room for one more item: a full array grows to twice its capacity and 32 items. */
#define PLB_ARRAY_EXTEND(array, count, capacity)                                        \
    ((count) < (capacity) || (PLB_ARRAY_RESIZE(array, 2 * (uint64_t)(capacity) + 32) && \
                              ((capacity) = 2 * (capacity) + 32, true)))

/* Binary search: the first i in [0, count) that has the property; count if none has it. Every index
 * after one that has the property must have it, too. */
#define PLB_FIRST(i, count, property)                  \
    ({                                                 \
        uint64_t first_ = 0, end_ = (count);           \
        while (first_ < end_) {                        \
            uint64_t i = first_ + (end_ - first_) / 2; \
            if (property)                              \
                end_ = i;                              \
            else                                       \
                first_ = (i) + 1;                      \
        }                                              \
        first_;                                        \
    })
