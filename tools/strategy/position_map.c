/* SPDX-License-Identifier: MIT
 *
 * Open addressing; at most half of the places are taken.
 */
#include "tools/strategy/position_map.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 1 << 10 };

void position_map_free(position_map *map) {
    free(map->codes);
    free(map->bytes);
    *map = (position_map){0};
}

/* The place of a position, or the free one where it belongs. */
static size_t find_place(const position_map *map, plb_code code) {
    uint64_t hash = (uint64_t)code * 0x9E3779B97F4A7C15ULL;
    hash ^= ((uint64_t)(code >> 64) + (hash >> 29)) * 0xC2B2AE3D27D4EB4FULL;
    size_t at = (hash ^ hash >> 32) & (map->room - 1);
    while (map->bytes[at] != POSITION_MAP_FREE && map->codes[at] != code)
        at = (at + 1) & (map->room - 1);
    return at;
}

static int grow(position_map *map) {
    size_t room = map->room ? 2 * map->room : LEAST_ROOM;
    position_map more = {malloc(room * sizeof *more.codes), malloc(room), room, map->count};
    if (!more.codes || !more.bytes) {
        position_map_free(&more);
        return PLB_ENOMEM;
    }
    memset(more.bytes, POSITION_MAP_FREE, room);
    for (size_t at = 0; at < map->room; at++) {
        if (map->bytes[at] == POSITION_MAP_FREE) continue;
        size_t to = find_place(&more, map->codes[at]);
        more.codes[to] = map->codes[at];
        more.bytes[to] = map->bytes[at];
    }
    free(map->codes);
    free(map->bytes);
    map->codes = more.codes;
    map->bytes = more.bytes;
    map->room = room;
    return PLB_OK;
}

uint8_t position_map_get(const position_map *map, plb_code code) {
    return map->room ? map->bytes[find_place(map, code)] : POSITION_MAP_FREE;
}

int position_map_put(position_map *map, plb_code code, uint8_t byte) {
    if (2 * (map->count + 1) > map->room && grow(map)) return PLB_ENOMEM;
    size_t at = find_place(map, code);
    map->count += map->bytes[at] == POSITION_MAP_FREE;
    map->codes[at] = code;
    map->bytes[at] = byte;
    return PLB_OK;
}
