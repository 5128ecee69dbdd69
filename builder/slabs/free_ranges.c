/* SPDX-License-Identifier: MIT
 *
 * There is at most one gap more than allocations, so that there is memory for a gap before each
 * allocation and none is needed to give one back.
 */
#include "builder/slabs/free_ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"

/* Space for the gaps between so many allocations. */
static bool reserve(plb_free_ranges *ranges, size_t allocations) {
    if (allocations + 1 <= ranges->capacity) return true;
    size_t capacity = 2 * allocations + 16;
    plb_gap *gaps = realloc(ranges->gaps, capacity * sizeof *gaps);
    if (!gaps) return false;
    ranges->gaps = gaps;
    ranges->capacity = capacity;
    return true;
}

int plb_free_ranges_open(uint64_t bytes, plb_free_ranges *ranges) {
    *ranges = (plb_free_ranges){NULL, 0, 0, 0};
    if (!reserve(ranges, 0)) return PLB_ENOMEM;
    if (bytes) ranges->gaps[ranges->count++] = (plb_gap){0, bytes};
    return PLB_OK;
}

void plb_free_ranges_close(plb_free_ranges *ranges) {
    free(ranges->gaps);
    *ranges = (plb_free_ranges){NULL, 0, 0, 0};
}

/* Put other gaps where one or more were. */
static void replace(plb_free_ranges *ranges, size_t at, size_t old, const plb_gap *gaps,
                    size_t count) {
    plb_gap *rest = ranges->gaps + at + old;
    memmove(ranges->gaps + at + count, rest, (ranges->count - at - old) * sizeof *rest);
    for (size_t i = 0; i < count; i++) ranges->gaps[at + i] = gaps[i];
    ranges->count += count - old;
}

bool plb_free_ranges_take(plb_free_ranges *ranges, uint64_t bytes, uint64_t *from) {
    size_t at = 0;
    while (at < ranges->count && ranges->gaps[at].end - ranges->gaps[at].from < bytes) at++;
    if (at == ranges->count || !reserve(ranges, ranges->allocations + 1)) return false;
    plb_gap *gap = &ranges->gaps[at];
    *from = gap->from;
    gap->from += bytes;
    if (gap->from == gap->end) replace(ranges, at, 1, NULL, 0);
    ranges->allocations++;
    return true;
}

/* The first gap behind a place. */
static size_t find_behind(const plb_free_ranges *ranges, uint64_t place) {
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges->gaps[middle].from < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void plb_free_ranges_give_back(plb_free_ranges *ranges, uint64_t from, uint64_t bytes) {
    plb_gap made = {from, from + bytes};
    size_t first = find_behind(ranges, from), end = first;
    if (first > 0 && ranges->gaps[first - 1].end == made.from)
        made.from = ranges->gaps[--first].from;
    if (end < ranges->count && ranges->gaps[end].from == made.end)
        made.end = ranges->gaps[end++].end;
    assert(ranges->allocations > 0 && ranges->count + 1 - (end - first) <= ranges->capacity);
    replace(ranges, first, end - first, &made, 1);
    ranges->allocations--;
}
