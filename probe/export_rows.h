/* SPDX-License-Identifier: MIT
 *
 * The rows of an export: positions of a table with their values and best moves; all positions, ply
 * by ply in the order of the index, or a random sample.
 *
 *     all      the images of a canonical position follow each other; the first is itself
 *     sample   each row with the same probability, with repetition; row r depends on the seed and
 *              on r alone, so that a longer sample begins with the shorter one
 *
 * Rows are made in tasks, which may go to different threads; those of task 0 come first. What a
 * task holds does not depend on the machine. Must not know: files.
 */
#ifndef PLB_PROBE_EXPORT_ROWS_H
#define PLB_PROBE_EXPORT_ROWS_H

#include "probe/table.h"

typedef struct plb_export_row {
    uint64_t x, o;                 /* as everywhere in plybase.h */
    uint64_t best;                 /* the cells of the best moves; 0 when the game is over */
    uint16_t tiles[PLB_MAX_TILES]; /* [bit of best] number_rules.h: the tiles that go there, in
                                       games of numbers */
    int ply;
    plb_value value; /* for the player to move */
    int dtm;         /* plies, or PLB_NO_DTM */
} plb_export_row;

/* What rows are made of. Nothing is owned. */
typedef struct plb_export_source {
    const plb_table *table;
    plb_export_options options; /* as the format has narrowed them */
    const struct plb_row_format *format;
    const plb_table_file *file;
    const plb_game *game;
    int first_ply, end_ply;
    uint64_t totals[PLB_MAX_CELLS + 1];     /* positions of a ply that can arise; else 0 */
    uint64_t first_task[PLB_MAX_CELLS + 2]; /* [end_ply + 1] tasks before a ply */
    uint64_t positions;                     /* sum of totals */
    uint64_t of_values; /* those with a value of the options; they give none: 0 */
    uint64_t tasks;
} plb_export_source;

/* Check the options, and count the positions of their plies: that is fast, and no rows can be made
 * yet. Errors: PLB_EARGUMENT and PLB_ENOTTABLE, as of plb_export_open. */
int plb_export_choose(const plb_table *table, const plb_export_options *options,
                      plb_export_source *export, plb_message *message);

/* Errors: those of plb_export_open. */
int plb_export_init(const plb_table *table, const plb_export_options *options,
                    plb_export_source *export, plb_message *message);

/* Rows of the same table with other options, sooner: `of` was made for every ply. Errors:
 * PLB_EARGUMENT, as of plb_export_init. */
int plb_export_vary(const plb_export_source *of, const plb_export_options *options,
                    plb_export_source *export, plb_message *message);

/* Do the options want a position with this value for the player to move? */
bool plb_export_wants(const plb_export_source *export, plb_position position, plb_value value);

/* Have all positions been covered? Those that tasks have `done` against the statistics of the
 * table; of a sample nothing is checked. Errors: PLB_ECORRUPT. */
int plb_export_check_done(const plb_export_source *export, uint64_t done, plb_message *message);

/* What gets each row; false ends the task, and is then PLB_ENOMEM. */
typedef struct plb_export_taker {
    bool (*take)(void *context, const plb_export_row *row);
    void *context;
} plb_export_taker;

/* Make the rows of a task in [0, tasks).
 *
 * done   [out]  rows of a sample, else positions covered: with those that are images of a canonical
 *               one, so that it sums to `positions`
 *
 * Errors:  PLB_EINTERRUPTED, PLB_ENOMEM, PLB_EIO; PLB_ENOTFOUND: of 131,072 positions that were
 *          drawn for one row of a sample the options want none; PLB_ECORRUPT: it does not answer a
 * position that can arise. Threads: safe.  */
int plb_export_run(const plb_export_source *export, uint64_t task, const plb_export_taker *taker,
                   uint64_t *done, plb_message *message);

#endif
