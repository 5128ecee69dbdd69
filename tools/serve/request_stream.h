/* SPDX-License-Identifier: MIT
 *
 * The bytes that a connection sends, as they come: where requests begin, and whether the lines of
 * their heads are ended and begun as HTTP has it (RFC 9112, 2.2, 5). The library that takes the
 * heads apart tells neither: it takes CR or LF alone for the end of a line, what continues a line
 * for a part of its name, a line that begins with a colon for the end of the head, and NUL for the
 * end of a text.
 *
 *     between   line ends, which are passed over
 *     head      lines that end with CR LF, the last one empty
 *     body      as many bytes as the head's Content-Length says
 *     lost      a head was malformed: who sent it is refused, and what follows is nobody's
 *
 * What else a head says is left to others (request_head.h): this one knows where a request ends
 * only as far as they take it.
 *
 * Must not know: anything.
 */
#ifndef PLB_TOOLS_SERVE_REQUEST_STREAM_H
#define PLB_TOOLS_SERVE_REQUEST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_LINE = 48 }; /* of a line that much is looked at: a Content-Length has fewer bytes */

typedef enum stream_state { STREAM_BETWEEN, STREAM_HEAD, STREAM_BODY, STREAM_LOST } stream_state;

/* Begins as zeros. */
typedef struct request_stream {
    stream_state state;
    int requests;     /* that have begun */
    int malformed;    /* number, from 1 on, of that with a malformed head; 0: none */
    bool has_line;    /* of the head that is read, its first one */
    bool ends;        /* the last byte was CR */
    size_t line_size; /* so far */
    uint64_t body;    /* bytes that are to come, or will come after the head */
    char line[STREAM_LINE];
} request_stream;

/* Take what has come; returns whether a request begins with it. Cost: a search for the ends of
 * lines. */
bool request_stream_take(request_stream *stream, const char *bytes, size_t size);

#endif
