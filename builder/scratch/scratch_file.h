/* SPDX-License-Identifier: MIT
 *
 * Scratch files: numbered records of bytes, written once by many threads, then read by many.
 *
 *     [records, in order of arrival][directory: offset, size, hash of each][label][notes][foot]
 *
 * The label is one line of text that says what the file is. The caller that opens a file gives the
 * label that it must have: a file of another build, kind or ply is refused. The notes are data of
 * the writer about all records. Directory, label and notes have one XXH3-64, every record has its
 * own.
 *
 * Records are read with pread, so that scratch data takes no memory of the process except the
 * buffers of the caller. Files are for this machine only.
 */
#ifndef PLB_BUILDER_SCRATCH_SCRATCH_FILE_H
#define PLB_BUILDER_SCRATCH_SCRATCH_FILE_H

#include <stddef.h>

#include "tables/message.h"

enum { PLB_SCRATCH_FORMAT = 16 }; /* of the layout, and of what a build writes in it */

typedef struct plb_scratch plb_scratch;

/* Begin a scratch file of a number of records; it replaces a file that has its path.
 * Errors: those of errno, PLB_ENOMEM. */
int plb_scratch_create(const char *path, const char *label, uint64_t records, plb_scratch **scratch,
                       plb_message *message);

/* Add a record; each once, in any order. Threads: safe. Errors: those of errno. */
int plb_scratch_put(plb_scratch *scratch, uint64_t record, const void *bytes, size_t size,
                    plb_message *message);

/* Complete the file with directory, label and notes; nothing is synced. It stays open for
 * reading. Errors: those of errno, PLB_ENOMEM. */
int plb_scratch_commit(plb_scratch *scratch, const void *notes, size_t notes_bytes,
                       plb_message *message);

/* A number of records that is not known to who opens a file. */
#define PLB_SCRATCH_ANY UINT64_MAX

/* Open a complete scratch file, which must have this label and number of records.
 * Errors: PLB_ENOTFOUND, PLB_ECORRUPT (damaged, or another one), PLB_ENOMEM, those of errno. */
int plb_scratch_open(const char *path, const char *label, uint64_t records, plb_scratch **scratch,
                     plb_message *message);

uint64_t plb_scratch_records(const plb_scratch *scratch);
uint64_t plb_scratch_size_bytes(const plb_scratch *scratch, uint64_t record);

enum { PLB_SCRATCH_ENTRY_BYTES = 24 }; /* of the directory, for each record */

/* Bytes of all records of a complete scratch file; 0 before it is committed. */
uint64_t plb_scratch_bytes(const plb_scratch *scratch);

/* The notes of a complete scratch file and their number of bytes, which is the reader's to check.
 * Owned by the scratch file. */
const void *plb_scratch_notes(const plb_scratch *scratch, size_t *size);

/* Read a record into a buffer of plb_scratch_size_bytes. Threads: safe, after commit or open.
 * Errors: PLB_ECORRUPT, those of errno. */
int plb_scratch_get(const plb_scratch *scratch, uint64_t record, void *bytes, plb_message *message);

/* Write or read all of some bytes at an offset of any file. Return 0 or a number of errno; ENODATA:
 * the file ends before. */
int plb_scratch_write_bytes(int file, const void *bytes, size_t size, uint64_t offset);
int plb_scratch_read_bytes(int file, void *bytes, size_t size, uint64_t offset);

/* What is in the file is not what was written: PLB_ECORRUPT, with a message that names it. */
int plb_scratch_fail_damaged(const plb_scratch *scratch, plb_message *message);

/* Close; a file that was not committed is deleted. NULL is allowed. */
void plb_scratch_close(plb_scratch *scratch);

#endif
