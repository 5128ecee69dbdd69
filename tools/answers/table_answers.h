/* SPDX-License-Identifier: MIT
 *
 * Answers about a whole table, as JSON in the vocabulary of json_positions.h and as CSV.
 *
 * Functions named put_ write members of an object that their caller opens and closes.
 * Threads: any number. Must not know: how tables are stored.
 */
#ifndef PLB_TOOLS_ANSWERS_TABLE_ANSWERS_H
#define PLB_TOOLS_ANSWERS_TABLE_ANSWERS_H

#include <stdio.h>

#include "probe/plybase.h"
#include "tables/count/position_count.h"
#include "tools/answers/json_writer.h"

/* What a table is; first_player: the value of the empty board. In a list of tables, in short; for
 * those who have never seen its game, with its pieces, and its rules in sentences. */
void put_info(json_writer *to, const plb_table *table, plb_value first_player);
void put_listed(json_writer *to, const plb_table_info *info, plb_value first_player);
void put_description(json_writer *to, const plb_table *table, plb_value first_player);

/* The counts of each ply, with its distances or null. */
void put_stats(json_writer *to, const plb_table *table);

/* The counts as CSV: ply,total,terminal,won,drawn,lost, a line for each ply, after a line of these
 * names. After a failure to write, `ferror` of the stream is set. */
void write_stats_csv(const plb_table *table, FILE *to);

/* Columns of counts for people, after one of PLY_COLUMN characters. Each is as wide as its heading
 * and its greatest count; counts have no separators where a line would exceed a screen of 80. */
enum { MAX_COLUMNS = 5, PLY_COLUMN = 5 };
typedef struct count_columns {
    int count, width[MAX_COLUMNS];
    char separator; /* 0: none */
} count_columns;

/* Fit columns to their greatest counts, and print the line of headings. */
count_columns print_count_headings(const char *const headings[], const plb_big_count greatest[],
                                   int count);

/* Print the line of a ply, or where it is -1 of all. */
void print_count_row(const count_columns *columns, int ply, const plb_big_count counts[]);

/* Bits of the file per reachable position. */
double bits_per_position(const plb_table_info *info);

#endif
