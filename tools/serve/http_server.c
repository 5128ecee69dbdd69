/* SPDX-License-Identifier: MIT
 *
 * libmicrohttpd calls back from its threads: at the start and end of a connection, and for each
 * request after its first line, after its head, with each part of its body, and at its end. Each
 * callback sets the deadline of the connection for the next one (http_connections.h).
 */
#include "tools/serve/http_server.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"
#include "tools/serve/http_connections.h"
#include "tools/serve/request_head.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/console.h"

enum {
    LINE_BYTES = 64,         /* memory that the library needs for a line of a head */
    ANSWER_HEAD_BYTES = 2048 /* upper bound of an answer's head */
};

struct http_server {
    service *service;
    const listener *listener;
    struct MHD_Daemon *daemon;
    http_connections connections;
};

/* ---- connections ---- */

/* libmicrohttpd could accept connections by itself, but could not stop doing so safely:
 * MHD_quiesce_daemon (0.9.75) removes the listening socket from the epoll sets of its threads, and
 * aborts the process if a thread has just removed it. */
void http_server_accept(http_server *s, int ms) {
    struct pollfd listens = {.fd = s->listener->socket, .events = POLLIN};
    double end = seconds_now() + ms / 1000.0;
    for (double left; (left = end - seconds_now()) > 0;) {
        struct sockaddr_storage from;
        socklen_t size = sizeof from;
        if (poll(&listens, 1, 1 + (int)(1000 * left)) <= 0) return;
        int connection =
            accept4(listens.fd, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (connection >= 0) /* the library passes it to one of its threads, or closes it */
            MHD_add_connection(s->daemon, connection, (struct sockaddr *)&from, size);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            poll(NULL, 0, 1 + (int)(1000 * left)); /* an immediate retry would fail again */
    }
}

void http_server_sweep(http_server *s) {
    http_connections_sweep(&s->connections, s->service->draining);
}

/* ---- requests ---- */

/* A request that is being read or answered. */
typedef struct exchange {
    http_server *server;
    http_connection *connection;
    http_request request;
    http_answer answer;
    char *body;
    size_t body_capacity;             /* Content-Length + 1 */
    bool head_is_read, is_answered;   /* is_answered: by a search */
    bool closes;                      /* close the connection after the answer */
    struct MHD_Connection *suspended; /* while a search runs */
    search_waiter waiter;
    route_match match;
    double start_seconds;
    char target[];
} exchange;

static enum MHD_Result read_line(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    request_head_add(context, name, name_size, value, value_size);
    return MHD_YES;
}

/* Read the head. True: the request is refused before its body is read. While the server shuts down,
 * only /health is answered. */
static bool read_head(exchange *e, struct MHD_Connection *of, const char *method,
                      const char *version) {
    const serve_options *o = e->server->service->options;
    http_connection *c = e->connection;
    request_head head;
    e->head_is_read = true;
    request_head_begin(&head, &e->request, method);
    if (c->stream.malformed == c->requests + 1) head.malformed = true;
    c->accepts_interim = strcmp(version, "HTTP/1.1") == 0;
    MHD_get_connection_values_n(of, MHD_HEADER_KIND, read_line, &head);
    if (c->over_limit)
        answer_problem(&e->answer, PROBLEM_BUSY, "all %d connections are in use", o->connections);
    else if (e->server->service->draining && strcmp(e->target, "/health") != 0)
        answer_problem(&e->answer, PROBLEM_DRAINING, "the server is shutting down");
    else if (!request_head_refuse(&head, e->target, version, o, e->server->listener->has_host,
                                  &e->answer)) {
        e->body_capacity = 1 + (head.length ? strtoull(head.length, NULL, 10) : 0);
        return false;
    }
    return true;
}

/* ---- answers ---- */

#define PAGE_POLICY                                                                   \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " \
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors "

static void add_header(struct MHD_Response *to, const char *name, const char *value) {
    if (value && *value) MHD_add_response_header(to, name, value);
}

/* A count of 0 has no header. */
static void add_count(struct MHD_Response *to, const char *name, int count) {
    char digits[16];
    snprintf(digits, sizeof digits, "%d", count);
    if (count) add_header(to, name, digits);
}

static void add_headers(const exchange *e, struct MHD_Response *to) {
    static const char *const caching[] = {[CACHE_NEVER] = "no-store",
                                          [CACHE_REVALIDATE] = "no-cache",
                                          [CACHE_WITH_ID] = "no-cache",
                                          [CACHE_FOREVER] = "public, max-age=31536000, immutable"};
    static const struct {
        const char *policy, *opener, *resource, *referrer;
    } audiences[] = {
        [FOR_SAME_ORIGIN] = {.resource = "same-origin"},
        [FOR_BROWSERS] = {PAGE_POLICY "'none'", "same-origin", "same-origin", "no-referrer"},
        [FOR_FRAMES] = {PAGE_POLICY "*", NULL, "cross-origin", "no-referrer"}};
    const http_answer *a = &e->answer;
    const char *cors = e->server->service->options->cors;
    add_header(to, "Content-Type", a->type);
    add_header(to, "ETag", a->etag);
    add_header(to, "Cache-Control", caching[a->caching]);
    add_header(to, "X-Content-Type-Options", "nosniff");
    add_header(to, "Allow", a->allow);
    if (a->gzip) add_header(to, "Content-Encoding", "gzip");
    if (a->varies) add_header(to, "Vary", "Accept-Encoding");
    add_count(to, "Retry-After", a->retry_seconds);
    add_count(to, "Refused-Lines", a->refused_lines);
    add_count(to, "Differing-Lines", a->differing_lines);
    if (e->closes) add_header(to, "Connection", "close");
    add_header(to, "Content-Security-Policy", audiences[a->audience].policy);
    add_header(to, "Cross-Origin-Opener-Policy", audiences[a->audience].opener);
    add_header(to, "Cross-Origin-Resource-Policy", audiences[a->audience].resource);
    add_header(to, "Referrer-Policy", audiences[a->audience].referrer);
    if (a->audience == FOR_PROGRAMS && strcmp(cors, "none") != 0 && routes_are_shared(e->target)) {
        add_header(to, "Access-Control-Allow-Origin", cors);
        if (a->refused_lines || a->differing_lines)
            add_header(to, "Access-Control-Expose-Headers", "Refused-Lines, Differing-Lines");
        if (a->status != 204) return; /* not a preflight request */
        add_header(to, "Access-Control-Allow-Methods", "GET, HEAD, POST");
        add_header(to, "Access-Control-Allow-Headers", "content-type");
        add_header(to, "Access-Control-Max-Age", "86400");
    }
}

/* Count the answer, log it (without the position and the client), and pass it to the library. */
static enum MHD_Result send_answer(exchange *e, struct MHD_Connection *to) {
    http_answer *a = &e->answer;
    service *s = e->server->service;
    double seconds = seconds_now() - e->start_seconds;
    metrics_count(&s->metrics, e->match.route, e->request.method, a, seconds);
    if (s->options->access_log)
        service_log(LOG_IS_INFO, "route=%s table=%s status=%d us=%.0f bytes=%zu",
                    routes_name(e->match.route), *e->match.spec ? e->match.spec : "-", a->status,
                    1e6 * seconds, a->size);
    http_connection_begin_answer(e->connection, s->options->read_seconds);
    if (e->connection->requests >= s->options->requests || s->draining) e->closes = true;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        a->size, a->body, a->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    a->owned = false;
    add_headers(e, response);
    enum MHD_Result queued = MHD_queue_response(to, a->status, response);
    MHD_destroy_response(response);
    return queued;
}

static void free_exchange(exchange *e) {
    if (!e) return;
    http_answer_free(&e->answer);
    free(e->body);
    free(e);
}

/* ---- callbacks of the library ---- */

static void note_connection(void *context, struct MHD_Connection *of, void **of_socket,
                            enum MHD_ConnectionNotificationCode what) {
    http_server *s = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(of, MHD_CONNECTION_INFO_CONNECTION_FD);
        *of_socket = info ? http_connections_add(&s->connections, info->connect_fd,
                                                 s->service->options->head_seconds)
                          : NULL;
        s->service->connections += *of_socket != NULL;
    } else if (*of_socket) {
        free_exchange(((http_connection *)*of_socket)->exchange);
        http_connections_remove(&s->connections, *of_socket);
        *of_socket = NULL;
        s->service->connections--;
    }
}

/* Replaces the decoding of the library: request_target.h decodes. */
static size_t leave_escaped(void *context, struct MHD_Connection *of, char *text) {
    (void)context;
    (void)of;
    return strlen(text);
}

/* The first line of a request was read.
 *
 * After this call the library would copy each parameter of the query into the memory of the
 * connection; if that is too small, it neither answers nor reports the end of the request.
 * Therefore the query is cut off in the library's own text. */
static void *begin_exchange(void *context, const char *target, struct MHD_Connection *of) {
    http_server *s = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(of, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    http_connection *c = info ? info->socket_context : NULL;
    size_t size = target ? strlen(target) + 1 : 0;
    exchange *e = c && size ? malloc(sizeof *e + size) : NULL;
    if (e) {
        *e = (exchange){
            .server = s, .connection = c, .match.route = -1, .start_seconds = seconds_now()};
        memcpy(e->target, target, size);
        free_exchange(c->exchange);
        c->exchange = e;
        http_connection_begin_request(c);
    }
    char *query = size ? strchr(target, '?') : NULL;
    if (query) query[1] = 0;
    return e;
}

/* The search has written the answer: let the library call take_request again. */
static void wake_exchange(void *context) {
    exchange *e = context;
    struct MHD_Connection *of = e->suspended;
    e->is_answered = true;
    MHD_resume_connection(of);
}

static bool has_disconnected(void *context) {
    return !http_connection_has_client(((exchange *)context)->connection);
}

/* Answer, or submit a search and suspend the connection until it has the answer. */
static enum MHD_Result answer_request(exchange *e, struct MHD_Connection *to) {
    http_connection_hold(e->connection);
    e->match = routes_answer(e->server->service, &e->request, &e->answer);
    search_work *work = e->answer.work;
    if (!work) return send_answer(e, to);
    http_answer_begin(&e->answer, 503, NULL);
    e->suspended = to;
    e->waiter = (search_waiter){.answer = &e->answer,
                                .wake = wake_exchange,
                                .has_disconnected = has_disconnected,
                                .context = e};
    MHD_suspend_connection(to);
    if (!search_queue_submit(work, &e->waiter)) {
        answer_problem(&e->answer, PROBLEM_BUSY,
                       "too many searches or batches wait already; a table with distances needs "
                       "no searches");
        wake_exchange(e);
    }
    return MHD_YES;
}

/* NOLINTNEXTLINE(readability-function-size): the signature of libmicrohttpd. */
static enum MHD_Result take_request(void *context, struct MHD_Connection *of, const char *url,
                                    const char *method, const char *version, const char *bytes,
                                    size_t *size, void **of_request) {
    exchange *e = *of_request;
    (void)context;
    (void)url;
    if (!e) return MHD_NO; /* out of memory in begin_exchange */
    if (!e->head_is_read) {
        if (!read_head(e, of, method, version)) return MHD_YES;
        e->closes = true;
        return send_answer(e, of);
    }
    if (e->is_answered) {
        routes_complete(&e->request, &e->answer);
        return send_answer(e, of);
    }
    if (!*size) return answer_request(e, of);
    size_t used = e->request.body_size;
    if (!e->body) e->body = malloc(e->body_capacity);
    if (!e->body || used + *size >= e->body_capacity) return MHD_NO;
    memcpy(e->body + used, bytes, *size);
    e->request.body = e->body;
    e->request.body_size += *size;
    e->body[e->request.body_size] = 0;
    *size = 0;
    return MHD_YES;
}

static void end_exchange(void *context, struct MHD_Connection *of, void **of_request,
                         enum MHD_RequestTerminationCode how) {
    http_server *s = context;
    exchange *e = *of_request;
    (void)of;
    (void)how;
    if (!e) return;
    http_connection_set_idle(e->connection, s->service->options->idle_seconds);
    e->connection->exchange = NULL;
    free_exchange(e);
    *of_request = NULL;
}

/* ---- the server ---- */

int http_server_open(service *service, const listener *listener, http_server **server,
                     plb_message *message) {
    const serve_options *o = service->options;
    http_server *s = calloc(1, sizeof *s);
    if (!s) return plb_fail(message, PLB_ENOMEM, "out of memory for a server");
    s->service = service;
    s->listener = listener;
    http_connections_init(&s->connections, o->connections);
    /* Per connection, for the heads of a request and its answer; reused for each request. */
    size_t memory = (size_t)o->head_bytes + o->target_bytes + (size_t)LINE_BYTES * o->head_lines +
                    ANSWER_HEAD_BYTES;
    unsigned limit = (unsigned)(o->connections * o->threads + 64);
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
            MHD_USE_NO_LISTEN_SOCKET,
        0, NULL, NULL, take_request, s, MHD_OPTION_NOTIFY_COMPLETED, end_exchange, s,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_URI_LOG_CALLBACK,
        begin_exchange, s, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_LIMIT, limit,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        o->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, /* a pool has at least 2 */
        (unsigned)o->threads, MHD_OPTION_END);
    int error =
        s->daemon ? PLB_OK : plb_fail(message, PLB_EIO, "cannot start the threads of the server");
    return PLB_HAND_OVER(error, s, server, http_server_close);
}

void http_server_close(http_server *s) {
    if (!s) return;
    if (s->daemon) MHD_stop_daemon(s->daemon);
    http_connections_destroy(&s->connections);
    free(s);
}
