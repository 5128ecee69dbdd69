/* SPDX-License-Identifier: MIT
 *
 * Answers about the service and its tables.
 */
#include <stdio.h>
#include <string.h>

#include "tools/answers/table_answers.h"
#include "tools/serve/routes.h"

/* ---- tables ---- */

static void put_table(void *context, const served_table *t, bool shadowed) {
    json_writer *to = context;
    const plb_table_info *info = t->info;
    bool damaged = !t->table || t->damaged;
    open_object(to, NULL);
    put_text(to, "spec", info ? info->spec : NULL);
    put_text(to, "file", t->name);
    put_word(to, "state", damaged ? "damaged" : shadowed ? "shadowed" : "ok");
    put_text(to, "detail",
             damaged    ? t->message.text
             : shadowed ? "another table of the same game is served"
                        : NULL);
    if (info) put_listed(to, info, t->first_player);
    close_object(to);
}

void answer_tables(const route_call *call, http_answer *answer) {
    json_writer w = begin_json_object();
    open_list(&w, "tables");
    table_catalogue_visit(call->service->catalogue, put_table, &w);
    close_list(&w);
    answer_object(200, &w, answer);
}

/* ---- one table ---- */

void answer_table(const route_call *call, http_answer *answer) {
    static const char *const names[] = {"positions", "annotate", "picture", "best",
                                        "line",      "stats",    "sample",  "export"};
    char address[SPEC_TEXT + 32];
    const plb_table_info *info = call->table->info;
    if (answer_not_modified(call, answer)) return;
    json_writer w = begin_json_object();
    put_description(&w, call->table->table, call->table->first_player);
    open_object(&w, "links");
    snprintf(address, sizeof address, "/v1/tables/%s", info->spec);
    put_word(&w, "self", address);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snprintf(address, sizeof address, "/v1/tables/%s/%s", info->spec, names[n]);
        put_word(&w, names[n], address);
    }
    snprintf(address, sizeof address, "/tables/%s", info->spec);
    put_word(&w, "page", address);
    close_object(&w);
    answer_table_object(call, &w, answer);
}

/* ---- counts ---- */

void answer_stats(const route_call *call, http_answer *answer) {
    const char *format = request_target_find(&call->request->target, "format");
    bool csv = format && strcmp(format, "csv") == 0;
    if (call->table->info->player) {
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no counts of positions");
    } else if (format && !csv && strcmp(format, "json") != 0) {
        answer_bad_parameter(answer, "format", "format=%.40s: json or csv is needed", format);
    } else if (answer_not_modified(call, answer)) {
        return;
    } else if (csv) {
        text_stream text;
        FILE *to = text_stream_open(&text);
        if (to) write_stats_csv(call->table->table, to);
        http_answer_stream(answer, "text/csv; charset=utf-8; header=present", &text, to);
        cache_with_table(call, answer);
    } else {
        json_writer w = begin_json_object();
        put_stats(&w, call->table->table);
        answer_table_object(call, &w, answer);
    }
}

/* ---- the service ---- */

void answer_health(const route_call *call, http_answer *answer) {
    bool draining = call->service->draining;
    json_writer w = begin_json_object();
    put_word(&w, "status", draining ? "draining" : "ok");
    put_number(&w, "tables", table_catalogue_count(call->service->catalogue));
    answer_object(draining ? 503 : 200, &w, answer);
    if (draining) answer->retry_seconds = 1;
    answer->audience = FOR_SAME_ORIGIN;
}

void answer_service(const route_call *call, http_answer *answer) {
    const serve_options *o = call->service->options;
    json_writer w = begin_json_object();
    put_word(&w, "name", "plybase");
    put_text(&w, "version", plb_version());
    open_object(&w, "limits");
    put_number(&w, "head_bytes", o->head_bytes);
    put_number(&w, "head_lines", o->head_lines);
    put_number(&w, "target_bytes", o->target_bytes);
    put_number(&w, "body_bytes", o->body_bytes);
    put_number(&w, "batch_positions", o->batch);
    put_real(&w, "batch_seconds", o->batch_seconds);
    put_number(&w, "sample_positions", o->samples);
    put_real(&w, "request_seconds", o->head_seconds);
    put_real(&w, "idle_seconds", o->idle_seconds);
    put_real(&w, "read_seconds", o->read_seconds);
    put_number(&w, "connections", o->connections);
    put_number(&w, "connection_requests", o->requests);
    put_real(&w, "search_seconds", o->search_seconds);
    put_real(&w, "search_most_seconds", o->max_search_seconds);
    put_count(&w, "search_memory_bytes", (uint64_t)o->search_memory_bytes);
    put_number(&w, "search_threads", o->search_threads);
    put_number(&w, "search_queue", o->search_queue);
    put_count(&w, "memory_bytes", (uint64_t)o->memory_bytes);
    close_object(&w);
    open_object(&w, "links");
    put_word(&w, "tables", "/v1/tables");
    put_word(&w, "description", "/openapi.json");
    put_word(&w, "manual", "/api");
    put_word(&w, "health", "/health");
    put_word(&w, "metrics", "/metrics");
    put_word(&w, "page", "/");
    close_object(&w);
    answer_object(200, &w, answer);
}
