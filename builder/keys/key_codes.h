/* SPDX-License-Identifier: MIT
 *
 * Maps keys to outcome codes (tables/format/outcome_code.h) by a minimal perfect hash of each
 * bucket (tables/index/perfect_hash.h): for all keys of a ply in memory, and for those that a table
 * stores in its file. A set is the perfect hash of the keys of a bucket.
 *
 *     values.NN   [set of bucket 0 | its codes | set of bucket 1 | its codes | ..]
 *     table.NN    [segment: codes of slab 0 | of slab 1 | ..][set of slab 0 | of slab 1 | ..]
 *
 * Slabs are the buckets of a table. Must not know: indices, the meaning of codes.
 */
#pragma once

#include "builder/keys/key_runs.h"
#include "builder/scratch/scratch_file.h"
#include "tables/format/block_layout.h"
#include "tables/index/orbit.h"
#include "tables/store/segment_writer.h"

/* ---- in memory ---- */

typedef struct plb_key_values {
    uint64_t buckets;
    plb_perfect_hash *sets; /* [buckets], without fingerprints */
    uint8_t **codes;        /* [buckets][keys of the set] */
} plb_key_values;

/* Memory of the values of a number of keys. */
double plb_key_values_bytes(double positions);

/* Begin with empty buckets. Errors: PLB_ENOMEM. Free accepts zeroed values. */
int plb_key_values_begin(plb_key_values *values, uint64_t buckets);
void plb_key_values_free(plb_key_values *values);

/* Fill a bucket with its keys [count] and their codes [count].
 * Errors: PLB_ENOMEM. Threads: safe for different buckets. */
int plb_key_values_fill(plb_key_values *values, uint64_t bucket, const plb_position *keys,
                        const uint8_t *codes, uint64_t count);

/* The code of a key, which must be one of them. Threads: safe. */
static inline unsigned plb_key_values_code(const plb_key_values *values, plb_key_hash hash) {
    uint64_t bucket = plb_key_bucket(hash, values->buckets), rank = 0;
    plb_perfect_hash_find(&values->sets[bucket], hash, &rank);
    return values->codes[bucket][rank];
}

/* The number of records of the values in a scratch file; write them, read them.
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
uint64_t plb_key_values_records(const plb_key_values *values);
int plb_key_values_write(const plb_key_values *values, plb_scratch *scratch, plb_message *message);
int plb_key_values_read(const plb_scratch *scratch, plb_key_values *values, plb_message *message);

/* ---- in a table ---- */

/* The number of slabs of a ply, and the number of keys of the largest one.
 *
 * cells  [in]  number of keys in each cell of the grid (key_runs.h) */
void plb_key_table_shape(const uint64_t cells[PLB_GRID], uint64_t *slabs, uint64_t *slab_size);

/* Writes the table file of a ply. The caller sets the fields up to `planes` and zeroes the rest. */
typedef struct plb_key_table {
    plb_scratch *scratch; /* a record for each segment and each slab */
    plb_segment_writer *writer;
    plb_block_layout layout;
    int ply, planes;          /* planes: bits of a code */
    plb_position *keys;       /* [count] keys of slabs that are not written yet */
    uint8_t *codes;           /* [count] */
    uint64_t count, capacity; /* of keys and codes */
    uint64_t slab;            /* the next slab to be written */
} plb_key_table;

void plb_key_table_free(plb_key_table *table);

/* Add a key whose slab is not written yet. Errors: PLB_ENOMEM. */
int plb_key_table_add(plb_key_table *table, plb_position key, unsigned code);

/* Write the slabs before `until`, all keys of which were added. Errors: PLB_ENOMEM, PLB_ETOOBIG,
 * those of errno. */
int plb_key_table_write(plb_key_table *table, uint64_t until, plb_message *message);
