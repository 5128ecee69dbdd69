/* SPDX-License-Identifier: MIT
 *
 * By which hosts a server may be asked. A page of another site can let its own name stand for the
 * address of this machine (DNS rebinding), and would then read the answers as its own; so names are
 * refused unless they are known. Addresses as numbers are nobody's names, and are taken.
 */
#ifndef PLB_TOOLS_SERVE_HOST_NAMES_H
#define PLB_TOOLS_SERVE_HOST_NAMES_H

#include <stdbool.h>

/* Is the value of a Host header, with or without a port, `localhost`, an address as numbers, or one
 * of further names, which stand in a text with commas between them, or NULL? Letters are compared
 * without their case. */
bool host_is_own(const char *host, const char *names);

#endif
