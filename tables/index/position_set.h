/* SPDX-License-Identifier: MIT
 *
 * Hash sets of positions in memory. The empty board cannot be a member: its words are 0, which
 * marks a free slot. Must not know: values, indices.
 */
#pragma once

#include "tables/index/orbit.h"

typedef struct plb_position_set {
    plb_position *slots; /* [capacity], a power of two, or NULL; x and o 0: free */
    uint64_t capacity, count;
    uint64_t limit; /* of count: the set is full then */
} plb_position_set;

/* Bytes of memory for each position while a set grows: three quarters of the slots are full, and
 * twice as many new slots exist besides the old ones. */
enum { PLB_POSITION_SET_BYTES = 4 * sizeof(plb_position) };

/* Begin an empty set, which is full when it has `limit` positions. */
void plb_position_set_begin(plb_position_set *set, uint64_t limit);

/* Make room for `positions` positions in all. Errors: PLB_ENOMEM. */
int plb_position_set_reserve(plb_position_set *set, uint64_t positions);

/* Prefetch the slot of a position that will soon be added. */
static inline void plb_position_set_prefetch(const plb_position_set *set, plb_key_hash hash) {
    if (set->capacity) __builtin_prefetch(&set->slots[hash.low & (set->capacity - 1)], 1);
}

/* Add a position with its hash (plb_position_hash); adding it again changes nothing. The set must
 * not be full. Errors: PLB_ENOMEM. */
int plb_position_set_add(plb_position_set *set, plb_position position, plb_key_hash hash);

/* Is a position a member? */
bool plb_position_set_has(const plb_position_set *set, plb_position position, plb_key_hash hash);

static inline bool plb_position_set_is_full(const plb_position_set *set) {
    return set->count >= set->limit;
}

/* Move all positions to the first slots; returns their number. Then the set can only be freed. */
uint64_t plb_position_set_pack(plb_position_set *set);

/* Remove all positions, but keep the memory. */
void plb_position_set_clear(plb_position_set *set);
void plb_position_set_free(plb_position_set *set);
