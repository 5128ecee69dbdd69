/* SPDX-License-Identifier: MIT
 *
 * What `plybase stats` tells of distances. Uses the public header alone.
 */
#ifndef PLB_TOOLS_COMMANDS_STATS_DISTANCES_H
#define PLB_TOOLS_COMMANDS_STATS_DISTANCES_H

#include <stdbool.h>

#include "probe/plybase.h"

/* Does the table tell of distances? */
bool has_distance_stats(const plb_table *table);

/* For people: positions by distance of all plies together, and the longest of each ply. Prints
 * nothing for a table that does not tell. */
void print_distance_text(const plb_table *table);

/* Every distance of every ply in a line of its own; the last line of a ply and value has a position
 * that attains it. The table must tell. */
void print_distance_csv(const plb_table *table);

#endif
