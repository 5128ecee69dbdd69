/* SPDX-License-Identifier: MIT
 *
 * Numbers of a fixed width, little-endian, at any address.
 */
#ifndef PLB_TABLES_LITTLE_ENDIAN_H
#define PLB_TABLES_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

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
