/* SPDX-License-Identifier: MIT
 *
 * Distances by search, for tables that hold values alone. A search keeps the bounds it has proven,
 * so that positions of one game, asked one after the other, share them.
 */
#ifndef PLB_PROBE_DISTANCE_H
#define PLB_PROBE_DISTANCE_H

#include "probe/bound_cache.h"
#include "probe/outcome.h"

typedef struct plb_distance_search plb_distance_search;

/* The table and what limits->context refers to must outlive the search. Limits hold for all that
 * is asked of it together; NULL: none. Errors: PLB_ENOMEM. Threads: one at a time. */
int plb_distance_open(const plb_table *table, const plb_limits *limits,
                      plb_distance_search **search, plb_message *message);

/* NULL is allowed. */
void plb_distance_close(plb_distance_search *search);

/* Distance of a position that can arise and has a winner.
 *
 * value  [in]   its value, PLB_WIN or PLB_LOSS
 * span   [out]  least == most, unless a limit was reached
 *
 * Errors: PLB_ECORRUPT, PLB_ENOMEM. */
int plb_distance_find(plb_distance_search *search, plb_position position, plb_value value,
                      plb_known_bounds *span, plb_message *message);

/* As plb_distance_find, but only find whether the distance is above the limit: afterwards
 * span->most <= limit or span->least > limit, unless a limit of the search was reached. */
int plb_distance_compare(plb_distance_search *search, plb_position position, plb_value value,
                         int limit, plb_known_bounds *span, plb_message *message);

/* Has a limit been reached? From then on nothing is searched. */
bool plb_distance_stopped(const plb_distance_search *search);

/* Positions looked at and seconds passed since the search was opened. */
void plb_distance_cost(const plb_distance_search *search, plb_bounds *bounds);

/* Of a clock that never goes back. */
double plb_seconds_now(void);

#endif
