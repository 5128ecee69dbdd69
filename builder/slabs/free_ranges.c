/* SPDX-License-Identifier: MIT
 *
 * There is at most one gap more than pieces, so that there is memory for a gap before each piece
 * and none is needed to give one back.
 */
#include "builder/slabs/free_ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"

/* Room for the gaps between so many pieces. */
static bool reserve(plb_free_ranges *room, size_t pieces) {
    if (pieces + 1 <= room->capacity) return true;
    size_t capacity = 2 * pieces + 16;
    plb_gap *gaps = realloc(room->gaps, capacity * sizeof *gaps);
    if (!gaps) return false;
    room->gaps = gaps;
    room->capacity = capacity;
    return true;
}

int plb_free_ranges_open(uint64_t bytes, plb_free_ranges *room) {
    *room = (plb_free_ranges){NULL, 0, 0, 0};
    if (!reserve(room, 0)) return PLB_ENOMEM;
    if (bytes) room->gaps[room->count++] = (plb_gap){0, bytes};
    return PLB_OK;
}

void plb_free_ranges_close(plb_free_ranges *room) {
    free(room->gaps);
    *room = (plb_free_ranges){NULL, 0, 0, 0};
}

/* Put other gaps where one or more were. */
static void replace(plb_free_ranges *room, size_t at, size_t old, const plb_gap *gaps,
                    size_t count) {
    plb_gap *rest = room->gaps + at + old;
    memmove(room->gaps + at + count, rest, (room->count - at - old) * sizeof *rest);
    for (size_t i = 0; i < count; i++) room->gaps[at + i] = gaps[i];
    room->count += count - old;
}

bool plb_free_ranges_take(plb_free_ranges *room, uint64_t bytes, uint64_t *from) {
    size_t at = 0;
    while (at < room->count && room->gaps[at].end - room->gaps[at].from < bytes) at++;
    if (at == room->count || !reserve(room, room->pieces + 1)) return false;
    plb_gap *gap = &room->gaps[at];
    *from = gap->from;
    gap->from += bytes;
    if (gap->from == gap->end) replace(room, at, 1, NULL, 0);
    room->pieces++;
    return true;
}

/* The first gap behind a place. */
static size_t find_behind(const plb_free_ranges *room, uint64_t place) {
    size_t low = 0, high = room->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (room->gaps[middle].from < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void plb_free_ranges_give_back(plb_free_ranges *room, uint64_t from, uint64_t bytes) {
    plb_gap made = {from, from + bytes};
    size_t first = find_behind(room, from), end = first;
    if (first > 0 && room->gaps[first - 1].end == made.from) made.from = room->gaps[--first].from;
    if (end < room->count && room->gaps[end].from == made.end) made.end = room->gaps[end++].end;
    assert(room->pieces > 0 && room->count + 1 - (end - first) <= room->capacity);
    replace(room, first, end - first, &made, 1);
    room->pieces--;
}
