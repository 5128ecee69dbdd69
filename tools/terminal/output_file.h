/* SPDX-License-Identifier: MIT
 *
 * A file that a command writes for its user: it gets its name only when it is complete. Until then
 * it has none, so that nothing is left if the process is killed; where the file system knows no
 * such files it is `OUT.` and six characters, beside OUT. What was there is replaced only if that
 * is wanted.
 */
#ifndef PLB_TOOLS_TERMINAL_OUTPUT_FILE_H
#define PLB_TOOLS_TERMINAL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "probe/plybase.h"

typedef struct output_file {
    const char *path; /* `-`: stdout */
    bool force;
    FILE *stream;
    char *temporary; /* name until the file is complete, or NULL */
    mode_t mode;     /* that it gets when it is complete; 0: it has it */
} output_file;

/* Begin a file: nothing of the path is touched yet.
 *
 * path   [in]  must outlive the file
 * force  [in]  the path may be that of a file, which will be replaced
 *
 * Errors: PLB_EARGUMENT (there is a file, or something else), PLB_ENOMEM, those of the system.
 * Close it in any case. */
int output_file_open(const char *path, bool force, output_file *file, plb_message *message);

/* Add bytes. Errors: PLB_ENOSPACE and others of the system. */
int output_file_add(output_file *file, const char *bytes, size_t size, plb_message *message);

/* A path by which a library can write the file, as long as it is empty and not finished, in `link`
 * or owned by the file. Not of stdout. */
enum { OUTPUT_LINK = 32 };
const char *output_file_link(output_file *file, char link[OUTPUT_LINK]);

/* The bytes that are free where it is written; 0 if unknown, as of what is no file. */
double output_file_room(const output_file *file);

/* Go back to the first byte, to write over what is there; on stdout nothing happens, and *rewound
 * is false. Errors: those of the system. */
int output_file_rewind(output_file *file, bool *rewound, plb_message *message);

/* Make sure that all is on the disk, and give the file its name. Errors: those of the system. */
int output_file_finish(output_file *file, plb_message *message);

/* All of the above for a picture, which is drawn in memory first. Errors: PLB_ENOMEM, and those of
 * the functions above. */
int output_file_draw(const char *path, bool force, void (*draw)(FILE *to, const void *what),
                     const void *what, plb_message *message);

/* May a picture have this name: does it end in .svg, or is it `-` for stdout? */
bool is_picture_name(const char *path);

/* Free all; what was not finished is removed. */
void output_file_close(output_file *file);

#endif
