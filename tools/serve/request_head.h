/* SPDX-License-Identifier: MIT
 *
 * The head of a request, line by line, and what is wrong with it that libmicrohttpd accepts, such
 * as a second Host, or a body in chunks or with two lengths.
 *
 * Must not know: libmicrohttpd, routes.
 */
#ifndef PLB_TOOLS_SERVE_REQUEST_HEAD_H
#define PLB_TOOLS_SERVE_REQUEST_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/serve/exchange.h"
#include "tools/serve/serve_options.h"

typedef struct request_head {
    http_request *request;     /* gets what routes ask for; points into the lines */
    const char *host, *length; /* of the body */
    int lines, hosts, lengths;
    size_t bytes;
    bool encoded;   /* the body comes in chunks */
    bool malformed; /* a line has characters that are not allowed there */
} request_head;

/* Is the value of a Host header, with or without a port, `localhost`, a numerical address, or one
 * of further names, which are a text with commas between them, or NULL? Upper and lower case are
 * the same. A page of another site can make its own name stand for the address of this machine (DNS
 * rebinding) and would then read the answers as its own: so names that are not known are refused.
 * Numerical addresses are not names, and are accepted. */
bool host_is_own(const char *host, const char *names);

/* Begin with the method of the first line; everything else in `head` is zero. */
void request_head_begin(request_head *head, http_request *request, const char *method);

/* Take a line; value may be NULL. */
void request_head_add(request_head *head, const char *name, size_t name_size, const char *value,
                      size_t value_size);

/* Is the request refused before its body is read? Then the answer says why. The target, which is
 * decoded in place, is taken apart into the request.
 *
 * target       [in, out]  as it came
 * version      [in]       HTTP/1.1 or HTTP/1.0
 * checks_host  [in]       false: any name is accepted, as at a socket in the file system */
bool request_head_refuse(const request_head *head, char *target, const char *version,
                         const serve_options *limits, bool checks_host, http_answer *answer);

#endif
