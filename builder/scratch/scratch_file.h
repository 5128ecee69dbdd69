/* SPDX-License-Identifier: MIT
 *
 * Scratch files: numbered records of bytes, written once by several threads, then read by several.
 *
 *     [records, in order of arrival][directory: offset, size, hash of each][label][notes][foot]
 *
 * The label is one line of text that identifies the file; a file with another label than the caller
 * expects is refused. The notes are data of the writer about all records. Each record has an
 * XXH3-64 checksum; directory, label, notes and foot have one together.
 *
 * Records are read with pread, so that they take memory in the caller's buffers only. Files are not
 * portable to other machines.
 */
#pragma once

#include <stddef.h>

#include "tables/message.h"

enum { PLB_SCRATCH_FORMAT = 16 }; /* version of the layout and of the records of a build */

typedef struct plb_scratch plb_scratch;

/* Create a scratch file; a file with this path is replaced. Errors: those of errno, PLB_ENOMEM. */
int plb_scratch_create(const char *path, const char *label, uint64_t records, plb_scratch **scratch,
                       plb_message *message);

/* Write a record; each once, in any order. Threads: safe. Errors: those of errno. */
int plb_scratch_put(plb_scratch *scratch, uint64_t record, const void *bytes, size_t size,
                    plb_message *message);

/* Complete the file with directory, label and notes, without a sync. It stays open for reading.
 * Errors: those of errno, PLB_ENOMEM. */
int plb_scratch_commit(plb_scratch *scratch, const void *notes, size_t notes_bytes,
                       plb_message *message);

#define PLB_SCRATCH_ANY UINT64_MAX /* any number of records */

/* Open a complete scratch file, which must have this label and number of records.
 * Errors: PLB_ENOTFOUND, PLB_ECORRUPT (damaged, or another one), PLB_ENOMEM, those of errno. */
int plb_scratch_open(const char *path, const char *label, uint64_t records, plb_scratch **scratch,
                     plb_message *message);

uint64_t plb_scratch_records(const plb_scratch *scratch);
uint64_t plb_scratch_size_bytes(const plb_scratch *scratch, uint64_t record);

enum { PLB_SCRATCH_ENTRY_BYTES = 24 }; /* directory entry of a record */

/* Bytes of all records of a complete scratch file; 0 before it is committed. */
uint64_t plb_scratch_bytes(const plb_scratch *scratch);

/* The notes of a complete scratch file and their size, which the caller must check. Owned by the
 * scratch file. */
const void *plb_scratch_notes(const plb_scratch *scratch, size_t *size);

/* Read a record into a buffer of plb_scratch_size_bytes. Threads: safe, after commit or open.
 * Errors: PLB_ECORRUPT, those of errno. */
int plb_scratch_get(const plb_scratch *scratch, uint64_t record, void *bytes, plb_message *message);

/* Write or read `size` bytes at an offset of any file, in several system calls if necessary. Return
 * 0 or an errno; ENODATA: the file is too short. */
int plb_scratch_write_bytes(int file, const void *bytes, size_t size, uint64_t offset);
int plb_scratch_read_bytes(int file, void *bytes, size_t size, uint64_t offset);

/* Return PLB_ECORRUPT, with a message that the file is damaged. */
int plb_scratch_fail_damaged(const plb_scratch *scratch, plb_message *message);

/* Close; a file that was not committed is deleted. NULL is allowed. */
void plb_scratch_close(plb_scratch *scratch);
