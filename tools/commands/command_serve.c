/* SPDX-License-Identifier: MIT
 *
 * `plybase serve`: becomes plybase-serve, which is beside this program or in the search path.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands/commands.h"
#include "tools/terminal/console.h"

static const char server[] = "plybase-serve";

/* The path of the server beside this program; false: it cannot be told. */
static bool find_beside(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = 0;
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash + 1 - path) + sizeof server > size) return false;
    memcpy(slash + 1, server, sizeof server);
    return true;
}

int command_serve(int argc, char **argv) {
    char path[4096];
    (void)argc;
    if (find_beside(path, sizeof path)) execv(path, argv);
    if (errno == ENOENT) execvp(server, argv);
    if (errno == ENOENT)
        return print_error(
            "the program %s is missing: it is built if libmicrohttpd and python3 are there "
            "(Debian: libmicrohttpd-dev, python3)",
            server);
    return print_error("cannot start %s: %s", server, strerror(errno));
}
