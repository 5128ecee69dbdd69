/* SPDX-License-Identifier: MIT
 *
 * The rows of an export: positions of a table with their values and best moves; either all
 * positions, ply by ply in the order of the index, or a random sample.
 *
 *     all      a canonical position is followed by its other images
 *     sample   uniform, with repetition; row r depends only on the seed and on r, so that a longer
 *              sample begins with the shorter one
 *
 * Rows are made in tasks, which may run in different threads; rows of task 0 come first. The rows
 * of a task are the same on every machine. Must not know: files.
 */
#pragma once

#include "probe/table.h"

typedef struct plb_export_row {
    uint64_t x, o;                 /* as everywhere in plybase.h */
    uint64_t best;                 /* the cells of the best moves; 0 if the game is over */
    uint16_t tiles[PLB_MAX_TILES]; /* [bit of best] games of numbers: a bit mask of tiles
                                       (number_rules.h) */
    int ply;
    plb_value value; /* for the player to move */
    int dtm;         /* plies, or PLB_NO_DTM */
} plb_export_row;

/* What rows are made from. It owns nothing. */
typedef struct plb_export_source {
    const plb_table *table;
    plb_export_options options; /* restricted to what the format can write */
    const struct plb_row_format *format;
    const plb_table_file *file;
    const plb_game *game;
    int first_ply, end_ply;
    uint64_t totals[PLB_MAX_CELLS + 1];     /* positions of each chosen ply; else 0 */
    uint64_t first_task[PLB_MAX_CELLS + 2]; /* [end_ply + 1] tasks before a ply */
    uint64_t positions;                     /* sum of totals */
    uint64_t of_values; /* positions with a wanted value; 0 if the options want all values */
    uint64_t tasks;
} plb_export_source;

/* Check the options, and count the positions of their plies. This is fast; rows cannot be made yet.
 * Errors: PLB_EARGUMENT and PLB_ENOTTABLE, as of plb_export_open. */
int plb_export_choose(const plb_table *table, const plb_export_options *options,
                      plb_export_source *export, plb_message *message);

/* plb_export_choose, and prepare the tasks. Errors: those of plb_export_open. */
int plb_export_init(const plb_table *table, const plb_export_options *options,
                    plb_export_source *export, plb_message *message);

/* plb_export_init for the same table with other options. It is faster, but all plies of the new
 * options must be prepared for `of`. Errors: PLB_EARGUMENT, as of plb_export_init. */
int plb_export_vary(const plb_export_source *of, const plb_export_options *options,
                    plb_export_source *export, plb_message *message);

/* Do the options want this position, whose value for the player to move is `value`? */
bool plb_export_wants(const plb_export_source *export, plb_position position, plb_value value);

/* Check at the end that the tasks have covered as many positions as the statistics of the table
 * say; done: the sum over all tasks. For a sample nothing is checked. Errors: PLB_ECORRUPT. */
int plb_export_check_done(const plb_export_source *export, uint64_t done, plb_message *message);

/* A callback for each row; false (out of memory) ends the task with PLB_ENOMEM. */
typedef struct plb_export_taker {
    bool (*take)(void *context, const plb_export_row *row);
    void *context;
} plb_export_taker;

/* Make the rows of a task in [0, tasks).
 *
 * done   [out]  rows of a sample; else positions covered, including images that give no row: over
 *               all tasks the sum is `positions`
 *
 * Errors:  PLB_EINTERRUPTED, PLB_ENOMEM, PLB_EIO; PLB_ENOTFOUND: the options want none of the
 *          131,072 positions that were drawn for one row of a sample; PLB_ECORRUPT: the table does
 *          not answer a position that can arise. Threads: safe.  */
int plb_export_run(const plb_export_source *export, uint64_t task, const plb_export_taker *taker,
                   uint64_t *done, plb_message *message);

/* ---- rows as bytes: plb_export_options.format ----
 *
 *     csv    text with a header line
 *     npy    for numpy: a header, then records without gaps, numbers little-endian
 *     uci    lines of the UCI Connect-4 data set: cells column by column, each from the bottom, and
 *            the value for x; only quiet positions, one of each symmetric class
 *     pons   moves that lead to the position, and the score; not if the game is over
 *
 * A record of npy is   x 8 | o 8 | ply 1 | value 1 | dtm 2 | best 8   bytes, in this order. */

enum { PLB_ROW_TEXT = 1536 }; /* bytes, enough for any row */

/* A way to write rows. */
typedef struct plb_row_format {
    const char *name;
    /* Write the header of a file with `rows` rows. Returns its size, which is always the same. */
    size_t (*write_header)(uint64_t rows, char bytes[PLB_EXPORT_HEADER]);
    /* Write a row. Returns its size. */
    size_t (*write_row)(const plb_export_source *export, const plb_export_row *row,
                        char bytes[PLB_ROW_TEXT]);
} plb_row_format;

/* Find a format by its name; NULL means csv. Returns NULL if there is none. */
const plb_row_format *plb_row_format_find(const char *name);
#define PLB_ROW_FORMATS "csv, npy, uci or pons"

/* Set the format of a source from its options, and exclude positions that the format cannot write.
 * Errors: PLB_EARGUMENT, also if the format does not suit the table. */
int plb_row_format_choose(plb_export_source *export, plb_message *message);

/* Rows of a source as text. Initialize with {.export = source}; free the text. */
typedef struct plb_text_rows {
    const plb_export_source *export;
    char *text; /* [size] */
    size_t size, capacity;
    size_t count; /* rows */
} plb_text_rows;

/* Add a row to a plb_text_rows, which is the context: the `take` of a plb_export_taker. */
bool plb_text_rows_take(void *context, const plb_export_row *row);
