/* SPDX-License-Identifier: MIT
 *
 * A thread that accepts the connections of a listening socket and hands them on, one after another,
 * until it is told to end. Where the system has no descriptor or no memory for one more it pauses,
 * and those that want to come wait in the queue of the socket.
 *
 * Must not know: HTTP, libmicrohttpd.
 */
#ifndef PLB_TOOLS_SERVE_ACCEPTING_H
#define PLB_TOOLS_SERVE_ACCEPTING_H

#include <sys/socket.h>

#include "tables/message.h"

typedef struct accepting accepting;

/* Gets a connection, which is its own from now on: it does not block, and other programs do not
 * inherit it. */
typedef void connection_taker(void *context, int connection, const struct sockaddr *from,
                              socklen_t size);

/* Begin. The listening socket, which must not block, is given up in any case.
 * Errors: PLB_ENOMEM, PLB_EIO. */
int accepting_begin(int socket, connection_taker *take, void *context, accepting **accepting,
                    plb_message *message);

/* End, and close the listening socket; nothing is handed on any more. NULL is allowed. */
void accepting_end(accepting *accepting);

#endif
