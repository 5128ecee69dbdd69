/* SPDX-License-Identifier: MIT
 *
 * A sweep visits all connections, a few times a second: with thousands of them it takes less than a
 * millisecond. In return, setting a deadline needs no lock.
 */
#include "tools/serve/http_connections.h"

#include <linux/sockios.h>
#include <poll.h>
#include <search.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "tools/terminal/console.h"

/* ---- received bytes ---- */

/* Indexed by socket number. Pages that are never touched take no memory. */
enum { MAX_SOCKETS = 1 << 20 };
static _Atomic(http_connection *) connections_of[MAX_SOCKETS];

/* In ELF, a function of the program replaces the library function of the same name, also for calls
 * from other libraries. It has another name in C, since the header may define recv inline. */
ssize_t receive(int socket, void *bytes, size_t size, int flags) __asm__("recv");

__attribute__((visibility("default"))) ssize_t receive(int socket, void *bytes, size_t size,
                                                       int flags) {
    ssize_t got = recvfrom(socket, bytes, size, flags, NULL, NULL);
    if (got <= 0 || socket >= MAX_SOCKETS || flags & MSG_PEEK) return got;
    http_connection *c = atomic_load_explicit(&connections_of[socket], memory_order_acquire);
    if (c) http_connection_receive(c, bytes, (size_t)got);
    return got;
}

/* ---- deadlines ---- */

static int64_t now_ms(void) {
    return (int64_t)(1000 * seconds_now());
}

static void set_deadline_ms(http_connection *c, int64_t ms) {
    atomic_store_explicit(&c->deadline_ms, ms, memory_order_relaxed);
}

static int64_t after(double seconds) {
    return now_ms() + (int64_t)(1000 * seconds);
}

/* The time of the first request counts from the start of the connection. */
void http_connection_begin_request(http_connection *c) {
    if (c->idle_since_ms && c->requests) set_deadline_ms(c, after(c->request_seconds));
    c->idle_since_ms = 0;
}

void http_connection_receive(http_connection *c, char *bytes, size_t size) {
    if (request_stream_parse(&c->stream, bytes, size) && c->idle_since_ms)
        http_connection_begin_request(c);
}

void http_connection_hold(http_connection *c) {
    set_deadline_ms(c, INT64_MAX);
}

static int find_events(const http_connection *c) {
    struct pollfd look = {.fd = c->socket, .events = POLLRDHUP};
    return poll(&look, 1, 0) > 0 ? look.revents : 0;
}

bool http_connection_has_client(http_connection *c) {
    static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
    int events = find_events(c);
    if (events & (POLLHUP | POLLERR)) return false;
    if (!(events & POLLRDHUP)) return true;
    if (!c->accepts_interim) return false;
    if (c->sent_interim) return true;
    c->sent_interim = true;
    return send(c->socket, interim, sizeof interim - 1, MSG_NOSIGNAL | MSG_DONTWAIT) > 0 &&
           !(find_events(c) & (POLLHUP | POLLERR)); /* a local client's reset is seen at once */
}

void http_connection_begin_answer(http_connection *c, double seconds) {
    c->requests++;
    c->answer_deadline_ms = after(seconds);
    set_deadline_ms(c, c->answer_deadline_ms);
}

void http_connection_set_idle(http_connection *c, double seconds) {
    c->idle_since_ms = now_ms();
    set_deadline_ms(c, after(seconds));
    if (c->stream.requests > c->requests)
        http_connection_begin_request(c); /* it was received together with the previous one */
}

/* ---- all connections ---- */

void http_connections_init(http_connections *all, int max) {
    *all = (http_connections){.max = max};
    all->ring.next = all->ring.previous = &all->ring;
    pthread_mutex_init(&all->lock, NULL);
}

void http_connections_destroy(http_connections *all) {
    pthread_mutex_destroy(&all->lock);
}

http_connection *http_connections_add(http_connections *all, int socket, double seconds) {
    http_connection *idlest = NULL;
    http_connection *c = socket >= 0 && socket < MAX_SOCKETS ? calloc(1, sizeof *c) : NULL;
    if (!c) return NULL;
    c->socket = socket;
    c->request_seconds = seconds;
    c->answer_deadline_ms = INT64_MAX;
    http_connection_set_idle(c, seconds);
    pthread_mutex_lock(&all->lock);
    if (++all->count > all->max) {
        for (http_connection *o = all->ring.next; o != &all->ring; o = o->next)
            if (o->idle_since_ms && o->requests &&
                (!idlest || o->idle_since_ms < idlest->idle_since_ms))
                idlest = o;
        c->over_limit = !idlest;
        if (idlest) {
            idlest->idle_since_ms = 0;
            shutdown(idlest->socket, SHUT_RDWR);
        }
    }
    insque(c, all->ring.previous);
    pthread_mutex_unlock(&all->lock);
    atomic_store_explicit(&connections_of[socket], c, memory_order_release);
    return c;
}

void http_connections_remove(http_connections *all, http_connection *c) {
    atomic_store_explicit(&connections_of[c->socket], NULL, memory_order_relaxed);
    pthread_mutex_lock(&all->lock);
    remque(c);
    all->count--;
    pthread_mutex_unlock(&all->lock);
    free(c);
}

/* Are there bytes that the client has not acknowledged? */
static bool has_unsent(const http_connection *c) {
    int bytes = 0;
    return ioctl(c->socket, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

/* An answer that fits into the buffers of the kernel counts as sent before the client has read it:
 * whether it was read is checked once, at its deadline. Only the receiving side of idle connections
 * is shut down, so that a request that has just arrived is still answered. */
void http_connections_sweep(http_connections *all, bool stops_idle) {
    const struct linger discard = {.l_onoff = 1};
    int64_t now = now_ms();
    pthread_mutex_lock(&all->lock);
    for (http_connection *c = all->ring.next; c != &all->ring; c = c->next) {
        bool late = c->deadline_ms < now;
        if (!late && c->answer_deadline_ms < now) {
            c->answer_deadline_ms = INT64_MAX;
            late = has_unsent(c);
        }
        if (late) {
            set_deadline_ms(c, INT64_MAX);
            if (has_unsent(c))
                setsockopt(c->socket, SOL_SOCKET, SO_LINGER, &discard, sizeof discard);
            shutdown(c->socket, SHUT_RDWR);
        } else if (stops_idle && c->idle_since_ms) {
            shutdown(c->socket, SHUT_RD);
        }
    }
    pthread_mutex_unlock(&all->lock);
}
