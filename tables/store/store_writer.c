/* SPDX-License-Identifier: MIT
 *
 * Writing of a table with LMDB. Only this file translates errors of LMDB.
 */
#include "tables/store/store_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tables/array.h"
#include "tables/store/checksum.h"
#include "tables/store/lmdb_reader.h"

enum {
    FILE_MODE = 0644,
    DEFAULT_MAP_BYTES = 16 << 20,
    COMMIT_BYTES = 64 << 20,          /* memory of a transaction, about */
    TRANSACTION_OVERHEAD = 16 * 4096, /* pages that a transaction may copy */
    RECORD_OVERHEAD = 3 * 4096,       /* pages that a record may need besides its own bytes */
};

struct plb_store_writer {
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi meta, stats, blocks;
    size_t map_bytes;
    size_t used_bytes, pending_bytes; /* of the file; not committed yet; both are upper bounds */
    bool is_resumed;                  /* records that are put may exist already */
    int ended_plies, kept_plies;      /* plies with statistics; those that are committed */
    uint64_t identity;
    char *path;
};

static int fail_mdb(const plb_store_writer *writer, int code, const char *doing,
                    plb_message *message) {
    int error = code > 0 ? plb_error_of_errno(code) : PLB_ECORRUPT;
    return plb_fail(message, error, "%s %s: %s", doing, writer->path, mdb_strerror(code));
}

/* ---- opening ---- */

/* The end of a transaction depends only on the file at the last commit and on what was put since
 * then. So a resumed file gets the same bytes. */
static void measure_file(plb_store_writer *writer) {
    MDB_envinfo info;
    MDB_stat status;
    mdb_env_info(writer->env, &info);
    mdb_env_stat(writer->env, &status);
    writer->map_bytes = info.me_mapsize;
    writer->used_bytes = (info.me_last_pgno + 1) * status.ms_psize;
    writer->pending_bytes = TRANSACTION_OVERHEAD;
}

/* map_bytes: 0 for an existing file, which has its own map size. */
static int begin(const char *path, const char *description, size_t map_bytes, bool resumes,
                 plb_store_writer **writer, plb_message *message) {
    plb_store_writer *made = calloc(1, sizeof *made);
    if (made) made->path = strdup(path);
    if (!made || !made->path || mdb_env_create(&made->env) != 0 ||
        mdb_env_set_maxdbs(made->env, PLB_DATABASES) != 0) {
        plb_store_abandon(made);
        return plb_fail(message, PLB_ENOMEM, "out of memory for %s", path);
    }
    made->is_resumed = resumes;
    made->identity = plb_checksum_identity(description);
    int code = map_bytes ? mdb_env_set_mapsize(made->env, map_bytes) : 0;
    if (!code) code = mdb_env_open(made->env, made->path, MDB_NOSUBDIR | MDB_NOLOCK, FILE_MODE);
    if (!code) {
        struct stat status;
        int file = -1;
        measure_file(made);
        code = mdb_env_get_fd(made->env, &file);
        if (!code && fstat(file, &status) != 0) code = errno;
        /* Reading a map beyond the end of its file would end the process. */
        if (!code && (uint64_t)status.st_size < made->used_bytes) code = MDB_CORRUPTED;
    }
    if (!code) code = mdb_txn_begin(made->env, NULL, 0, &made->txn);
    MDB_dbi *handles[PLB_DATABASES] = {&made->meta, &made->stats, &made->blocks};
    for (int d = 0; d < PLB_DATABASES && !code; d++)
        code = mdb_dbi_open(made->txn, plb_database_names[d], MDB_CREATE, handles[d]);
    int error = code ? fail_mdb(made, code, "cannot create", message) : PLB_OK;
    if (!error)
        error =
            plb_store_put_record(made, PLB_DESCRIPTION, description, strlen(description), message);
    return PLB_HAND_OVER(error, made, writer, plb_store_abandon);
}

int plb_store_create(const char *path, const char *description, size_t map_bytes,
                     plb_store_writer **writer, plb_message *message) {
    return begin(path, description, map_bytes ? map_bytes : DEFAULT_MAP_BYTES, false, writer,
                 message);
}

int plb_store_resume(const char *path, const char *description, plb_store_writer **writer,
                     plb_message *message) {
    struct stat status;
    if (stat(path, &status) != 0) return plb_fail(message, PLB_ECORRUPT, "%s is missing", path);
    return begin(path, description, 0, true, writer, message);
}

void plb_store_abandon(plb_store_writer *writer) {
    if (!writer) return;
    if (writer->txn) mdb_txn_abort(writer->txn);
    if (writer->env) mdb_env_close(writer->env);
    free(writer->path);
    free(writer);
}

/* ---- records ---- */

/* LMDB reports a short write as EIO. To find the real cause, such as a full disk, write a page
 * after the end of the file, which is useless now anyway. */
static int fail_writing(const plb_store_writer *writer, int code, plb_message *message) {
    static const uint8_t page[4096];
    struct stat status;
    int file;
    if (code == EIO && mdb_env_get_fd(writer->env, &file) == 0 && fstat(file, &status) == 0 &&
        pwrite(file, page, sizeof page, status.st_size) < 0)
        code = errno;
    return fail_mdb(writer, code, "cannot write", message);
}

/* Commit the transaction, make the map large enough for `need` more bytes, and begin the next. */
static int turn_transaction(plb_store_writer *writer, size_t need) {
    int code = mdb_txn_commit(writer->txn);
    writer->txn = NULL;
    if (code) return code;
    writer->kept_plies = writer->ended_plies;
    measure_file(writer);
    while (!code && writer->map_bytes < writer->used_bytes + need) {
        writer->map_bytes *= 2;
        code = mdb_env_set_mapsize(writer->env, writer->map_bytes);
    }
    return code ? code : mdb_txn_begin(writer->env, NULL, 0, &writer->txn);
}

/* Put a record. There must be room in the map before, because a full map loses the transaction. */
static int put(plb_store_writer *writer, MDB_dbi database, MDB_val *key, MDB_val *value,
               unsigned flags, plb_message *message) {
    size_t cost = value->mv_size + RECORD_OVERHEAD;
    int code = 0;
    MDB_val found; /* written before the build was resumed */
    if (writer->is_resumed && mdb_get(writer->txn, database, key, &found) == 0) return PLB_OK;
    if (writer->used_bytes + writer->pending_bytes + cost > writer->map_bytes ||
        writer->pending_bytes > COMMIT_BYTES)
        code = turn_transaction(writer, cost);
    if (!code) code = mdb_put(writer->txn, database, key, value, flags);
    if (code) return fail_writing(writer, code, message);
    writer->pending_bytes += cost;
    return PLB_OK;
}

static int put_with_checksum(plb_store_writer *writer, MDB_dbi database, MDB_val *key,
                             const void *bytes, size_t size, plb_message *message) {
    uint8_t *record = malloc(size + PLB_CHECKSUM_BYTES);
    if (!record) return plb_fail(message, PLB_ENOMEM, "out of memory for %s", writer->path);
    memcpy(record, bytes, size);
    plb_put_number(record + size,
                   plb_checksum(writer->identity, key->mv_data, key->mv_size, bytes, size),
                   PLB_CHECKSUM_BYTES);
    MDB_val value = {size + PLB_CHECKSUM_BYTES, record};
    int error = put(writer, database, key, &value, 0, message);
    free(record);
    return error;
}

int plb_store_put_record(plb_store_writer *writer, const char *name, const void *bytes, size_t size,
                         plb_message *message) {
    MDB_val key = {strlen(name), (void *)name};
    if (!plb_record_name_is_right((const uint8_t *)name, key.mv_size) || size > PLB_RECORD_BYTES)
        return plb_fail(message, PLB_EARGUMENT, "a record cannot have this name or size: '%s'",
                        name);
    return put_with_checksum(writer, writer->meta, &key, bytes, size, message);
}

int plb_store_put_segment(plb_store_writer *writer, int ply, uint64_t first_block,
                          const void *bytes, size_t size, plb_message *message) {
    uint8_t name[PLB_BLOCK_KEY];
    plb_checksum_block_key(ply, first_block, name);
    MDB_val key = {sizeof name, name}, value = {size, (void *)bytes};
    return put(writer, writer->blocks, &key, &value, MDB_APPEND, message);
}

int plb_store_put_stats(plb_store_writer *writer, int ply, const plb_ply_stats *stats,
                        plb_message *message) {
    uint8_t name[PLB_PLY_KEY], record[PLB_STATS_BYTES], *to = record;
    plb_put_number(name, ply, PLB_PLY_KEY);
    to = plb_put_number(to, stats->total, 8);
    to = plb_put_number(to, stats->terminal, 8);
    to = plb_put_number(to, stats->won, 8);
    to = plb_put_number(to, stats->drawn, 8);
    plb_put_number(to, stats->lost, 8);
    MDB_val key = {sizeof name, name};
    int error = put_with_checksum(writer, writer->stats, &key, record, sizeof record, message);
    if (error) return error;
    writer->ended_plies = ply + 1;
    if (writer->pending_bytes == TRANSACTION_OVERHEAD) writer->kept_plies = writer->ended_plies;
    return PLB_OK;
}

int plb_store_kept_plies(const plb_store_writer *writer) {
    return writer->kept_plies;
}

/* ---- the end ---- */

/* Put the record of the names of all records but the store's own, a line each. */
static int put_contents(plb_store_writer *writer, plb_message *message) {
    MDB_cursor *cursor;
    MDB_val name, value;
    char *text = NULL;
    size_t size = 0;
    int code = mdb_cursor_open(writer->txn, writer->meta, &cursor);
    if (code) return fail_mdb(writer, code, "cannot write", message);
    while (!code && !(code = mdb_cursor_get(cursor, &name, &value, MDB_NEXT))) {
        char record[PLB_RECORD_NAME];
        snprintf(record, sizeof record, "%.*s", (int)name.mv_size, (const char *)name.mv_data);
        if (plb_store_is_own_record(record)) continue;
        if (plb_array_resize(&text, size + name.mv_size + 1)) {
            memcpy(text + size, name.mv_data, name.mv_size);
            size += name.mv_size;
            text[size++] = '\n';
        } else {
            code = ENOMEM;
        }
    }
    mdb_cursor_close(cursor);
    int error = code != MDB_NOTFOUND
                    ? fail_mdb(writer, code, "cannot write", message)
                    : plb_store_put_record(writer, PLB_CONTENTS, text ? text : "", size, message);
    free(text);
    return error;
}

/* ---- unused space ----
 *
 * LMDB leaves old pages and other content of its memory there. */

typedef struct clearing {
    const char *path;
    int file;
    plb_message *message;
} clearing;

static int write_zeros(void *context, plb_extent bytes) {
    static const uint8_t zeros[4096];
    const clearing *c = context;
    while (bytes.size > 0) {
        ssize_t put = pwrite(c->file, zeros, plb_min(bytes.size, sizeof zeros), bytes.offset);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return plb_fail_errno(c->message, put ? errno : EIO, "cannot write", c->path);
        bytes = (plb_extent){bytes.offset + put, bytes.size - put};
    }
    return PLB_OK;
}

/* Fill unused space with zeros, so that every byte of a finished file is defined. */
static int clear_unused(const char *path, plb_message *message) {
    plb_input_file input;
    int error = plb_input_file_open(path, &input, message);
    if (error) return error;
    clearing c = {path, open(path, O_WRONLY | O_CLOEXEC), message};
    const plb_lmdb_visitor visitor = {.context = &c, .unused = write_zeros};
    uint64_t used_bytes;
    if (c.file < 0) error = plb_fail_errno(message, errno, "cannot write", path);
    if (!error) error = plb_lmdb_check(&input, &visitor, &used_bytes, message);
    if (!error) error = plb_lmdb_write_metas(&input, c.file, message);
    if (!error && fsync(c.file) != 0) error = plb_fail_errno(message, errno, "cannot write", path);
    if (c.file >= 0) close(c.file);
    plb_input_file_close(&input);
    return error;
}

int plb_store_finish(plb_store_writer *writer, plb_message *message) {
    char *path = strdup(writer->path);
    if (!path) {
        plb_store_abandon(writer);
        return plb_fail(message, PLB_ENOMEM, "out of memory");
    }
    int error = put_contents(writer, message);
    if (!error) {
        int code = mdb_txn_commit(writer->txn);
        writer->txn = NULL;
        if (!code) code = mdb_env_sync(writer->env, 1);
        error = code ? fail_writing(writer, code, message) : PLB_OK;
    }
    plb_store_abandon(writer);
    if (!error) error = clear_unused(path, message);
    free(path);
    return error;
}
