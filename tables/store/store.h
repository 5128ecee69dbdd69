/* SPDX-License-Identifier: MIT
 *
 * Reading of a table's file: one LMDB environment in one file (store_writer.h writes it), with
 * three databases.
 *
 *     meta     key: a name             value: a record of any length
 *     stats    key: ply                value: statistics, the five counts of plb_ply_stats
 *     blocks   key: ply, block number  value: a segment (segment.h); the key is its first block
 *
 * Numbers are fixed-width and big-endian. The values of meta and stats end with their checksum
 * (checksum.h); each block of a segment has its own checksum. Two records of meta belong to the
 * store; with them it notices records that were removed, or exchanged with another table:
 *
 *     description   text that no other table has; its hash is the table's identity,
 *                   which seeds all checksums
 *     contents      the names of all other records, a line each, in their order
 *
 * Records with other names are the user's (meta.h lists those of this program); a reader ignores
 * records that it does not know.
 *
 * A ply exists if it has a record of stats. A table is finished when every ply exists.
 *
 * Shards. The segments may be in other files, so that a build can use several disks:
 *
 *     X.plb      a manifest: all of the table but the segments, and in its record `shards` the id
 *                of every shard
 *     X.plb.0    a shard: the same description and stats, some of the segments, and in its record
 *     X.plb.1    `shard` its number and how many there are
 *
 * To open the table, open its manifest. `contents` does not name these two records.
 *
 * Reading. The whole structure is checked when the store is opened. Then values are read at their
 * places in the file, which is never mapped. If the file changes meanwhile, a read gives bytes or
 * an error; checksums show whether the bytes are right. A reader takes no lock and writes nothing.
 * Must not know: boards, positions, the content of segments and records.
 */
#pragma once

#include "tables/store/input_file.h"

/* A build of FILE keeps its work in FILE with this suffix, and writes FILE when it has finished. */
#define PLB_UNFINISHED_SUFFIX ".part"

enum {
    PLB_DESCRIPTION_TEXT = 512, /* bytes of a description, with the final zero */
    PLB_RECORD_NAME = 64,       /* bytes of a name, with the final zero; printable ASCII */
    PLB_RECORD_BYTES = 1 << 26, /* of a record, at most */
    PLB_MAX_SHARDS = 1024,
    PLB_SHARD_ID_BYTES = 8,
    PLB_SHARD_NUMBER_BYTES = 4,
};

/* ---- shared with store_writer.c, as is checksum.h ---- */

#define PLB_DESCRIPTION "description"
#define PLB_CONTENTS "contents"
#define PLB_SHARDS "shards" /* of a manifest: the ids of its shards, 8 bytes each */
#define PLB_SHARD "shard"   /* of a shard: its number and how many there are, 4 bytes each */
#define PLB_FORMAT_1_RECORD "format" /* only in format 1, which had no description */

enum { PLB_DATABASES = 3, PLB_STATS_BYTES = 5 * 8 };
static const char *const plb_database_names[PLB_DATABASES] = {"meta", "stats", "blocks"};

/* A name is 1 to 63 printable ASCII characters without blanks. */
static inline bool plb_record_name_is_right(const uint8_t *name, size_t size) {
    if (size == 0 || size >= PLB_RECORD_NAME) return false;
    for (size_t c = 0; c < size; c++)
        if (name[c] <= ' ' || name[c] > '~') return false;
    return true;
}

/* ---- reading ---- */

typedef struct plb_store plb_store;

/* A segment in the file. */
typedef struct plb_stored_segment {
    uint64_t first_block;
    uint64_t offset;
    uint32_t size;
    uint16_t ply;
    uint16_t shard; /* number of the file that has it; 0 in a table of one file */
} plb_stored_segment;

/* Open a file for reading and, if it is a manifest, its shards; each file takes a descriptor.
 * Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_ENOTTABLE (also for a shard), PLB_EVERSION (format
 * 1), PLB_ECORRUPT (also if a shard is missing or belongs to another table), PLB_EIO, PLB_ENOMEM.
 * Cost: reads the pages of the trees, not the values; 24 bytes of memory for each segment. */
int plb_store_open(const char *path, plb_store **store, plb_message *message);

/* The same with a log of all reads of the file. plb_store_end_log ends the log; call it before
 * other threads use the store. */
int plb_store_open_logged(const char *path, plb_read_log *log, plb_store **store,
                          plb_message *message);
void plb_store_end_log(plb_store *store);

/* Open a shard by its number; table: the path of the manifest. Errors: those of plb_store_open;
 * PLB_ENOTFOUND: it is missing; PLB_ECORRUPT: it is not a shard, or has another number. */
int plb_store_open_shard(const char *table, int number, int count, plb_store **shard,
                         plb_message *message);

/* Is the file at a path a shard, of any table? Errors: those of plb_store_open; PLB_ENOTTABLE: it
 * is something else, or a folder. */
int plb_store_check_shard(const char *path, plb_message *message);

/* The number of shards that the manifest at a path names, even if they are missing; 0: it is not a
 * manifest, or cannot be read. */
int plb_store_count_shards(const char *path);

/* The number of shards of an open table (0: it is one file); and a shard, which the store owns. The
 * list of its segments is in the store. */
int plb_store_shards(const plb_store *store);
const plb_store *plb_store_shard(const plb_store *store, int number);

/* The id of a shard: a hash of the keys and sizes of its segments. */
uint64_t plb_store_shard_id(const plb_store *shard);

/* NULL is allowed. */
void plb_store_close(plb_store *store);

/* Threads: all functions below are safe. Texts and arrays are owned by the store. */

/* The path, and the size of the file with its shards. */
const char *plb_store_path(const plb_store *store);
uint64_t plb_store_size_bytes(const plb_store *store);
const char *plb_store_description(const plb_store *store);
uint64_t plb_store_identity(const plb_store *store);

/* Names of all records, in their order; NULL after the last. */
const char *plb_store_record_name(const plb_store *store, size_t number);

/* Is it the name of one of the store's own records? */
bool plb_store_is_own_record(const char *name);

bool plb_store_has_record(const plb_store *store, const char *name);

/* Read a record. The caller frees *bytes, which has a zero after its end.
 * Errors: PLB_ECORRUPT (it is missing, or its checksum is wrong), PLB_EIO, PLB_ENOMEM. */
int plb_store_get_record(const plb_store *store, const char *name, uint8_t **bytes, size_t *size,
                         plb_message *message);

/* One more than the last ply that exists. */
int plb_store_plies(const plb_store *store);

/* Read the statistics of a ply. Errors: PLB_EUNFINISHED (the ply does not exist), PLB_ECORRUPT,
 * PLB_EIO. */
int plb_store_get_stats(const plb_store *store, int ply, plb_ply_stats *stats,
                        plb_message *message);

/* All segments, by ply, then by first block. */
const plb_stored_segment *plb_store_segments(const plb_store *store, uint64_t *count);

/* Read bytes [from, from + size) of a segment, which must have them.
 * Errors: PLB_ECORRUPT (the file was cut short meanwhile), PLB_EIO. */
int plb_store_read(const plb_store *store, const plb_stored_segment *segment, uint64_t from,
                   void *bytes, size_t size, plb_message *message);

/* Read a whole segment. The caller frees *bytes.
 * Errors: PLB_ECORRUPT (it is missing, or the file was cut short), PLB_EIO, PLB_ENOMEM. */
int plb_store_get_segment(const plb_store *store, int ply, uint64_t first_block, uint8_t **bytes,
                          size_t *size, plb_message *message);

/* A hash of the content of a table: the checksums of all records but `shards`, and the keys, sizes
 * and bytes of all segments. If the segments have more than max_bytes in all, the bytes of only
 * every second, third .. segment are read, about max_bytes.
 *
 * go_on  [in]  NULL, or called before each segment that is read; false: PLB_EINTERRUPTED
 *
 * Errors: PLB_ECORRUPT (the file was cut short meanwhile), PLB_EIO, PLB_EINTERRUPTED. */
int plb_store_hash(const plb_store *store, uint64_t max_bytes, bool (*go_on)(void), uint64_t *hash,
                   plb_message *message);

/* Check that the unused bytes of the file and of its shards are zero, and that nothing follows
 * their last pages. plb_meta_find_extra (meta.h) includes this check.
 *
 * is_rewritten  [out]  true: the only error is that LMDB or one of its tools has copied or edited a
 *                      file; its unused bytes were not checked. NULL: not wanted
 *
 * Errors: PLB_ECORRUPT, and the message says where; PLB_EIO, PLB_ENOMEM. Cost: as opening, and
 * reads all unused bytes. */
int plb_store_find_extra(const plb_store *store, bool *is_rewritten, plb_message *message);

/* Bytes after the last page of the first file, of table and shards, that has any; 0: none has.
 *
 * path  [out]  of this file, owned by the store; if none has any, of some file */
uint64_t plb_store_bytes_after_end(const plb_store *store, const char **path);
