/* SPDX-License-Identifier: MIT
 *
 * Alternation: can the stones of a board with gravity be placed one by one, each on top of its
 * column, x and o in turn, x first? Groups play no part. Must not know: games, positions.
 */
#ifndef PLB_TABLES_ALTERNATION_H
#define PLB_TABLES_ALTERNATION_H

#include <stdbool.h>
#include <stdint.h>

/* x         [in]   stones of x, a part of `occupied`
 * occupied  [in]   all stones; bit column * height + row, every column filled from row 0 on
 * width     [in]   columns, in any order
 * height    [in]   rows; width * height at most 64
 * steps     [out]  choices that were weighed; 0 where none had to be. NULL: not told
 *
 * Cost:    nearly always one pass over the stones. Else an exact search, described in the .c, of
 *          half a microsecond or more for a step. How many steps it takes is measured, not proven:
 *          the hardest boards found took 62 on 7x6 and 4,463 (3 ms) on 8x8; they are in
 *          tests/test_alternation.c. Where few columns make a flood cheap, it bounds them. About
 *          30 KiB of stack; where that does not do, at most 768 KiB of heap, without which the
 *          answer takes longer.
 * Errors:  none.
 * Threads: safe.  */
bool plb_alternation_exists(uint64_t x, uint64_t occupied, int width, int height, uint64_t *steps);

#endif
