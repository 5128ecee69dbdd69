/* SPDX-License-Identifier: MIT
 *
 * Where the service listens: an address and a port, a socket in the file system, or what systemd
 * has handed over (LISTEN_FDS, sd_listen_fds(3)).
 */
#ifndef PLB_TOOLS_SERVE_LISTENING_H
#define PLB_TOOLS_SERVE_LISTENING_H

#include "tables/message.h"

typedef struct listening {
    int socket;
    char where[160];  /* for people: http://127.0.0.1:8080/, unix:/run/plybase.sock */
    char address[80]; /* the host by which it is asked for, as numbers; "": not by a host */
    bool local;       /* only this machine can reach it */
    char path[112];   /* of a socket that was made in the file system; else "" */
} listening;

/* Open the socket that is asked for, such as 127.0.0.1:8080, [::1]:8080, :8080 or unix:PATH; where
 * systemd has handed one over, that.
 * Errors: PLB_ESYNTAX, PLB_EPERMISSION, PLB_EBUSY (the address is taken), PLB_EIO. */
int listening_open(const char *where, listening *listening, plb_message *message);

/* Remove what was made in the file system; the socket is closed by who listens. */
void listening_end(const listening *listening);

#endif
