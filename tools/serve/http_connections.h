/* SPDX-License-Identifier: MIT
 *
 * The connections of the server: how many there are, and until when each must have done what it is
 * expected to do next.
 *
 *     it has come        its first request has to arrive whole within the time of a request
 *     it waits           for its next request, at most the idle time
 *     a request begins   its head and body have to arrive whole, from its first byte on
 *     it is held         while the answer is found there is no deadline
 *     it reads           the answer has to be read, also what the system has taken of it
 *
 * A sweep shuts down the sockets of those that are late; whoever owns them then finds them closed.
 * Beyond the limit the connection that has waited longest for a request makes room for a new one;
 * where all are busy the new one is surplus. Times are those of the monotonic clock.
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
    http_connection *next, *previous;
    int socket;
    double request_seconds;          /* for a request to arrive */
    request_stream stream;           /* what it has sent */
    atomic_int requests;             /* that were answered */
    bool surplus;                    /* beyond the limit: it is to be refused */
    atomic_int_fast64_t deadline_ms; /* INT64_MAX: none */
    atomic_int_fast64_t waiting_ms;  /* since when it waits for a request; 0: it does not */
    atomic_int_fast64_t read_ms;     /* until when its answer has to be read; INT64_MAX: it was */
};

typedef struct http_connections {
    pthread_mutex_t lock; /* of the ring and the count */
    http_connection ring; /* this one stands for its ends */
    int count, most;
} http_connections;

/* It must stay where it is. */
void http_connections_begin(http_connections *connections, int most);
void http_connections_end(http_connections *connections);

/* A connection has come, and has so long for its first request, and for each of the others. NULL:
 * there is no memory for it. */
http_connection *http_connections_add(http_connections *connections, int socket, double seconds);

/* It is gone. Its socket must not be closed before. */
void http_connections_remove(http_connections *connections, http_connection *connection);

/* It has sent this: the next request may begin with it. */
void http_connection_receives(http_connection *connection, const char *bytes, size_t size);

/* What it is expected to do next, and within how many seconds. A request that has begun does not
 * begin again. */
void http_connection_begins(http_connection *connection);
void http_connection_is_held(http_connection *connection);
void http_connection_reads(http_connection *connection, double seconds);
void http_connection_waits(http_connection *connection, double seconds);

/* Shut down those that are late; with `waiting` let nothing more come from those that wait for a
 * request. */
void http_connections_sweep(http_connections *connections, bool waiting);

int http_connections_count(http_connections *connections);

#endif
