/* SPDX-License-Identifier: MIT
 *
 * Can the stones of a board with gravity be placed one by one, each on top of its column, x first,
 * then in turn? Groups do not matter. Must not know: games, positions.
 */
#pragma once

#include <stdint.h>

typedef enum plb_alternating_order {
    PLB_ORDER_NONE,
    PLB_ORDER_EXISTS,
    PLB_ORDER_UNDECIDED, /* the step limit was reached */
} plb_alternating_order;

/* The default step limit: 15 times the steps of the hardest known boards, and at most 60 ms. */
enum { PLB_ORDER_STEPS = 1 << 16 };

/* x          [in]   the stones of x, a subset of `occupied`
 * occupied   [in]   all stones; bit column * height + row, every column filled from row 0 on
 * width      [in]   columns, in any order
 * height     [in]   rows; width * height at most 64
 * max_steps  [in]   step limit, at least 32; a step is a choice between columns
 * steps      [out]  steps that the search took; 0: none was needed. May be NULL
 *
 * Cost: nearly always one pass over the stones. Else an exact search (see the .c) of half a
 * microsecond or more for each step; max_steps bounds its time and memory. The hardest boards found
 * by hill climbing took 62 steps on 7x6 and 4,463 steps (3 ms) on 8x8; they are in
 * tests/tables/test_alternating_order.c. About 30 KiB of stack, and at most 768 KiB of heap if that
 * is not enough; without heap the answer takes longer. Errors: none. Threads: safe. */
plb_alternating_order plb_alternating_order_find(uint64_t x, uint64_t occupied, int width,
                                                 int height, uint64_t max_steps, uint64_t *steps);
