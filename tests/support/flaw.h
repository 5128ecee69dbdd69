/* SPDX-License-Identifier: MIT
 *
 * Tables with a flaw: made from good ones, record by record, with hashes that are right.
 */
#ifndef PLB_TESTS_SUPPORT_FLAW_H
#define PLB_TESTS_SUPPORT_FLAW_H

#include "tables/codec/table_file.h"

typedef enum change {
    FLIP_VALUE,   /* of one position: the other of win and loss */
    FLIP_ROUND,   /* of one position that is won or lost: its end two plies sooner or later */
    TURN_PLY,     /* every stored win of a ply is a loss and the reverse */
    TURN_BLOCK,   /* the same of one block, which may be an empty one: no change then */
    EMPTY_BLOCK,  /* a block that is needed is not there */
    SWAP_BLOCKS,  /* the first two blocks of a segment, as they are in the file */
    SWAP_PLIES,   /* the first segments of this ply and the next stored one */
    DROP_SEGMENT, /* the first of a ply */
    DROP_STATS,
    MOVE_COUNT,    /* one more won, one less drawn or, where none is, lost; or the reverse */
    ADD_COUNT,     /* one more drawn */
    CLEAR_COUNTS,  /* none at all */
    MOVE_DISTANCE, /* one position ends two plies sooner or later */
    MOVE_LONGEST,  /* another position instead of a longest win or loss: that of rank 0 */
    BEND_COLUMNS,  /* the record of columns is there, and one of its arrows leads elsewhere */
    ADD_RECORD,    /* of a name that nobody knows, or of one that is given, which it replaces */
    RENAME,        /* the table of another game */
    UNPREDICT,     /* no flaw: the same table without models */
} change;

typedef struct flaw {
    change change;
    int ply;
    plb_block_address at; /* of the value or the block */
    const char *spec;     /* to rename */
    const char *record;   /* to add; NULL: "stranger" */
    const void *bytes;    /* of it; NULL: "?" */
    size_t size;
} flaw;

/* Open the file of a table, to be closed with plb_table_file_close; a failure fails the test. */
void open_table_file(const char *path, plb_table_file *p);

/* How the plies of the table are cut into blocks. */
plb_block_layout cut_of(const plb_table_file *p, int ply);

/* Statistics of distances of a table that has them. */
void read_distances(const plb_table_file *p, plb_ply_distances plies[PLB_MAX_CELLS + 1]);

/* Change those of the flaw's ply; false where the change would change nothing. */
bool change_distances(const plb_table_file *p, const flaw *f, plb_ply_distances *d);

/* Write a copy of a table, with a flaw. */
void copy_table(const plb_table_file *p, const char *path, const flaw *f);

#endif
