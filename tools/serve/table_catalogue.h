/* SPDX-License-Identifier: MIT
 *
 * The tables that are served: those of the files and folders that were named, each by the spec of
 * its game. Of several tables of one game that with distances is served, else that of values, else
 * a strategy; the others are listed as shadowed. A file that cannot be opened is listed as damaged,
 * with the reason.
 *
 * Of a folder all regular files *.plb are taken, not those of its folders, and no link that leads
 * out of it. A scan looks at the files again: what is unchanged (device, inode, size, time) stays
 * open, and the rest is opened beside it and exchanged at once. Who has taken a table keeps it
 * until it is given back, whatever is scanned meanwhile; it is closed after the last one has.
 *
 * Uses the public header alone. Must not know: requests, answers.
 */
#ifndef PLB_TOOLS_SERVE_TABLE_CATALOGUE_H
#define PLB_TOOLS_SERVE_TABLE_CATALOGUE_H

#include <stdatomic.h>

#include "probe/plybase.h"

/* A file, which is immutable but for what is counted. */
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
    _Atomic(void *) kept; /* what those who answer keep with it, freed with it by end_kept */
    void (*end_kept)(void *);
    atomic_bool damaged; /* an answer failed; sentence says how, and is written before this is */
    atomic_uint_fast64_t probes; /* positions asked */
    atomic_uint_fast64_t used;   /* the higher, the later it was taken */
} served_table;

typedef struct table_catalogue table_catalogue;

/* Make a catalogue and scan.
 *
 * paths  [in]  [count] files and folders; must outlive it
 *
 * Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_EIO of what was named, PLB_ENOMEM. */
int table_catalogue_open(char *const *paths, int count, table_catalogue **catalogue,
                         plb_message *message);

/* Nothing may be taken any more. NULL is allowed. */
void table_catalogue_close(table_catalogue *catalogue);

/* Look at the files again; after an error everything is as it was. One thread at a time; those that
 * take and visit go on meanwhile. Errors: as of open. */
int table_catalogue_scan(table_catalogue *catalogue, plb_message *message);

/* The table that is served of a game, or NULL. Threads: safe, as all below. */
served_table *table_catalogue_take(table_catalogue *catalogue, const char *spec);

/* Take once more what was taken; returns it. */
served_table *table_catalogue_keep(served_table *table);

/* Give a table back. NULL is allowed. */
void table_catalogue_give(served_table *table);

/* An answer of a table has failed: PLB_ECORRUPT or PLB_EIO, with its message. */
void table_catalogue_report(table_catalogue *catalogue, served_table *table,
                            const plb_message *message);

/* See all files in the order of their names in the API; shadowed: another one of the same game is
 * served. The visitor must be quick: who takes waits. */
typedef void table_visitor(void *context, const served_table *table, bool shadowed);
void table_catalogue_visit(table_catalogue *catalogue, table_visitor *visit, void *context);

/* Let all tables together keep at most so many bytes of decompressed blocks: those that were taken
 * longest ago give up theirs. What answers are using at the moment stays. */
void table_catalogue_trim(table_catalogue *catalogue, double bytes);

/* Tables that are served. */
int table_catalogue_count(table_catalogue *catalogue);

#endif
