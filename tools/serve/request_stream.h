/* SPDX-License-Identifier: MIT
 *
 * Parses the bytes that a connection receives, to find where requests begin, and whether the lines
 * of their heads begin and end as HTTP requires (RFC 9112, 2.2 and 5). libmicrohttpd reports
 * neither: it ends a line at a single CR or LF, adds a continued line to the header name, ends the
 * head at a line that begins with a colon, and a text at NUL.
 *
 *     between     line ends, which are skipped
 *     head        lines that end with CR LF, the last one empty
 *     body        Content-Length bytes
 *     malformed   a head was malformed: its request is refused, and all later bytes are ignored
 *
 * request_head.h makes all other checks of a head.
 *
 * A header name that begins with `Cookie` is changed to begin with `Cooki-`: libmicrohttpd would
 * parse the cookies into the memory of the connection, and not answer if that is too small.
 *
 * Includes no other header of the project.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_PREFIX = 48 }; /* bytes of a line that are kept: enough for a Content-Length */

typedef enum stream_state {
    STREAM_BETWEEN,
    STREAM_HEAD,
    STREAM_BODY,
    STREAM_MALFORMED
} stream_state;

/* Zeros are the initial state. */
typedef struct request_stream {
    stream_state state;
    int requests;        /* number of requests that have begun */
    int malformed;       /* number, from 1, of the request with a malformed head; 0: none */
    bool has_first_line; /* the request line of this head was read */
    bool after_cr;       /* the last byte was CR */
    size_t line_size;    /* bytes of the current line so far */
    uint64_t body;       /* bytes of the body that are missing */
    char line[LINE_PREFIX];
} request_stream;

/* Parse received bytes. Returns whether a request begins in them. Cost: a search for line ends. */
bool request_stream_parse(request_stream *stream, char *bytes, size_t size);
