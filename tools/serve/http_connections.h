/* SPDX-License-Identifier: MIT
 *
 * The connections of the server: how many there are, and until when each must have done what is
 * expected next.
 *
 *     accepted           its first request has to arrive completely within the time of a request
 *     it waits           for its next request, at most the idle time
 *     a request begins   head and body have to arrive completely, counted from the first byte
 *     it is held         there is no deadline while the answer is being found
 *     it reads           the answer has to be read, also what is in the buffers of the system
 *
 * A sweep shuts down the sockets of those that are late; their owner then finds them closed. When
 * the limit is reached, the connection that has waited longest for a request is closed for a new
 * one; if all are busy, the new one is over the limit. Times are those of the monotonic clock.
 *
 * libmicrohttpd does not show a program the bytes of a request. Therefore recv(2) is replaced in
 * the whole process: what is received at the socket of a connection is followed (request_stream.h)
 * on its way to the caller.
 *
 * Threads: any number, one of them for a connection. Must not know: what requests say,
 * libmicrohttpd.
 */
#ifndef PLB_TOOLS_SERVE_HTTP_CONNECTIONS_H
#define PLB_TOOLS_SERVE_HTTP_CONNECTIONS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/serve/request_stream.h"

typedef struct http_connection http_connection;
struct http_connection {
    http_connection *next, *previous; /* first, for insque(3) */
    int socket;
    double request_seconds; /* in which a request has to arrive */
    request_stream stream;  /* what was received */
    atomic_int requests;    /* that were answered */
    bool over_limit;        /* it is to be refused */
    bool takes_interim;     /* its request may get interim answers: HTTP/1.1 */
    bool sent_interim;
    void *exchange; /* that has begun; NULL: none. The owner of the connection frees it */
    atomic_int_fast64_t deadline_ms; /* INT64_MAX: none */
    atomic_int_fast64_t waiting_ms;  /* since when it waits for a request; 0: it does not */
    atomic_int_fast64_t read_ms;     /* until when its answer has to be read; INT64_MAX: it was */
};

typedef struct http_connections {
    pthread_mutex_t lock; /* of the ring and the count */
    http_connection ring; /* stands for its ends */
    int count, most;
} http_connections;

/* It must stay where it is. */
void http_connections_begin(http_connections *connections, int most);
void http_connections_end(http_connections *connections);

/* Add a connection; each of its requests has to arrive within these seconds. NULL: memory does not
 * suffice, or the number of the socket is too high. */
http_connection *http_connections_add(http_connections *connections, int socket, double seconds);

/* Remove it; its socket must still be open. */
void http_connections_remove(http_connections *connections, http_connection *connection);

/* These bytes were received: the next request may begin with them. They may be changed
 * (request_stream.h). */
void http_connection_receives(http_connection *connection, char *bytes, size_t size);

/* What is expected next, and within how many seconds. A request that has begun does not begin
 * again. */
void http_connection_begins(http_connection *connection);
void http_connection_is_held(http_connection *connection);
void http_connection_reads(http_connection *connection, double seconds);
void http_connection_waits(http_connection *connection, double seconds);

/* Is the client of a connection that is held still there? It may have shut its sending end alone.
 * An interim answer, 100 Continue, finds out: the system of a client that is gone refuses it,
 * within the time to the client and back. A client that takes none is gone. One caller at a time.
 */
bool http_connection_has_client(http_connection *connection);

/* Shut down those that are late; with `waiting` let nothing more come from those that wait for a
 * request. */
void http_connections_sweep(http_connections *connections, bool waiting);

int http_connections_count(http_connections *connections);

#endif
