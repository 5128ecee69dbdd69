/* SPDX-License-Identifier: MIT
 *
 * The tables that are served: those of the given files and folders, found by the spec of the game.
 * Of several tables of one game, one with distances is preferred, then one with values, then a
 * strategy; the others are listed as shadowed. A file that cannot be opened, or needs more memory
 * than the other tables leave, is listed as damaged, with the reason.
 *
 * A folder gives its regular files *.plb, without subfolders and without links that lead out of it.
 * A scan opens new and changed files (by device, inode, size, time), keeps the others open, and
 * then replaces the list. Tables are reference counted: an acquired table stays open until it is
 * released, even if a scan has removed it. Opening a table reads all of its bytes, for its id
 * (plybase.h).
 *
 * Must not know: requests, answers.
 */
#pragma once

#include <stdatomic.h>
#include <sys/stat.h>

#include "probe/plybase.h"

/* A file. Only atomic members change after it was opened, and `message` once before `damaged`. */
typedef struct served_table {
    plb_table *table; /* NULL: could not be opened */
    const plb_table_info *info;
    char *path;
    const char *name; /* of the file; points into path */
    plb_value first_player;
    plb_message message; /* why the file could not be opened, or is damaged */
    struct stat file;    /* when it was opened */
    atomic_int references;
    _Atomic(void *) enumeration;   /* set by sample_routes.c; freed with the table */
    atomic_bool damaged;           /* a lookup has failed */
    atomic_uint_fast64_t probes;   /* number of requested positions */
    atomic_uint_fast64_t analyses; /* in batches; equal positions of a batch count once */
    atomic_uint_fast64_t last_use; /* the clock of the catalogue at the last acquire */
} served_table;

typedef struct table_catalogue table_catalogue;

/* Make a catalogue and scan.
 *
 * paths         [in]  [count] files and folders; must outlive the catalogue
 * memory_bytes  [in]  limit for all tables together; see table_catalogue_trim
 *
 * Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_EIO of a path, PLB_ENOMEM. */
int table_catalogue_open(char *const *paths, int count, double memory_bytes,
                         table_catalogue **catalogue, plb_message *message);

/* All tables must have been released. NULL is allowed. */
void table_catalogue_close(table_catalogue *catalogue);

/* Scan the files again; after an error nothing has changed. Threads: one scan at a time; others may
 * acquire and visit meanwhile. Errors: as for open. */
int table_catalogue_scan(table_catalogue *catalogue, plb_message *message);

/* Get a reference to the table of a game, or NULL. Threads: safe, as all functions below. */
served_table *table_catalogue_acquire(table_catalogue *catalogue, const char *spec);

/* Add a reference; returns the table. */
served_table *table_catalogue_retain(served_table *table);

/* Release a reference. NULL is allowed. */
void table_catalogue_release(served_table *table);

/* Mark a table as damaged: a lookup has failed with PLB_ECORRUPT or PLB_EIO. */
void table_catalogue_report(table_catalogue *catalogue, served_table *table,
                            const plb_message *message);

/* Call a visitor for all files, sorted by spec. shadowed: another table of the same game is served.
 * The visitor must be quick, since it runs with the lock of the catalogue. */
typedef void table_visitor(void *context, const served_table *table, bool shadowed);
void table_catalogue_visit(table_catalogue *catalogue, table_visitor *visit, void *context);

/* Keep all tables within the memory limit, by freeing the cached blocks of the least recently
 * acquired tables. Blocks in use are not freed. */
void table_catalogue_trim(table_catalogue *catalogue);

/* The number of tables that are served. */
int table_catalogue_count(table_catalogue *catalogue);
