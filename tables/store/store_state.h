/* SPDX-License-Identifier: MIT
 *
 * A store that is open, as store.c and shards.c have it.
 */
#ifndef PLB_TABLES_STORE_STORE_STATE_H
#define PLB_TABLES_STORE_STORE_STATE_H

#include "tables/store/store.h"

typedef struct stored_record {
    char name[PLB_RECORD_NAME];
    plb_extent value;
} stored_record;

struct plb_store {
    plb_input_file input;
    uint64_t used_bytes; /* of the file, by its meta page */
    char description[PLB_DESCRIPTION_TEXT];
    uint64_t identity;
    stored_record *records; /* [record_count], by name */
    uint64_t record_count, record_room;
    plb_extent stats[PLB_MAX_CELLS + 1]; /* size 0: the ply does not exist */
    int plies;
    plb_stored_segment *segments; /* [segment_count] */
    uint64_t segment_count, segment_room;
    plb_store **shards; /* [shard_count] that have the segments; NULL: the file has them */
    int shard_count;
};

/* Open a file, whatever it is of: a table, a manifest, whose shards are not opened, or a shard. */
int plb_store_open_file(const char *path, plb_read_log *log, plb_store **store,
                        plb_message *message);

/* Open the shards of a manifest. */
int plb_store_open_shards(plb_store *store, plb_message *message);

/* Segments in their order. */
int plb_store_compare_segments(const void *a, const void *b);

/* Add which segment it is, and its size, to a hash. */
uint64_t plb_store_hash_place(uint64_t hash, const plb_stored_segment *segment);

/* PLB_ECORRUPT: a record is not right, as in "is missing". */
int plb_store_fail_record(const plb_store *store, const char *name, const char *what,
                          plb_message *message);

#endif
