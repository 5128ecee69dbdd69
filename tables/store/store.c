/* SPDX-License-Identifier: MIT
 *
 * Reading of a table's file. When it is opened, one traversal of its pages lists all records and
 * segments with their places in the file. They are looked up by binary search.
 */
#include "tables/store/store.h"

#include <stdlib.h>
#include <string.h>

#include "tables/array.h"
#include "tables/store/checksum.h"
#include "tables/store/lmdb_reader.h"
#include "tables/store/store_state.h"

/* ---- listing of records and segments ---- */

typedef enum database { META, STATS, BLOCKS } database;

typedef struct opening {
    plb_store *store;
    database in;
    const char *defect; /* the first thing that no table has, or NULL */
    plb_message *message;
} opening;

/* Note a defect, and continue: it is not known yet whether the file is a table at all. */
static int note_defect(opening *o, const char *what) {
    if (!o->defect) o->defect = what;
    return PLB_OK;
}

static int fail_memory(const opening *o) {
    return plb_fail(o->message, PLB_ENOMEM, "out of memory for %s", o->store->input.path);
}

static int begin_database(void *context, const uint8_t *name, size_t size) {
    opening *o = context;
    for (int d = META; d <= BLOCKS; d++)
        if (strlen(plb_database_names[d]) == size &&
            memcmp(plb_database_names[d], name, size) == 0) {
            o->in = (database)d;
            return PLB_OK;
        }
    return plb_fail(o->message, PLB_ENOTTABLE,
                    "%s is not a Plybase table: it has an unknown database", o->store->input.path);
}

static int note_record(opening *o, const plb_lmdb_record *record) {
    plb_store *store = o->store;
    if (!plb_record_name_is_right(record->key, record->key_size))
        return note_defect(o, "a record with an impossible name");
    if (record->value.size < PLB_CHECKSUM_BYTES ||
        record->value.size - PLB_CHECKSUM_BYTES > PLB_RECORD_BYTES)
        return note_defect(o, "a record of impossible size");
    if (!PLB_ARRAY_EXTEND(store->records, store->record_count, store->record_capacity))
        return fail_memory(o);
    stored_record *noted = &store->records[store->record_count++];
    *noted = (stored_record){.value = record->value};
    memcpy(noted->name, record->key, record->key_size);
    return PLB_OK;
}

static int note_stats(opening *o, const plb_lmdb_record *record) {
    plb_store *store = o->store;
    uint64_t ply = PLB_MAX_CELLS + 1;
    if (record->key_size == PLB_PLY_KEY) ply = plb_get_number(record->key, PLB_PLY_KEY);
    if (ply > PLB_MAX_CELLS || record->value.size != PLB_STATS_BYTES + PLB_CHECKSUM_BYTES)
        return note_defect(o, "counts of an impossible ply");
    store->stats[ply] = record->value;
    store->plies = (int)ply + 1;
    return PLB_OK;
}

static int note_segment(opening *o, const plb_lmdb_record *record) {
    plb_store *store = o->store;
    if (record->key_size != PLB_BLOCK_KEY)
        return note_defect(o, "a segment with an impossible key");
    if (!PLB_ARRAY_EXTEND(store->segments, store->segment_count, store->segment_capacity))
        return fail_memory(o);
    store->segments[store->segment_count++] = (plb_stored_segment){
        .ply = (uint16_t)plb_get_number(record->key, PLB_PLY_KEY),
        .first_block = plb_get_number(record->key + PLB_PLY_KEY, PLB_BLOCK_KEY - PLB_PLY_KEY),
        .offset = record->value.offset,
        .size = (uint32_t)record->value.size,
    };
    return PLB_OK;
}

static int note(void *context, const plb_lmdb_record *record) {
    opening *o = context;
    switch (o->in) {
        case META:
            return note_record(o, record);
        case STATS:
            return note_stats(o, record);
        default:
            return note_segment(o, record);
    }
}

/* ---- records with a checksum ---- */

static int compare_name(const void *name, const void *record) {
    return strcmp(name, ((const stored_record *)record)->name);
}

static const stored_record *find_record(const plb_store *store, const char *name) {
    if (!store->record_count) return NULL; /* bsearch does not allow a NULL array */
    return bsearch(name, store->records, (size_t)store->record_count, sizeof *store->records,
                   compare_name);
}

int plb_store_fail_record(const plb_store *store, const char *name, const char *what,
                          plb_message *message) {
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its '%s' %s", store->input.path, name,
                    what);
}

/* Read bytes without comparing a checksum. The caller frees them. */
static int read_unchecked(const plb_input_file *input, plb_extent from, uint8_t **bytes,
                          plb_message *message) {
    uint8_t *read = malloc(plb_size(plb_max(from.size, 1)));
    if (!read) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", input->path);
    int error = plb_input_file_read(input, from, read, message);
    return PLB_HAND_OVER(error, read, bytes, free);
}

static bool has_right_checksum(const plb_store *store, const void *key, size_t key_size,
                               const uint8_t *bytes, size_t size) {
    size_t content = size - PLB_CHECKSUM_BYTES;
    return plb_get_number(bytes + content, PLB_CHECKSUM_BYTES) ==
           plb_checksum(store->identity, key, key_size, bytes, content);
}

int plb_store_get_record(const plb_store *store, const char *name, uint8_t **bytes, size_t *size,
                         plb_message *message) {
    const stored_record *found = find_record(store, name);
    uint8_t *read = NULL;
    if (!found) return plb_store_fail_record(store, name, "is missing", message);
    int error = read_unchecked(&store->input, found->value, &read, message);
    if (!read) return error;
    if (!has_right_checksum(store, name, strlen(name), read, (size_t)found->value.size)) {
        free(read);
        return plb_store_fail_record(store, name, "is not as written", message);
    }
    *size = (size_t)found->value.size - PLB_CHECKSUM_BYTES;
    read[*size] = 0;
    *bytes = read;
    return PLB_OK;
}

/* ---- opening ---- */

/* The identity, which seeds all checksums, is the hash of the description itself. */
static int read_description(plb_store *store, plb_message *message) {
    const stored_record *found = find_record(store, PLB_DESCRIPTION);
    uint8_t *bytes = NULL;
    if (!found && find_record(store, PLB_FORMAT_1_RECORD))
        return plb_fail(message, PLB_EVERSION,
                        "%s has format 1, which this program does not read: rebuild it with "
                        "plybase build SPEC --force",
                        store->input.path);
    if (!found)
        return plb_fail(message, PLB_ENOTTABLE, "%s is not a Plybase table", store->input.path);
    if (found->value.size - PLB_CHECKSUM_BYTES >= PLB_DESCRIPTION_TEXT)
        return plb_store_fail_record(store, PLB_DESCRIPTION, "is too long", message);
    int error = read_unchecked(&store->input, found->value, &bytes, message);
    if (!bytes) return error;
    size_t size = (size_t)found->value.size - PLB_CHECKSUM_BYTES;
    memcpy(store->description, bytes, size);
    store->identity = plb_checksum_identity(store->description);
    bool is_right = strlen(store->description) == size &&
                    has_right_checksum(store, PLB_DESCRIPTION, strlen(PLB_DESCRIPTION), bytes,
                                       (size_t)found->value.size);
    free(bytes);
    return is_right ? PLB_OK
                    : plb_store_fail_record(store, PLB_DESCRIPTION, "is not as written", message);
}

bool plb_store_is_own_record(const char *name) {
    return strcmp(name, PLB_DESCRIPTION) == 0 || strcmp(name, PLB_CONTENTS) == 0 ||
           strcmp(name, PLB_SHARDS) == 0 || strcmp(name, PLB_SHARD) == 0;
}

/* Check that no record was removed or added. */
static int check_contents(const plb_store *store, plb_message *message) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    int error = plb_store_get_record(store, PLB_CONTENTS, &bytes, &size, message);
    if (error) return error;
    const char *at = (const char *)bytes, *end = at + size; /* a zero follows */
    bool is_right = bytes != NULL;
    for (size_t r = 0; r < store->record_count && is_right; r++) {
        const char *name = store->records[r].name;
        if (plb_store_is_own_record(name)) continue;
        is_right = strncmp(at, name, strlen(name)) == 0 && at[strlen(name)] == '\n';
        at += strlen(name) + 1;
    }
    is_right = is_right && at == end;
    free(bytes);
    if (is_right) return PLB_OK;
    return plb_fail(message, PLB_ECORRUPT, "%s is damaged: a record was removed or added",
                    store->input.path);
}

int plb_store_open_file(const char *path, plb_read_log *log, plb_store **store,
                        plb_message *message) {
    plb_store *made = calloc(1, sizeof *made);
    if (!made) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    made->input.file = -1;
    opening o = {.store = made, .message = message};
    plb_lmdb_visitor visitor = {.database = begin_database, .record = note, .context = &o};
    int error = plb_input_file_open(path, &made->input, message);
    made->input.log = log;
    if (!error) error = plb_lmdb_check(&made->input, &visitor, &made->used_bytes, message);
    if (!error) error = read_description(made, message);
    if (!error && o.defect)
        error = plb_fail(message, PLB_ECORRUPT, "%s is damaged: it has %s", path, o.defect);
    if (!error) error = check_contents(made, message);
    return PLB_HAND_OVER(error, made, store, plb_store_close);
}

int plb_store_open_logged(const char *path, plb_read_log *log, plb_store **store,
                          plb_message *message) {
    plb_store *made = NULL;
    int error = plb_store_open_file(path, log, &made, message);
    if (error || !made) return error;
    if (plb_store_has_record(made, PLB_SHARD))
        error = plb_fail(message, PLB_ENOTTABLE,
                         "%s is a shard of a table: open the table, whose name is without the "
                         "number at the end",
                         path);
    else if (plb_store_has_record(made, PLB_SHARDS))
        error = plb_store_open_shards(made, message);
    return PLB_HAND_OVER(error, made, store, plb_store_close);
}

int plb_store_open(const char *path, plb_store **store, plb_message *message) {
    return plb_store_open_logged(path, NULL, store, message);
}

void plb_store_end_log(plb_store *store) {
    store->input.log = NULL;
}

void plb_store_close(plb_store *store) {
    if (!store) return;
    for (int number = 0; number < store->shard_count; number++)
        plb_store_close(store->shards[number]);
    plb_input_file_close(&store->input);
    free(store->shards);
    free(store->records);
    free(store->segments);
    free(store);
}

/* ---- properties and statistics ---- */

const char *plb_store_path(const plb_store *store) {
    return store->input.path;
}

uint64_t plb_store_size_bytes(const plb_store *store) {
    uint64_t bytes = store->input.size_bytes;
    for (int shard = 0; shard < store->shard_count; shard++)
        bytes += store->shards[shard]->input.size_bytes;
    return bytes;
}

int plb_store_shards(const plb_store *store) {
    return store->shard_count;
}

const plb_store *plb_store_shard(const plb_store *store, int number) {
    return store->shards[number];
}

const char *plb_store_description(const plb_store *store) {
    return store->description;
}

uint64_t plb_store_identity(const plb_store *store) {
    return store->identity;
}

const char *plb_store_record_name(const plb_store *store, size_t number) {
    return number < store->record_count ? store->records[number].name : NULL;
}

bool plb_store_has_record(const plb_store *store, const char *name) {
    return find_record(store, name) != NULL;
}

int plb_store_plies(const plb_store *store) {
    return store->plies;
}

int plb_store_get_stats(const plb_store *store, int ply, plb_ply_stats *stats,
                        plb_message *message) {
    uint8_t name[PLB_PLY_KEY], bytes[PLB_STATS_BYTES + PLB_CHECKSUM_BYTES];
    if (ply > PLB_MAX_CELLS || store->stats[ply].size == 0)
        return plb_fail(message, PLB_EUNFINISHED, "%s is not finished: it has no ply %d",
                        store->input.path, ply);
    int error = plb_input_file_read(&store->input, store->stats[ply], bytes, message);
    if (error) return error;
    plb_put_number(name, ply, PLB_PLY_KEY);
    if (!has_right_checksum(store, name, sizeof name, bytes, sizeof bytes))
        return plb_fail(message, PLB_ECORRUPT,
                        "%s is damaged: the counts of ply %d are not as written", store->input.path,
                        ply);
    *stats = (plb_ply_stats){.total = plb_get_number(bytes, 8),
                             .terminal = plb_get_number(bytes + 8, 8),
                             .won = plb_get_number(bytes + 16, 8),
                             .drawn = plb_get_number(bytes + 24, 8),
                             .lost = plb_get_number(bytes + 32, 8)};
    return PLB_OK;
}

/* ---- segments ---- */

uint64_t plb_store_hash_place(uint64_t hash, const plb_stored_segment *segment) {
    uint8_t key[PLB_BLOCK_KEY], size[sizeof segment->size];
    plb_checksum_block_key(segment->ply, segment->first_block, key);
    plb_put_number(size, segment->size, sizeof size);
    return plb_checksum(hash, key, sizeof key, size, sizeof size);
}

int plb_store_compare_segments(const void *a, const void *b) {
    const plb_stored_segment *s = a, *t = b;
    if (s->ply != t->ply) return s->ply - t->ply;
    return (s->first_block > t->first_block) - (s->first_block < t->first_block);
}

const plb_stored_segment *plb_store_segments(const plb_store *store, uint64_t *count) {
    *count = store->segment_count;
    return store->segments;
}

static const plb_input_file *input_of(const plb_store *store, const plb_stored_segment *segment) {
    return store->shards ? &store->shards[segment->shard]->input : &store->input;
}

int plb_store_read(const plb_store *store, const plb_stored_segment *segment, uint64_t from,
                   void *bytes, size_t size, plb_message *message) {
    return plb_input_file_read(input_of(store, segment), (plb_extent){segment->offset + from, size},
                               bytes, message);
}

int plb_store_get_segment(const plb_store *store, int ply, uint64_t first_block, uint8_t **bytes,
                          size_t *size, plb_message *message) {
    const plb_stored_segment wanted = {.ply = (uint16_t)ply, .first_block = first_block};
    const plb_stored_segment *found = NULL;
    if (store->segment_count) /* bsearch does not allow a NULL array */
        found = bsearch(&wanted, store->segments, (size_t)store->segment_count, sizeof wanted,
                        plb_store_compare_segments);
    if (!found)
        return plb_fail(message, PLB_ECORRUPT, "%s is damaged: ply %d has no block %llu",
                        store->input.path, ply, (unsigned long long)first_block);
    int error = read_unchecked(input_of(store, found), (plb_extent){found->offset, found->size},
                               bytes, message);
    if (!error) *size = found->size;
    return error;
}

/* ---- a hash of the whole table ---- */

/* Add a key and the bytes of an extent to a hash. */
static int hash_extent(const plb_input_file *input, const void *key, size_t key_size,
                       plb_extent from, uint64_t *hash, plb_message *message) {
    uint8_t bytes[1 << 14];
    while (from.size > 0) {
        plb_extent part = {from.offset, plb_min(from.size, sizeof bytes)};
        int error = plb_input_file_read(input, part, bytes, message);
        if (error) return error;
        *hash = plb_checksum(*hash, key, key_size, bytes, (size_t)part.size);
        from = (plb_extent){from.offset + part.size, from.size - part.size};
    }
    return PLB_OK;
}

/* The checksum at the end of a value. */
static plb_extent checksum_of(plb_extent value) {
    return (plb_extent){value.offset + value.size - PLB_CHECKSUM_BYTES, PLB_CHECKSUM_BYTES};
}

static int hash_segments(const plb_store *store, uint64_t max_bytes, bool (*go_on)(void),
                         uint64_t *hash, plb_message *message) {
    uint64_t all = 0;
    for (uint64_t s = 0; s < store->segment_count; s++) all += store->segments[s].size;
    uint64_t step = max_bytes < all ? plb_divide_up(all, max_bytes) : 1;
    for (uint64_t s = 0; s < store->segment_count; s++) {
        const plb_stored_segment *segment = &store->segments[s];
        uint8_t key[PLB_BLOCK_KEY];
        *hash = plb_store_hash_place(*hash, segment);
        if (s % step) continue;
        if (go_on && !go_on())
            return plb_fail(message, PLB_EINTERRUPTED, "%s was not read whole", store->input.path);
        plb_extent bytes = {segment->offset, segment->size};
        plb_checksum_block_key(segment->ply, segment->first_block, key);
        int error = hash_extent(input_of(store, segment), key, sizeof key, bytes, hash, message);
        if (error) return error;
    }
    return PLB_OK;
}

int plb_store_hash(const plb_store *store, uint64_t max_bytes, bool (*go_on)(void), uint64_t *hash,
                   plb_message *message) {
    uint64_t all = store->identity;
    int error = PLB_OK;
    for (size_t r = 0; r < store->record_count && !error; r++) {
        const stored_record *record = &store->records[r];
        if (strcmp(record->name, PLB_SHARDS) != 0) /* the same hash with and without shards */
            error = hash_extent(&store->input, record->name, strlen(record->name),
                                checksum_of(record->value), &all, message);
    }
    for (int ply = 0; ply < store->plies && !error; ply++) {
        uint8_t key[PLB_PLY_KEY];
        plb_put_number(key, ply, PLB_PLY_KEY);
        if (store->stats[ply].size)
            error = hash_extent(&store->input, key, sizeof key, checksum_of(store->stats[ply]),
                                &all, message);
    }
    if (!error) error = hash_segments(store, max_bytes, go_on, &all, message);
    if (!error) *hash = all;
    return error;
}

/* ---- unused bytes ---- */

typedef struct searching {
    const plb_input_file *input;
    plb_message *message;
} searching;

/* The writer fills unused bytes with zeros. */
static int check_zeros(void *context, plb_extent bytes) {
    const searching *s = context;
    uint8_t read[4096];
    while (bytes.size > 0) {
        plb_extent part = {bytes.offset, plb_min(bytes.size, sizeof read)};
        int error = plb_input_file_read(s->input, part, read, s->message);
        if (error) return error;
        for (size_t b = 0; b < part.size; b++)
            if (read[b])
                return plb_fail(s->message, PLB_ECORRUPT,
                                "%s has a nonzero byte at offset %llu, which should be unused",
                                s->input->path, (unsigned long long)(part.offset + b));
        bytes = (plb_extent){bytes.offset + part.size, bytes.size - part.size};
    }
    return PLB_OK;
}

/* Check one file. If another program has rewritten it, its unused pages may have anything. */
static int check_unused(const plb_store *file, plb_message *message) {
    searching s = {&file->input, message};
    const plb_lmdb_visitor visitor = {.context = &s, .unused = check_zeros};
    uint64_t used_bytes = 0;
    if (file->input.size_bytes > file->used_bytes)
        return plb_fail(message, PLB_ECORRUPT, "%s continues after its last page, at byte %llu",
                        file->input.path, (unsigned long long)file->used_bytes);
    int error = plb_lmdb_check_metas(&file->input, message);
    if (error) return error == PLB_ECORRUPT ? PLB_OK : error;
    return plb_lmdb_check(&file->input, &visitor, &used_bytes, message);
}

int plb_store_find_extra(const plb_store *store, bool *is_rewritten, plb_message *message) {
    int error = check_unused(store, message);
    for (int shard = 0; shard < store->shard_count && !error; shard++)
        error = check_unused(store->shards[shard], message);
    bool rest_is_right = !error;
    if (!error) error = plb_lmdb_check_metas(&store->input, message);
    for (int shard = 0; shard < store->shard_count && !error; shard++)
        error = plb_lmdb_check_metas(&store->shards[shard]->input, message);
    if (is_rewritten) *is_rewritten = rest_is_right && error == PLB_ECORRUPT;
    return error;
}

uint64_t plb_store_bytes_after_end(const plb_store *store, const char **path) {
    const plb_store *file = store;
    for (int s = 0; s < store->shard_count && file->input.size_bytes == file->used_bytes; s++)
        file = store->shards[s];
    *path = file->input.path;
    return file->input.size_bytes - file->used_bytes;
}
