/* SPDX-License-Identifier: MIT
 *
 * Sets of positions in memory, by hashing with open addresses. All keys but the empty board, whose
 * words are 0. Must not know: values, indices.
 */
#ifndef PLB_TABLES_INDEX_POSITION_SET_H
#define PLB_TABLES_INDEX_POSITION_SET_H

#include "tables/index/orbit.h"

typedef struct plb_position_set {
    plb_position *slots; /* [capacity], a power of two, or NULL; x and o 0: free */
    uint64_t capacity, count;
    uint64_t most; /* positions that it may hold */
} plb_position_set;

/* Bytes of a set for each position that it holds, while it grows: three quarters full, at most
 * doubled, and moved. */
enum { PLB_POSITION_SET_BYTES = 4 * sizeof(plb_position) };

/* Begin an empty set. */
void plb_position_set_begin(plb_position_set *set, uint64_t most);

/* Have space for so many positions at once. Errors: PLB_ENOMEM. */
int plb_position_set_reserve(plb_position_set *set, uint64_t positions);

/* Say that a position will soon be added. */
static inline void plb_position_set_prefetch(const plb_position_set *set, plb_key_hash hash) {
    if (set->capacity) __builtin_prefetch(&set->slots[hash.low & (set->capacity - 1)], 1);
}

/* Add a position that may be there, with its hash. Errors: PLB_ENOMEM. The set must not be full. */
int plb_position_set_add(plb_position_set *set, plb_position position, plb_key_hash hash);

/* Is a position there? */
bool plb_position_set_has(const plb_position_set *set, plb_position position, plb_key_hash hash);

static inline bool plb_position_set_is_full(const plb_position_set *set) {
    return set->count >= set->most;
}

/* Move all positions to the first slots; the set is of no other use then. Returns their number. */
uint64_t plb_position_set_pack(plb_position_set *set);

/* Take all positions out; the memory stays. */
void plb_position_set_clear(plb_position_set *set);
void plb_position_set_free(plb_position_set *set);

#endif
