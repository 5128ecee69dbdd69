/* SPDX-License-Identifier: MIT
 *
 * The proof that LMDB can read a file safely.
 *
 * LMDB trusts what it maps: one changed byte in a page makes it read out of bounds, loop or
 * abort. A file that passes here has a sound structure wherever a reading LMDB goes; its values
 * may still be wrong, which their hashes tell. Must not know: the names and contents of the
 * databases, nor the LMDB library, only its file format.
 */
#ifndef PLB_TABLES_PAGE_CHECK_H
#define PLB_TABLES_PAGE_CHECK_H

#include "tables/message.h"

/* Check the structure of an LMDB file without LMDB, before mdb_env_open.
 *
 * Checked:  both meta pages; from the newer one the main database and each database in it: page
 *           numbers, kinds and bounds, every node, the extent of every value, no page used
 *           twice, keys in order, depth and number of entries as recorded.
 * Not:      the free list, which LMDB does not read in a read-only environment; unused space;
 *           the bytes of values and the headers of their own pages, which it does not read
 *           either. A file that changes between check and use.
 *
 * Errors:   PLB_ENOTFOUND, PLB_EPERMISSION, PLB_EIO, PLB_ENOMEM; PLB_ENOTTABLE: not a regular
 *           file, or not one of LMDB; PLB_ECORRUPT: cut short or damaged, message says where.
 * Cost:     reads the pages of the trees, not the values; a bit of memory per page.
 * Threads:  safe.  */
int plb_page_check(const char *path, plb_message *message);

#endif
