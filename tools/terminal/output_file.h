/* SPDX-License-Identifier: MIT
 *
 * A file that a command writes for its user. It gets its name when it is complete. Until then it
 * has no name (O_TMPFILE), so that nothing is left if the process is killed. If the file system has
 * no such files, it has a temporary name beside OUT: `OUT.` and six characters. An existing file is
 * replaced only with `force`. Without it, if another process makes OUT meanwhile, the complete file
 * keeps a temporary name.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "probe/plybase.h"

typedef struct output_file {
    const char *path; /* `-`: stdout */
    bool force;
    FILE *stream;
    char *temporary; /* name until the file is complete, or NULL */
    mode_t mode;     /* to set when it is complete; 0: the mode is right already */
} output_file;

/* Begin a file. What exists at the path does not change before output_file_finish.
 *
 * path   [in]  must outlive the file
 * force  [in]  replace an existing file
 *
 * Errors: PLB_EARGUMENT (a file exists, or something that is no file), PLB_ENOMEM, those of the
 * system. Call output_file_close also after an error. */
int output_file_open(const char *path, bool force, output_file *file, plb_message *message);

/* Add bytes. Errors: PLB_ENOSPACE and others of the system. */
int output_file_add(output_file *file, const char *bytes, size_t size, plb_message *message);

/* A path by which a library can open and write the file, in place of output_file_add. It is in
 * `link` or owned by the file. Not for stdout. */
enum { OUTPUT_LINK = 32 };
const char *output_file_link(output_file *file, char link[OUTPUT_LINK]);

/* Free bytes of the disk that has the file; 0: unknown, for example if stdout is a pipe. */
double output_file_room(const output_file *file);

/* Go back to the first byte, to overwrite the header. Not for stdout. Errors: those of the system.
 */
int output_file_rewind(output_file *file, plb_message *message);

/* Flush the file to the disk and give it its name. Errors: PLB_EARGUMENT (another process has made
 * a file of this name; the message has the temporary name), those of the system. */
int output_file_finish(output_file *file, plb_message *message);

/* Draw a picture in memory, then write it as a file. Errors: PLB_ENOMEM, and those of the functions
 * above. */
int output_file_draw(const char *path, bool force, void (*draw)(FILE *to, const void *what),
                     const void *what, plb_message *message);

/* May a picture have this name: does it end in .svg, or is it `-` for stdout? */
bool is_picture_name(const char *path);

/* Free the file; if it is not finished, remove it. */
void output_file_close(output_file *file);
