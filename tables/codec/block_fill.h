/* SPDX-License-Identifier: MIT
 *
 * What a block holds where nothing need be stored: the value of the position before it, so that
 * blocks compress well, and so that they hold the same whichever codec they went through.
 */
#ifndef PLB_TABLES_CODEC_BLOCK_FILL_H
#define PLB_TABLES_CODEC_BLOCK_FILL_H

#include <stdint.h>

/* Planes of a block: plane p is words [p * stride, p * stride + words) of values. */
typedef struct plb_block_planes {
    uint64_t *values;
    int planes;
    uint64_t words, stride;
} plb_block_planes;

/* Fill the planes where nothing is stored; of a draw all but the outcome is filled, too.
 *
 * stored   [in]   the positions whose values are there
 * won      [out]  words that it needs: those of them that are no draw */
void plb_block_fill(const plb_block_planes *block, const uint64_t *stored, uint64_t *won);

#endif
