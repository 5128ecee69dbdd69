/* SPDX-License-Identifier: MIT
 *
 * The HTTP server: libmicrohttpd carries requests to the routes, and their answers back. Added here
 * is what the library lacks:
 *
 *     deadlines and limits   of connections (http_connections.h)
 *     strict parsing         of heads (request_head.h) and their line ends (request_stream.h)
 *
 * Requests that the library itself finds malformed are answered by the library.
 * Only http_server.c includes libmicrohttpd.
 */
#pragma once

#include "tools/serve/listener.h"
#include "tools/serve/routes.h"

typedef struct http_server http_server;

/* Start threads that serve connections. The listener must outlive the server.
 * Errors: PLB_EIO, PLB_ENOMEM. */
int http_server_open(service *service, const listener *listener, http_server **server,
                     plb_message *message);

/* Accept connections for this time. If the system has no descriptor or no memory for another one,
 * clients wait in the backlog of the socket. One thread calls it. */
void http_server_accept(http_server *server, int ms);

/* Close connections that have missed their deadlines; to be called a few times a second. While the
 * service shuts down, also idle ones. */
void http_server_sweep(http_server *server);

/* Close all connections. NULL is allowed. */
void http_server_close(http_server *server);
