/* SPDX-License-Identifier: MIT
 *
 * The bytes that a connection receives: where requests begin, and whether the lines of their heads
 * begin and end as HTTP says (RFC 9112, 2.2, 5). libmicrohttpd reports neither: for it CR or LF
 * alone ends a line, a continued line is part of its name, a line that begins with a colon ends the
 * head, and NUL ends a text.
 *
 *     between   line ends, which are skipped
 *     head      lines that end with CR LF, the last one empty
 *     body      as many bytes as the Content-Length of the head says
 *     lost      a head was malformed: its request is refused, and what follows is ignored
 *
 * All other checks of a head are those of request_head.h.
 *
 * Names that begin with `Cookie` get another letter. libmicrohttpd would parse each cookie into the
 * memory of the connection, and where that does not suffice it does not answer.
 *
 * Must not know: anything.
 */
#ifndef PLB_TOOLS_SERVE_REQUEST_STREAM_H
#define PLB_TOOLS_SERVE_REQUEST_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_LINE = 48 }; /* bytes of a line that are looked at: a Content-Length has fewer */

typedef enum stream_state { STREAM_BETWEEN, STREAM_HEAD, STREAM_BODY, STREAM_LOST } stream_state;

/* Begins as zeros. */
typedef struct request_stream {
    stream_state state;
    int requests;     /* that have begun */
    int malformed;    /* number, from 1 on, of the request with a malformed head; 0: none */
    bool has_line;    /* of the head that is being read, the first one was read */
    bool ends;        /* the last byte was CR */
    size_t line_size; /* so far */
    uint64_t body;    /* bytes that are still to come */
    char line[STREAM_LINE];
} request_stream;

/* Take received bytes; returns whether a request begins in them. Cost: a search for line ends. */
bool request_stream_take(request_stream *stream, char *bytes, size_t size);

#endif
