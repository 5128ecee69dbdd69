/* SPDX-License-Identifier: MIT */
#include "builder/keys/key_codes.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/bits.h"
#include "tables/format/meta.h"

_Static_assert((int)PLB_GRID == (int)PLB_MAX_KEY_SLABS, "a reader refuses more");

/* Make the set of some keys, with or without fingerprints, and sort their codes by the numbers that
 * it gives to the keys. The caller frees *by_number in any case. */
static int number_keys(const plb_position *keys, const uint8_t *codes, uint64_t count,
                       bool fingerprints, plb_perfect_hash *set, uint8_t **by_number) {
    plb_key_hash *hashes = malloc((count + 1) * sizeof *hashes);
    *by_number = malloc(count + 1);
    int error = hashes && *by_number ? PLB_OK : PLB_ENOMEM;
    for (uint64_t i = 0; i < count && !error; i++) hashes[i] = plb_position_hash(keys[i]);
    if (!error) error = plb_perfect_hash_make(hashes, count, fingerprints, set);
    for (uint64_t i = 0; i < count && !error; i++) {
        uint64_t rank = 0;
        plb_perfect_hash_find(set, plb_position_hash(keys[i]), &rank);
        (*by_number)[rank] = codes[i];
    }
    free(hashes);
    return error;
}

/* ---- in memory ---- */

enum { RECORDS = 2 }; /* records of a bucket: its set, its codes */

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

int plb_key_values_fill(plb_key_values *values, uint64_t bucket, const plb_position *keys,
                        const uint8_t *codes, uint64_t count) {
    return number_keys(keys, codes, count, false, &values->sets[bucket], &values->codes[bucket]);
}

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

/* ---- in a table ---- */

/* A slab has at most about PLB_SEGMENT_ENTRIES keys; if there are several slabs, each has more than
 * half as many. So each slab has a segment of its own. */
void plb_key_table_shape(const uint64_t cells[PLB_GRID], uint64_t *slabs, uint64_t *slab_size) {
    uint64_t keys = 0;
    for (int cell = 0; cell < PLB_GRID; cell++) keys += cells[cell];
    *slabs = keys > 0;
    while (*slabs < PLB_GRID && keys > *slabs * PLB_SEGMENT_ENTRIES) *slabs *= 2;
    *slab_size = 1; /* if there is no slab */
    for (uint64_t slab = 0; slab < *slabs; slab++) {
        uint64_t size = 0;
        for (uint64_t c = 0; c < PLB_GRID / *slabs; c++)
            size += cells[slab * PLB_GRID / *slabs + c];
        *slab_size = plb_max(*slab_size, size);
    }
}

void plb_key_table_free(plb_key_table *table) {
    free(table->keys);
    free(table->codes);
    *table = (plb_key_table){0};
}

int plb_key_table_add(plb_key_table *table, plb_position key, unsigned code) {
    if (table->count == table->capacity) {
        uint64_t capacity = 2 * table->capacity + (1 << 12);
        if (!PLB_ARRAY_RESIZE(table->keys, capacity) || !PLB_ARRAY_RESIZE(table->codes, capacity))
            return PLB_ENOMEM;
        table->capacity = capacity;
    }
    table->keys[table->count] = key;
    table->codes[table->count++] = (uint8_t)code;
    return PLB_OK;
}

/* Write the segment of a slab. Entries after the last key have code 0. */
static int write_segment(plb_key_table *table, const uint8_t *codes, uint64_t count,
                         plb_message *message) {
    uint64_t segment = table->slab, blocks = plb_block_layout_blocks(&table->layout, segment);
    uint64_t first_block = segment * table->layout.blocks_per_segment, first = 0;
    const uint8_t *bytes;
    size_t size;
    uint64_t *planes = malloc(table->planes * plb_segment_plane_words(table->layout.block_entries) *
                              sizeof *planes);
    int error = planes ? plb_segment_writer_begin(table->writer, table->ply, first_block, blocks)
                       : PLB_ENOMEM;
    for (uint64_t block = 0; block < blocks && !error; block++) {
        uint64_t entries = plb_block_layout_block_entries(&table->layout, first_block + block);
        uint64_t plane_words = plb_segment_plane_words(entries);
        memset(planes, 0, table->planes * plane_words * sizeof *planes);
        for (uint64_t i = 0; i < entries && first + i < count; i++)
            for (int v = 0; v < table->planes; v++)
                planes[v * plane_words + i / 64] |= (uint64_t)(codes[first + i] >> v & 1)
                                                    << (i % 64);
        error = plb_segment_writer_add(table->writer, first < count ? planes : NULL,
                                       table->planes * plane_words);
        first += entries;
    }
    free(planes);
    if (!error) error = plb_segment_writer_end(table->writer, &bytes, &size);
    if (error) return plb_fail(message, error, "a segment of the table cannot be made");
    return plb_scratch_put(table->scratch, segment, bytes, size, message);
}

/* Write the next slab, and remove its keys from table->keys. */
static int write_slab(plb_key_table *table, plb_message *message) {
    plb_position *keys = malloc((table->count + 1) * sizeof *keys);
    uint8_t *codes = malloc(table->count + 1), *by_number = NULL;
    plb_perfect_hash set = {0};
    uint64_t count = 0, left = 0;
    int error = keys && codes ? PLB_OK : PLB_ENOMEM;
    for (uint64_t i = 0; i < table->count && !error; i++) {
        plb_position key = table->keys[i];
        if (plb_key_bucket(plb_position_hash(key), table->layout.slabs) == table->slab) {
            keys[count] = key;
            codes[count++] = table->codes[i];
        } else {
            table->keys[left] = key;
            table->codes[left++] = table->codes[i];
        }
    }
    if (!error) table->count = left;
    if (!error) error = number_keys(keys, codes, count, true, &set, &by_number);
    if (error) plb_fail(message, error, "out of memory for the keys of the table");
    if (!error) error = write_segment(table, by_number, count, message);
    if (!error)
        error = plb_scratch_put(table->scratch, table->layout.segments + table->slab, set.bytes,
                                set.size, message);
    plb_perfect_hash_free(&set);
    free(keys);
    free(codes);
    free(by_number);
    return error;
}

int plb_key_table_write(plb_key_table *table, uint64_t until, plb_message *message) {
    int error = PLB_OK;
    for (; table->slab < until && !error; table->slab++) error = write_slab(table, message);
    return error;
}
