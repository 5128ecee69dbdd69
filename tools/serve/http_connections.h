/* SPDX-License-Identifier: MIT
 *
 * The open connections of the server: their number, and a deadline for each, by its state.
 *
 *     accepted   the first request must arrive completely within the request time
 *     idle       the next request must begin within the idle time
 *     request    head and body must arrive completely; the time counts from the first byte
 *     held       no deadline, while the answer is computed
 *     answer     the client must read the answer, including what is in the buffers of the kernel
 *
 * A sweep shuts down the sockets of connections that have missed their deadline; their owner then
 * finds them closed. When the limit is reached, the longest idle connection is closed for a new
 * one; if none is idle, the new one is over the limit. Times are those of the monotonic clock.
 *
 * libmicrohttpd does not show a program the bytes of a request. Therefore this file replaces
 * recv(2) in the whole process, and passes received bytes to request_stream.h on their way.
 *
 * Threads: any number, but only one for each connection. Must not know: what requests say,
 * libmicrohttpd.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/serve/request_stream.h"

typedef struct http_connection http_connection;
struct http_connection {
    http_connection *next, *previous; /* first members, for insque(3) */
    int socket;
    double request_seconds; /* time for a request to arrive */
    request_stream stream;  /* parses what is received */
    atomic_int requests;    /* number of answered requests */
    bool over_limit;        /* to be refused */
    bool accepts_interim;   /* the request is HTTP/1.1: 100 Continue may be sent */
    bool sent_interim;
    void *exchange; /* the current request, or NULL; freed by the owner of the connection */
    atomic_int_fast64_t deadline_ms;        /* INT64_MAX: none */
    atomic_int_fast64_t idle_since_ms;      /* 0: not idle */
    atomic_int_fast64_t answer_deadline_ms; /* for reading the last answer; INT64_MAX: none */
};

typedef struct http_connections {
    pthread_mutex_t lock; /* guards the list and the count */
    http_connection ring; /* sentinel of a circular list, in order of arrival */
    int count, max;
} http_connections;

/* The structure must not be moved afterwards. */
void http_connections_init(http_connections *connections, int max);
void http_connections_destroy(http_connections *connections);

/* Add a connection; each of its requests must arrive within these seconds. NULL: out of memory, or
 * the socket number is too high. */
http_connection *http_connections_add(http_connections *connections, int socket, double seconds);

/* Remove and free a connection; its socket must still be open. */
void http_connections_remove(http_connections *connections, http_connection *connection);

/* Parse received bytes, in which a request may begin. May change them (request_stream.h). */
void http_connection_receive(http_connection *connection, char *bytes, size_t size);

/* Change the state of a connection, and set its deadline. http_connection_begin_request does
 * nothing if the request has begun already. */
void http_connection_begin_request(http_connection *connection);
void http_connection_hold(http_connection *connection);
void http_connection_begin_answer(http_connection *connection, double seconds);
void http_connection_set_idle(http_connection *connection, double seconds);

/* Is the client of a held connection still there? If it has closed its sending end, it may still
 * read. Then 100 Continue is sent: the system of a client that is gone rejects it, which is known
 * after a round trip. A client of HTTP/1.0 that has closed it counts as gone. One caller at a time.
 */
bool http_connection_has_client(http_connection *connection);

/* Shut down connections that have missed their deadline. stops_idle: also stop receiving from idle
 * ones. */
void http_connections_sweep(http_connections *connections, bool stops_idle);
