/* SPDX-License-Identifier: MIT
 *
 * Answers about a whole table, as JSON in the vocabulary of json_positions.h and as CSV.
 *
 * Functions named put_ write members of an object that their caller opens and closes.
 * Threads: any number. Uses the public header alone.
 */
#ifndef PLB_TOOLS_ANSWERS_TABLE_ANSWERS_H
#define PLB_TOOLS_ANSWERS_TABLE_ANSWERS_H

#include <stdio.h>

#include "probe/plybase.h"
#include "tools/answers/json_writer.h"

/* What a table is; first_player: the value of the empty board. */
void put_info(json_writer *to, const plb_table *table, plb_value first_player);

/* The counts of each ply, with its distances or null. */
void put_stats(json_writer *to, const plb_table *table);

/* The counts as CSV: ply,total,terminal,won,drawn,lost, a line for each ply, after a line of these
 * names. After a failure to write, `ferror` of the stream is set. */
void write_stats_csv(const plb_table *table, FILE *to);

/* Bits of the file per reachable position. */
double bits_per_position(const plb_table_info *info);

#endif
