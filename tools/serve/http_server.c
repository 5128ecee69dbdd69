/* SPDX-License-Identifier: MIT
 *
 * The library calls from its threads: for a connection when it begins and ends, for a request when
 * its first line has come, with its head, with each part of its body, and when it is done. Each
 * call sets the deadline of the connection for the next one (http_connections.h).
 */
#include "tools/serve/http_server.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/message.h"
#include "tools/serve/http_connections.h"
#include "tools/serve/problems.h"
#include "tools/serve/request_head.h"
#include "tools/serve/service_log.h"
#include "tools/terminal/console.h"

enum {
    LINE_BYTES = 64,         /* that the library needs for a line of a head */
    ANSWER_HEAD_BYTES = 2048 /* at most */
};

struct http_server {
    service *service;
    const listening *listening;
    struct MHD_Daemon *daemon;
    accepting *accepting; /* NULL: no more connections are accepted */
    http_connections connections;
};

/* ---- connections ---- */

void http_server_sweep(http_server *s) {
    http_connections_sweep(&s->connections, !s->accepting);
}

int http_server_connections(http_server *s) {
    return http_connections_count(&s->connections);
}

/* ---- requests ---- */

/* A request while it is being read and answered. */
typedef struct exchange {
    http_server *server;
    http_connection *connection;
    http_request request;
    http_answer answer;
    char *body;
    size_t body_capacity;             /* its length, and one byte */
    bool head_is_read, is_answered;   /* by a search */
    bool closes;                      /* the connection ends with the answer */
    struct MHD_Connection *suspended; /* until a search has the answer */
    search_waiter waiter;
    asked_route asked;
    double begun;
    char target[]; /* as it came */
} exchange;

static enum MHD_Result read_line(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    request_head_add(context, name, name_size, value, value_size);
    return MHD_YES;
}

/* Read the head. True: the request is refused, and its body is not read. While the server ends,
 * /health is still answered. */
static bool read_head(exchange *e, struct MHD_Connection *of, const char *method,
                      const char *version) {
    const serve_options *o = e->server->service->options;
    http_connection *c = e->connection;
    request_head head;
    e->head_is_read = true;
    request_head_begin(&head, &e->request, method);
    if (c->stream.malformed == c->requests + 1) head.malformed = true;
    c->takes_interim = strcmp(version, "HTTP/1.1") == 0;
    MHD_get_connection_values_n(of, MHD_HEADER_KIND, read_line, &head);
    if (c->over_limit)
        answer_problem(&e->answer, PROBLEM_BUSY, "all %d connections are in use", o->connections);
    else if (e->server->service->draining && strcmp(e->target, "/health") != 0)
        answer_problem(&e->answer, PROBLEM_DRAINING, "the server is shutting down");
    else if (!request_head_refuse(&head, e->target, version, o, e->server->listening->has_host,
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

static void add_headers(const exchange *e, struct MHD_Response *to) {
    static const char *const caching[] = {[CACHE_NEVER] = "no-store",
                                          [CACHE_ASK] = "no-cache",
                                          [CACHE_TABLE] = "no-cache",
                                          [CACHE_ALWAYS] = "public, max-age=31536000, immutable"};
    static const struct {
        const char *policy, *opener, *resource, *referrer;
    } audiences[] = {
        [FOR_SAME_ORIGIN] = {.resource = "same-origin"},
        [FOR_BROWSERS] = {PAGE_POLICY "'none'", "same-origin", "same-origin", "no-referrer"},
        [FOR_FRAMES] = {PAGE_POLICY "*", NULL, "cross-origin", "no-referrer"}};
    const http_answer *a = &e->answer;
    const char *cors = e->server->service->options->cors;
    char seconds[16], refused[16], differing[16];
    add_header(to, "Content-Type", a->type);
    add_header(to, "ETag", a->etag);
    add_header(to, "Cache-Control", caching[a->caching]);
    add_header(to, "X-Content-Type-Options", "nosniff");
    add_header(to, "Allow", a->allow);
    if (a->gzip) add_header(to, "Content-Encoding", "gzip");
    if (a->varies) add_header(to, "Vary", "Accept-Encoding");
    snprintf(seconds, sizeof seconds, "%d", a->retry_seconds);
    if (a->retry_seconds) add_header(to, "Retry-After", seconds);
    snprintf(refused, sizeof refused, "%d", a->refused_lines);
    if (a->refused_lines) add_header(to, "Refused-Lines", refused);
    snprintf(differing, sizeof differing, "%d", a->differing_lines);
    if (a->differing_lines) add_header(to, "Differing-Lines", differing);
    if (e->closes) add_header(to, "Connection", "close");
    add_header(to, "Content-Security-Policy", audiences[a->audience].policy);
    add_header(to, "Cross-Origin-Opener-Policy", audiences[a->audience].opener);
    add_header(to, "Cross-Origin-Resource-Policy", audiences[a->audience].resource);
    add_header(to, "Referrer-Policy", audiences[a->audience].referrer);
    if (a->audience == FOR_PROGRAMS && strcmp(cors, "none") != 0 && routes_are_shared(e->target)) {
        add_header(to, "Access-Control-Allow-Origin", cors);
        if (a->refused_lines || a->differing_lines)
            add_header(to, "Access-Control-Expose-Headers", "Refused-Lines, Differing-Lines");
        if (!a->preflight) return;
        add_header(to, "Access-Control-Allow-Methods", "GET, HEAD, POST");
        add_header(to, "Access-Control-Allow-Headers", "content-type");
        add_header(to, "Access-Control-Max-Age", "86400");
    }
}

/* Count the answer, log it without its position and without the client, and pass it to the library.
 */
static enum MHD_Result send_answer(exchange *e, struct MHD_Connection *to) {
    http_answer *a = &e->answer;
    service *s = e->server->service;
    double seconds = seconds_now() - e->begun;
    metrics_count(&s->metrics, e->asked.number, e->request.method, a, seconds);
    if (s->options->access_log)
        service_log(LOG_IS_INFO, "route=%s table=%s status=%d us=%.0f bytes=%zu",
                    routes_name(e->asked.number), *e->asked.spec ? e->asked.spec : "-", a->status,
                    1e6 * seconds, a->size);
    http_connection_reads(e->connection, s->options->read_seconds);
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

/* ---- calls of the library ---- */

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

/* The library must not decode what request_target.h parses. */
static size_t leave_escaped(void *context, struct MHD_Connection *of, char *text) {
    (void)context;
    (void)of;
    return strlen(text);
}

/* The first line of a request has come.
 *
 * The library would go on to put each parameter of the query into the memory of the connection. If
 * that does not suffice, it neither answers nor says that the request is over. It reads the query
 * from its target after this call: so it is given an empty one. */
static void *begin_exchange(void *context, const char *target, struct MHD_Connection *of) {
    http_server *s = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(of, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    http_connection *c = info ? info->socket_context : NULL;
    size_t size = target ? strlen(target) + 1 : 0;
    exchange *e = c && size ? malloc(sizeof *e + size) : NULL;
    if (e) {
        *e = (exchange){.server = s, .connection = c, .asked.number = -1, .begun = seconds_now()};
        memcpy(e->target, target, size);
        free_exchange(c->exchange);
        c->exchange = e;
        http_connection_begins(c);
    }
    char *query = size ? strchr(target, '?') : NULL;
    if (query) query[1] = 0;
    return e;
}

/* A search has the answer: the library shall call once more. */
static void wake_exchange(void *context) {
    exchange *e = context;
    struct MHD_Connection *of = e->suspended;
    e->is_answered = true;
    MHD_resume_connection(of);
}

static bool has_left(void *context) {
    return !http_connection_has_client(((exchange *)context)->connection);
}

/* Answer, or leave the answer to a search. The library must not call before it is there. */
static enum MHD_Result answer_request(exchange *e, struct MHD_Connection *to) {
    http_connection_is_held(e->connection);
    e->asked = routes_answer(e->server->service, &e->request, &e->answer);
    search_work *work = e->answer.work;
    if (!work) return send_answer(e, to);
    http_answer_begin(&e->answer, 503, NULL);
    e->suspended = to;
    e->waiter = (search_waiter){
        .answer = &e->answer, .wake = wake_exchange, .has_left = has_left, .context = e};
    MHD_suspend_connection(to);
    if (!search_queue_ask(work, &e->waiter)) {
        answer_problem(&e->answer, PROBLEM_BUSY,
                       "too many searches or batches wait already; a table with distances needs "
                       "no searches");
        wake_exchange(e);
    }
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
    http_connection_waits(e->connection, s->service->options->idle_seconds);
    e->connection->exchange = NULL;
    free_exchange(e);
    *of_request = NULL;
}

/* A connection was accepted: the library gives it to one of its threads, or closes it. */
static void take_connection(void *context, int connection, const struct sockaddr *from,
                            socklen_t size) {
    const http_server *s = context;
    MHD_add_connection(s->daemon, connection, from, size);
}

/* ---- the server ---- */

int http_server_open(service *service, const listening *listening, http_server **server,
                     plb_message *message) {
    const serve_options *o = service->options;
    http_server *s = calloc(1, sizeof *s);
    if (!s) return plb_fail(message, PLB_ENOMEM, "out of memory for a server");
    s->service = service;
    s->listening = listening;
    http_connections_begin(&s->connections, o->connections);
    /* For the heads of a request and its answer; it is cleared for each request. */
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
        o->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, /* of one there is no pool */
        (unsigned)o->threads, MHD_OPTION_END);
    int error = s->daemon
                    ? accepting_begin(listening->socket, take_connection, s, &s->accepting, message)
                    : plb_fail(message, PLB_EIO, "cannot start the threads of the server");
    return PLB_HAND_OVER(error, s, server, http_server_close);
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
