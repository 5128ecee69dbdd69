/* SPDX-License-Identifier: MIT
 *
 * Numbers of positions of Connect-4 boards that have been published: Tromp, John's Connect Four
 * Playground. Must not know: games, tables, counts.
 */
#ifndef PLB_TOOLS_VERIFY_PUBLISHED_COUNTS_H
#define PLB_TOOLS_VERIFY_PUBLISHED_COUNTS_H

#include <stdint.h>

enum { PUBLISHED_MOST = 13 }; /* columns or rows of a board */

#define PUBLISHED_COUNTS_SOURCE "Tromp, John's Connect Four Playground"

/* Of connect-WxH-k4; 0: none is known here. Two of them, of 12x4 and 13x4, exceed 2^53 and are
 * given there as the nearest number that a double can hold. */
uint64_t published_count(int width, int height);

#endif
