/* SPDX-License-Identifier: MIT
 *
 * Scratch files: numbered items of bytes, written once by many threads, then read by many.
 *
 *     [items, in order of arrival][directory: offset, size, hash of each][identity][notes][foot]
 *
 * The identity is one line of text that says what the file is, and who opens a file says what it
 * must be: a file of another build, kind or ply is refused. The notes are whatever the writer has
 * to say of all items. Directory, identity and notes have one XXH3-64, every item has its own.
 *
 * Items are read with pread, so that scratch data takes no memory of the process beyond what the
 * caller asks for (plb_spool_load holds small ones, if he says so); the system keeps what it has
 * room for in its cache. Files are for this machine only.
 */
#ifndef PLB_BUILDER_SPOOL_H
#define PLB_BUILDER_SPOOL_H

#include <stddef.h>

#include "tables/message.h"

enum { PLB_SPOOL_FORMAT = 4 }; /* of the layout, and of what a build writes in it */

typedef struct plb_spool plb_spool;

/* Begin a spool of a number of items, in place of a file that has its path.
 * Errors: those of errno, PLB_ENOMEM. */
int plb_spool_create(const char *path, const char *identity, uint64_t items, plb_spool **spool,
                     plb_message *message);

/* Add an item; each once, in any order. Threads: safe. Errors: those of errno. */
int plb_spool_put(plb_spool *spool, uint64_t item, const void *bytes, size_t size,
                  plb_message *message);

/* Complete the file with directory, identity and notes; nothing is synced. The spool stays open for
 * reading. Errors: those of errno, PLB_ENOMEM. */
int plb_spool_commit(plb_spool *spool, const void *notes, size_t notes_bytes, plb_message *message);

/* Open a complete spool that must have this identity and number of items.
 * Errors: PLB_ENOTFOUND, PLB_ECORRUPT (damaged, or another one), PLB_ENOMEM, those of errno. */
int plb_spool_open(const char *path, const char *identity, uint64_t items, plb_spool **spool,
                   plb_message *message);

/* Hold the items of an open spool in memory, if they are small and take no more than most_bytes
 * together: they are then read without system calls. Errors: PLB_ENOMEM, those of errno. */
int plb_spool_load(plb_spool *spool, uint64_t most_bytes, plb_message *message);

uint64_t plb_spool_size_bytes(const plb_spool *spool, uint64_t item);

/* All items of a complete spool. */
uint64_t plb_spool_bytes(const plb_spool *spool);

/* The notes of a complete spool and their number of bytes, which is the reader's to check (size
 * NULL: not asked for). Owned by the spool. */
const void *plb_spool_notes(const plb_spool *spool, size_t *size);

/* Read an item into a buffer of plb_spool_size_bytes. Threads: safe, after commit or open.
 * Errors: PLB_ECORRUPT, those of errno. */
int plb_spool_get(const plb_spool *spool, uint64_t item, void *bytes, plb_message *message);

/* What is in the file is not what was written: PLB_ECORRUPT, with a message that names it. */
int plb_spool_fail_damaged(const plb_spool *spool, plb_message *message);

/* Close; the file of a spool that was not committed is deleted. NULL is allowed. */
void plb_spool_close(plb_spool *spool);

#endif
