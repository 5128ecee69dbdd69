/* SPDX-License-Identifier: MIT
 *
 * libmicrohttpd could accept by itself, but it cannot stop to do so while it is at work: its
 * MHD_quiesce_daemon (0.9.75) takes the listening socket out of the sets of its threads, each of
 * which may have done that a moment before, and then it ends the process.
 */
#include "tools/serve/accepting.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { PAUSE_MS = 50 };

struct accepting {
    int socket, end; /* end: can be read once it is to end */
    connection_taker *take;
    void *context;
    pthread_t thread;
};

/* Accept one; false: there is none now. */
static bool accept_one(const accepting *a) {
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    int connection =
        accept4(a->socket, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (connection >= 0) a->take(a->context, connection, (struct sockaddr *)&from, size);
    return connection >= 0;
}

/* Is there too little of something, so that trying again at once would be of no use? */
static bool must_pause(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

static void *accept_all(void *context) {
    accepting *a = context;
    struct pollfd wanted[2] = {{.fd = a->end, .events = POLLIN},
                               {.fd = a->socket, .events = POLLIN}};
    bool pause = false;
    for (;;) {
        int ready = poll(wanted, pause ? 1 : 2, pause ? PAUSE_MS : -1);
        if (ready > 0 && wanted[0].revents) return NULL;
        pause = ready >= 0 && !accept_one(a) && must_pause(errno);
    }
}

static void free_accepting(accepting *a) {
    close(a->socket);
    if (a->end >= 0) close(a->end);
    free(a);
}

int accepting_begin(int socket, connection_taker *take, void *context, accepting **accepting_,
                    plb_message *message) {
    accepting *a = calloc(1, sizeof *a);
    if (!a) {
        close(socket);
        return plb_fail(message, PLB_ENOMEM, "out of memory for connections");
    }
    *a = (accepting){.socket = socket, .take = take, .context = context};
    a->end = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (a->end < 0 || pthread_create(&a->thread, NULL, accept_all, a) != 0) {
        free_accepting(a);
        return plb_fail(message, PLB_EIO, "cannot start the thread that accepts connections");
    }
    *accepting_ = a;
    return PLB_OK;
}

void accepting_end(accepting *a) {
    if (!a) return;
    while (eventfd_write(a->end, 1) != 0 && errno == EINTR) continue;
    pthread_join(a->thread, NULL);
    free_accepting(a);
}
