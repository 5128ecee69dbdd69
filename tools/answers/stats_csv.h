/* SPDX-License-Identifier: MIT
 *
 * Counts of a table as CSV. Uses the public header alone.
 */
#ifndef PLB_TOOLS_ANSWERS_STATS_CSV_H
#define PLB_TOOLS_ANSWERS_STATS_CSV_H

#include <stdio.h>

#include "probe/plybase.h"

/* Write ply,total,terminal,won,drawn,lost, a line for each ply, after a line of these names.
 * Whether it could be written, the stream tells. */
void write_stats_csv(const plb_table *table, FILE *to);

#endif
