/* SPDX-License-Identifier: MIT
 *
 * The LMDB file. Errors of LMDB and of the system become ours here and nowhere else.
 */
#include "tables/store.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "tables/page_check.h"

enum {
    FILE_MODE = 0644,
    DATABASES = 3,
    HASH_BYTES = 8,
    META_ROOM = 512, /* bytes of a meta text, at most */
    DEFAULT_MAP_BYTES = 16 << 20,
    COMMIT_BYTES = 64 << 20,    /* what a transaction holds in memory, about */
    RECORD_OVERHEAD = 3 * 4096, /* pages that a record may take besides its own bytes */
};

struct plb_store {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi meta, stats, blocks;
    size_t map_bytes, used_bytes, pending_bytes; /* when writing; used is an upper bound */
    uint64_t size_bytes;                         /* when reading */
    char *path;
};

static int fail_mdb(const plb_store *store, int code, const char *doing, plb_message *message) {
    int error = code > 0                                              ? plb_error_of_errno(code)
                : code == MDB_INVALID || code == MDB_VERSION_MISMATCH ? PLB_ENOTTABLE
                : code == MDB_NOTFOUND                                ? PLB_ENOTTABLE
                                                                      : PLB_ECORRUPT;
    if (error == PLB_ENOTTABLE)
        return plb_fail(message, error, "%s is not a Plybase table", store->path);
    return plb_fail(message, error, "%s %s: %s", doing, store->path, mdb_strerror(code));
}

/* ---- keys and sealed records ---- */

/* Append the lowest `width` bytes of a number, big-endian. */
static uint8_t *put_number(uint8_t *to, uint64_t number, int width) {
    for (int byte = width - 1; byte >= 0; byte--) *to++ = (uint8_t)(number >> (8 * byte));
    return to;
}

static uint64_t get_number(const uint8_t *from, int width) {
    uint64_t number = 0;
    for (int byte = 0; byte < width; byte++) number = number << 8 | from[byte];
    return number;
}

enum { PLY_BYTES = 2, BLOCK_BYTES = 8 };

static uint64_t seal_of(const MDB_val *key, const void *bytes, size_t size) {
    return XXH3_64bits_withSeed(bytes, size, XXH3_64bits(key->mv_data, key->mv_size));
}

/* ---- writing ---- */

static int open_databases(plb_store *store, unsigned flags) {
    const char *names[DATABASES] = {"meta", "stats", "blocks"};
    MDB_dbi *handles[DATABASES] = {&store->meta, &store->stats, &store->blocks};
    int code = 0;
    for (int d = 0; d < DATABASES && !code; d++)
        code = mdb_dbi_open(store->txn, names[d], flags, handles[d]);
    return code;
}

static int new_store(const char *path, plb_store **store) {
    plb_store *made = calloc(1, sizeof *made);
    if (made) made->path = strdup(path);
    if (!made || !made->path || mdb_env_create(&made->env) != 0 ||
        mdb_env_set_maxdbs(made->env, DATABASES) != 0) {
        plb_store_close(made);
        return PLB_ENOMEM;
    }
    *store = made;
    return PLB_OK;
}

int plb_store_create(const char *path, size_t map_bytes, plb_store **store, plb_message *message) {
    plb_store *made = NULL;
    int code = new_store(path, &made);
    if (code) return plb_fail(message, code, "out of memory for %s", path);
    made->map_bytes = map_bytes ? map_bytes : DEFAULT_MAP_BYTES;
    code = mdb_env_set_mapsize(made->env, made->map_bytes);
    if (!code) code = mdb_env_open(made->env, path, MDB_NOSUBDIR | MDB_NOLOCK, FILE_MODE);
    if (!code) code = mdb_txn_begin(made->env, NULL, 0, &made->txn);
    if (!code) code = open_databases(made, MDB_CREATE);
    if (code) {
        int error = fail_mdb(made, code, "cannot create", message);
        plb_store_close(made);
        return error;
    }
    made->used_bytes = (2 + DATABASES) * RECORD_OVERHEAD;
    *store = made;
    return PLB_OK;
}

/* LMDB calls a write that was cut short an input or output error: a write of our own finds out
 * what cut it. The file is of no use any more. */
static int fail_writing(const plb_store *store, int code, plb_message *message) {
    static const uint8_t page[4096];
    struct stat status;
    int file;
    if (code == EIO && mdb_env_get_fd(store->env, &file) == 0 && fstat(file, &status) == 0 &&
        pwrite(file, page, sizeof page, status.st_size) < 0)
        code = errno;
    return fail_mdb(store, code, "cannot write", message);
}

/* End the transaction, make the map large enough for `need` bytes, and begin the next. */
static int turn_transaction(plb_store *store, size_t need) {
    int code = mdb_txn_commit(store->txn);
    store->txn = NULL;
    store->pending_bytes = 0;
    while (!code && store->map_bytes < need) {
        store->map_bytes *= 2;
        code = mdb_env_set_mapsize(store->env, store->map_bytes);
    }
    return code ? code : mdb_txn_begin(store->env, NULL, 0, &store->txn);
}

/* A map that is full would lose the transaction, so there is always room before a record is put. */
static int put(plb_store *store, MDB_dbi database, MDB_val *key, MDB_val *value, unsigned flags,
               plb_message *message) {
    size_t cost = value->mv_size + RECORD_OVERHEAD;
    int code = 0;
    if (store->used_bytes + cost > store->map_bytes || store->pending_bytes > COMMIT_BYTES)
        code = turn_transaction(store, store->used_bytes + cost);
    if (!code) code = mdb_put(store->txn, database, key, value, flags);
    if (code) return fail_writing(store, code, message);
    store->used_bytes += cost;
    store->pending_bytes += cost;
    return PLB_OK;
}

static int put_sealed(plb_store *store, MDB_dbi database, MDB_val *key, const void *bytes,
                      size_t size, plb_message *message) {
    uint8_t record[META_ROOM + HASH_BYTES];
    if (size > META_ROOM) return plb_fail(message, PLB_EARGUMENT, "a record is too long");
    memcpy(record, bytes, size);
    put_number(record + size, seal_of(key, bytes, size), HASH_BYTES);
    MDB_val value = {size + HASH_BYTES, record};
    return put(store, database, key, &value, 0, message);
}

int plb_store_put_meta(plb_store *store, const char *key, const char *text, plb_message *message) {
    MDB_val name = {strlen(key), (void *)key};
    return put_sealed(store, store->meta, &name, text, strlen(text), message);
}

int plb_store_put_segment(plb_store *store, int ply, uint64_t first_block, const void *bytes,
                          size_t size, plb_message *message) {
    uint8_t name[PLY_BYTES + BLOCK_BYTES];
    put_number(put_number(name, ply, PLY_BYTES), first_block, BLOCK_BYTES);
    MDB_val key = {sizeof name, name}, value = {size, (void *)bytes};
    return put(store, store->blocks, &key, &value, MDB_APPEND, message);
}

int plb_store_put_stats(plb_store *store, int ply, const plb_ply_stats *stats,
                        plb_message *message) {
    uint8_t name[PLY_BYTES], record[5 * 8], *to = record;
    put_number(name, ply, PLY_BYTES);
    to = put_number(to, stats->total, 8);
    to = put_number(to, stats->terminal, 8);
    to = put_number(to, stats->won, 8);
    to = put_number(to, stats->drawn, 8);
    put_number(to, stats->lost, 8);
    MDB_val key = {sizeof name, name};
    return put_sealed(store, store->stats, &key, record, sizeof record, message);
}

int plb_store_finish(plb_store *store, plb_message *message) {
    int code = mdb_txn_commit(store->txn);
    store->txn = NULL;
    if (!code) code = mdb_env_sync(store->env, 1);
    int error = code ? fail_writing(store, code, message) : PLB_OK;
    plb_store_close(store);
    return error;
}

/* ---- reading ---- */

/* LMDB takes the size of the map from us rather than from the file. */
static int set_map(plb_store *store, plb_message *message) {
    struct stat file;
    if (stat(store->path, &file) != 0)
        return plb_fail_errno(message, errno, "cannot read", store->path);
    store->size_bytes = file.st_size;
    int code = mdb_env_set_mapsize(store->env, file.st_size);
    return code ? fail_mdb(store, code, "cannot open", message) : PLB_OK;
}

int plb_store_open(const char *path, plb_store **store, plb_message *message) {
    plb_store *made = NULL;
    int code = new_store(path, &made);
    if (code) return plb_fail(message, code, "out of memory for %s", path);
    int error = plb_page_check(path, message);
    if (!error) error = set_map(made, message);
    if (!error) {
        code = mdb_env_open(made->env, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_RDONLY, FILE_MODE);
        if (!code) code = mdb_txn_begin(made->env, NULL, MDB_RDONLY, &made->txn);
        if (!code) code = open_databases(made, 0);
        if (code) error = fail_mdb(made, code, "cannot read", message);
    }
    if (error) {
        plb_store_close(made);
        return error;
    }
    *store = made;
    return PLB_OK;
}

void plb_store_close(plb_store *store) {
    if (!store) return;
    if (store->txn) mdb_txn_abort(store->txn);
    if (store->env) mdb_env_close(store->env);
    free(store->path);
    free(store);
}

uint64_t plb_store_size_bytes(const plb_store *store) {
    return store->size_bytes;
}

/* Read a record and check its seal; *size is without it. MDB_NOTFOUND is left to the caller. */
static int get_sealed(const plb_store *store, MDB_dbi database, MDB_val *key, const uint8_t **bytes,
                      size_t *size) {
    MDB_val value;
    int code = mdb_get(store->txn, database, key, &value);
    if (code) return code;
    if (value.mv_size < HASH_BYTES) return MDB_CORRUPTED;
    *bytes = value.mv_data;
    *size = value.mv_size - HASH_BYTES;
    uint64_t seal = get_number(*bytes + *size, HASH_BYTES);
    return seal == seal_of(key, *bytes, *size) ? 0 : MDB_CORRUPTED;
}

int plb_store_get_meta(const plb_store *store, const char *key, char *text, size_t room,
                       plb_message *message) {
    MDB_val name = {strlen(key), (void *)key};
    const uint8_t *bytes;
    size_t size;
    int code = get_sealed(store, store->meta, &name, &bytes, &size);
    if (!code && size >= room) code = MDB_CORRUPTED;
    if (code == MDB_NOTFOUND) return fail_mdb(store, code, "cannot read", message);
    if (code)
        return plb_fail(message, PLB_ECORRUPT, "%s is damaged: its '%s' is not as written",
                        store->path, key);
    memcpy(text, bytes, size);
    text[size] = 0;
    return PLB_OK;
}

int plb_store_get_stats(const plb_store *store, int ply, plb_ply_stats *stats,
                        plb_message *message) {
    uint8_t name[PLY_BYTES];
    put_number(name, ply, PLY_BYTES);
    MDB_val key = {sizeof name, name};
    const uint8_t *bytes;
    size_t size;
    int code = get_sealed(store, store->stats, &key, &bytes, &size);
    if (code == MDB_NOTFOUND)
        return plb_fail(message, PLB_EUNFINISHED, "%s is not finished: it has no ply %d",
                        store->path, ply);
    if (code || size != 5 * 8)
        return plb_fail(message, PLB_ECORRUPT,
                        "%s is damaged: the counts of ply %d are not as written", store->path, ply);
    *stats = (plb_ply_stats){.total = get_number(bytes, 8),
                             .terminal = get_number(bytes + 8, 8),
                             .won = get_number(bytes + 16, 8),
                             .drawn = get_number(bytes + 24, 8),
                             .lost = get_number(bytes + 32, 8)};
    return PLB_OK;
}

int plb_store_get_segment(const plb_store *store, int ply, uint64_t first_block,
                          const uint8_t **bytes, size_t *size, plb_message *message) {
    uint8_t name[PLY_BYTES + BLOCK_BYTES];
    put_number(put_number(name, ply, PLY_BYTES), first_block, BLOCK_BYTES);
    MDB_val key = {sizeof name, name}, value;
    int code = mdb_get(store->txn, store->blocks, &key, &value);
    if (code)
        return plb_fail(message, PLB_ECORRUPT, "%s is damaged: ply %d has no block %llu",
                        store->path, ply, (unsigned long long)first_block);
    *bytes = value.mv_data;
    *size = value.mv_size;
    return PLB_OK;
}
