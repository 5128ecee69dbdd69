/* SPDX-License-Identifier: MIT
 *
 * What carries requests to the routes and answers back: libmicrohttpd, with what it leaves open.
 *
 *     absolute deadlines   a connection whose request does not arrive whole in time, that waits too
 *                          long for the next one, or that does not read its answer, is closed, and
 *                          there are only so many (http_connections.h)
 *     strictness           a second Host, a body whose length is given twice or in pieces, names
 *                          and values with characters that do not belong there, lines that are
 *                          continued (request_head.h), and names of other hosts (host_names.h)
 *                          are refused, by what was sent (request_stream.h, received_bytes.h)
 *
 * What is malformed in a way that the library notices itself is answered by it, in its words.
 * This is the only place that knows libmicrohttpd.
 */
#ifndef PLB_TOOLS_SERVE_HTTP_SERVER_H
#define PLB_TOOLS_SERVE_HTTP_SERVER_H

#include "tools/serve/listening.h"
#include "tools/serve/service.h"

typedef struct http_server http_server;

/* Begin to serve, in threads of its own. The socket is the server's from now on.
 * Errors: PLB_EIO, PLB_ENOMEM. */
int http_server_open(service *service, const listening *listening, http_server **server,
                     plb_message *message);

/* Close connections that are past their deadlines; to be called a few times a second. */
void http_server_sweep(http_server *server);

/* Take no more connections, and close those that wait for a request. */
void http_server_stop_listening(http_server *server);

/* Connections that are open. */
int http_server_connections(http_server *server);

/* End all connections. NULL is allowed. */
void http_server_close(http_server *server);

#endif
