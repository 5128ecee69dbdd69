/* SPDX-License-Identifier: MIT
 *
 * The records of an LMDB file, read without LMDB.
 *
 * LMDB trusts what it maps: one changed byte in a page makes it read out of bounds, loop or abort,
 * and a file that is cut short meanwhile ends the process. Here nothing is mapped, and nothing is
 * used before it has been checked. Values may still be wrong, which their checksums show. Must not
 * know: the names and contents of the databases, nor the LMDB library, only its file format.
 */
#ifndef PLB_TABLES_STORE_LMDB_READER_H
#define PLB_TABLES_STORE_LMDB_READER_H

#include "tables/store/input_file.h"

/* A record of a database; the key is there for the time of the call. */
typedef struct plb_lmdb_record {
    const uint8_t *key;
    size_t key_size;
    plb_extent value; /* where it is in the file, whole and within it */
} plb_lmdb_record;

/* Who is called: for each database when it begins, by its name, then its records in the order of
 * their keys. Databases come in the order of their names. What is not PLB_OK ends the reading. Any
 * of them may be NULL.
 *
 * unused is told which bytes belong to nothing: free space and padding in the
 * pages of the trees, what follows a value in its last page, the end of the meta pages, and pages
 * that are in no tree, those of the free list among them. Where it is there, the headers of values'
 * own pages are checked, too. */
typedef struct plb_lmdb_visitor {
    int (*database)(void *context, const uint8_t *name, size_t name_size);
    int (*record)(void *context, const plb_lmdb_record *record);
    void *context;
    int (*unused)(void *context, plb_extent bytes);
} plb_lmdb_visitor;

/* Check the structure of an LMDB file, and report what is in it.
 *
 * used_bytes  [out]  of the file, from its beginning to the end of the last page
 *
 * Checked:  both meta pages; from the newer one the main database and each database in it: page
 *           numbers, kinds and bounds, every node, the extent of every value, no page used
 *           twice, keys in order, depth and number of entries as recorded.
 * Not:      the free list; what is in unused space; the bytes of values and the headers of their
 *           own pages.
 * The file may change while it is read: each page is checked as it was read.
 *
 * Errors:   those of the visitor; PLB_EIO, PLB_ENOMEM; PLB_ENOTTABLE: not a file of LMDB;
 *           PLB_ECORRUPT: cut short or damaged, message says where.
 * Cost:     reads the pages of the trees, not the values; a bit of memory per page.
 * Threads:  safe.  */
int plb_lmdb_check(const plb_input_file *input, const plb_lmdb_visitor *visitor,
                   uint64_t *used_bytes, plb_message *message);

/* Have both meta pages the same content, and is their free list empty? Else PLB_ECORRUPT. The file
 * must have passed plb_lmdb_check. */
int plb_lmdb_check_metas(const plb_input_file *input, plb_message *message);

/* Make it so, in a file that is not written with LMDB any more: pages that are free are left for
 * good. file is a descriptor of the same file, for writing. Errors: PLB_EIO, those of errno. */
int plb_lmdb_write_metas(const plb_input_file *input, int file, plb_message *message);

#endif
