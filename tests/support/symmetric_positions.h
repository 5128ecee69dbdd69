/* SPDX-License-Identifier: MIT
 *
 * The positions of Connect-4 on boards of height 4 that are their own mirror image, by enumeration
 * of half boards. Positions that are not come in pairs, so that the number of all positions of a
 * ply is even or odd as this one is. Shares no code with what it checks: no automaton, no transfer
 * matrix.
 */
#ifndef TESTS_SYMMETRIC_POSITIONS_H
#define TESTS_SYMMETRIC_POSITIONS_H

#include <stdint.h>

enum { SYMMETRIC_HEIGHT = 4, SYMMETRIC_WIDTH = 13, SYMMETRIC_PLIES = 4 * 13 + 1 };

/* Count those of a board of width 2 to 13, per ply. Cost: 1 s for width 11, about 12 s and 100 MB
 * for width 12, 30 s for width 13. */
void symmetric_positions_count(int width, uint64_t per_ply[SYMMETRIC_PLIES]);

#endif
