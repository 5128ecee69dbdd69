/* SPDX-License-Identifier: MIT
 *
 * Lines of standard input. On a terminal they can be edited, and the cursor keys recall earlier
 * ones, if libedit is installed; from a file or a pipe they are read without a prompt.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct line_input {
    bool prompts; /* stdin is a terminal */
    /* of libedit; NULL: it is missing, or stdout is no terminal with escape sequences */
    char *(*edit)(const char *prompt);
    int (*add_history)(const char *line);
    char *line; /* [capacity], the last line */
    size_t capacity;
} line_input;

line_input open_line_input(void);
void close_line_input(line_input *input);

/* Flush stdout, then read a line, without its line end and byte order mark. The caller may change
 * it; it is valid until the next call. NULL: end of input, or stdout cannot be written. */
char *read_line(line_input *input, const char *prompt);

/* Is stdout a terminal that understands escape sequences? */
bool terminal_has_escapes(void);

/* The same, and does NO_COLOR not forbid colours (no-color.org)? */
bool terminal_takes_colour(void);
