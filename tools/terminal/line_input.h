/* SPDX-License-Identifier: MIT
 *
 * Lines that a person or a script enters. On a terminal they can be edited, and earlier ones come
 * back with the cursor keys; from anywhere else they are read as they are, without a prompt.
 */
#ifndef PLB_TOOLS_TERMINAL_LINE_INPUT_H
#define PLB_TOOLS_TERMINAL_LINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct line_input {
    bool prompts; /* the standard input is a terminal */
    bool edits;   /* and so is the standard output, one that can move its cursor */
    char *line;   /* the last line */
    size_t capacity;
} line_input;

line_input open_line_input(void);
void close_line_input(line_input *input);

/* The next line, without its end and a byte order mark, to be changed as you like until the next
 * call; NULL at the end of input, or when what was printed before cannot be written. */
char *read_line(line_input *input, const char *prompt);

/* Does a terminal at the standard output understand escape sequences? */
bool terminal_has_escapes(void);

/* The same, and NO_COLOR does not forbid colours (no-color.org). */
bool terminal_takes_colour(void);

#endif
