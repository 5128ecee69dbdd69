/* SPDX-License-Identifier: MIT
 *
 * Which words of a set have no stone of a colour in some rows, looked up for a few rows at a time:
 * blocks of PLB_WIDE_LANES lanes, with a bit for each word. Boards of up to 13 rows. Must not know:
 * games.
 */
#ifndef PLB_TABLES_COUNT_ROWS_WITHOUT_H
#define PLB_TABLES_COUNT_ROWS_WITHOUT_H

#include <stddef.h>
#include <stdint.h>

#include "tables/cpu_dispatch.h"

enum {
    PLB_LACKS_ROWS = 13, /* at most */
    PLB_LACKS_LOW = 7,   /* rows that are looked up first */
    PLB_LACKS = (1 << PLB_LACKS_LOW) + (1 << (PLB_LACKS_ROWS - PLB_LACKS_LOW)),
};

/* Put a word with these stones, whose bit is of a block. lacks: [PLB_LACKS] blocks, first of the
 * low rows, by the rows that are asked for. */
static inline void plb_lacks_put(uint64_t *lacks, uint32_t stones, size_t bit) {
    for (uint32_t i = 0; i < PLB_LACKS; i++, lacks += PLB_WIDE_LANES) {
        uint32_t high = i >> PLB_LACKS_LOW ? i - (1U << PLB_LACKS_LOW) : 0;
        uint32_t rows = i >> PLB_LACKS_LOW ? high << PLB_LACKS_LOW : i;
        if ((stones & rows) == 0) lacks[bit / 64] |= 1ULL << (bit % 64);
    }
}

#endif
