/* SPDX-License-Identifier: MIT
 *
 * Arrays that grow: a pointer from malloc, or NULL, which its owner frees. If memory is not
 * sufficient, the array is unchanged and the result is false.
 *
 * Also searches of ordered arrays.
 */
#ifndef PLB_TABLES_ARRAY_H
#define PLB_TABLES_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

#include "tables/bits.h"

/* Make it so many bytes; array is the address of the pointer. */
static inline bool plb_array_resize(void *array, uint64_t bytes) {
    void *items, *resized;
    memcpy(&items, array, sizeof items);
    resized = realloc(items, plb_size(bytes));
    if (resized) memcpy(array, &resized, sizeof resized);
    return resized;
}

/* Make it so many items. */
#define PLB_ARRAY_RESIZE(array, items) \
    plb_array_resize(&(array), (uint64_t)(items) * sizeof *(array))

/* Make room for one item more than there are: twice as much, if there is none. */
#define PLB_ARRAY_EXTEND(array, count, capacity)                                        \
    ((count) < (capacity) || (PLB_ARRAY_RESIZE(array, 2 * (uint64_t)(capacity) + 32) && \
                              ((capacity) = 2 * (capacity) + 32, true)))

/* The first i of [0, count) with a property that all after it have, too; count: none has it. */
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

#endif
