/* SPDX-License-Identifier: MIT
 *
 * The library calls from its threads: for a connection when it comes and goes, for a request when
 * its first line has come, with its head, with each part of its body, and when it is done. Each
 * call leaves in the connection until when the next one must come (http_connections.h).
 */
#include "tools/serve/http_server.h"

#include <microhttpd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"
#include "tools/serve/accepting.h"
#include "tools/serve/http_connections.h"
#include "tools/serve/problems.h"
#include "tools/serve/received_bytes.h"
#include "tools/serve/request_head.h"
#include "tools/serve/routes.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/interrupts.h"

enum {
    LINE_BYTES = 64,         /* of the library, for what it knows of a line of a head */
    ANSWER_HEAD_BYTES = 2048 /* at most */
};

struct http_server {
    service *service;
    const listening *listening;
    struct MHD_Daemon *daemon;
    accepting *accepting; /* NULL: nothing more is accepted */
    http_connections connections;
};

/* ---- connections ---- */

static void see_bytes(void *context, const char *bytes, size_t size) {
    http_connection_receives(context, bytes, size);
}

static void remove_connection(http_server *s, http_connection *c) {
    received_bytes_leave(c->socket);
    http_connections_remove(&s->connections, c);
}

static http_connection *add_connection(http_server *s, int socket) {
    double seconds = s->service->options->head_seconds;
    http_connection *c = http_connections_add(&s->connections, socket, seconds);
    if (!c || received_bytes_watch(socket, see_bytes, c)) return c;
    remove_connection(s, c);
    return NULL;
}

static void note_connection(void *context, struct MHD_Connection *of, void **of_socket,
                            enum MHD_ConnectionNotificationCode what) {
    http_server *s = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(of, MHD_CONNECTION_INFO_CONNECTION_FD);
        *of_socket = info ? add_connection(s, info->connect_fd) : NULL;
        s->service->connections += *of_socket != NULL;
    } else if (*of_socket) {
        remove_connection(s, *of_socket);
        *of_socket = NULL;
        s->service->connections--;
    }
}

static http_connection *connection_of(struct MHD_Connection *of) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(of, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void http_server_sweep(http_server *s) {
    http_connections_sweep(&s->connections, !s->accepting);
}

int http_server_connections(http_server *s) {
    return http_connections_count(&s->connections);
}

/* ---- requests ---- */

/* A request on its way. */
typedef struct exchange {
    http_server *server;
    http_connection *connection;
    http_request request;
    http_answer answer;
    char *body;
    size_t body_room;                 /* its length, and one byte */
    bool head_is_read, is_answered;   /* by a search */
    bool closes;                      /* the connection ends with the answer */
    struct MHD_Connection *suspended; /* until a search has the answer */
    search_waiter waiter;
    asked_route asked;
    double begun;
    char target[]; /* as it came */
} exchange;

/* Look at a line of the head. */
static enum MHD_Result read_line(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    request_head_add(context, name, name_size, value, value_size);
    return MHD_YES;
}

/* Is there no room for it? How the server is can be asked to its end. */
static bool refuse_service(exchange *e) {
    if (e->connection->surplus)
        answer_problem(&e->answer, PROBLEM_BUSY, "all %d connections are taken",
                       e->server->service->options->connections);
    else if (e->server->service->draining && strcmp(e->target, "/health") != 0)
        answer_problem(&e->answer, PROBLEM_DRAINING, "the server is ending");
    else
        return false;
    return true;
}

/* Read the head; true: the request is refused, and its body is not read. */
static bool read_head(exchange *e, struct MHD_Connection *of, const char *method,
                      const char *version) {
    const serve_options *o = e->server->service->options;
    const request_stream *stream = &e->connection->stream;
    request_head head;
    head_limits limits = {.head_bytes = o->head_bytes,
                          .head_lines = o->head_lines,
                          .target_bytes = o->target_bytes,
                          .body_bytes = o->body_bytes,
                          .hosts = o->hosts,
                          .checks_host = *e->server->listening->address};
    e->head_is_read = true;
    request_head_begin(&head, &e->request, method);
    if (stream->malformed == e->connection->requests + 1) head.malformed = true;
    e->request.socket = e->connection->socket;
    MHD_get_connection_values_n(of, MHD_HEADER_KIND, read_line, &head);
    if (refuse_service(e) || request_head_refuse(&head, e->target, version, &limits, &e->answer))
        return true;
    e->body_room = 1 + (head.length ? strtoull(head.length, NULL, 10) : 0);
    return false;
}

/* ---- answers ---- */

static const char *caching_text(http_caching caching) {
    switch (caching) {
        case CACHE_ASK:
            return "no-cache";
        case CACHE_HOUR:
            return "public, max-age=3600, stale-while-revalidate=86400";
        case CACHE_ALWAYS:
            return "public, max-age=31536000, immutable";
        default:
            return "no-store";
    }
}

#define PAGE_POLICY                                                                   \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " \
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors "

static void add_header(struct MHD_Response *to, const char *name, const char *value) {
    if (value && *value) MHD_add_response_header(to, name, value);
}

/* Whose programs may read the answer, and before that ask. */
static void add_origin(const exchange *e, struct MHD_Response *to) {
    const char *cors = e->server->service->options->cors;
    if (strcmp(cors, "none") == 0 || !routes_are_shared(e->target)) return;
    add_header(to, "Access-Control-Allow-Origin", cors);
    if (!e->answer.preflight) return;
    add_header(to, "Access-Control-Allow-Methods", "GET, HEAD, POST");
    add_header(to, "Access-Control-Allow-Headers", "content-type");
    add_header(to, "Access-Control-Max-Age", "86400");
}

static void add_audience(const exchange *e, struct MHD_Response *to) {
    switch (e->answer.audience) {
        case FOR_PROGRAMS:
            add_origin(e, to);
            break;
        case FOR_NEIGHBOURS:
            add_header(to, "Cross-Origin-Resource-Policy", "same-origin");
            break;
        case FOR_BROWSERS:
            add_header(to, "Content-Security-Policy", PAGE_POLICY "'none'");
            add_header(to, "Cross-Origin-Opener-Policy", "same-origin");
            add_header(to, "Cross-Origin-Resource-Policy", "same-origin");
            add_header(to, "Referrer-Policy", "no-referrer");
            break;
        case FOR_FRAMES:
            add_header(to, "Content-Security-Policy", PAGE_POLICY "*");
            add_header(to, "Cross-Origin-Resource-Policy", "cross-origin");
            add_header(to, "Referrer-Policy", "no-referrer");
            break;
    }
}

static void add_headers(const exchange *e, struct MHD_Response *to) {
    const http_answer *a = &e->answer;
    char seconds[16];
    add_header(to, "Content-Type", a->type);
    add_header(to, "ETag", a->etag);
    add_header(to, "Cache-Control", caching_text(a->caching));
    add_header(to, "X-Content-Type-Options", "nosniff");
    add_header(to, "Allow", a->allow);
    if (a->gzip) add_header(to, "Content-Encoding", "gzip");
    if (a->varies) add_header(to, "Vary", "Accept-Encoding");
    if (a->retry_seconds) {
        snprintf(seconds, sizeof seconds, "%d", a->retry_seconds);
        add_header(to, "Retry-After", seconds);
    }
    if (e->closes) add_header(to, "Connection", "close");
    add_audience(e, to);
}

/* A line for a request: neither its position nor who has asked. */
static void log_access(const exchange *e, double seconds) {
    const http_answer *a = &e->answer;
    service_log(LOG_IS_INFO, "route=%s table=%s status=%d us=%.0f bytes=%zu",
                routes_name(e->asked.number), *e->asked.spec ? e->asked.spec : "-", a->status,
                1e6 * seconds, a->size);
}

/* Count an answer and log it. */
static void note_answer(const exchange *e) {
    const service *s = e->server->service;
    double seconds = seconds_now() - e->begun;
    service_metrics_count(s->metrics, e->asked.number, e->request.method, &e->answer, seconds);
    if (s->options->access_log) log_access(e, seconds);
}

/* Hand the answer to the library. */
static enum MHD_Result send_answer(exchange *e, struct MHD_Connection *to) {
    http_answer *a = &e->answer;
    const serve_options *o = e->server->service->options;
    note_answer(e);
    http_connection_reads(e->connection, o->read_seconds);
    if (e->connection->requests >= o->requests || e->server->service->draining) e->closes = true;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        a->size, a->body, a->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    a->owned = false;
    add_headers(e, response);
    enum MHD_Result queued = MHD_queue_response(to, a->status, response);
    MHD_destroy_response(response);
    return queued;
}

/* ---- calls of the library ---- */

/* The library need not decode what request_target.h takes apart. */
static size_t leave_escaped(void *context, struct MHD_Connection *of, char *text) {
    (void)context;
    (void)of;
    return strlen(text);
}

/* The first line of a request has come. */
static void *begin_exchange(void *context, const char *target, struct MHD_Connection *of) {
    http_server *s = context;
    http_connection *c = connection_of(of);
    size_t size = strlen(target) + 1;
    exchange *e = c ? malloc(sizeof *e + size) : NULL;
    if (!e) return NULL;
    *e = (exchange){.server = s, .connection = c, .asked.number = -1, .begun = seconds_now()};
    memcpy(e->target, target, size);
    http_connection_begins(c);
    return e;
}

static bool take_body(exchange *e, const char *bytes, size_t size) {
    size_t used = e->request.body_size;
    if (!e->body) e->body = malloc(e->body_room);
    if (!e->body || used + size >= e->body_room) return false;
    memcpy(e->body + used, bytes, size);
    e->body[used + size] = 0;
    e->request.body = e->body;
    e->request.body_size += size;
    return true;
}

/* A search has the answer: let the library call once more. */
static void wake_exchange(void *context) {
    exchange *e = context;
    struct MHD_Connection *of = e->suspended;
    e->is_answered = true;
    MHD_resume_connection(of);
}

/* Leave the answer to a search. The library must not call before it is there. */
static void wait_for_search(exchange *e, struct MHD_Connection *of) {
    search_work *work = e->answer.work;
    http_answer_begin(&e->answer, 503, NULL);
    e->suspended = of;
    e->waiter = (search_waiter){
        .socket = e->connection->socket, .answer = &e->answer, .wake = wake_exchange, .context = e};
    MHD_suspend_connection(of);
    search_state state = search_queue_ask(e->server->service->searches, work, &e->waiter);
    if (state == SEARCH_FULL)
        answer_problem(&e->answer, PROBLEM_BUSY,
                       "%d searches wait already; a table with distances needs none",
                       e->server->service->options->search_queue);
    if (state != SEARCH_WAITS) wake_exchange(e);
}

static enum MHD_Result answer_request(exchange *e, struct MHD_Connection *to) {
    http_connection_is_held(e->connection);
    e->asked = routes_answer(e->server->service, &e->request, &e->answer);
    if (!e->answer.work) return send_answer(e, to);
    wait_for_search(e, to);
    return MHD_YES;
}

/* NOLINTNEXTLINE(readability-function-size): what libmicrohttpd calls. */
static enum MHD_Result take_request(void *context, struct MHD_Connection *of, const char *url,
                                    const char *method, const char *version, const char *bytes,
                                    size_t *size, void **of_request) {
    exchange *e = *of_request;
    (void)context;
    (void)url;
    if (!e) return MHD_NO; /* there was no memory for it */
    if (!e->head_is_read) {
        if (!read_head(e, of, method, version)) return MHD_YES;
        e->closes = true;
        return send_answer(e, of);
    }
    if (e->is_answered) {
        routes_complete(&e->request, &e->answer);
        return send_answer(e, of);
    }
    if (*size) {
        if (!take_body(e, bytes, *size)) return MHD_NO;
        *size = 0;
        return MHD_YES;
    }
    return answer_request(e, of);
}

static void end_exchange(void *context, struct MHD_Connection *of, void **of_request,
                         enum MHD_RequestTerminationCode how) {
    http_server *s = context;
    exchange *e = *of_request;
    (void)of;
    (void)how;
    if (!e) return;
    http_connection_waits(e->connection, s->service->options->idle_seconds);
    http_answer_free(&e->answer);
    free(e->body);
    free(e);
    *of_request = NULL;
}

/* ---- the server ---- */

/* Of the library, for the heads of request and answer. It is cleared for each request. */
static size_t connection_memory(const serve_options *o) {
    return (size_t)o->head_bytes + o->target_bytes + (size_t)LINE_BYTES * o->head_lines +
           ANSWER_HEAD_BYTES;
}

/* With one thread there is no pool of them. */
static struct MHD_Daemon *start_daemon(http_server *s, const serve_options *o) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
            MHD_USE_NO_LISTEN_SOCKET,
        0, NULL, NULL, take_request, s, MHD_OPTION_NOTIFY_COMPLETED, end_exchange, s,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_URI_LOG_CALLBACK,
        begin_exchange, s, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory(o), MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(o->connections * o->threads + 64), MHD_OPTION_STRICT_FOR_CLIENT, 1,
        o->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (unsigned)o->threads,
        MHD_OPTION_END);
}

/* A connection has come: the library deals it to one of its threads, or closes it. */
static void take_connection(void *context, int connection, const struct sockaddr *from,
                            socklen_t size) {
    const http_server *s = context;
    MHD_add_connection(s->daemon, connection, from, size);
}

int http_server_open(service *service, const listening *listening, http_server **server,
                     plb_message *message) {
    const serve_options *o = service->options;
    http_server *s = calloc(1, sizeof *s);
    if (!s) return plb_fail(message, PLB_ENOMEM, "out of memory for a server");
    s->service = service;
    s->listening = listening;
    http_connections_begin(&s->connections, o->connections);
    s->daemon = start_daemon(s, o);
    int error = s->daemon
                    ? accepting_begin(listening->socket, take_connection, s, &s->accepting, message)
                    : plb_fail(message, PLB_EIO, "cannot start the threads of the server");
    if (error)
        http_server_close(s);
    else
        *server = s;
    return error;
}

void http_server_stop_listening(http_server *s) {
    accepting_end(s->accepting);
    s->accepting = NULL;
    http_server_sweep(s);
}

void http_server_close(http_server *s) {
    if (!s) return;
    accepting_end(s->accepting);
    if (s->daemon) MHD_stop_daemon(s->daemon);
    http_connections_end(&s->connections);
    free(s);
}
