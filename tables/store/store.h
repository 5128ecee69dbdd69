/* SPDX-License-Identifier: MIT
 *
 * The file of a table as its readers see it: one LMDB environment in one file (written by
 * store_writer.h), with three databases.
 *
 *     meta     key: a name             value: a record of any length
 *     stats    key: ply                value: five counts, see plb_ply_stats
 *     blocks   key: ply, block number  value: a segment (segment.h), named by its first block
 *
 * Numbers are fixed-width and big-endian. The values of meta and stats end in their checksum
 * (checksum.h); blocks have checksums of their own. Two records of meta belong to the store:
 *
 *     description   text that no other table has; its hash is the table's identity,
 *                   which seeds all checksums
 *     contents      the names of all other records, a line each, in their order
 *
 * so that what was exchanged with another table, or taken away, is noticed. Any other name is free
 * for who writes and reads it (meta.h lists the names of this program's records): a reader passes
 * over records that it does not know.
 *
 * A ply exists once its stats record does, and a table is finished when every ply exists.
 *
 * Shards. The segments may be in files of their own, on several disks until the table is written:
 *
 *     X.plb      a manifest: all of the table but the segments, and in its record `shards` the id
 *                of every shard
 *     X.plb.0    a shard: the same description and stats, some of the segments, and in its record
 *     X.plb.1    `shard` its number and how many there are
 *
 * Who opens the manifest has the table. Both records are left out of the contents.
 *
 * Reading. All structure is read and checked when the store is opened, and then values at their
 * place in the file, through one descriptor and never mapped. Whatever is done to the file
 * meanwhile, a read gives bytes or an error; that they are the right bytes, their checksums show. A
 * reader takes no lock and leaves no trace. Must not know: boards, positions, what is in a segment
 * or in a record.
 */
#ifndef PLB_TABLES_STORE_STORE_H
#define PLB_TABLES_STORE_STORE_H

#include "tables/store/input_file.h"

/* The build of FILE keeps its work in FILE and this; FILE itself is there when it is finished. */
#define PLB_UNFINISHED_SUFFIX ".part"

enum {
    PLB_DESCRIPTION_TEXT = 512, /* bytes of a description, with the final zero */
    PLB_RECORD_NAME = 64,       /* bytes of a name, with the final zero; printable ASCII */
    PLB_RECORD_BYTES = 1 << 26, /* of a record, at most */
    PLB_MAX_SHARDS = 1024,
    PLB_SHARD_ID_BYTES = 8,
    PLB_SHARD_NUMBER_BYTES = 4,
};

/* ---- what its writer shares, in addition to checksum.h ---- */

#define PLB_DESCRIPTION "description"
#define PLB_CONTENTS "contents"
#define PLB_SHARDS "shards" /* of a manifest: the ids of its shards, 8 bytes each */
#define PLB_SHARD "shard"   /* of a shard: its number and how many there are, 4 bytes each */
#define PLB_FORMAT_1_RECORD "format" /* there in format 1, which had no description */

enum { PLB_DATABASES = 3, PLB_STATS_BYTES = 5 * 8 };
static const char *const plb_database_names[PLB_DATABASES] = {"meta", "stats", "blocks"};

/* A name has no blanks, so that names can be distinguished in a text. */
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
    uint16_t shard; /* that it is in; 0 in a table of one file */
} plb_stored_segment;

/* Open a file for reading, and its shards if it is a manifest: a descriptor for each.
 * Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_ENOTTABLE (a shard, too), PLB_EVERSION (format 1),
 * PLB_ECORRUPT (a shard is missing or another one, too), PLB_EIO, PLB_ENOMEM. Cost: reads the pages
 * of the trees, not the values; 24 bytes of memory for each segment. */
int plb_store_open(const char *path, plb_store **store, plb_message *message);

/* The same, and a log of all that is read of the file until the log is taken away, which is before
 * other threads get the store. */
int plb_store_open_logged(const char *path, plb_read_log *log, plb_store **store,
                          plb_message *message);
void plb_store_end_log(plb_store *store);

/* Open a shard of the table at a path, by its number. Errors: those of plb_store_open;
 * PLB_ENOTFOUND: it is missing; PLB_ECORRUPT: it is no shard, or that of another place. */
int plb_store_open_shard(const char *table, int number, int count, plb_store **shard,
                         plb_message *message);

/* How many shards the manifest at a path names, whether they are there or not; 0: it is no
 * manifest, or cannot be read. */
int plb_store_count_shards(const char *path);

/* How many there are of a manifest, 0: the table is one file; and one of them, which is the
 * store's, and whose segments the store has. */
int plb_store_shards(const plb_store *store);
const plb_store *plb_store_shard(const plb_store *store, int number);

/* The id of a shard: a hash of which segments it has, and of their sizes. */
uint64_t plb_store_shard_id(const plb_store *shard);

/* NULL is allowed. */
void plb_store_close(plb_store *store);

/* Threads: all that follows is safe. Texts and arrays are owned by the store. */

/* The path, and the bytes of the file and of its shards. */
const char *plb_store_path(const plb_store *store);
uint64_t plb_store_size_bytes(const plb_store *store);
const char *plb_store_description(const plb_store *store);
uint64_t plb_store_identity(const plb_store *store);

/* Names of all records, in their order; NULL after the last. */
const char *plb_store_record_name(const plb_store *store, size_t number);

/* Is it one of the store's own? */
bool plb_store_is_own_record(const char *name);

bool plb_store_has_record(const plb_store *store, const char *name);

/* Read a record; *bytes is to be freed by the caller and has a zero after its end.
 * Errors: PLB_ECORRUPT (there is none, or it is not as written), PLB_EIO, PLB_ENOMEM. */
int plb_store_get_record(const plb_store *store, const char *name, uint8_t **bytes, size_t *size,
                         plb_message *message);

/* One more than the last ply that exists. */
int plb_store_plies(const plb_store *store);

/* Errors: PLB_EUNFINISHED (the ply does not exist), PLB_ECORRUPT, PLB_EIO. */
int plb_store_get_stats(const plb_store *store, int ply, plb_ply_stats *stats,
                        plb_message *message);

/* All segments, by ply, then by first block. */
const plb_stored_segment *plb_store_segments(const plb_store *store, uint64_t *count);

/* Read a part of a segment, which begins `from` bytes in it and must lie within it.
 * Errors: PLB_ECORRUPT (the file was cut short meanwhile), PLB_EIO. */
int plb_store_read(const plb_store *store, const plb_stored_segment *segment, uint64_t from,
                   void *bytes, size_t size, plb_message *message);

/* Read a whole segment; *bytes is to be freed by the caller.
 * Errors: PLB_ECORRUPT (it is missing, or the file was cut short), PLB_EIO, PLB_ENOMEM. */
int plb_store_get_segment(const plb_store *store, int ply, uint64_t first_block, uint8_t **bytes,
                          size_t *size, plb_message *message);

/* One number for all that is stored, wherever the pages have it: records and counts, by their
 * checksums, and segments, by their bytes. Of segments with more than max_bytes in all, only every
 * second, third .. has its bytes read, so that they are at most about so many; the others count by
 * their places and sizes.
 *
 * go_on  [in]  NULL, or asked before each segment that is read; false: PLB_EINTERRUPTED
 *
 * Errors: PLB_ECORRUPT (the file was cut short meanwhile), PLB_EIO, PLB_EINTERRUPTED. */
int plb_store_hash(const plb_store *store, uint64_t max_bytes, bool (*go_on)(void), uint64_t *hash,
                   plb_message *message);

/* Is anything but zeros in the bytes of the file, or of a shard, that belong to nothing, or
 * anything after its last page? plb_meta_find_extra (meta.h) asks this, too.
 *
 * is_rewritten  [out]  the error is no more than that the pages of a file are as LMDB or one of its
 *                      tools leaves them, which have copied or edited it: what belongs to nothing
 *                      in that file was not looked at. NULL: not wanted
 *
 * Errors: PLB_ECORRUPT, and the message says where; PLB_EIO, PLB_ENOMEM. Cost: as opening, and
 * reads what is unused. */
int plb_store_find_extra(const plb_store *store, bool *is_rewritten, plb_message *message);

/* Bytes of the files after their last pages; 0 in those as they were written. */
uint64_t plb_store_bytes_after_end(const plb_store *store);

#endif
