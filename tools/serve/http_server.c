/* SPDX-License-Identifier: MIT
 *
 * The library calls from its threads: for a connection when it comes and goes, for a request when
 * its first line has come, with its head, with each part of its body, and when it is done. Each
 * call leaves in the connection until when the next one must come; the sweep shuts down sockets
 * that are late, and the library then finds them closed.
 */
#include "tools/serve/http_server.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tables/message.h"
#include "tools/command.h"
#include "tools/serve/host_names.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"
#include "tools/serve/service_log.h"

enum {
    CONNECTION_MEMORY = 24 << 10, /* of the library: head, and that of the answer */
};

/* ---- connections ---- */

typedef struct connection connection;
struct connection {
    connection *next, *previous;
    int socket, requests;
    bool surplus;                    /* beyond the limit: it is refused */
    atomic_int_fast64_t deadline_ms; /* INT64_MAX: none */
    atomic_int_fast64_t waiting_ms;  /* since when it waits for a request; 0: it does not */
};

struct http_server {
    service *service;
    const listening *listening;
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock; /* of the ring */
    connection ring;      /* of connections; this one stands for its ends */
    int connections;
    atomic_bool listens;
    struct timespec begun;
};

static int64_t now_ms(void) {
    return (int64_t)(1000 * seconds_now());
}

static void set_deadline_of(connection *c, double seconds) {
    atomic_store_explicit(&c->deadline_ms, now_ms() + (int64_t)(1000 * seconds),
                          memory_order_relaxed);
}

/* The connection that has waited longest for a request is closed; false: all are busy. */
static bool close_idlest(http_server *s) {
    connection *idlest = NULL;
    for (connection *c = s->ring.next; c != &s->ring; c = c->next)
        if (c->waiting_ms && c->requests && (!idlest || c->waiting_ms < idlest->waiting_ms))
            idlest = c;
    if (idlest) {
        idlest->waiting_ms = 0;
        shutdown(idlest->socket, SHUT_RDWR);
    }
    return idlest;
}

static connection *add_connection(http_server *s, int socket) {
    connection *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->socket = socket;
    c->waiting_ms = now_ms();
    set_deadline_of(c, s->service->options->head_seconds);
    pthread_mutex_lock(&s->lock);
    s->service->connections = ++s->connections;
    if (s->connections > s->service->options->connections) c->surplus = !close_idlest(s);
    c->next = &s->ring;
    c->previous = s->ring.previous;
    c->previous->next = c->next->previous = c;
    pthread_mutex_unlock(&s->lock);
    return c;
}

static void remove_connection(http_server *s, connection *c) {
    pthread_mutex_lock(&s->lock);
    c->previous->next = c->next;
    c->next->previous = c->previous;
    s->service->connections = --s->connections;
    pthread_mutex_unlock(&s->lock);
    free(c);
}

static void note_connection(void *context, struct MHD_Connection *of, void **of_socket,
                            enum MHD_ConnectionNotificationCode what) {
    http_server *s = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(of, MHD_CONNECTION_INFO_CONNECTION_FD);
        *of_socket = info ? add_connection(s, info->connect_fd) : NULL;
    } else if (*of_socket) {
        remove_connection(s, *of_socket);
        *of_socket = NULL;
    }
}

static connection *connection_of(struct MHD_Connection *of) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(of, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void http_server_sweep(http_server *s) {
    int64_t now = now_ms();
    pthread_mutex_lock(&s->lock);
    for (connection *c = s->ring.next; c != &s->ring; c = c->next)
        if (c->deadline_ms < now || (!s->listens && c->waiting_ms)) {
            atomic_store(&c->deadline_ms, INT64_MAX);
            shutdown(c->socket, SHUT_RDWR);
        }
    pthread_mutex_unlock(&s->lock);
}

int http_server_connections(http_server *s) {
    pthread_mutex_lock(&s->lock);
    int count = s->connections;
    pthread_mutex_unlock(&s->lock);
    return count;
}

/* ---- heads ---- */

/* A request on its way. */
typedef struct exchange {
    http_server *server;
    connection *connection;
    http_request request;
    http_answer answer;
    char *body;
    size_t body_room;
    bool head_is_read, is_answered;   /* by a search */
    bool closes;                      /* the connection ends with the answer */
    struct MHD_Connection *suspended; /* until a search has the answer */
    search_waiter waiter;
    int route;
    double begun;
    char target[]; /* as it came */
} exchange;

/* What was found in a head. */
typedef struct head {
    http_request *request;
    const char *host, *length;
    int lines, hosts, lengths;
    size_t bytes;
    bool encoded, malformed;
} head;

static bool is_token(const char *text, size_t size) {
    static const char others[] = "!#$%&'*+-.^_`|~";
    for (size_t c = 0; c < size; c++)
        if (!((text[c] >= '0' && text[c] <= '9') || (text[c] >= 'a' && text[c] <= 'z') ||
              (text[c] >= 'A' && text[c] <= 'Z') || (text[c] && strchr(others, text[c]))))
            return false;
    return size > 0;
}

static bool is_field_value(const char *text, size_t size) {
    for (size_t c = 0; c < size; c++)
        if (((unsigned char)text[c] < ' ' && text[c] != '\t') || text[c] == 0x7f) return false;
    return true;
}

/* Look at a line of the head. */
static enum MHD_Result read_line(void *context, enum MHD_ValueKind kind, const char *name,
                                 size_t name_size, const char *value, size_t value_size) {
    head *h = context;
    (void)kind;
    h->lines++;
    h->bytes += name_size + value_size + strlen(": \r\n");
    if (!is_token(name, name_size) || (value && !is_field_value(value, value_size)))
        h->malformed = true;
    if (!value) return MHD_YES;
    if (strcasecmp(name, "host") == 0) {
        h->host = value;
        h->hosts++;
    } else if (strcasecmp(name, "content-length") == 0) {
        h->length = value;
        h->lengths++;
    } else if (strcasecmp(name, "transfer-encoding") == 0) {
        h->encoded = true;
    } else if (strcasecmp(name, "content-type") == 0) {
        h->request->content_type = value;
    } else if (strcasecmp(name, "if-none-match") == 0) {
        h->request->if_none_match = value;
    } else if (strcasecmp(name, "accept-encoding") == 0) {
        h->request->accept_encoding = value;
    }
    return MHD_YES;
}

static http_method method_of(const char *text) {
    static const struct {
        const char *text;
        http_method method;
    } methods[] = {
        {"GET", HTTP_GET}, {"HEAD", HTTP_HEAD}, {"POST", HTTP_POST}, {"OPTIONS", HTTP_OPTIONS}};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        if (strcmp(text, methods[m].text) == 0) return methods[m].method;
    return HTTP_OTHER;
}

/* The length of a body: digits alone. */
static bool is_length(const char *text) {
    return *text && !text[strspn(text, "0123456789")];
}

/* Is a body refused before it is read? */
static bool refuse_body(exchange *e, const head *h) {
    int most = e->server->service->options->body_bytes;
    if (h->encoded || (e->request.method == HTTP_POST && !h->length))
        answer_problem(&e->answer, PROBLEM_LENGTH_NEEDED,
                       "a body is sent with its Content-Length and without Transfer-Encoding");
    else if (h->lengths > 1 || (h->length && !is_length(h->length)))
        answer_problem(&e->answer, PROBLEM_BAD_REQUEST, "Content-Length is one number");
    else if (h->length &&
             (strlen(h->length) > 10 || strtoull(h->length, NULL, 10) > (unsigned long long)most))
        answer_problem(&e->answer, PROBLEM_BODY_TOO_LARGE, "a body has at most %d bytes", most);
    else
        return false;
    return true;
}

static bool refuse_host(exchange *e, const head *h, const char *version) {
    const listening *l = e->server->listening;
    if (h->hosts > 1 || (!h->hosts && strcmp(version, "HTTP/1.0") != 0))
        answer_problem(&e->answer, PROBLEM_BAD_REQUEST, "a request has one Host");
    else if (*l->address && h->host && !host_is_own(h->host, e->server->service->options->hosts))
        answer_problem(&e->answer, PROBLEM_WRONG_HOST,
                       "this server is not '%.80s'; `plybase serve --host` adds names", h->host);
    else
        return false;
    return true;
}

static bool refuse_head(exchange *e, const head *h) {
    plb_message message;
    if (e->connection->surplus)
        answer_problem(&e->answer, PROBLEM_BUSY, "all %d connections are taken",
                       e->server->service->options->connections);
    else if (e->server->service->draining)
        answer_problem(&e->answer, PROBLEM_DRAINING, "the server is ending");
    else if (h->malformed)
        answer_problem(&e->answer, PROBLEM_BAD_REQUEST,
                       "a line of the head has characters that do not belong there");
    else if (h->lines > HEAD_LINES || h->bytes > HEAD_BYTES)
        answer_problem(&e->answer, PROBLEM_HEAD_TOO_LARGE,
                       "a head has at most %d lines and %d bytes", HEAD_LINES, HEAD_BYTES);
    else if (strlen(e->target) >= TARGET_BYTES)
        answer_problem(&e->answer, PROBLEM_TARGET_TOO_LONG, "a target has at most %d bytes",
                       TARGET_BYTES - 1);
    else if (request_target_parse(e->target, &e->request.target, &message) != PLB_OK)
        answer_problem(&e->answer, PROBLEM_BAD_REQUEST, "%s", message.text);
    else
        return false;
    return true;
}

/* Read the head; true: the request is refused, and its body is not read. */
static bool read_head(exchange *e, struct MHD_Connection *of, const char *method,
                      const char *version) {
    head h = {.request = &e->request};
    e->head_is_read = true;
    e->request.method = method_of(method);
    e->request.socket = e->connection->socket;
    MHD_get_connection_values_n(of, MHD_HEADER_KIND, read_line, &h);
    return refuse_head(e, &h) || refuse_host(e, &h, version) || refuse_body(e, &h);
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

static void add_audience(const exchange *e, struct MHD_Response *to) {
    const char *cors = e->server->service->options->cors;
    switch (e->answer.audience) {
        case FOR_PROGRAMS:
            if (strcmp(cors, "none") != 0) add_header(to, "Access-Control-Allow-Origin", cors);
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

static void add_preflight(const exchange *e, struct MHD_Response *to) {
    if (!e->answer.preflight || strcmp(e->server->service->options->cors, "none") == 0) return;
    add_header(to, "Access-Control-Allow-Methods", "GET, HEAD, POST");
    add_header(to, "Access-Control-Allow-Headers", "content-type");
    add_header(to, "Access-Control-Max-Age", "86400");
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
    add_preflight(e, to);
}

/* A line for a request: neither its position nor who has asked. */
static void log_access(const exchange *e, double seconds) {
    const http_answer *a = &e->answer;
    service_log(LOG_IS_INFO, "route=%s status=%d us=%.0f bytes=%zu", routes_name(e->route),
                a->status, 1e6 * seconds, a->size);
}

/* Count an answer and log it. */
static void note_answer(const exchange *e) {
    const service *s = e->server->service;
    double seconds = seconds_now() - e->begun;
    service_metrics_count(s->metrics, e->route, e->request.method, &e->answer, seconds);
    if (s->options->access_log) log_access(e, seconds);
}

/* Hand the answer to the library. */
static enum MHD_Result send_answer(exchange *e, struct MHD_Connection *to) {
    http_answer *a = &e->answer;
    const serve_options *o = e->server->service->options;
    note_answer(e);
    if (++e->connection->requests >= o->requests || e->server->service->draining) e->closes = true;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        a->size, a->body, a->owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    a->owned = false;
    add_headers(e, response);
    set_deadline_of(e->connection, o->read_seconds);
    enum MHD_Result queued = MHD_queue_response(to, a->status, response);
    MHD_destroy_response(response);
    return queued;
}

/* ---- calls of the library ---- */

/* The first line of a request has come. */
static void *begin_exchange(void *context, const char *target, struct MHD_Connection *of) {
    http_server *s = context;
    connection *c = connection_of(of);
    size_t size = strlen(target) + 1;
    exchange *e = c ? calloc(1, sizeof *e + size) : NULL;
    if (!e) return NULL;
    e->server = s;
    e->connection = c;
    e->route = -1;
    e->begun = seconds_now();
    memcpy(e->target, target, size);
    c->waiting_ms = 0;
    set_deadline_of(c, s->service->options->head_seconds);
    return e;
}

static bool take_body(exchange *e, const char *bytes, size_t size) {
    size_t used = e->request.body_size;
    if (used + size + 1 > e->body_room) {
        size_t room = 2 * e->body_room + size + 1;
        char *body = realloc(e->body, room);
        if (!body) return false;
        e->body = body;
        e->body_room = room;
    }
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
    atomic_store_explicit(&e->connection->deadline_ms, INT64_MAX, memory_order_relaxed);
    e->route = routes_answer(e->server->service, &e->request, &e->answer);
    if (!e->answer.work) return send_answer(e, to);
    wait_for_search(e, to);
    return MHD_YES;
}

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
    e->connection->waiting_ms = now_ms();
    set_deadline_of(e->connection, s->service->options->idle_seconds);
    http_answer_free(&e->answer);
    free(e->body);
    free(e);
    *of_request = NULL;
}

/* ---- the server ---- */

int http_server_open(service *service, const listening *listening, http_server **server,
                     plb_message *message) {
    const serve_options *o = service->options;
    http_server *s = calloc(1, sizeof *s);
    if (!s) return plb_fail(message, PLB_ENOMEM, "out of memory for a server");
    s->service = service;
    s->listening = listening;
    s->listens = true;
    s->ring.next = s->ring.previous = &s->ring;
    pthread_mutex_init(&s->lock, NULL);
    s->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL,
        take_request, s, MHD_OPTION_LISTEN_SOCKET, listening->socket, MHD_OPTION_NOTIFY_COMPLETED,
        end_exchange, s, MHD_OPTION_NOTIFY_CONNECTION, note_connection, s,
        MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(o->connections * o->threads + 64), MHD_OPTION_STRICT_FOR_CLIENT, 1,
        /* Must be the last: with one thread there is no pool. */
        o->threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (unsigned)o->threads,
        MHD_OPTION_END);
    if (!s->daemon) {
        http_server_close(s);
        return plb_fail(message, PLB_EIO, "cannot start the threads of the server");
    }
    *server = s;
    return PLB_OK;
}

void http_server_stop_listening(http_server *s) {
    MHD_socket socket = MHD_quiesce_daemon(s->daemon);
    if (socket >= 0) close(socket);
    s->listens = false;
    http_server_sweep(s);
}

void http_server_close(http_server *s) {
    if (!s) return;
    if (s->daemon) MHD_stop_daemon(s->daemon);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
