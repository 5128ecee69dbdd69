/* SPDX-License-Identifier: MIT */
#include "tools/serve/listening.h"

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

enum { BACKLOG = 1024, FIRST_HANDED = 3 };

static int fail_listening(plb_message *message, const char *where) {
    int number = errno;
    if (number == EADDRINUSE)
        return plb_fail(message, PLB_EBUSY, "cannot listen at %.100s: it is taken already", where);
    return plb_fail_errno(message, number, "cannot listen at", where);
}

/* What a socket is, for people and for the check of hosts. */
static void describe(listening *l) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
        struct sockaddr_storage room;
    } a = {.any.sa_family = AF_UNSPEC};
    socklen_t size = sizeof a;
    char text[INET6_ADDRSTRLEN] = "";
    getsockname(l->socket, &a.any, &size);
    l->local = true;
    if (a.any.sa_family == AF_INET) {
        inet_ntop(AF_INET, &a.v4.sin_addr, text, sizeof text);
        snprintf(l->address, sizeof l->address, "%s", text);
        snprintf(l->where, sizeof l->where, "http://%s:%d/", text, ntohs(a.v4.sin_port));
        l->local = ntohl(a.v4.sin_addr.s_addr) >> 24 == 127;
    } else if (a.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &a.v6.sin6_addr, text, sizeof text);
        snprintf(l->address, sizeof l->address, "[%s]", text);
        snprintf(l->where, sizeof l->where, "http://[%s]:%d/", text, ntohs(a.v6.sin6_port));
        l->local = IN6_IS_ADDR_LOOPBACK(&a.v6.sin6_addr);
    } else {
        snprintf(l->where, sizeof l->where, "unix:%s", a.local.sun_path);
    }
}

/* ---- handed over ---- */

/* How many sockets systemd has handed to this process. */
static int count_handed(void) {
    const char *process = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    if (!process || !count || strtol(process, NULL, 10) != getpid()) return 0;
    return (int)strtol(count, NULL, 10);
}

static int take_handed(int count, listening *l, plb_message *message) {
    int listens = 0;
    socklen_t size = sizeof listens;
    if (count != 1)
        return plb_fail(message, PLB_EARGUMENT, "LISTEN_FDS is %d: one socket can be taken", count);
    l->socket = FIRST_HANDED;
    if (getsockopt(l->socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
        return plb_fail(message, PLB_EIO, "what LISTEN_FDS hands over is no listening socket");
    fcntl(l->socket, F_SETFD, FD_CLOEXEC);
    fcntl(l->socket, F_SETFL, fcntl(l->socket, F_GETFL) | O_NONBLOCK);
    describe(l);
    return PLB_OK;
}

/* ---- in the file system ---- */

/* A socket that nobody listens to is left from a process that ended. */
static bool is_left(const struct sockaddr_un *address) {
    struct stat file;
    if (lstat(address->sun_path, &file) != 0 || !S_ISSOCK(file.st_mode)) return false;
    int asking = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool left = asking >= 0 && connect(asking, (const struct sockaddr *)address, sizeof *address) &&
                errno == ECONNREFUSED;
    if (asking >= 0) close(asking);
    return left;
}

static int open_path(const char *path, listening *l, plb_message *message) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof address.sun_path || strlen(path) >= sizeof l->path)
        return plb_fail(message, PLB_ESYNTAX,
                        "unix:%.40s...: the path of a socket has 1 to %zu bytes", path,
                        sizeof address.sun_path - 1);
    strcpy(address.sun_path, path); /* NOLINT: the length was checked */
    if (is_left(&address)) unlink(path);
    l->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->socket < 0 || bind(l->socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(l->socket, BACKLOG) != 0)
        return fail_listening(message, path);
    memcpy(l->path, address.sun_path,
           sizeof l->path < sizeof address.sun_path ? sizeof l->path : sizeof address.sun_path);
    describe(l);
    return PLB_OK;
}

/* ---- addresses ---- */

static int open_address(const struct addrinfo *a, const char *where, listening *l,
                        plb_message *message) {
    int yes = 1;
    l->socket = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->socket < 0 || setsockopt(l->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(l->socket, a->ai_addr, a->ai_addrlen) != 0 || listen(l->socket, BACKLOG) != 0)
        return fail_listening(message, where);
    describe(l);
    return PLB_OK;
}

/* Host and port of an address; a host in brackets has colons. */
static bool split_address(const char *where, char host[80], const char **port) {
    const char *colon = strrchr(where, ':');
    if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")]) return false;
    size_t length = colon - where;
    bool brackets = length > 1 && *where == '[' && where[length - 1] == ']';
    if (brackets) {
        where++;
        length -= 2;
    }
    if (length >= 80 || (!brackets && memchr(where, ':', length))) return false;
    memcpy(host, where, length);
    host[length] = 0;
    if (!length) strcpy(host, "127.0.0.1"); /* NOLINT: there is room */
    *port = colon + 1;
    return true;
}

static int open_host(const char *where, listening *l, plb_message *message) {
    char host[80];
    const char *port;
    struct addrinfo *found = NULL;
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    if (!split_address(where, host, &port) || strtol(port, NULL, 10) > 65535)
        return plb_fail(message, PLB_ESYNTAX,
                        "'%.60s' is no place to listen: 127.0.0.1:8080, [::1]:8080, :8080 or "
                        "unix:PATH is needed",
                        where);
    int problem = getaddrinfo(host, port, &wanted, &found);
    if (problem)
        return plb_fail(message, PLB_ENOTFOUND, "cannot listen at %.60s: %s", where,
                        gai_strerror(problem));
    int error = open_address(found, where, l, message);
    freeaddrinfo(found);
    return error;
}

int listening_open(const char *where, listening *listening_, plb_message *message) {
    listening l = {.socket = -1};
    int handed = count_handed(), error;
    if (handed)
        error = take_handed(handed, &l, message);
    else if (strncmp(where, "unix:", 5) == 0)
        error = open_path(where + 5, &l, message);
    else
        error = open_host(where, &l, message);
    if (error && l.socket >= 0) close(l.socket);
    if (!error) *listening_ = l;
    return error;
}

void listening_end(const listening *l) {
    if (*l->path) unlink(l->path);
}
