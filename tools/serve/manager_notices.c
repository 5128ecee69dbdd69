/* SPDX-License-Identifier: MIT */
#include "tools/serve/manager_notices.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void notify(const char *text) {
    const char *where = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t length = where ? strlen(where) : 0;
    if (length == 0 || length >= sizeof to.sun_path) return;
    memcpy(to.sun_path, where, length);
    if (*where == '@') to.sun_path[0] = 0; /* a name that is no file's */
    int from = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (from < 0) return;
    /* A manager that does not listen is none of our business. */
    (void)sendto(from, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&to,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(from);
}

void notify_ready(void) {
    notify("READY=1");
}

void notify_reloading(void) {
    struct timespec now;
    char text[64];
    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%llu",
             (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000);
    notify(text);
}

void notify_stopping(void) {
    notify("STOPPING=1");
}

void notify_alive(void) {
    if (getenv("WATCHDOG_USEC")) notify("WATCHDOG=1");
}
