/* SPDX-License-Identifier: MIT
 *
 * A cache of proven bounds of distances, of bounded size: entries may be dropped, but those that
 * are found are right. Positions are distinguished exactly. Must not know: rules, tables.
 */
#ifndef PLB_PROBE_BOUND_CACHE_H
#define PLB_PROBE_BOUND_CACHE_H

#include "tables/games/rules.h"

/* In how many plies a player wins: at least and at most, PLB_NEVER where nothing is known. */
typedef struct plb_known_bounds {
    int least, most;
} plb_known_bounds;

typedef struct plb_bound_cache plb_bound_cache;

/* Errors: PLB_ENOMEM. Cost: memory is taken as it is used. */
int plb_bound_cache_open(uint64_t bytes, plb_bound_cache **cache);

/* NULL is allowed. */
void plb_bound_cache_close(plb_bound_cache *cache);

/* What is known of a position and a player, x or o, who is to win; false: nothing. */
bool plb_bound_cache_get(const plb_bound_cache *cache, plb_position position, bool x_wins,
                         plb_known_bounds *span);

/* Keep a span; nodes is what finding it has cost. Replaces what was known, or else what was
 * cheapest of a few. */
void plb_bound_cache_put(plb_bound_cache *cache, plb_position position, bool x_wins,
                         plb_known_bounds span, uint64_t nodes);

#endif
