/* SPDX-License-Identifier: MIT
 *
 * Memory that grows as needed and is used again and again. A zeroed struct is an empty buffer.
 */
#ifndef PLB_BUILDER_BUFFER_H
#define PLB_BUILDER_BUFFER_H

#include <stddef.h>
#include <stdint.h>

/* Words of planes. */
typedef struct plb_words {
    uint64_t *words;
    size_t capacity;
} plb_words;

/* Make room for a number of words and one more, which kernels may read after the last: it has some
 * value, though no result depends on it. Much more than that is given back. What was there is
 * lost. Errors: PLB_ENOMEM. */
int plb_words_reserve(plb_words *buffer, size_t words);
void plb_words_free(plb_words *buffer);
void plb_words_free_big(plb_words *buffer); /* only if it is more than a MiB */

/* Bytes that are appended to. */
typedef struct plb_bytes {
    uint8_t *bytes;
    size_t size, capacity;
} plb_bytes;

/* Make room for a number of bytes in all; what is there stays. Errors: PLB_ENOMEM. */
int plb_bytes_reserve(plb_bytes *list, size_t capacity);
int plb_bytes_append(plb_bytes *list, const plb_bytes *more);
void plb_bytes_free(plb_bytes *list);

#endif
