/* SPDX-License-Identifier: MIT
 *
 * An open table file: its records, read and checked, and all that is needed to number positions and
 * to read blocks. The probe library, the verifier and the export use it. No value is read here.
 * Must not know: rules on single positions, caches.
 */
#ifndef PLB_TABLES_CODEC_TABLE_FILE_H
#define PLB_TABLES_CODEC_TABLE_FILE_H

#include "tables/codec/block_codec.h"
#include "tables/index/enumerate.h"

/* Its members refer to each other: it stays where it was opened. */
typedef struct plb_table_file {
    plb_store *store;
    plb_meta meta;
    plb_space space; /* whole: with the keys of an index of keys, and columns if it has them */
    plb_outcome_code coding;
    plb_ply_stats stats[PLB_MAX_CELLS + 1];
    plb_ply_distances *distances; /* [cells + 1]; NULL: the table has none */
    plb_enumeration *positions;   /* of each ply */
    plb_block_codec *codec;
} plb_table_file;

/* Open the table of a store, which it then owns.
 *
 * file  [in/out]  zeros but for file->store; written in any case, to be closed by the caller
 *
 * Errors: those of plb_meta_read and plb_store_get_stats, PLB_ECORRUPT, PLB_ETOOBIG, PLB_ENOMEM.
 * Cost: that of the index; it is made only for a game whose segments the store has. */
int plb_table_file_open(plb_table_file *file, plb_message *message);

/* The memory that it takes, about. */
double plb_table_file_bytes(const plb_table_file *file);

/* Accepts what is zeroed or was not opened whole. */
void plb_table_file_close(plb_table_file *file);

#endif
