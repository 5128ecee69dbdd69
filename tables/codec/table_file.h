/* SPDX-License-Identifier: MIT
 *
 * An open table file: its records, which are checked, and all that is needed to number positions
 * and to read blocks. The probe library, the verifier and the export use it. It does not read
 * values. Must not know: rules on single positions, caches.
 */
#pragma once

#include "tables/codec/block_codec.h"
#include "tables/index/enumerate.h"

/* The members have pointers to each other, so an open table file must not be moved. */
typedef struct plb_table_file {
    plb_store *store;
    plb_meta meta;
    plb_space space; /* with the keys of an index of keys, and columns if the table has them */
    plb_outcome_code coding;
    plb_ply_stats stats[PLB_MAX_CELLS + 1];
    plb_ply_distances *distances; /* [cells + 1]; NULL: the table has none */
    plb_enumeration *positions;   /* of each ply */
    plb_block_codec *codec;
} plb_table_file;

/* Open the table of a store, which it then owns.
 *
 * file  [in/out]  zeros except file->store; always written; closed by the caller, also on error
 *
 * Errors: those of plb_meta_read and plb_store_get_stats, PLB_ECORRUPT, PLB_ETOOBIG, PLB_ENOMEM.
 * Cost: that of the index; it is made only for a game whose segments the store has. */
int plb_table_file_open(plb_table_file *file, plb_message *message);

/* Bytes of memory that it takes, about. */
double plb_table_file_bytes(const plb_table_file *file);

/* Accepts zeros, and a file whose opening failed. */
void plb_table_file_close(plb_table_file *file);
