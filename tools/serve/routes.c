/* SPDX-License-Identifier: MIT
 *
 * Matches requests to routes. Path, method, parameters and table are checked before the function of
 * the route is called.
 */
#include "tools/serve/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/serve/service_log.h"
#include "tools/terminal/arguments.h"

/* ---- the table of routes ---- */

static const route routes[] = {
    {"/", NULL, answer_page, NULL},
    {"/tables/{spec}", NULL, answer_page, NULL},
    {"/embed/{spec}", NULL, answer_embedded_page, NULL},
    {"/assets/{hash}/{name}", "", answer_asset, NULL},
    {"/health", "", answer_health, NULL},
    {"/metrics", "", answer_metrics, NULL},
    {"/openapi.json", "", answer_description, NULL},
    {"/api", "", answer_manual, NULL},
    {"/problems/{name}", "", answer_problem_page, NULL},
    {"/v1", "", answer_service, NULL},
    {"/v1/tables", "", answer_tables, NULL},
    {"/v1/tables/{spec}", "v", answer_table, NULL},
    {"/v1/tables/{spec}/positions", "board moves v", answer_position, answer_batch},
    {"/v1/tables/{spec}/annotate", "board moves v", answer_game, NULL},
    {"/v1/tables/{spec}/picture", "board moves v", answer_picture, NULL},
    {"/v1/tables/{spec}/stats", "format v", answer_stats, NULL},
    {"/v1/tables/{spec}/best", "board moves seconds resist v", answer_best, NULL},
    {"/v1/tables/{spec}/line", "board moves seconds v", answer_line, NULL},
    {"/v1/tables/{spec}/sample", "count seed ply value v", answer_sample, NULL},
    {"/v1/tables/{spec}/export", "ply format where sample seed v", answer_export, NULL},
};
_Static_assert(sizeof routes / sizeof routes[0] == ROUTES, "as many as are counted");

/* ---- paths ---- */

/* A final slash is ignored. What {spec} and {name} match is stored in the call. */
static bool match_path(const char *path, const request_target *target, route_call *call) {
    int number = 0, segments = target->segments;
    if (segments && !*target->segment[segments - 1]) segments--;
    for (const char *next = path + 1; *next; number++) {
        if (number == segments) return false;
        const char *segment = target->segment[number];
        size_t length = strcspn(next, "/");
        if (next[0] == '{' && next[1] == 's') call->spec = segment;
        if (next[0] == '{' && next[1] == 'n') call->name = segment;
        if (*next != '{' && (strncmp(next, segment, length) != 0 || segment[length])) return false;
        next += length + (next[length] == '/');
    }
    return number == segments;
}

/* ---- parameters ---- */

/* Check that each parameter is known, and given once. */
static bool check_parameters(const route *r, const http_request *request, http_answer *answer) {
    const request_target *target = &request->target;
    const char *known = request->method == HTTP_POST ? "v input expect" : r->parameters;
    for (int p = 0; known && p < target->parameters; p++) {
        const char *name = target->parameter[p].name;
        if (find_choice(known, name) < 0) {
            answer_bad_parameter(answer, name, "there is no parameter '%.60s' here; there %s%s",
                                 name, *known ? "are: " : "is none", known);
            return false;
        }
        if (request_target_find(target, name) == target->parameter[p].value) continue;
        answer_bad_parameter(answer, name, "the parameter '%.60s' is given twice", name);
        return false;
    }
    return true;
}

/* ---- tables ---- */

/* Suggestions for a spec that is not served: up to 5 specs that begin with the same 4 letters. */
typedef struct similar_specs {
    const char *wanted;
    int count;
    char text[256];
} similar_specs;

static void add_similar(void *context, const served_table *table, bool shadowed) {
    similar_specs *n = context;
    if (!table->info || shadowed || n->count == 5) return;
    size_t same = 0, used = strlen(n->text);
    while (n->wanted[same] && table->info->spec[same] == n->wanted[same]) same++;
    if (same < 4) return;
    snprintf(n->text + used, sizeof n->text - used, "%s%s", n->count++ ? ", " : "; there is ",
             table->info->spec);
}

/* Acquire the table of the call. False: there is none, or ?v= names another one. */
static bool find_table(route_call *call, http_answer *answer) {
    const char *wanted = request_target_find(&call->request->target, "v");
    call->table = table_catalogue_acquire(call->service->catalogue, call->spec);
    if (call->table) {
        const char *id = call->table->info->id;
        if (!wanted || strcmp(wanted, id) == 0) return true;
        answer_problem(answer, PROBLEM_TABLE_REPLACED,
                       "the table of %s is now %s; its answers are those of v=%s",
                       call->table->info->spec, id, id);
        return false;
    }
    similar_specs similar = {.wanted = call->spec};
    table_catalogue_visit(call->service->catalogue, add_similar, &similar);
    answer_problem(answer, PROBLEM_NO_SUCH_TABLE, "there is no table of '%.80s' here%s", call->spec,
                   similar.count ? similar.text : "; /v1/tables lists all tables");
    return false;
}

/* All answers of a table have the same tag: version of the format of answers, and id. */
static void write_etag(const served_table *table, char etag[ETAG_TEXT]) {
    snprintf(etag, ETAG_TEXT, "\"p1-%s\"", table->info->id);
}

bool answer_not_modified(const route_call *call, http_answer *answer) {
    char etag[ETAG_TEXT];
    const http_request *request = call->request;
    if (!request->if_none_match || call->table->info->player) return false;
    write_etag(call->table, etag);
    if (!http_etag_matches(request->if_none_match, etag)) return false;
    http_answer_begin(answer, 304, NULL);
    memcpy(answer->etag, etag, sizeof etag);
    answer->caching = CACHE_WITH_ID;
    return true;
}

void answer_object(int status, json_writer *object, http_answer *answer) {
    size_t size = 0;
    close_object(object);
    char *line = take_json_line(object, &size);
    http_answer_begin(answer, status, "application/json");
    http_answer_set_body(answer, line, size);
    if (line) answer->caching = CACHE_REVALIDATE;
}

void cache_with_table(const route_call *call, http_answer *answer) {
    if (answer->status != 200) return;
    write_etag(call->table, answer->etag);
    answer->caching = CACHE_WITH_ID;
}

void answer_table_object(const route_call *call, json_writer *object, http_answer *answer) {
    answer_object(200, object, answer);
    cache_with_table(call, answer);
}

void forbid_caching(http_answer *answer) {
    answer->caching = CACHE_NEVER;
    *answer->etag = 0;
}

static void free_work(search_work *work) {
    table_catalogue_release(((route_work *)work)->call.table);
    free(work);
}

void defer_answer(const route_work *work, size_t size, const char *what, http_answer *answer) {
    route_work *copy = malloc(size);
    if (!copy) {
        answer_problem(answer, PROBLEM_OUT_OF_MEMORY, "out of memory for %s", what);
        return;
    }
    memcpy(copy, work, size);
    table_catalogue_retain(copy->call.table);
    copy->work.free = free_work;
    answer->work = &copy->work;
}

void routes_complete(const http_request *request, http_answer *answer) {
    if (answer->caching == CACHE_WITH_ID && request_target_find(&request->target, "v"))
        answer->caching = CACHE_FOREVER;
}

void routes_report(const route_call *call, int error, const plb_message *message) {
    if (error != PLB_ECORRUPT && error != PLB_EIO) return;
    if (!call->table->damaged) service_log(LOG_IS_ERROR, "%s", message->text);
    table_catalogue_report(call->service->catalogue, call->table, message);
}

void answer_table_error(const route_call *call, http_answer *answer, int error,
                        const plb_message *message, const char *parameter) {
    routes_report(call, error, message);
    answer_error(answer, error, message, parameter);
    if (answer->status != 400) return;
    write_etag(call->table, answer->etag); /* the same table refuses the same request again */
    answer->caching = CACHE_WITH_ID;
}

/* ---- answering ---- */

/* Answer a request whose path matches a route. */
static void answer_route(const route *r, route_call *call, http_answer *answer) {
    const http_request *request = call->request;
    http_method method = request->method;
    bool reads = method == HTTP_GET || method == HTTP_HEAD;
    bool of_table = strncmp(r->path, "/v1/tables/{spec}", strlen("/v1/tables/{spec}")) == 0;
    if (!reads && !(method == HTTP_POST && r->post)) {
        const char *methods = r->post ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS";
        if (method == HTTP_OPTIONS)
            http_answer_begin(answer, 204, NULL);
        else
            answer_problem(answer, PROBLEM_METHOD, "%s accepts %s", r->path, methods);
        answer->allow = methods;
        return;
    }
    if (!check_parameters(r, request, answer)) return;
    if (of_table && !find_table(call, answer)) return;
    if (call->spec && !of_table)
        call->table = table_catalogue_acquire(call->service->catalogue, call->spec);
    (reads ? r->answer : r->post)(call, answer);
    if (answer->status == 200 && http_etag_matches(request->if_none_match, answer->etag)) {
        http_answer_free(answer); /* the client has this answer */
        answer->status = 304;
        answer->type = NULL;
        answer->size = 0;
        answer->gzip = false;
    }
    routes_complete(request, answer);
}

route_match routes_answer(service *service, const http_request *request, http_answer *answer) {
    route_match match = {.route = -1};
    for (int r = 0; r < ROUTES; r++) {
        route_call call = {.service = service, .request = request};
        if (!match_path(routes[r].path, &request->target, &call)) continue;
        answer_route(&routes[r], &call, answer);
        match.route = r;
        if (call.table) strncat(match.spec, call.table->info->spec, SPEC_TEXT - 1);
        table_catalogue_release(call.table);
        return match;
    }
    /* No route: a browser gets the page, which says so and links the tables. */
    const request_target *target = &request->target;
    bool reads = request->method == HTTP_GET || request->method == HTTP_HEAD;
    bool of_programs = target->segments && strcmp(target->segment[0], "v1") == 0;
    if (reads && !of_programs && request->accept && strstr(request->accept, "text/html")) {
        answer_page(&(route_call){.service = service, .request = request}, answer);
        answer->status = 404;
    } else {
        answer_problem(answer, PROBLEM_NO_SUCH_ROUTE,
                       "there is nothing at this address; /api describes all addresses");
    }
    return match;
}

bool routes_are_shared(const char *target) {
    static const char *const shared[] = {"/v1", "/openapi.json"};
    for (size_t s = 0; s < sizeof shared / sizeof *shared; s++) {
        size_t length = strlen(shared[s]);
        if (strncmp(target, shared[s], length) == 0 && strchr("/?", target[length])) return true;
    }
    return false;
}

const char *routes_name(int route) {
    return route < 0 ? "none" : routes[route].path;
}
