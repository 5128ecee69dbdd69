/* SPDX-License-Identifier: MIT
 *
 * The listening socket: on an address and a port, in the file system, or passed by systemd
 * (LISTEN_FDS, sd_listen_fds(3)); and the thread that accepts its connections.
 *
 * Must not know: HTTP, libmicrohttpd.
 */
#ifndef PLB_TOOLS_SERVE_LISTENER_H
#define PLB_TOOLS_SERVE_LISTENER_H

#include <stdbool.h>
#include <sys/socket.h>

#include "tables/message.h"

typedef struct listener {
    int socket;
    char where[160]; /* for people: http://127.0.0.1:8080/, unix:/run/plybase.sock */
    bool has_host;   /* clients connect to an address, not to a path */
    bool local;      /* only this machine can reach it */
    char path[112];  /* of the socket file that was created; "": none */
} listener;

/* Open a listening socket, at an address such as 127.0.0.1:8080, [::1]:8080, :8080 or unix:PATH. If
 * systemd passes a socket, use that instead.
 * Errors: PLB_ESYNTAX, PLB_EPERMISSION, PLB_EBUSY (the address is taken), PLB_EIO. */
int listener_open(const char *where, listener *listener, plb_message *message);

/* Remove the socket file. The socket itself is closed by acceptor_stop. */
void listener_close(const listener *listener);

/* A thread that accepts connections and passes them to a handler. It pauses while the system has no
 * descriptor or no memory for another one; clients then wait in the backlog of the socket. */
typedef struct acceptor acceptor;

/* Gets ownership of a new connection, a socket with O_NONBLOCK and FD_CLOEXEC. */
typedef void connection_handler(void *context, int connection, const struct sockaddr *from,
                                socklen_t size);

/* Start the thread. It takes ownership of the listening socket, which must have O_NONBLOCK; after
 * an error the socket is closed. Errors: PLB_ENOMEM, PLB_EIO. */
int acceptor_start(int socket, connection_handler *handle, void *context, acceptor **acceptor,
                   plb_message *message);

/* End the thread and close the listening socket. NULL is allowed. */
void acceptor_stop(acceptor *acceptor);

#endif
