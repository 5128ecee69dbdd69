/* SPDX-License-Identifier: MIT
 *
 * Stored values: from a place of the index to the value in its block. Blocks are decompressed
 * into caches; each call borrows a reader with a cache of its own, so that calls on one lookup
 * may overlap. Must not know: rules, and what of a value is derived rather than stored.
 */
#ifndef PLB_PROBE_LOOKUP_H
#define PLB_PROBE_LOOKUP_H

#include "tables/cut.h"
#include "tables/store.h"

typedef struct plb_lookup plb_lookup;

/* index and store must outlive it; block_positions is the table's.
 * Errors: PLB_ECORRUPT (a segment is missing), PLB_ENOMEM. */
int plb_lookup_open(const plb_index *index, const plb_store *store, int block_positions,
                    plb_lookup **lookup, plb_message *message);

/* No call may be under way. NULL is allowed. */
void plb_lookup_close(plb_lookup *lookup);

/* Number of the block that holds a place, in its ply. */
uint64_t plb_lookup_block(const plb_lookup *lookup, plb_place place);

/* The value stored at a place.
 * Errors: PLB_ECORRUPT (it names ply and block), PLB_ENOMEM. Threads: safe. */
int plb_lookup_value(const plb_lookup *lookup, plb_place place, plb_value *value,
                     plb_message *message);

#endif
