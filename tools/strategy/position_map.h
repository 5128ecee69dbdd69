/* SPDX-License-Identifier: MIT
 *
 * A map from positions of a ply, by their numbers (tables/index/position_number.h), to a byte. It
 * grows as needed, 17 bytes for each of at most two places of a position. Must not know: what bytes
 * mean.
 */
#ifndef PLB_TOOLS_STRATEGY_POSITION_MAP_H
#define PLB_TOOLS_STRATEGY_POSITION_MAP_H

#include <stddef.h>

#include "tables/index/position_number.h"

enum { POSITION_MAP_FREE = 255 }; /* a byte that no position has */

/* All bytes 0: empty. */
typedef struct position_map {
    plb_code *codes; /* [room] */
    uint8_t *bytes;  /* [room] POSITION_MAP_FREE: nothing is there */
    size_t room, count;
} position_map;

void position_map_free(position_map *map);

/* The byte of a position; POSITION_MAP_FREE: it is not there. */
uint8_t position_map_get(const position_map *map, plb_code code);

/* Add a position, or give it another byte. Errors: PLB_ENOMEM. */
int position_map_put(position_map *map, plb_code code, uint8_t byte);

#endif
