/* SPDX-License-Identifier: MIT
 *
 * A file that is read at given offsets. It is not mapped: a bad disk, or a file that is cut short
 * while it is open, causes an error instead of a signal. There are two implementations:
 * input_file.c for files, and tools/module/module.c, in which a browser provides the bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tables/message.h"

/* Bytes [offset, offset + size) of a file. */
typedef struct plb_extent {
    uint64_t offset, size;
} plb_extent;

/* A log of all reads of a file. */
typedef struct plb_read_log {
    plb_extent *reads; /* [count], freed by the owner of the log */
    size_t count, capacity;
    bool is_incomplete; /* there was not enough memory for all reads */
} plb_read_log;

typedef struct plb_input_file {
    int file; /* -1: none */
    uint64_t size_bytes;
    char *path;
    plb_read_log *log; /* NULL: no log; with a log, only one thread may read the file */
} plb_input_file;

/* Open a regular file. Errors: PLB_ENOTFOUND, PLB_EPERMISSION, PLB_EIO, PLB_ENOMEM, PLB_ENOTTABLE
 * (not a regular file). */
int plb_input_file_open(const char *path, plb_input_file *input, plb_message *message);

/* Does anything have this name, even if only a symbolic link to nowhere? */
bool plb_input_file_exists(const char *path);

/* If a path is a symbolic link, the path of the file that it leads to, which the caller frees.
 * Otherwise, or after an error, NULL. */
char *plb_input_file_follow(const char *path);

/* Also accepts {.file = -1}. */
void plb_input_file_close(plb_input_file *input);

/* Read all bytes of an extent. Errors: PLB_ECORRUPT (the file ends before their end), PLB_EIO.
 * Threads: safe. */
int plb_input_file_read(const plb_input_file *input, plb_extent extent, void *bytes,
                        plb_message *message);
