/* SPDX-License-Identifier: MIT
 *
 * Slabs of keys.
 */
#include "builder/keys/key_table.h"

#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/format/hash_records.h"

_Static_assert((int)PLB_GRID == (int)PLB_MOST_KEY_SLABS, "a reader refuses more");

/* A slab has about PLB_SEGMENT_ENTRIES keys at most, and more than half as many if there are
 * several: so it has a segment of its own. */
void plb_key_table_shape(const uint64_t cells[PLB_GRID], uint64_t *slabs, uint64_t *slab_size) {
    uint64_t keys = 0;
    for (int cell = 0; cell < PLB_GRID; cell++) keys += cells[cell];
    *slabs = keys > 0;
    while (*slabs < PLB_GRID && keys > *slabs * PLB_SEGMENT_ENTRIES) *slabs *= 2;
    *slab_size = 1; /* of no slab */
    for (uint64_t slab = 0; slab < *slabs; slab++) {
        uint64_t size = 0;
        for (uint64_t c = 0; c < PLB_GRID / *slabs; c++)
            size += cells[slab * PLB_GRID / *slabs + c];
        *slab_size = plb_max(*slab_size, size);
    }
}

uint64_t plb_key_table_records(const plb_block_layout *layout) {
    return layout->segments + layout->slabs;
}

void plb_key_table_begin(plb_key_table *table, const plb_block_layout *layout, int ply,
                         int planes) {
    *table = (plb_key_table){.layout = *layout, .ply = ply, .planes = planes};
}

void plb_key_table_free(plb_key_table *table) {
    free(table->hashes);
    free(table->codes);
    *table = (plb_key_table){0};
}

int plb_key_table_add(plb_key_table *table, plb_key_hash hash, unsigned code) {
    if (table->count == table->capacity) {
        uint64_t capacity = 2 * table->capacity + (1 << 12);
        plb_key_hash *hashes = realloc(table->hashes, capacity * sizeof *hashes);
        if (hashes) table->hashes = hashes;
        uint8_t *codes = hashes ? realloc(table->codes, capacity) : NULL;
        if (!codes) return PLB_ENOMEM;
        table->codes = codes;
        table->capacity = capacity;
    }
    table->hashes[table->count] = hash;
    table->codes[table->count++] = (uint8_t)code;
    return PLB_OK;
}

/* ---- a slab ---- */

/* Its keys, taken out of those that wait. */
typedef struct slab_keys {
    plb_key_hash *hashes;
    uint8_t *codes; /* by number, once the set is made */
    uint64_t count;
} slab_keys;

static int take_slab(plb_key_table *table, slab_keys *keys) {
    uint64_t left = 0;
    keys->hashes = malloc((table->count + 1) * sizeof *keys->hashes);
    keys->codes = malloc(table->count + 1);
    if (!keys->hashes || !keys->codes) return PLB_ENOMEM;
    for (uint64_t i = 0; i < table->count; i++)
        if (plb_key_bucket(table->hashes[i], table->layout.slabs) == table->slab) {
            keys->hashes[keys->count] = table->hashes[i];
            keys->codes[keys->count++] = table->codes[i];
        } else {
            table->hashes[left] = table->hashes[i];
            table->codes[left++] = table->codes[i];
        }
    table->count = left;
    return PLB_OK;
}

/* Make the set of the keys and order their codes by number. */
static int number_keys(slab_keys *keys, plb_perfect_hash *set) {
    plb_key_hash *hashes = malloc((keys->count + 1) * sizeof *hashes);
    uint8_t *codes = malloc(keys->count + 1);
    int error = hashes && codes ? PLB_OK : PLB_ENOMEM;
    if (!error) {
        memcpy(hashes, keys->hashes, keys->count * sizeof *hashes);
        error = plb_perfect_hash_make(hashes, keys->count, true, set);
    }
    for (uint64_t i = 0; i < keys->count && !error; i++) {
        uint64_t rank = 0;
        plb_perfect_hash_find(set, keys->hashes[i], &rank);
        codes[rank] = keys->codes[i];
    }
    free(hashes);
    if (error) {
        free(codes);
    } else {
        free(keys->codes);
        keys->codes = codes;
    }
    return error;
}

/* The planes of the codes of a block, from a rank on; beyond the last key codes are 0. */
static uint64_t fill_block(const plb_key_table *table, const slab_keys *keys, uint64_t first,
                           uint64_t entries, uint64_t *planes) {
    uint64_t plane_words = plb_segment_plane_words(entries);
    memset(planes, 0, table->planes * plane_words * sizeof *planes);
    for (uint64_t i = 0; i < entries && first + i < keys->count; i++)
        for (int v = 0; v < table->planes; v++)
            planes[v * plane_words + i / 64] |= (uint64_t)(keys->codes[first + i] >> v & 1)
                                                << (i % 64);
    return table->planes * plane_words;
}

static int write_segment(plb_key_table *table, const slab_keys *keys, plb_message *message) {
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
        uint64_t words = fill_block(table, keys, first, entries, planes);
        error = plb_segment_writer_add(table->writer, first < keys->count ? planes : NULL, words);
        first += entries;
    }
    free(planes);
    if (!error) error = plb_segment_writer_end(table->writer, &bytes, &size);
    if (error) return plb_fail(message, error, "a segment of the table cannot be made");
    return plb_scratch_put(table->scratch, segment, bytes, size, message);
}

static int write_slab(plb_key_table *table, plb_message *message) {
    slab_keys keys = {0};
    plb_perfect_hash set = {0};
    int error = take_slab(table, &keys);
    if (!error) error = number_keys(&keys, &set);
    if (error) plb_fail(message, error, "out of memory for the keys of the table");
    if (!error) error = write_segment(table, &keys, message);
    if (!error)
        error = plb_scratch_put(table->scratch, table->layout.segments + table->slab, set.bytes,
                                set.size, message);
    plb_perfect_hash_free(&set);
    free(keys.hashes);
    free(keys.codes);
    return error;
}

int plb_key_table_write(plb_key_table *table, uint64_t until, plb_message *message) {
    int error = PLB_OK;
    for (; table->slab < until && !error; table->slab++) error = write_slab(table, message);
    return error;
}
