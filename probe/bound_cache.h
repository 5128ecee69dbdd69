/* SPDX-License-Identifier: MIT
 *
 * A cache of proven bounds of distances, with a limited size: entries may be replaced, but those
 * that are found are right. Keys are compared exactly. Must not know: rules, tables.
 */
#pragma once

#include "tables/games/rules.h"

/* Bounds of the number of plies in which a player wins; upper is PLB_NEVER if it is not known that
 * the player wins. */
typedef struct plb_known_bounds {
    int lower, upper;
} plb_known_bounds;

typedef struct plb_bound_cache plb_bound_cache;

/* bytes: the maximum size. Memory is used as entries are put in. Errors: PLB_ENOMEM. */
int plb_bound_cache_open(uint64_t bytes, plb_bound_cache **cache);

/* NULL is allowed. */
void plb_bound_cache_close(plb_bound_cache *cache);

/* Get the bounds for a position and a winner (x or o). False: they are not in the cache. */
bool plb_bound_cache_get(const plb_bound_cache *cache, plb_position position, bool x_wins,
                         plb_known_bounds *span);

/* Put bounds; nodes: the cost of finding them. Replaces the entry of this position, else the
 * cheapest one of its bucket. */
void plb_bound_cache_put(plb_bound_cache *cache, plb_position position, bool x_wins,
                         plb_known_bounds span, uint64_t nodes);
