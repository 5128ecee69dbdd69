/* SPDX-License-Identifier: MIT
 *
 * Answers about a whole table, as JSON and as CSV.
 *
 * Functions named put_ write members of an object that their caller opens and closes.
 * Threads: any number. Must not know: how tables are stored.
 */
#pragma once

#include <stdio.h>

#include "probe/plybase.h"
#include "tables/count/position_count.h"
#include "tools/answers/json_writer.h"

/* Describe a table: fully; in short, for a list of tables; with the pieces and rules of its game.
 * first_player: the value of the empty board. */
void put_info(json_writer *to, const plb_table *table, plb_value first_player);
void put_listed(json_writer *to, const plb_table_info *info, plb_value first_player);
void put_description(json_writer *to, const plb_table *table, plb_value first_player);

/* Write the counts of each ply, with its distances or null. */
void put_stats(json_writer *to, const plb_table *table);

/* Write the counts as CSV: a header line, then a line ply,total,terminal,won,drawn,lost for each
 * ply. After a write error, `ferror` of the stream is set. */
void write_stats_csv(const plb_table *table, FILE *to);

/* The layout of columns of counts for people, after a first column of PLY_COLUMN characters. Each
 * column fits its heading and its greatest count. Counts have separators of thousands if a line
 * then fits on a screen of 80 characters. */
enum { MAX_COLUMNS = 5, PLY_COLUMN = 5 };
typedef struct count_columns {
    int count, width[MAX_COLUMNS];
    char separator; /* 0: none */
} count_columns;

/* Compute the layout, and print the line of headings. */
count_columns print_count_headings(const char *const headings[], const plb_big_count greatest[],
                                   int count);

/* Print the line of a ply; -1: of all plies. */
void print_count_row(const count_columns *columns, int ply, const plb_big_count counts[]);

/* Size of the file in bits, per reachable position. */
double bits_per_position(const plb_table_info *info);
