/* SPDX-License-Identifier: MIT
 *
 * The open positions of Connect-4 on a board of five to seven columns that are their own mirror
 * image, by enumeration of half boards. Those that are not come in pairs, so that the number of all
 * open positions of a ply is even or odd as this one is. (Of four rows, and with terminal ones:
 * symmetric_positions.h.) Shares no code with what it checks but the
 * search for an order (tables/reach/alternating_order.h): no automaton, no frontiers.
 */
#ifndef TESTS_MIRROR_POSITIONS_H
#define TESTS_MIRROR_POSITIONS_H

#include <stdint.h>

enum { MIRROR_CELLS = 64 };

/* Count those of each ply: positions without a group whose stones can be placed alternately. Width
 * 5 to 7, at most 64 cells. Cost: 1 s for 7x6, 6 s for 7x7. */
void mirror_positions_count(int width, int height, uint64_t per_ply[MIRROR_CELLS + 1]);

#endif
