/* SPDX-License-Identifier: MIT
 *
 * The page, shown to the user: the desktop's xdg-open(1) starts the browser that he prefers. It is
 * a process of its own, without a shell, which outlives the server and does not hold its output
 * open; what goes wrong is told on stderr, and the server goes on.
 */
#ifndef PLB_TOOLS_SERVE_SHOWN_PAGE_H
#define PLB_TOOLS_SERVE_SHOWN_PAGE_H

#include <sys/types.h>

#include "tools/serve/listening.h"

/* Show the page of a server that listens, which can be done where it has an address and a port.
 * Returns the process, or 0 where there is none. */
pid_t shown_page_begin(const listening *listening);

/* Take the end of the process, if there is one and it has come; to be called now and then. */
void shown_page_reap(pid_t *process);

#endif
