/* SPDX-License-Identifier: MIT
 *
 * The tables that are served: those of the given files and folders, each by the spec of its game.
 * Of several tables of one game a table with distances is preferred, then one with values, then a
 * strategy; the others are listed as shadowed. A file that cannot be opened is listed as damaged,
 * with the reason; so is one that would take more memory than the tables together may take.
 *
 * Of a folder all regular files *.plb are used, without subfolders and without links that lead out
 * of it. A scan looks at the files again: unchanged ones (device, inode, size, time) stay open, the
 * others are opened, and then the list is exchanged. A table that was taken stays open until it is
 * given back, also if a scan has removed it. Of a table that is opened all bytes are read once, for
 * its id (plybase.h), which changes with any of them.
 *
 * Must not know: requests, answers.
 */
#ifndef PLB_TOOLS_SERVE_TABLE_CATALOGUE_H
#define PLB_TOOLS_SERVE_TABLE_CATALOGUE_H

#include <stdatomic.h>

#include "probe/plybase.h"

/* A file. Only counts, and what is atomic, change. */
typedef struct served_table {
    plb_table *table; /* NULL: it could not be opened, and sentence says why */
    const plb_table_info *info;
    char *path;
    const char *name; /* of the file, in path */
    plb_value first_player;
    plb_message sentence;
    uint64_t device, inode, size_bytes;
    int64_t changed_ns;
    atomic_int users;
    _Atomic(void *) enumeration; /* of sample_routes.c; freed with the table */
    atomic_bool damaged;         /* an answer failed; sentence, which is written before, says how */
    atomic_uint_fast64_t probes; /* positions that were asked */
    atomic_uint_fast64_t analyses; /* of batches; equal positions of one count once */
    atomic_uint_fast64_t used;     /* higher: taken later */
} served_table;

typedef struct table_catalogue table_catalogue;

/* Make a catalogue and scan.
 *
 * paths         [in]  [count] files and folders; must outlive it
 * memory_bytes  [in]  for all tables; see table_catalogue_trim
 *
 * Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_EIO of what was named, PLB_ENOMEM. */
int table_catalogue_open(char *const *paths, int count, double memory_bytes,
                         table_catalogue **catalogue, plb_message *message);

/* All tables must have been given back. NULL is allowed. */
void table_catalogue_close(table_catalogue *catalogue);

/* Look at the files again; after an error nothing has changed. Threads: one at a time; others may
 * take and visit. Errors: as of open. */
int table_catalogue_scan(table_catalogue *catalogue, plb_message *message);

/* Take the table of a game, or NULL. Threads: safe, as all functions below. */
served_table *table_catalogue_take(table_catalogue *catalogue, const char *spec);

/* Take a table once more; returns it. */
served_table *table_catalogue_keep(served_table *table);

/* Give a table back. NULL is allowed. */
void table_catalogue_give(served_table *table);

/* Report that an answer of a table has failed with PLB_ECORRUPT or PLB_EIO. */
void table_catalogue_report(table_catalogue *catalogue, served_table *table,
                            const plb_message *message);

/* Visit all files by spec; shadowed: another one of the same game is served. The visitor must be
 * quick: taking a table waits for it. */
typedef void table_visitor(void *context, const served_table *table, bool shadowed);
void table_catalogue_visit(table_catalogue *catalogue, table_visitor *visit, void *context);

/* Limit the decompressed blocks of all tables to what the open tables leave of the memory: those of
 * the tables that were taken longest ago are freed. What answers are using is not. */
void table_catalogue_trim(table_catalogue *catalogue);

/* The number of tables that are served. */
int table_catalogue_count(table_catalogue *catalogue);

#endif
