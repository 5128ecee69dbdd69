/* SPDX-License-Identifier: MIT
 *
 * The server: libmicrohttpd passes requests to the routes and answers back. What the library does
 * not do is done here:
 *
 *     absolute deadlines   a connection is closed if its request does not arrive completely in
 *                          time, if it waits too long for the next one, or if it does not read its
 *                          answer; and their number is limited (http_connections.h)
 *     strictness           refused are a second Host, a length of the body that is given twice, a
 *                          body in chunks, invalid characters in names and values, continued lines,
 *                          names of other hosts (request_head.h) and malformed line ends
 *                          (request_stream.h)
 *
 * What is malformed in a way that the library notices itself is answered by the library.
 * This is the only place that knows libmicrohttpd.
 */
#ifndef PLB_TOOLS_SERVE_HTTP_SERVER_H
#define PLB_TOOLS_SERVE_HTTP_SERVER_H

#include "tools/serve/listening.h"
#include "tools/serve/routes.h"

typedef struct http_server http_server;

/* Begin to serve, in threads of its own. The socket is owned by the server.
 * Errors: PLB_EIO, PLB_ENOMEM. */
int http_server_open(service *service, const listening *listening, http_server **server,
                     plb_message *message);

/* Close connections that are past their deadlines; to be called a few times a second. */
void http_server_sweep(http_server *server);

/* Accept no more connections, and close those that wait for a request. */
void http_server_stop_listening(http_server *server);

/* The number of open connections. */
int http_server_connections(http_server *server);

/* End all connections. NULL is allowed. */
void http_server_close(http_server *server);

#endif
