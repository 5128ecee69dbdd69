/* SPDX-License-Identifier: MIT
 *
 * A table of hashes of rows.
 */
#include "tables/reach/tuple_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "tables/vocabulary.h"

enum { FIRST_SLOTS = 64, FIRST_ROWS = 16, GROWTH = 4 };

/* Most rows that are added are short, and a call takes longer than to compare them. */
static bool is_same(const void *a, const void *b, size_t bytes) {
    uint64_t words[2];
    if (bytes != sizeof *words) return memcmp(a, b, bytes) == 0;
    memcpy(&words[0], a, sizeof *words);
    memcpy(&words[1], b, sizeof *words);
    return words[0] == words[1];
}

static uint32_t *find_slot(const plb_tuple_set *s, const void *row) {
    uint64_t hash = XXH3_64bits(row, s->bytes);
    for (;; hash++) {
        uint32_t *slot = &s->slots[hash & (s->slot_count - 1)];
        if (!*slot || is_same(plb_tuple_set_at(s, *slot - 1), row, s->bytes)) return slot;
    }
}

static int grow_slots(plb_tuple_set *s) {
    uint32_t count = s->slot_count ? GROWTH * s->slot_count : FIRST_SLOTS;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(s->slots);
    s->slots = slots;
    s->slot_count = count;
    for (uint32_t i = 0; i < s->count; i++) *find_slot(s, plb_tuple_set_at(s, i)) = i + 1;
    return PLB_OK;
}

int64_t plb_tuple_set_add(plb_tuple_set *set, const void *row) {
    int error = PLB_OK;
    if (2 * (set->count + 1) > set->slot_count) error = grow_slots(set);
    if (error) return error;
    uint32_t *slot = find_slot(set, row);
    if (*slot) return *slot - 1;
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity + set->capacity / 2 : FIRST_ROWS;
        uint8_t *rows = realloc(set->rows, capacity * set->bytes + 1);
        if (!rows) return PLB_ENOMEM;
        set->rows = rows;
        set->capacity = capacity;
    }
    memcpy(set->rows + set->count * set->bytes, row, set->bytes);
    *slot = ++set->count;
    return *slot - 1;
}

void plb_tuple_set_free(plb_tuple_set *set) {
    free(set->rows);
    free(set->slots);
    *set = (plb_tuple_set){.bytes = set->bytes};
}
