/* SPDX-License-Identifier: MIT
 *
 * A ring in the order in which they came. A sweep looks at all of them, a few times a second: with
 * thousands that takes less than a millisecond, and setting a deadline takes no lock.
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

/* By the number of the socket. Pages of it that are never used take no memory. */
enum { MAX_SOCKETS = 1 << 20 };
static _Atomic(http_connection *) connections_of[MAX_SOCKETS];

/* A function of a program takes precedence over that of the same name in a library, also for other
 * libraries (ELF). It has another name in C, since the header may define it inline. */
ssize_t receive(int socket, void *bytes, size_t size, int flags) __asm__("recv");

__attribute__((visibility("default"))) ssize_t receive(int socket, void *bytes, size_t size,
                                                       int flags) {
    ssize_t got = recvfrom(socket, bytes, size, flags, NULL, NULL);
    if (got <= 0 || socket >= MAX_SOCKETS || flags & MSG_PEEK) return got;
    http_connection *c = atomic_load_explicit(&connections_of[socket], memory_order_acquire);
    if (c) http_connection_receives(c, bytes, (size_t)got);
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

/* A first request has the time since the connection came. */
void http_connection_begins(http_connection *c) {
    if (c->waiting_ms && c->requests) set_deadline_ms(c, after(c->request_seconds));
    c->waiting_ms = 0;
}

void http_connection_receives(http_connection *c, char *bytes, size_t size) {
    if (request_stream_take(&c->stream, bytes, size) && c->waiting_ms) http_connection_begins(c);
}

void http_connection_is_held(http_connection *c) {
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
    if (!c->takes_interim) return false;
    if (c->sent_interim) return true;
    c->sent_interim = true;
    return send(c->socket, interim, sizeof interim - 1, MSG_NOSIGNAL | MSG_DONTWAIT) > 0 &&
           !(find_events(c) & (POLLHUP | POLLERR)); /* on this machine it is known at once */
}

void http_connection_reads(http_connection *c, double seconds) {
    c->requests++;
    c->read_ms = after(seconds);
    set_deadline_ms(c, c->read_ms);
}

void http_connection_waits(http_connection *c, double seconds) {
    int64_t now = now_ms();
    c->waiting_ms = now;
    set_deadline_ms(c, now + (int64_t)(1000 * seconds));
    if (c->stream.requests > c->requests)
        http_connection_begins(c); /* it came with the previous one */
}

/* ---- all connections ---- */

void http_connections_begin(http_connections *all, int most) {
    *all = (http_connections){.most = most};
    all->ring.next = all->ring.previous = &all->ring;
    pthread_mutex_init(&all->lock, NULL);
}

void http_connections_end(http_connections *all) {
    pthread_mutex_destroy(&all->lock);
}

http_connection *http_connections_add(http_connections *all, int socket, double seconds) {
    http_connection *idlest = NULL;
    http_connection *c = socket >= 0 && socket < MAX_SOCKETS ? calloc(1, sizeof *c) : NULL;
    if (!c) return NULL;
    c->socket = socket;
    c->request_seconds = seconds;
    c->read_ms = INT64_MAX;
    http_connection_waits(c, seconds);
    pthread_mutex_lock(&all->lock);
    if (++all->count > all->most) {
        for (http_connection *o = all->ring.next; o != &all->ring; o = o->next)
            if (o->waiting_ms && o->requests && (!idlest || o->waiting_ms < idlest->waiting_ms))
                idlest = o;
        c->over_limit = !idlest;
        if (idlest) {
            idlest->waiting_ms = 0;
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

/* Is there something that the client has not taken yet? */
static bool has_unread(const http_connection *c) {
    int bytes = 0;
    return ioctl(c->socket, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

/* An answer that fits into the buffers of the system is sent, but not yet read: whether it was read
 * is looked at once, when its time is over. Of a connection that waits only the reading end is
 * shut: a request that has just come is answered. */
void http_connections_sweep(http_connections *all, bool waiting) {
    const struct linger discards = {.l_onoff = 1};
    int64_t now = now_ms();
    pthread_mutex_lock(&all->lock);
    for (http_connection *c = all->ring.next; c != &all->ring; c = c->next) {
        bool late = c->deadline_ms < now;
        if (!late && c->read_ms < now) {
            c->read_ms = INT64_MAX;
            late = has_unread(c);
        }
        if (late) {
            set_deadline_ms(c, INT64_MAX);
            if (has_unread(c))
                setsockopt(c->socket, SOL_SOCKET, SO_LINGER, &discards, sizeof discards);
            shutdown(c->socket, SHUT_RDWR);
        } else if (waiting && c->waiting_ms) {
            shutdown(c->socket, SHUT_RD);
        }
    }
    pthread_mutex_unlock(&all->lock);
}

int http_connections_count(http_connections *all) {
    pthread_mutex_lock(&all->lock);
    int count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}
