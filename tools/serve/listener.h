/* SPDX-License-Identifier: MIT
 *
 * The listening socket: on an address and a port, in the file system, or passed by systemd
 * (LISTEN_FDS, sd_listen_fds(3)).
 *
 * Must not know: HTTP, libmicrohttpd.
 */
#pragma once

#include <stdbool.h>

#include "tables/message.h"

typedef struct listener {
    int socket;      /* does not block */
    char where[160]; /* for people: http://127.0.0.1:8080/, unix:/run/plybase.sock */
    bool has_host;   /* clients connect to an address, not to a path */
    bool local;      /* only this machine can reach it */
    char path[112];  /* of the socket file, which the caller removes; "": none */
} listener;

/* Open a listening socket, at an address such as 127.0.0.1:8080, [::1]:8080, :8080 or unix:PATH. If
 * systemd passes a socket, use that instead.
 * Errors: PLB_ESYNTAX, PLB_EPERMISSION, PLB_EBUSY (the address is taken), PLB_EIO. */
int listener_open(const char *where, listener *listener, plb_message *message);
