/* SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing, at most three quarters full.
 */
#include "tables/index/position_set.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"

enum { MIN_CAPACITY = 1 << 10 };

void plb_position_set_begin(plb_position_set *set, uint64_t limit) {
    *set = (plb_position_set){.limit = plb_max(limit, 1)};
}

static bool is_free(plb_position slot) {
    return (slot.x | slot.o) == 0;
}

/* The slot that has a position or, if none has it, the free slot where it belongs. */
static plb_position *find_slot(const plb_position_set *set, plb_position position,
                               plb_key_hash hash) {
    uint64_t at = hash.low & (set->capacity - 1);
    while (!is_free(set->slots[at]) && !plb_position_is_same(set->slots[at], position))
        at = (at + 1) & (set->capacity - 1);
    return &set->slots[at];
}

/* All slots are written, because a page that is read before it is written causes two page faults.
 * memset would not do: compilers replace malloc and memset by calloc, which need not write. */
int plb_position_set_reserve(plb_position_set *set, uint64_t positions) {
    plb_position_set grown = *set;
    grown.capacity = plb_max(set->capacity, MIN_CAPACITY);
    while (4 * positions > 3 * grown.capacity) grown.capacity *= 2;
    if (grown.capacity == set->capacity) return PLB_OK;
    grown.slots = malloc(plb_size(grown.capacity * sizeof *grown.slots));
    if (!grown.slots) return PLB_ENOMEM;
    explicit_bzero(grown.slots, plb_size(grown.capacity * sizeof *grown.slots));
    for (uint64_t at = 0; at < set->capacity; at++)
        if (!is_free(set->slots[at]))
            *find_slot(&grown, set->slots[at], plb_position_hash(set->slots[at])) = set->slots[at];
    free(set->slots);
    *set = grown;
    return PLB_OK;
}

int plb_position_set_add(plb_position_set *set, plb_position position, plb_key_hash hash) {
    if (4 * (set->count + 1) > 3 * set->capacity && plb_position_set_reserve(set, set->count + 1))
        return PLB_ENOMEM;
    plb_position *slot = find_slot(set, position, hash);
    set->count += is_free(*slot);
    *slot = position;
    return PLB_OK;
}

bool plb_position_set_has(const plb_position_set *set, plb_position position, plb_key_hash hash) {
    return set->capacity && !is_free(*find_slot(set, position, hash));
}

uint64_t plb_position_set_pack(plb_position_set *set) {
    uint64_t count = 0;
    for (uint64_t at = 0; at < set->capacity; at++)
        if (!is_free(set->slots[at])) set->slots[count++] = set->slots[at];
    return count;
}

void plb_position_set_clear(plb_position_set *set) {
    if (set->slots) memset(set->slots, 0, plb_size(set->capacity * sizeof *set->slots));
    set->count = 0;
}

void plb_position_set_free(plb_position_set *set) {
    free(set->slots);
    *set = (plb_position_set){0};
}
