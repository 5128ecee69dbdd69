/* SPDX-License-Identifier: MIT
 *
 * Distances in `plybase stats`. Uses the public header alone.
 */
#ifndef PLB_TOOLS_COMMANDS_STATS_DISTANCES_H
#define PLB_TOOLS_COMMANDS_STATS_DISTANCES_H

#include <stdbool.h>

#include "probe/plybase.h"

/* Does the table hold distances? */
bool has_distance_stats(const plb_table *table);

/* For people: positions by distance of all plies together, and the longest of each ply. Prints
 * nothing for a table without distances. */
void print_distance_text(const plb_table *table);

/* One line for every distance of every ply; the last line of a ply and value has a position that
 * attains it. The table has distances. */
void print_distance_csv(const plb_table *table);

#endif
