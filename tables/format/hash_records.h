/* SPDX-License-Identifier: MIT
 *
 * The sets of keys of a table with an index of keys: records of meta, one for each slab.
 *
 *     keys-04-0000  keys-04-0001  ..      ply and slab; the bytes of a plb_perfect_hash
 *
 * A ply has as many slabs as it takes for 2^20 keys in each, on average; a power of two.
 *
 * Must not know: values.
 */
#ifndef PLB_TABLES_FORMAT_HASH_RECORDS_H
#define PLB_TABLES_FORMAT_HASH_RECORDS_H

#include "tables/index/index.h"
#include "tables/store/store.h"

enum { PLB_MOST_KEY_SLABS = 1 << 12 }; /* of a ply */

void plb_hash_record_name(int ply, uint64_t slab, char name[PLB_RECORD_NAME]);
bool plb_hash_record_is_name(const char *name);

/* Read the sets of all plies into an index of keys.
 * Errors: PLB_ECORRUPT, PLB_ENOMEM, PLB_EIO. Memory: that of the sets. */
int plb_hash_records_read(const plb_store *store, plb_index *index, plb_message *message);

#endif
