/* SPDX-License-Identifier: MIT
 *
 * Values by number of key.
 */
#include "builder/keys/key_values.h"

#include <stdlib.h>

enum { RECORDS = 2 }; /* of a bucket: its set, its codes */

double plb_key_values_bytes(double positions) {
    return positions * (1 + 3.0 / 8);
}

int plb_key_values_begin(plb_key_values *values, uint64_t buckets) {
    *values = (plb_key_values){.buckets = buckets};
    values->sets = calloc(buckets, sizeof *values->sets);
    values->codes = calloc(buckets, sizeof *values->codes);
    if (values->sets && values->codes) return PLB_OK;
    plb_key_values_free(values);
    return PLB_ENOMEM;
}

void plb_key_values_free(plb_key_values *values) {
    for (uint64_t b = 0; b < values->buckets; b++) {
        if (values->sets) plb_perfect_hash_free(&values->sets[b]);
        if (values->codes) free(values->codes[b]);
    }
    free(values->sets);
    free(values->codes);
    *values = (plb_key_values){0};
}

int plb_key_values_fill(plb_key_values *values, uint64_t bucket, plb_key_hash *hashes,
                        const plb_position *keys, const uint8_t *codes, uint64_t count) {
    plb_perfect_hash *set = &values->sets[bucket];
    uint8_t *by_rank = malloc(count + 1);
    values->codes[bucket] = by_rank;
    int error = by_rank ? plb_perfect_hash_make(hashes, count, false, set) : PLB_ENOMEM;
    for (uint64_t i = 0; i < count && !error; i++) {
        uint64_t rank = 0;
        plb_perfect_hash_find(set, plb_position_hash(keys[i]), &rank);
        by_rank[rank] = codes[i];
    }
    return error;
}

/* ---- scratch files ---- */

uint64_t plb_key_values_records(const plb_key_values *values) {
    return RECORDS * values->buckets;
}

int plb_key_values_write(const plb_key_values *values, plb_scratch *scratch, plb_message *message) {
    int error = PLB_OK;
    for (uint64_t b = 0; b < values->buckets && !error; b++) {
        const plb_perfect_hash *set = &values->sets[b];
        error = plb_scratch_put(scratch, RECORDS * b, set->bytes, set->size, message);
        if (!error)
            error = plb_scratch_put(scratch, RECORDS * b + 1, values->codes[b], set->keys, message);
    }
    return error;
}

static int read_record(const plb_scratch *scratch, uint64_t record, uint8_t **bytes,
                       plb_message *message) {
    *bytes = malloc(plb_scratch_size_bytes(scratch, record) + 1);
    if (!*bytes) return plb_fail(message, PLB_ENOMEM, "out of memory for values");
    return plb_scratch_get(scratch, record, *bytes, message);
}

static int read_bucket(const plb_scratch *scratch, uint64_t bucket, plb_key_values *values,
                       plb_message *message) {
    uint8_t *bytes = NULL;
    int error = read_record(scratch, RECORDS * bucket, &bytes, message);
    size_t size = plb_scratch_size_bytes(scratch, RECORDS * bucket);
    plb_perfect_hash *set = &values->sets[bucket];
    if (error) {
        free(bytes);
        return error;
    }
    error = plb_perfect_hash_read(bytes, size, set);
    if (error == PLB_ENOMEM) return plb_fail(message, error, "out of memory for values");
    if (error || plb_scratch_size_bytes(scratch, RECORDS * bucket + 1) != set->keys)
        return plb_scratch_fail_damaged(scratch, message);
    return read_record(scratch, RECORDS * bucket + 1, &values->codes[bucket], message);
}

int plb_key_values_read(const plb_scratch *scratch, plb_key_values *values, plb_message *message) {
    uint64_t buckets = plb_scratch_records(scratch) / RECORDS;
    int error = plb_key_values_begin(values, buckets);
    if (error) return plb_fail(message, error, "out of memory for values");
    for (uint64_t b = 0; b < buckets && !error; b++)
        error = read_bucket(scratch, b, values, message);
    if (error) plb_key_values_free(values);
    return error;
}
