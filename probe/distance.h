/* SPDX-License-Identifier: MIT
 *
 * Distances by search, for tables without distances. A search caches the bounds that it proves, so
 * later searches with the same object are faster.
 */
#pragma once

#include "probe/bound_cache.h"
#include "probe/outcome.h"

typedef struct plb_distance_search plb_distance_search;

/* The table and limits->context must outlive the search. The limits hold for all its calls
 * together; NULL: no limits. Errors: PLB_ENOMEM. Threads: one at a time. */
int plb_distance_open(const plb_table *table, const plb_limits *limits,
                      plb_distance_search **search, plb_message *message);

/* NULL is allowed. */
void plb_distance_close(plb_distance_search *search);

/* Find the distance of a position that can arise and is not drawn.
 *
 * value  [in]   its value, PLB_WIN or PLB_LOSS
 * span   [out]  bounds of the distance; lower == upper, unless a limit was reached
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_distance_find(plb_distance_search *search, plb_position position, plb_value value,
                      plb_known_bounds *span, plb_message *message);

/* As plb_distance_find, but only decide whether the distance is at most `limit`: afterwards
 * span->upper <= limit or span->lower > limit, unless a limit of the search was reached. */
int plb_distance_compare(plb_distance_search *search, plb_position position, plb_value value,
                         int limit, plb_known_bounds *span, plb_message *message);

/* Has a limit been reached? Then later calls do not search. */
bool plb_distance_stopped(const plb_distance_search *search);

/* Set nodes and seconds of bounds: the cost since the search was opened. */
void plb_distance_cost(const plb_distance_search *search, plb_bounds *bounds);
