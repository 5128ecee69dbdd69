/* SPDX-License-Identifier: MIT
 *
 * The records of an LMDB file, read without LMDB.
 *
 * LMDB trusts the file that it maps: one changed byte can make it read out of bounds, loop or
 * abort, and a file that is cut short while it is mapped ends the process. Here nothing is mapped,
 * and everything is checked before it is used. Wrong bytes of values are not noticed here;
 * checksums show them. Must not know: the names and contents of the databases, the LMDB library.
 */
#pragma once

#include "tables/store/input_file.h"

/* A record of a database. The key is valid during the call only. */
typedef struct plb_lmdb_record {
    const uint8_t *key;
    size_t key_size;
    plb_extent value; /* lies within the file */
} plb_lmdb_record;

/* Callbacks; each may be NULL. `database` is called for each database in the order of their names,
 * and after it `record` for each of its records in the order of keys. Any result but PLB_OK ends
 * the reading and is its result.
 *
 * `unused` is called for bytes that belong to nothing: free space and padding in the pages of the
 * trees, the rest of the last page of a value, the end of the meta pages, and pages that are in no
 * tree, including those of the free list. If it is not NULL, the headers of pages that belong to a
 * value are checked, too. */
typedef struct plb_lmdb_visitor {
    int (*database)(void *context, const uint8_t *name, size_t name_size);
    int (*record)(void *context, const plb_lmdb_record *record);
    void *context;
    int (*unused)(void *context, plb_extent bytes);
} plb_lmdb_visitor;

/* Check the structure of an LMDB file, and report its records.
 *
 * used_bytes  [out]  of the file, from its beginning to the end of the last page
 *
 * Checked:  both meta pages; from the newer one the main database and each database in it: page
 *           numbers, kinds and bounds, every node, the extent of every value, no page used
 *           twice, keys in order, depth and number of entries as recorded.
 * Not:      the free list, the bytes of unused space and of values, and (without `unused`) the
 *           headers of pages that belong to a value.
 * The file may change meanwhile: each page is read once, and checked as it was read.
 *
 * Errors:   those of the callbacks; PLB_EIO, PLB_ENOMEM; PLB_ENOTTABLE: not a file of LMDB;
 *           PLB_ECORRUPT: cut short or damaged; the message says where.
 * Cost:     reads the pages of the trees, not the values; a bit of memory per page.
 * Threads:  safe.  */
int plb_lmdb_check(const plb_input_file *input, const plb_lmdb_visitor *visitor,
                   uint64_t *used_bytes, plb_message *message);

/* Check that both meta pages have the same content, and an empty free list. Errors: PLB_ECORRUPT.
 * The file must have passed plb_lmdb_check. */
int plb_lmdb_check_metas(const plb_input_file *input, plb_message *message);

/* Write such meta pages to a file that LMDB will not write again, because its free pages are then
 * lost. file: a descriptor of the same file, for writing. Errors: PLB_EIO, those of errno. */
int plb_lmdb_write_metas(const plb_input_file *input, int file, plb_message *message);
