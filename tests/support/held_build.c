/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: the process stops itself (SIGSTOP) as soon as it has created a file whose name
 * begins with PLYBASE_HELD_AT. A signal from outside might come too late.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_and_stop(int folder, const char *path, int flags, mode_t mode) {
    int file = (int)syscall(SYS_openat, folder, path, flags, mode);
    const char *prefix = getenv("PLYBASE_HELD_AT"), *last = strrchr(path, '/');
    const char *name = last ? last + 1 : path;
    if (prefix && file >= 0 && (flags & O_CREAT) && !strncmp(name, prefix, strlen(prefix)))
        raise(SIGSTOP);
    return file;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_and_stop(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_and_stop(folder, path, flags, mode);
}
