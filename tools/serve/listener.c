/* SPDX-License-Identifier: MIT */
#include "tools/serve/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 1024, SYSTEMD_SOCKET = 3 };

static int fail_listen(plb_message *message, const char *where) {
    int number = errno;
    if (number == EADDRINUSE)
        return plb_fail(message, PLB_EBUSY, "cannot listen at %.100s: it is taken already", where);
    return plb_fail_errno(message, number, "cannot listen at", where);
}

/* Fill in where, has_host and local. */
static void describe(listener *l) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
        struct sockaddr_storage largest;
    } a = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof a;
    char text[INET6_ADDRSTRLEN] = "";
    getsockname(l->socket, &a.any, &size);
    l->local = true;
    if (a.any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &a.v4.sin_addr, text, sizeof text);
        l->has_host = true;
        snprintf(l->where, sizeof l->where, "http://%s:%d/", text, ntohs(a.v4.sin_port));
        l->local = ntohl(a.v4.sin_addr.s_addr) >> 24 == 127;
    } else if (a.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &a.v6.sin6_addr, text, sizeof text);
        l->has_host = true;
        snprintf(l->where, sizeof l->where, "http://[%s]:%d/", text, ntohs(a.v6.sin6_port));
        l->local = IN6_IS_ADDR_LOOPBACK(&a.v6.sin6_addr);
    } else {
        snprintf(l->where, sizeof l->where, "unix:%s", a.local.sun_path);
    }
}

/* ---- passed by systemd ---- */

static int use_systemd_socket(const char *count, listener *l, plb_message *message) {
    int listens = 0;
    socklen_t size = sizeof listens;
    if (strtol(count, NULL, 10) != 1)
        return plb_fail(message, PLB_EARGUMENT, "LISTEN_FDS is %.20s: one socket can be used",
                        count);
    l->socket = SYSTEMD_SOCKET;
    if (getsockopt(l->socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
        return plb_fail(message, PLB_EIO, "what LISTEN_FDS passes is not a listening socket");
    fcntl(l->socket, F_SETFD, FD_CLOEXEC);
    fcntl(l->socket, F_SETFL, fcntl(l->socket, F_GETFL) | O_NONBLOCK);
    return PLB_OK;
}

/* ---- in the file system ---- */

/* Replaces a socket file at which no process listens. */
static int open_path(const char *path, listener *l, plb_message *message) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat file;
    if (!*path || strlen(path) >= sizeof address.sun_path || strlen(path) >= sizeof l->path)
        return plb_fail(message, PLB_ESYNTAX,
                        "unix:%.40s...: the path of a socket has 1 to %zu bytes", path,
                        sizeof address.sun_path - 1);
    strcpy(address.sun_path, path); /* NOLINT: the length was checked */
    if (lstat(path, &file) == 0 && S_ISSOCK(file.st_mode)) {
        int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (probe >= 0 && connect(probe, (struct sockaddr *)&address, sizeof address) != 0 &&
            errno == ECONNREFUSED)
            unlink(path);
        if (probe >= 0) close(probe);
    }
    l->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->socket < 0 || bind(l->socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(l->socket, BACKLOG) != 0)
        return fail_listen(message, path);
    strcpy(l->path, path); /* NOLINT: the length was checked */
    return PLB_OK;
}

/* ---- addresses ---- */

/* Only a host in brackets may contain colons. */
static int open_host(const char *where, listener *l, plb_message *message) {
    char host[80];
    const char *colon = strrchr(where, ':');
    size_t length = colon ? (size_t)(colon - where) : 0;
    bool has_port = colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
    bool brackets = length > 1 && *where == '[' && where[length - 1] == ']';
    int yes = 1;
    struct addrinfo *found = NULL;
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    if (!has_port || length >= sizeof host || (!brackets && memchr(where, ':', length)) ||
        strtol(colon + 1, NULL, 10) > 65535)
        return plb_fail(
            message, PLB_ESYNTAX,
            "'%.60s' is not an address to listen at: 127.0.0.1:8080, [::1]:8080, :8080 or "
            "unix:PATH is needed",
            where);
    snprintf(host, sizeof host, "%.*s", (int)length - 2 * brackets, where + brackets);
    int problem = getaddrinfo(length ? host : "127.0.0.1", colon + 1, &wanted, &found);
    if (problem)
        return plb_fail(message, PLB_ENOTFOUND, "cannot listen at %.60s: %s", where,
                        gai_strerror(problem));
    l->socket = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool listens =
        l->socket >= 0 && setsockopt(l->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(l->socket, found->ai_addr, found->ai_addrlen) == 0 && listen(l->socket, BACKLOG) == 0;
    int error = listens ? PLB_OK : fail_listen(message, where);
    freeaddrinfo(found);
    return error;
}

int listener_open(const char *where, listener *listener_out, plb_message *message) {
    listener l = {.socket = -1};
    const char *process = getenv("LISTEN_PID"), *passed = getenv("LISTEN_FDS");
    int error;
    if (process && passed && strtol(process, NULL, 10) == getpid() && strtol(passed, NULL, 10))
        error = use_systemd_socket(passed, &l, message);
    else if (strncmp(where, "unix:", 5) == 0)
        error = open_path(where + 5, &l, message);
    else
        error = open_host(where, &l, message);
    if (!error) {
        describe(&l);
        *listener_out = l;
    } else if (l.socket >= 0) {
        close(l.socket);
    }
    return error;
}
