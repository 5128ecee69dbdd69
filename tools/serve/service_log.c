/* SPDX-License-Identifier: MIT */
#include "tools/serve/service_log.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* ---- the log ---- */

/* Is stderr the stream of the journal, whose device and inode JOURNAL_STREAM gives? */
static bool is_journal(void) {
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat file;
    char text[64];
    if (!stream || fstat(STDERR_FILENO, &file) != 0) return false;
    snprintf(text, sizeof text, "%llu:%llu", (unsigned long long)file.st_dev,
             (unsigned long long)file.st_ino);
    return strcmp(stream, text) == 0;
}

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint_fast64_t lost, reported; /* lost lines, and how many of them were reported */

/* Write a line unless that would block. A pipe that is ready has space for PIPE_BUF bytes. */
static bool write_line(const char *line, size_t size) {
    struct pollfd to = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&to, 1, 0) == 1 && write(STDERR_FILENO, line, size) == (ssize_t)size;
}

uint64_t service_log_lost(void) {
    return lost;
}

void service_log(log_priority priority, const char *format, ...) {
    char line[1024], report[128], beginning[16];
    va_list arguments;
    int used =
        snprintf(beginning, sizeof beginning, is_journal() ? "<%d>" : "plybase: ", (int)priority);
    memcpy(line, beginning, used);
    va_start(arguments, format);
    int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    int end = used + length < (int)sizeof line - 2 ? used + length : (int)sizeof line - 2;
    for (int c = 0; c < end; c++)
        if ((unsigned char)line[c] < ' ' || line[c] == 0x7f) line[c] = '?';
    line[end] = '\n';
    pthread_mutex_lock(&writing);
    uint64_t count = lost - reported;
    int size =
        snprintf(report, sizeof report, "%s%llu lines of the log were lost: nobody read them\n",
                 beginning, (unsigned long long)count);
    if (count && write_line(report, size)) reported += count;
    lost += !write_line(line, end + 1);
    pthread_mutex_unlock(&writing);
}

/* ---- systemd ---- */

void notify_systemd(const char *state) {
    const char *where = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t length = where ? strlen(where) : 0;
    if (length == 0 || length >= sizeof to.sun_path) return;
    memcpy(to.sun_path, where, length);
    if (*where == '@') to.sun_path[0] = 0; /* an abstract socket address */
    int from = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (from < 0) return;
    (void)sendto(from, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(from);
}

void notify_reloading(void) {
    struct timespec now;
    char text[64];
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%llu",
             (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000);
    notify_systemd(text);
}

void notify_alive(void) {
    if (getenv("WATCHDOG_USEC")) notify_systemd("WATCHDOG=1");
}
