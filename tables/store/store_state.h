/* SPDX-License-Identifier: MIT
 *
 * The fields of an open store, for store.c and shards.c.
 */
#pragma once

#include "tables/store/store.h"

typedef struct stored_record {
    char name[PLB_RECORD_NAME];
    plb_extent value;
} stored_record;

struct plb_store {
    plb_input_file input;
    uint64_t used_bytes; /* up to the end of the last page, by the meta page */
    char description[PLB_DESCRIPTION_TEXT];
    uint64_t identity;
    stored_record *records; /* [record_count], by name */
    uint64_t record_count, record_capacity;
    plb_extent stats[PLB_MAX_CELLS + 1]; /* size 0: the ply does not exist */
    int plies;
    plb_stored_segment *segments; /* [segment_count] by ply, then by first block */
    uint64_t segment_count, segment_capacity;
    plb_store **shards; /* [shard_count] the files of the segments; NULL: this file has them */
    int shard_count;
};

/* Open one file: a table, a shard, or a manifest without its shards. */
int plb_store_open_file(const char *path, plb_read_log *log, plb_store **store,
                        plb_message *message);

/* Open the shards of a manifest. */
int plb_store_open_shards(plb_store *store, plb_message *message);

/* Compare segments by ply, then by first block (for qsort). */
int plb_store_compare_segments(const void *a, const void *b);

/* Add the key and the size of a segment to a hash. */
uint64_t plb_store_hash_place(uint64_t hash, const plb_stored_segment *segment);

/* Report that a record is wrong (PLB_ECORRUPT). what: for example "is missing". */
int plb_store_fail_record(const plb_store *store, const char *name, const char *what,
                          plb_message *message);
