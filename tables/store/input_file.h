/* SPDX-License-Identifier: MIT
 *
 * A file that is read at given places, through one descriptor and without mapping it: a bad disk,
 * or a file that is cut short while it is open, is an error and not a signal. There are two bodies:
 * input_file.c for files, and tools/module/module.c, where a browser hands the bytes over.
 */
#ifndef PLB_TABLES_STORE_INPUT_FILE_H
#define PLB_TABLES_STORE_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/message.h"

/* Bytes of a file. */
typedef struct plb_extent {
    uint64_t offset, size;
} plb_extent;

/* Which bytes were read, one extent for each time. */
typedef struct plb_read_log {
    plb_extent *reads; /* [count], to be freed by who keeps the log */
    size_t count, room;
    bool is_short; /* memory did not suffice for all */
} plb_read_log;

typedef struct plb_input_file {
    int file; /* -1: none */
    uint64_t size_bytes;
    char *path;
    plb_read_log *log; /* NULL: none is kept; with one, a file belongs to one thread */
} plb_input_file;

/* Open a regular file. Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_EIO, PLB_ENOMEM, PLB_ENOTTABLE
 * (it is something else). */
int plb_input_file_open(const char *path, plb_input_file *input, plb_message *message);

/* Is there anything with this name? */
bool plb_input_file_exists(const char *path);

/* Accepts what was not opened, if file is -1 and path NULL. */
void plb_input_file_close(plb_input_file *input);

/* Read all bytes of an extent. Errors: PLB_ECORRUPT (the file ends before), PLB_EIO.
 * Threads: safe. */
int plb_input_file_read(const plb_input_file *input, plb_extent extent, void *bytes,
                        plb_message *message);

#endif
