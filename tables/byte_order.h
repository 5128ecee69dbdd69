/* SPDX-License-Identifier: MIT
 *
 * Numbers of a fixed width, at any address: big-endian in keys, so that their order is numeric, and
 * little-endian in records.
 */
#ifndef PLB_TABLES_BYTE_ORDER_H
#define PLB_TABLES_BYTE_ORDER_H

#include <stdint.h>
#include <string.h>

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

/* Little-endian numbers. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tables are little-endian");

static inline uint16_t plb_get16(const uint8_t *from) {
    uint16_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

static inline uint32_t plb_get32(const uint8_t *from) {
    uint32_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

static inline uint64_t plb_get64(const uint8_t *from) {
    uint64_t number;
    memcpy(&number, from, sizeof number);
    return number;
}

#endif
