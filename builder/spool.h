/* SPDX-License-Identifier: MIT
 *
 * Scratch files: numbered items of bytes, written once by many threads, then read by many. A
 * spool has its name only when it is complete, so what exists after a crash is whole:
 *
 *     [items, in order of arrival][directory: offset, size, hash of each][notes][foot]
 *
 * Items are read with pread, so that scratch data takes no memory of the process beyond what the
 * caller asks for (plb_spool_load holds small ones, if he says so); the system keeps what it has
 * room for in its cache. Every item is checked against its XXH3-64. Files are for this machine
 * only.
 */
#ifndef PLB_BUILDER_SPOOL_H
#define PLB_BUILDER_SPOOL_H

#include <stddef.h>

#include "tables/message.h"

enum { PLB_SPOOL_NOTES = 8 };

typedef struct plb_spool plb_spool;

/* Begin a spool of a number of items. Errors: those of errno, PLB_ENOMEM. */
int plb_spool_create(const char *path, uint64_t items, plb_spool **spool, plb_message *message);

/* Add an item; each once, in any order. Threads: safe. Errors: those of errno. */
int plb_spool_put(plb_spool *spool, uint64_t item, const void *bytes, size_t size,
                  plb_message *message);

/* Write directory and notes and give the file its name. The spool stays open for reading. */
int plb_spool_commit(plb_spool *spool, const uint64_t notes[PLB_SPOOL_NOTES], plb_message *message);

/* Open a complete spool. Errors: PLB_ENOTFOUND, PLB_ECORRUPT, those of errno. */
int plb_spool_open(const char *path, plb_spool **spool, plb_message *message);

/* Hold the items of an open spool in memory, if they are small and take no more than most_bytes
 * together: they are then read without system calls. Errors: PLB_ENOMEM, those of errno. */
int plb_spool_load(plb_spool *spool, uint64_t most_bytes, plb_message *message);

uint64_t plb_spool_items(const plb_spool *spool);
uint64_t plb_spool_note(const plb_spool *spool, int note);
uint64_t plb_spool_size_bytes(const plb_spool *spool, uint64_t item);

/* All items of a complete spool. */
uint64_t plb_spool_bytes(const plb_spool *spool);

/* Read an item into a buffer of plb_spool_size_bytes. Threads: safe, after commit or open.
 * Errors: PLB_ECORRUPT, those of errno. */
int plb_spool_get(const plb_spool *spool, uint64_t item, void *bytes, plb_message *message);

/* Close; a spool that was not committed is deleted. NULL is allowed. */
void plb_spool_close(plb_spool *spool);

#endif
