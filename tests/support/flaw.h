/* SPDX-License-Identifier: MIT
 *
 * Tables with a flaw: copies of good tables with one change, and with valid checksums.
 */
#pragma once

#include "tables/codec/table_file.h"

typedef enum change {
    FLIP_VALUE,      /* one position: win becomes loss, or loss becomes win */
    FLIP_ROUND,      /* one won or lost position: its end comes two plies sooner or later */
    INVERT_PLY,      /* exchange wins and losses of all stored positions of a ply */
    INVERT_BLOCK,    /* the same for one block; no change if the block is empty */
    EMPTY_BLOCK,     /* remove a block that is needed */
    SWAP_BLOCKS,     /* exchange the bytes of the first two blocks of a segment */
    SWAP_PLIES,      /* exchange the first segments of this ply and the next stored one */
    DROP_SEGMENT,    /* remove the first segment of a ply */
    DROP_STATS,      /* remove the statistics of a ply */
    MOVE_COUNT,      /* statistics: move one position from drawn, lost or won to another */
    ADD_COUNT,       /* statistics: one more draw */
    CLEAR_COUNTS,    /* statistics: zeros */
    MOVE_DISTANCE,   /* statistics: one position ends two plies later */
    MOVE_LONGEST,    /* statistics: the longest win or loss is the position of rank 0 */
    CORRUPT_COLUMNS, /* add the record of columns, with one wrong transition */
    ADD_RECORD,      /* add a record, or replace the one of this name */
    RENAME,          /* name another game */
    DROP_MODELS,     /* no flaw: the same table without models */
} change;

typedef struct flaw {
    change change;
    int ply;
    plb_block_address at; /* of the value or the block */
    const char *spec;     /* of RENAME */
    const char *record;   /* name for ADD_RECORD; NULL: "stranger" */
    const void *bytes;    /* [size], content for ADD_RECORD; NULL: "?" */
    size_t size;
} flaw;

/* Open the file of a table; close it with plb_table_file_close. A failure fails the test. */
void open_table_file(const char *path, plb_table_file *p);

plb_block_layout layout_of(const plb_table_file *p, int ply);

/* Copy the statistics of distances, which the table must have. */
void read_distances(const plb_table_file *p, plb_ply_distances plies[PLB_MAX_CELLS + 1]);

/* Apply a flaw to the statistics of distances of its ply; false if nothing changes. */
bool change_distances(const plb_table_file *p, const flaw *f, plb_ply_distances *d);

/* Write a copy of a table, with a flaw. */
void copy_table(const plb_table_file *p, const char *path, const flaw *f);
