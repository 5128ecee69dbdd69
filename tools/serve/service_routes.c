/* SPDX-License-Identifier: MIT
 *
 * Answers about the service.
 */
#include "tools/answers/json_service.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

static void answer_object(http_answer *answer, int status, json_t *object) {
    size_t size = 0;
    char *line = format_json_line(object, &size);
    http_answer_begin(answer, status, "application/json");
    http_answer_own(answer, line, size);
    answer->caching = CACHE_ASK;
}

/* ---- tables ---- */

static void list_table(void *context, const served_table *t, bool shadowed) {
    listed_table listed = {.table = t->table, .name = t->name, .first_player = t->first_player};
    listed.state = !t->table || t->damaged ? "damaged" : shadowed ? "shadowed" : "ok";
    if (!t->table || t->damaged)
        listed.detail = t->sentence.text;
    else if (shadowed)
        listed.detail = "another table of the same game is served";
    json_array_append_new(context, json_of_listed_table(&listed));
}

void answer_tables(const route_call *call, http_answer *answer) {
    json_t *list = json_array();
    table_catalogue_visit(call->service->catalogue, list_table, list);
    answer_object(answer, 200, json_pack("{s:o}", "tables", list));
}

/* ---- health ---- */

void answer_health(const route_call *call, http_answer *answer) {
    bool draining = call->service->draining;
    answer_object(answer, draining ? 503 : 200,
                  json_pack("{s:s, s:i}", "status", draining ? "draining" : "ok", "tables",
                            table_catalogue_count(call->service->catalogue)));
    if (draining) answer->retry_seconds = 1;
    answer->audience = FOR_NEIGHBOURS;
}

/* ---- the service ---- */

static json_t *json_of_limits(const serve_options *o) {
    return json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:i, s:i, s:f, s:f, s:I, s:i, s:i, s:I}",
        "head_bytes", o->head_bytes, "head_lines", o->head_lines, "target_bytes", o->target_bytes,
        "body_bytes", o->body_bytes, "batch_positions", o->batch, "sample_positions", o->samples,
        "request_seconds", o->head_seconds, "idle_seconds", o->idle_seconds, "read_seconds",
        o->read_seconds, "connections", o->connections, "connection_requests", o->requests,
        "search_seconds", o->search_seconds, "search_most_seconds", o->most_search_seconds,
        "search_memory_bytes", (json_int_t)o->search_memory_bytes, "search_threads",
        o->search_threads, "search_queue", o->search_queue, "memory_bytes",
        (json_int_t)o->memory_bytes);
}

void answer_service(const route_call *call, http_answer *answer) {
    answer_object(
        answer, 200,
        json_pack("{s:s, s:s, s:o, s:{s:s, s:s, s:s, s:s, s:s, s:s}}", "name", "plybase", "version",
                  plb_version(), "limits", json_of_limits(call->service->options), "links",
                  "tables", "/v1/tables", "description", "/openapi.json", "manual", "/api",
                  "health", "/health", "metrics", "/metrics", "page", "/"));
}
