/* SPDX-License-Identifier: MIT
 *
 * The file of a table: one LMDB environment in one file, with three databases.
 *
 *     meta     key: text               value: text
 *     stats    key: ply                value: five counts, see plb_ply_stats
 *     blocks   key: ply, block number  value: a segment (segment.h), named by its first block
 *
 * Numbers are fixed-width and big-endian, so that the order of keys is numeric. The values of
 * meta and stats end in their XXH3-64, seeded with that of the key; blocks carry their own.
 * A ply exists once its stats record does, and a table is finished when every ply exists.
 *
 * A table is written once, in key order, by one writer into a file that nobody else sees before
 * it is finished; the same content gives the same bytes. Readers take no lock and leave no
 * trace. Must not know: boards, positions, what is in a segment.
 */
#ifndef PLB_TABLES_STORE_H
#define PLB_TABLES_STORE_H

#include "tables/message.h"

typedef struct plb_store plb_store;

/* Begin a file at a path that does not exist. map_bytes is the first size of LMDB's map (0 for
 * the default); it grows as needed. Errors: those of errno and LMDB. */
int plb_store_create(const char *path, size_t map_bytes, plb_store **store, plb_message *message);

int plb_store_put_meta(plb_store *store, const char *key, const char *text, plb_message *message);

/* Add a segment; plies ascending, in each ply first_block ascending. */
int plb_store_put_segment(plb_store *store, int ply, uint64_t first_block, const void *bytes,
                          size_t size, plb_message *message);

/* End a ply. */
int plb_store_put_stats(plb_store *store, int ply, const plb_ply_stats *stats,
                        plb_message *message);

/* Write all to the disk and close; the store is closed in any case. */
int plb_store_finish(plb_store *store, plb_message *message);

/* Open a file for reading.
 * Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_ENOTTABLE, PLB_ECORRUPT, PLB_EIO, PLB_ENOMEM. */
int plb_store_open(const char *path, plb_store **store, plb_message *message);

/* Close either kind of store; what was not finished is lost. NULL is allowed. */
void plb_store_close(plb_store *store);

uint64_t plb_store_size_bytes(const plb_store *store);

/* Copy the text of a key. Errors: PLB_ENOTTABLE (no such key), PLB_ECORRUPT. */
int plb_store_get_meta(const plb_store *store, const char *key, char *text, size_t room,
                       plb_message *message);

/* Errors: PLB_EUNFINISHED (the ply does not exist), PLB_ECORRUPT. */
int plb_store_get_stats(const plb_store *store, int ply, plb_ply_stats *stats,
                        plb_message *message);

/* Bytes of a segment, owned by the store until it is closed; safe to read from any thread.
 * Errors: PLB_ECORRUPT (it is missing). Threads: calls must not overlap. */
int plb_store_get_segment(const plb_store *store, int ply, uint64_t first_block,
                          const uint8_t **bytes, size_t *size, plb_message *message);

#endif
