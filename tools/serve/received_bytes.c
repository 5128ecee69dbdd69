/* SPDX-License-Identifier: MIT
 *
 * A program's own function comes before that of the same name of a library, for other libraries,
 * too (ELF). It is written under another name, for the header may have the function inline. The
 * table has a place for each socket; what is never used of it is never in memory.
 */
#include "tools/serve/received_bytes.h"

#include <stdatomic.h>
#include <sys/socket.h>

typedef struct watched_socket {
    _Atomic(bytes_taker *) take; /* NULL: it is not watched */
    void *context;               /* written before */
} watched_socket;

static watched_socket sockets[WATCHED_SOCKETS];

bool received_bytes_watch(int socket, bytes_taker *take, void *context) {
    if (socket < 0 || socket >= WATCHED_SOCKETS) return false;
    sockets[socket].context = context;
    atomic_store_explicit(&sockets[socket].take, take, memory_order_release);
    return true;
}

void received_bytes_leave(int socket) {
    if (socket < 0 || socket >= WATCHED_SOCKETS) return;
    atomic_store_explicit(&sockets[socket].take, NULL, memory_order_relaxed);
}

ssize_t receive(int socket, void *bytes, size_t size, int flags) __asm__("recv");

__attribute__((visibility("default"))) ssize_t receive(int socket, void *bytes, size_t size,
                                                       int flags) {
    ssize_t got = recvfrom(socket, bytes, size, flags, NULL, NULL);
    if (got <= 0 || socket >= WATCHED_SOCKETS || flags & MSG_PEEK) return got;
    bytes_taker *take = atomic_load_explicit(&sockets[socket].take, memory_order_acquire);
    if (take) take(sockets[socket].context, bytes, (size_t)got);
    return got;
}
