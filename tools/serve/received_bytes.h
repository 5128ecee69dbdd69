/* SPDX-License-Identifier: MIT
 *
 * What this process receives by recv(2), shown on its way to the caller: libmicrohttpd has no place
 * at which a program sees the bytes of a request, only what it takes them for. The function takes
 * the place of the one of the C library, for all that call it.
 *
 * Threads: any number, one of them for a socket. Must not know: what is received.
 */
#ifndef PLB_TOOLS_SERVE_RECEIVED_BYTES_H
#define PLB_TOOLS_SERVE_RECEIVED_BYTES_H

#include <stdbool.h>
#include <stddef.h>

enum { WATCHED_SOCKETS = 1 << 20 };

typedef void bytes_taker(void *context, const char *bytes, size_t size);

/* Show what is received at a socket, from now on. False: its number is too high to be watched. */
bool received_bytes_watch(int socket, bytes_taker *take, void *context);

/* No longer; the socket must be open still. */
void received_bytes_leave(int socket);

#endif
