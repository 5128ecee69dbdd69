/* SPDX-License-Identifier: MIT
 *
 * What a table says of itself: the records of its meta database.
 */
#ifndef PLB_TABLES_META_H
#define PLB_TABLES_META_H

#include "tables/game.h"
#include "tables/store.h"

#define PLB_BUILDER_NAME "plybase 0.1.0"

enum { PLB_FORMAT_VERSION = 1, PLB_META_TEXT = 96 };

typedef struct plb_meta {
    char spec[PLB_META_TEXT];        /* canonical name of the game */
    char values[PLB_META_TEXT];      /* "wdl" or "dtm" */
    char compression[PLB_META_TEXT]; /* such as "zstd-3" */
    char builder[PLB_META_TEXT];     /* program and version */
    int symmetries;                  /* order of the symmetry group */
    int block_positions;             /* indices of a block, at most */
} plb_meta;

int plb_meta_write(const plb_meta *meta, plb_store *store, plb_message *message);

/* Errors: PLB_ENOTTABLE, PLB_EVERSION, PLB_ECORRUPT. */
int plb_meta_read(const plb_store *store, plb_meta *meta, plb_message *message);

#endif
