/* SPDX-License-Identifier: MIT
 *
 * Runs of values. Each plane is filled for itself.
 */
#include "tables/codec/block_fill.h"

#include "tables/format/outcome_code.h"

/* Give every bit outside `stored` the value of the nearest stored bit before it. Adding the ones
 * to the mask of places where a one may go lets a carry run to the next stored zero. */
static void fill_runs(uint64_t *plane, const uint64_t *stored, uint64_t words) {
    uint64_t before = 0;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t ones = plane[w] & stored[w], zeros = stored[w] & ~ones, may = ~zeros;
        uint64_t starts = ones | (before & may & 1);
        uint64_t reached = may & ~(may + starts);
        /* A start that the carry ran over is cleared and set again by its own addition. */
        plane[w] = reached | starts;
        before = plane[w] >> 63;
    }
}

void plb_block_fill(const plb_block_planes *block, const uint64_t *stored, uint64_t *won) {
    const uint64_t *x_wins = block->values + PLB_X_WINS * block->stride;
    const uint64_t *o_wins = block->values + PLB_O_WINS * block->stride;
    for (uint64_t w = 0; w < block->words; w++) won[w] = stored[w] & (x_wins[w] | o_wins[w]);
    for (int p = 0; p < block->planes; p++)
        fill_runs(block->values + p * block->stride, p < PLB_ROUND ? stored : won, block->words);
}
