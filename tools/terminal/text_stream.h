/* SPDX-License-Identifier: MIT
 *
 * A stream into memory that knows whether everything got there: open_memstream loses what it has no
 * memory for, and only the call that wrote it sees the error.
 */
#ifndef PLB_TOOLS_TERMINAL_TEXT_STREAM_H
#define PLB_TOOLS_TERMINAL_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct text_stream {
    char *text; /* [capacity], the first `size` bytes are written, and a zero byte */
    size_t size, capacity;
    char buffer[4096]; /* of the FILE */
} text_stream;

/* Begin; NULL: memory does not suffice. The stream must stay where it is. */
FILE *text_stream_open(text_stream *stream);

/* End; the FILE may be NULL. The text is to be freed; false: memory did not suffice for all of it,
 * and it is NULL. */
bool text_stream_close(text_stream *stream, FILE *to);

#endif
