/* SPDX-License-Identifier: MIT
 *
 * Numbers of a fixed width, big-endian, so that the order of keys is numeric.
 */
#ifndef PLB_TABLES_BIG_ENDIAN_H
#define PLB_TABLES_BIG_ENDIAN_H

#include <stdint.h>

/* Append the lowest `width` bytes of a number; returns what follows them. */
static inline uint8_t *plb_put_number(uint8_t *to, uint64_t number, int width) {
    for (int byte = width - 1; byte >= 0; byte--) *to++ = (uint8_t)(number >> (8 * byte));
    return to;
}

/* A number of `width` bytes. */
static inline uint64_t plb_get_number(const uint8_t *from, int width) {
    uint64_t number = 0;
    for (int byte = 0; byte < width; byte++) number = number << 8 | from[byte];
    return number;
}

#endif
