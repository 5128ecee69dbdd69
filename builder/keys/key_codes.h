/* SPDX-License-Identifier: MIT
 *
 * Outcome codes (tables/format/outcome_code.h) by the number of their key in a minimal perfect hash
 * of a bucket of keys (tables/index/perfect_hash.h): those of all positions of a ply, in memory;
 * and those that a table stores, in its file.
 *
 *     values.NN   [set of bucket 0 | its codes | set of bucket 1 | its codes | ..]
 *     table.NN    [codes of slab 0, a segment | of slab 1 | ..][set of slab 0 | of slab 1 | ..]
 *
 * Slabs are buckets of the table. Must not know: indices, what codes mean.
 */
#ifndef PLB_BUILDER_KEYS_KEY_CODES_H
#define PLB_BUILDER_KEYS_KEY_CODES_H

#include "builder/keys/key_runs.h"
#include "builder/scratch/scratch_file.h"
#include "tables/format/block_layout.h"
#include "tables/index/orbit.h"
#include "tables/store/segment_writer.h"

/* ---- in memory ---- */

typedef struct plb_key_values {
    uint64_t buckets;
    plb_perfect_hash *sets; /* [buckets], without fingerprints */
    uint8_t **codes;        /* [buckets][keys of its set] */
} plb_key_values;

/* Memory of the values of so many positions. */
double plb_key_values_bytes(double positions);

/* Begin with empty buckets. Errors: PLB_ENOMEM. Free accepts zeroed values. */
int plb_key_values_begin(plb_key_values *values, uint64_t buckets);
void plb_key_values_free(plb_key_values *values);

/* Fill a bucket with its keys [count] and their codes [count].
 * Errors: PLB_ENOMEM. Threads: safe for different buckets. */
int plb_key_values_fill(plb_key_values *values, uint64_t bucket, const plb_position *keys,
                        const uint8_t *codes, uint64_t count);

/* The code of a position that is among them. Threads: safe. */
static inline unsigned plb_key_values_code(const plb_key_values *values, plb_key_hash hash) {
    uint64_t bucket = plb_key_bucket(hash, values->buckets), rank = 0;
    plb_perfect_hash_find(&values->sets[bucket], hash, &rank);
    return values->codes[bucket][rank];
}

/* Write them to a scratch file, of so many records, and read them from one.
 * Errors: PLB_ENOMEM, PLB_ECORRUPT, those of errno. */
uint64_t plb_key_values_records(const plb_key_values *values);
int plb_key_values_write(const plb_key_values *values, plb_scratch *scratch, plb_message *message);
int plb_key_values_read(const plb_scratch *scratch, plb_key_values *values, plb_message *message);

/* ---- of a table ---- */

/* Slabs of a ply and the greatest number of keys of one, from the numbers of keys in the cells of
 * the grid (key_runs.h). */
void plb_key_table_shape(const uint64_t cells[PLB_GRID], uint64_t *slabs, uint64_t *slab_size);

/* The table file of a ply in the making. The first four are the caller's; else zeroed at first. */
typedef struct plb_key_table {
    plb_scratch *scratch; /* a record for each segment and each slab */
    plb_segment_writer *writer;
    plb_block_layout layout;
    int ply, planes;    /* planes: bits of a code */
    plb_position *keys; /* [capacity] whose slab is not written yet, in order */
    uint8_t *codes;     /* [capacity] */
    uint64_t count, capacity;
    uint64_t slab; /* the next to be written */
} plb_key_table;

void plb_key_table_free(plb_key_table *table);

/* Add a key; they come in the order of slabs. Errors: PLB_ENOMEM. */
int plb_key_table_add(plb_key_table *table, plb_position key, unsigned code);

/* All keys of the slabs before one were added: write these. Errors: PLB_ENOMEM, PLB_ETOOBIG, those
 * of errno. */
int plb_key_table_write(plb_key_table *table, uint64_t until, plb_message *message);

#endif
