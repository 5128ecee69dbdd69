/* SPDX-License-Identifier: MIT
 *
 * Collects the header lines of a request, and refuses what libmicrohttpd accepts but this server
 * does not: a second Host or the host of another site, Transfer-Encoding, two Content-Lengths, and
 * characters that are not allowed.
 *
 * Must not know: libmicrohttpd, routes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tools/serve/exchange.h"
#include "tools/serve/serve_options.h"

typedef struct request_head {
    http_request *request;     /* gets the headers that routes need; points into the lines */
    const char *host, *length; /* values of Host and Content-Length, or NULL */
    int lines, hosts, lengths; /* numbers of all lines, of Host and of Content-Length */
    size_t bytes;
    bool encoded;   /* there is a Transfer-Encoding */
    bool malformed; /* a line has characters that are not allowed there */
} request_head;

/* Does a Host header, with or without a port, name this server: `localhost`, a numerical address,
 * or one of `names` (separated by commas, or NULL)? Case is ignored. Other names are refused
 * against DNS rebinding: a page of another site can let its own name resolve to the address of this
 * machine, and could then read the answers. This is not possible with numerical addresses. */
bool host_is_own(const char *host, const char *names);

/* Initialize a head with the method of the request line. */
void request_head_begin(request_head *head, http_request *request, const char *method);

/* Add a header line; value may be NULL. */
void request_head_add(request_head *head, const char *name, size_t name_size, const char *value,
                      size_t value_size);

/* Check a head. True: the request is refused before its body is read, and the answer says why.
 * False: the target was parsed into the request.
 *
 * target       [in,out]  of the request line; decoded in place
 * version      [in]      HTTP/1.1 or HTTP/1.0
 * checks_host  [in]      false: accept any Host, as at a socket in the file system */
bool request_head_refuse(const request_head *head, char *target, const char *version,
                         const serve_options *limits, bool checks_host, http_answer *answer);
