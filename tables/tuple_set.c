/* SPDX-License-Identifier: MIT
 *
 * An array of rows, and a hash table of their numbers: open addressing with linear probing, at most
 * two thirds full.
 */
#include "tables/tuple_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "tables/array.h"
#include "tables/vocabulary.h"

enum { FIRST_SLOTS = 64, MANY_ROWS = 50000 /* slots grow fourfold up to here, then twofold */ };

/* Many rows have one or two words: comparing these takes less time than a call. */
static bool is_same(const uint8_t *a, const uint8_t *b, size_t bytes) {
    if (bytes % sizeof(uint64_t)) return memcmp(a, b, bytes) == 0;
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t))
        if (plb_get64(a + at) != plb_get64(b + at)) return false;
    return true;
}

/* The slot at which the search for a row begins. */
static uint32_t *first_slot(const plb_tuple_set *s, const void *row) {
    return &s->slots[XXH3_64bits(row, s->bytes) & (s->slot_count - 1)];
}

/* The slot that has a row or, if none has it, the free slot where it belongs. */
static uint32_t *find_slot(const plb_tuple_set *s, uint32_t *slot, const void *row) {
    for (;; slot++) {
        if (slot == s->slots + s->slot_count) slot = s->slots;
        if (!*slot || is_same(plb_tuple_set_at(s, *slot - 1), row, s->bytes)) return slot;
    }
}

static bool has_room(const plb_tuple_set *s, uint32_t more) {
    uint64_t count = (uint64_t)s->count + more;
    return count <= s->capacity && 3 * count <= 2 * (uint64_t)s->slot_count;
}

int plb_tuple_set_reserve(plb_tuple_set *set, uint32_t more) {
    if (set->count + more > set->capacity) {
        uint32_t capacity = set->capacity + set->capacity / 2 + PLB_ADDED_TOGETHER;
        if (!plb_array_resize(&set->rows, (uint64_t)capacity * set->bytes + 1)) return PLB_ENOMEM;
        set->capacity = capacity;
    }
    if (3 * (uint64_t)(set->count + more) <= 2 * (uint64_t)set->slot_count) return PLB_OK;
    uint32_t count =
        set->slot_count ? (set->count < MANY_ROWS ? 4 : 2) * set->slot_count : FIRST_SLOTS;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots) return PLB_ENOMEM;
    free(set->slots);
    set->slots = slots;
    set->slot_count = count;
    for (uint32_t i = 0; i < set->count; i++) {
        const void *row = plb_tuple_set_at(set, i);
        *find_slot(set, first_slot(set, row), row) = i + 1;
    }
    return PLB_OK;
}

/* Find a row, or add it to a set that has room. Returns its number. */
static uint32_t add_row(plb_tuple_set *s, uint32_t *first, const void *row) {
    uint32_t *slot = find_slot(s, first, row);
    if (!*slot) {
        memcpy(s->rows + s->count * s->bytes, row, s->bytes);
        *slot = ++s->count;
    }
    return *slot - 1;
}

int64_t plb_tuple_set_add(plb_tuple_set *set, const void *row) {
    if (!has_room(set, 1) && plb_tuple_set_reserve(set, 1)) return PLB_ENOMEM;
    return add_row(set, first_slot(set, row), row);
}

/* Slots and rows are scattered in memory: all are prefetched before any is used. */
int plb_tuple_set_add_several(plb_tuple_set *set, const void *rows, int count, uint32_t *numbers) {
    const uint8_t *row = rows;
    uint32_t *slots[PLB_ADDED_TOGETHER];
    if (plb_tuple_set_reserve(set, count)) return PLB_ENOMEM;
    for (int i = 0; i < count; i++) {
        slots[i] = first_slot(set, row + i * set->bytes);
        __builtin_prefetch(slots[i]);
    }
    for (int i = 0; i < count; i++)
        if (*slots[i]) __builtin_prefetch(plb_tuple_set_at(set, *slots[i] - 1));
    for (int i = 0; i < count; i++) numbers[i] = add_row(set, slots[i], row + i * set->bytes);
    return PLB_OK;
}

void plb_tuple_set_clear(plb_tuple_set *set) {
    if (set->count) memset(set->slots, 0, set->slot_count * sizeof *set->slots);
    set->count = 0;
}

void plb_tuple_set_free(plb_tuple_set *set) {
    free(set->rows);
    free(set->slots);
    *set = (plb_tuple_set){.bytes = set->bytes};
}
