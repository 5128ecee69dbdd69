/* SPDX-License-Identifier: MIT
 *
 * Shards: the files with the segments of a table whose own file is a manifest. Each shard is opened
 * as a store; its list of segments moves to the store of the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/bits.h"
#include "tables/store/store_state.h"

/* Does an open shard have this number and this count of shards? */
static int check_number(const plb_store *shard, const char *table, int number, int count,
                        plb_message *message) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    int error = plb_store_get_record(shard, PLB_SHARD, &bytes, &size, message);
    if (error) return error;
    bool is_right = size == 2 * (size_t)PLB_SHARD_NUMBER_BYTES;
    uint64_t has = is_right ? plb_get_number(bytes, PLB_SHARD_NUMBER_BYTES) : 0;
    uint64_t of =
        is_right ? plb_get_number(bytes + PLB_SHARD_NUMBER_BYTES, PLB_SHARD_NUMBER_BYTES) : 0;
    free(bytes);
    if (!is_right) return plb_store_fail_record(shard, PLB_SHARD, "is malformed", message);
    if (has == (uint64_t)number && of == (uint64_t)count) return PLB_OK;
    return plb_fail(
        message, PLB_ECORRUPT, "%s is shard %llu of %llu: shard %d of %d of %s should be there",
        shard->input.path, (unsigned long long)has, (unsigned long long)of, number, count, table);
}

int plb_store_open_shard(const char *table, int number, int count, plb_store **shard,
                         plb_message *message) {
    char *path;
    plb_store *made = NULL;
    if (asprintf(&path, "%s.%d", table, number) < 0)
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", table);
    int error = plb_store_open_file(path, NULL, &made, message);
    if (error == PLB_ENOTFOUND)
        error = plb_fail(message, error, "%s is missing: copy shard %d of %d of %s there", path,
                         number, count, table);
    if (error == PLB_ENOTTABLE || (made && !plb_store_has_record(made, PLB_SHARD)))
        error = plb_fail(message, PLB_ECORRUPT,
                         "%s is not a shard: shard %d of %d of %s should be there", path, number,
                         count, table);
    if (!error && made) error = check_number(made, table, number, count, message);
    free(path);
    return PLB_HAND_OVER(error, made, shard, plb_store_close);
}

int plb_store_check_shard(const char *path, plb_message *message) {
    plb_store *file = NULL;
    int error = plb_store_open_file(path, NULL, &file, message);
    if (!error && !plb_store_has_record(file, PLB_SHARD))
        error = plb_fail(message, PLB_ENOTTABLE, "%s is not a shard", path);
    plb_store_close(file);
    return error;
}

int plb_store_count_shards(const char *path) {
    plb_store *file = NULL;
    uint8_t *ids = NULL;
    size_t size = 0;
    plb_store_open_file(path, NULL, &file, NULL);
    if (file) plb_store_get_record(file, PLB_SHARDS, &ids, &size, NULL);
    free(ids);
    plb_store_close(file);
    return (int)plb_min(size / PLB_SHARD_ID_BYTES, PLB_MAX_SHARDS);
}

uint64_t plb_store_shard_id(const plb_store *shard) {
    uint64_t id = shard->identity;
    for (uint64_t s = 0; s < shard->segment_count; s++)
        id = plb_store_hash_place(id, &shard->segments[s]);
    return id;
}

/* Move the segments of a shard to the store. Refuses a shard that the manifest does not name. */
static int add_shard(plb_store *store, plb_store *shard, uint64_t id, plb_message *message) {
    if (strcmp(shard->description, store->description) != 0 || plb_store_shard_id(shard) != id)
        return plb_fail(message, PLB_ECORRUPT, "%s is a shard of another table than %s",
                        shard->input.path, store->input.path);
    uint64_t all = store->segment_count + shard->segment_count;
    plb_stored_segment *moved =
        realloc(store->segments, plb_size(plb_max(all, 1) * sizeof *store->segments));
    if (!moved) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", store->input.path);
    store->segments = moved;
    for (uint64_t s = 0; s < shard->segment_count; s++) {
        moved[store->segment_count] = shard->segments[s];
        moved[store->segment_count++].shard = (uint16_t)(store->shard_count - 1);
    }
    free(shard->segments);
    shard->segments = NULL;
    shard->segment_count = 0;
    return PLB_OK;
}

int plb_store_open_shards(plb_store *store, plb_message *message) {
    uint8_t *ids = NULL;
    size_t size = 0;
    int error = plb_store_get_record(store, PLB_SHARDS, &ids, &size, message);
    if (error) return error;
    int count = (int)(size / PLB_SHARD_ID_BYTES);
    char *real = plb_input_file_follow(store->input.path); /* NULL: the path is not a link */
    if (size % PLB_SHARD_ID_BYTES || size == 0 || size > PLB_MAX_SHARDS * PLB_SHARD_ID_BYTES ||
        store->segment_count)
        error = plb_store_fail_record(store, PLB_SHARDS, "is malformed", message);
    if (!error) store->shards = calloc(count, sizeof(plb_store *));
    if (!error && !store->shards)
        error = plb_fail(message, PLB_ENOMEM, "out of memory for %s", store->input.path);
    for (int number = 0; store->shards && number < count && !error; number++) {
        error =
            plb_store_open_shard(store->input.path, number, count, &store->shards[number], message);
        if (error == PLB_ENOTFOUND && real) /* shards need no links of their own */
            error = plb_store_open_shard(real, number, count, &store->shards[number], message);
        if (error == PLB_ENOTFOUND) error = PLB_ECORRUPT; /* only a part of the table is missing */
        if (error || !store->shards[number]) break;
        store->shard_count++;
        error = add_shard(store, store->shards[number],
                          plb_get_number(ids + number * PLB_SHARD_ID_BYTES, PLB_SHARD_ID_BYTES),
                          message);
    }
    free(ids);
    free(real);
    if (!error && store->segment_count)
        qsort(store->segments, (size_t)store->segment_count, sizeof *store->segments,
              plb_store_compare_segments);
    return error;
}
