/* SPDX-License-Identifier: MIT
 *
 * The rows of an export: positions of a table with what it says of them. All of them, ply by ply
 * in the order of the index, or some drawn at random.
 *
 *     all      the images of a canonical position follow each other; the first is itself
 *     sample   each row with the same probability, with repetition; row r depends on the seed and
 *              on r alone, so that a longer sample begins with the shorter one
 *
 * Rows are made in tasks, which may go to different threads; those of task 0 come first. What a
 * task holds does not depend on the machine. Must not know: files, formats.
 */
#ifndef PLB_TOOLS_EXPORT_EXPORT_ROWS_H
#define PLB_TOOLS_EXPORT_EXPORT_ROWS_H

#include <signal.h>

#include "probe/table.h"

typedef struct export_row {
    uint64_t x, o;                  /* as everywhere in plybase.h */
    uint64_t best;                  /* the cells of the best moves; 0 when the game is over */
    uint16_t tiles[PLB_MOST_TILES]; /* [bit of best] number_rules.h: the tiles that go there, in
                                       games of numbers */
    int ply;
    plb_value value; /* for the player to move */
    int dtm;         /* plies, or PLB_NO_DTM */
} export_row;

/* How far a game may be. */
typedef enum export_stage {
    EXPORT_ALL,
    EXPORT_OPEN,  /* it goes on, */
    EXPORT_QUIET, /* and no stone of either player would complete a group; games of stones alone */
} export_stage;

/* A value for the player to move. */
#define EXPORT_VALUE(value) (1U << ((value) + 1))

typedef struct export_options {
    int first_ply, end_ply; /* [first_ply, end_ply); end_ply 0: every ply */
    bool canonical;         /* one position of each class of symmetric ones */
    export_stage stage;
    unsigned values;                   /* sum of EXPORT_VALUE; 0: all */
    uint64_t samples, seed;            /* samples 0: all rows */
    const volatile sig_atomic_t *stop; /* set: the current task ends soon */
} export_options;

/* What rows are made of. Nothing is owned. */
typedef struct export_source {
    const plb_table *table;
    export_options options;
    const plb_table_file *file;
    const plb_game *game;
    int first_ply, end_ply;
    uint64_t totals[PLB_MAX_CELLS + 1];     /* positions of a ply that can arise; else 0 */
    uint64_t first_task[PLB_MAX_CELLS + 2]; /* [end_ply + 1] tasks before a ply */
    uint64_t positions;                     /* sum of totals */
    uint64_t tasks;
} export_source;

/* Errors: PLB_EARGUMENT (a ply beyond the board, or a sample of a ply without positions),
 * PLB_ENOTTABLE (a strategy), PLB_ENOMEM, PLB_EINTERRUPTED. */
int export_init(const plb_table *table, const export_options *options, export_source *export,
                plb_message *message);

/* Rows of the same table with other options, sooner: `of` was made for every ply. Errors:
 * PLB_EARGUMENT, as of export_init. */
int export_vary(const export_source *of, const export_options *options, export_source *export,
                plb_message *message);

/* Do the options want a position with this value for the player to move? */
bool export_wants(const export_source *export, plb_position position, plb_value value);

/* What gets each row; false ends the task, and is then PLB_ENOMEM. */
typedef struct export_taker {
    bool (*take)(void *context, const export_row *row);
    void *context;
} export_taker;

/* Make the rows of a task in [0, tasks).
 *
 * done   [out]  rows of a sample, else positions covered: with those that are images of a canonical
 *               one, so that it sums to `positions`
 *
 * Errors:  PLB_EINTERRUPTED, PLB_ENOMEM, PLB_EIO; PLB_ENOTFOUND: of 131,072 positions that were
 *          drawn for one row of a sample the options want none; PLB_ECORRUPT: it does not answer a
 * position that can arise. Threads: safe.  */
int export_run(const export_source *export, uint64_t task, const export_taker *taker,
               uint64_t *done, plb_message *message);

#endif
