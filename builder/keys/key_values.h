/* SPDX-License-Identifier: MIT
 *
 * The outcome codes (tables/format/outcome_code.h) of all positions of a ply, in memory: for each
 * bucket of keys a minimal perfect hash, and a code for each of its numbers. Must not know:
 * indices, what codes mean.
 */
#ifndef PLB_BUILDER_KEYS_KEY_VALUES_H
#define PLB_BUILDER_KEYS_KEY_VALUES_H

#include "builder/scratch/scratch_file.h"
#include "tables/index/orbit.h"

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

/* Fill a bucket.
 *
 * hashes  [in,out]  [count] of its keys; afterwards in another order
 * keys    [in]      [count] they themselves
 * codes   [in]      [count] theirs
 *
 * Errors: PLB_ENOMEM. Threads: safe for different buckets. */
int plb_key_values_fill(plb_key_values *values, uint64_t bucket, plb_key_hash *hashes,
                        const plb_position *keys, const uint8_t *codes, uint64_t count);

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

#endif
