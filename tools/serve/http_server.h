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
#ifndef PLB_TOOLS_SERVE_HTTP_SERVER_H
#define PLB_TOOLS_SERVE_HTTP_SERVER_H

#include "tools/serve/listener.h"
#include "tools/serve/routes.h"

typedef struct http_server http_server;

/* Start to serve, in new threads. The server takes ownership of the socket.
 * Errors: PLB_EIO, PLB_ENOMEM. */
int http_server_open(service *service, const listener *listener, http_server **server,
                     plb_message *message);

/* Close connections that have missed their deadlines; to be called a few times a second. */
void http_server_sweep(http_server *server);

/* Accept no more connections, and close idle ones. */
void http_server_stop_listening(http_server *server);

/* Close all connections. NULL is allowed. */
void http_server_close(http_server *server);

#endif
