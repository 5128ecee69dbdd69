/* SPDX-License-Identifier: MIT */
#include "tools/serve/shown_page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/terminal/console.h"

static char opener[] = "xdg-open";

/* The address for a browser on this machine: what stands for all addresses is none. */
static bool write_address(const listening *l, char *address, size_t size) {
    const char *host = l->address, *rest = l->where + strlen("http://") + strlen(host);
    if (!*host) return false;
    if (strcmp(host, "0.0.0.0") == 0) host = "127.0.0.1";
    if (strcmp(host, "[::]") == 0) host = "[::1]";
    return snprintf(address, size, "http://%s%s", host, rest) < (int)size;
}

/* Signals as they are for a new program, and a group of its own, so that Ctrl-C ends the server
 * alone. Returns 0, or an error number. */
static int set_signals(posix_spawnattr_t *attributes) {
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &ignored);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    if (error) return error;
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

/* Start the opener with this argument. Returns 0, or an error number. */
static int start(char *address, pid_t *process) {
    char *arguments[] = {opener, address, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_signals(&attributes);
        for (int file = STDIN_FILENO; !error && file <= STDOUT_FILENO; file++)
            error = posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
        if (!error) error = posix_spawnp(process, opener, &files, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

pid_t shown_page_begin(const listening *listening) {
    char address[sizeof listening->where + 16];
    pid_t process = 0;
    if (!write_address(listening, address, sizeof address)) {
        print_error("--open: a browser needs an address and a port, which %s is not",
                    listening->where);
        return 0;
    }
    int error = start(address, &process);
    if (!error) return process;
    if (error == ENOENT)
        print_error("--open: the program %s is missing (Debian: xdg-utils); the page is at %s",
                    opener, address);
    else
        print_error("--open: cannot start %s: %s; the page is at %s", opener, strerror(error),
                    address);
    return 0;
}

void shown_page_reap(pid_t *process) {
    int status = 0;
    if (!*process || waitpid(*process, &status, WNOHANG) == 0) return;
    if (WIFEXITED(status) && WEXITSTATUS(status))
        print_error("--open: %s could not show the page, and ended with status %d", opener,
                    WEXITSTATUS(status));
    *process = 0;
}
