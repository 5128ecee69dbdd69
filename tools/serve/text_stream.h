/* SPDX-License-Identifier: MIT
 *
 * A stream into memory that knows whether all of it got there: one of open_memstream loses what it
 * has no memory for, and says so to nobody but the call that wrote it.
 *
 * Must not know: what is written.
 */
#ifndef PLB_TOOLS_SERVE_TEXT_STREAM_H
#define PLB_TOOLS_SERVE_TEXT_STREAM_H

#include <stdio.h>

typedef struct text_stream {
    char *text; /* [room] of which size bytes are written */
    size_t size, room;
    char buffer[4096]; /* of the FILE */
} text_stream;

/* Begin; NULL when memory does not suffice. The stream must stay where it is. */
FILE *text_stream_open(text_stream *stream);

/* End, and take the text, of *size bytes and a 0 behind them, to be freed; NULL when memory did not
 * suffice for all of it. The FILE may be NULL. */
char *text_stream_close(text_stream *stream, FILE *to, size_t *size);

#endif
