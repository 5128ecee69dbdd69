/* SPDX-License-Identifier: MIT
 *
 * Where the service listens: an address and a port, a socket in the file system, or a socket that
 * systemd passes (LISTEN_FDS, sd_listen_fds(3)); and the thread that accepts connections there.
 *
 * Must not know: HTTP, libmicrohttpd.
 */
#ifndef PLB_TOOLS_SERVE_LISTENING_H
#define PLB_TOOLS_SERVE_LISTENING_H

#include <stdbool.h>
#include <sys/socket.h>

#include "tables/message.h"

typedef struct listening {
    int socket;
    char where[160]; /* for people: http://127.0.0.1:8080/, unix:/run/plybase.sock */
    bool has_host;   /* it is asked by an address or a name, not by a path */
    bool local;      /* only this machine can reach it */
    char path[112];  /* of a socket that was made in the file system; else "" */
} listening;

/* Open the socket that is asked for, such as 127.0.0.1:8080, [::1]:8080, :8080 or unix:PATH; if
 * systemd passes one, that.
 * Errors: PLB_ESYNTAX, PLB_EPERMISSION, PLB_EBUSY (the address is taken), PLB_EIO. */
int listening_open(const char *where, listening *listening, plb_message *message);

/* Remove what was made in the file system. The socket is closed by accepting_end. */
void listening_end(const listening *listening);

/* A thread that accepts connections and hands them over, one after another. While the system has no
 * descriptor or no memory for one more it pauses, and clients wait in the queue of the socket. */
typedef struct accepting accepting;

/* Gets a connection and owns it: it does not block, and other programs do not inherit it. */
typedef void connection_taker(void *context, int connection, const struct sockaddr *from,
                              socklen_t size);

/* Begin. The listening socket, which must not block, is owned by the thread, also after an error.
 * Errors: PLB_ENOMEM, PLB_EIO. */
int accepting_begin(int socket, connection_taker *take, void *context, accepting **accepting,
                    plb_message *message);

/* End the thread and close the listening socket. NULL is allowed. */
void accepting_end(accepting *accepting);

#endif
