/* SPDX-License-Identifier: MIT
 *
 * Alternation: can the stones of a board with gravity be placed one by one, each on top of its
 * column, x and o in turn, x first? Groups play no part. Must not know: games, positions.
 */
#ifndef PLB_TABLES_REACH_ALTERNATING_ORDER_H
#define PLB_TABLES_REACH_ALTERNATING_ORDER_H

#include <stdint.h>

typedef enum plb_alternating_order {
    PLB_ORDER_NONE,
    PLB_ORDER_EXISTS,
    PLB_ORDER_UNDECIDED, /* not found out within the steps allowed */
} plb_alternating_order;

/* Steps for callers that have no reason to allow others: 15 times what the hardest boards found
 * take, and at most 60 ms. */
enum { PLB_ORDER_STEPS = 1 << 16 };

/* x           [in]   stones of x, a part of `occupied`
 * occupied    [in]   all stones; bit column * height + row, every column filled from row 0 on
 * width       [in]   columns, in any order
 * height      [in]   rows; width * height at most 64
 * max_steps  [in]   choices that may be weighed, at least 32
 * steps       [out]  choices that were weighed; 0 where none had to be. NULL: not reported
 *
 * Cost:    nearly always one pass over the stones. Else an exact search, described in the .c, of
 *          half a microsecond or more for a step, which ends after max_steps: so there is a bound
 *          on time and memory, whatever the board. The hardest boards that hill climbing found took
 *          62 steps on 7x6 and 4,463 (3 ms) on 8x8; they are in
 * tests/tables/test_alternating_order.c. About 30 KiB of stack; where that is not enough, at most
 * 768 KiB of heap, without which the answer takes longer. Errors:  none. Threads: safe.  */
plb_alternating_order plb_alternating_order_find(uint64_t x, uint64_t occupied, int width,
                                                 int height, uint64_t max_steps, uint64_t *steps);

#endif
