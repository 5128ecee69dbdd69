/* SPDX-License-Identifier: MIT
 *
 * Answers about a table.
 */
#include <stdio.h>
#include <string.h>

#include "tools/answers/table_answers.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

/* ---- one table ---- */

void answer_table(const route_call *call, http_answer *answer) {
    static const char *const names[] = {"positions", "annotate", "best", "line", "stats", "sample"};
    char address[SPEC_TEXT + 32];
    const plb_table_info *info = call->table->info;
    if (answer_is_known(call, answer)) return;
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
    } else if (answer_is_known(call, answer)) {
        return;
    } else if (csv) {
        text_stream text;
        FILE *to = text_stream_open(&text);
        if (to) write_stats_csv(call->table->table, to);
        http_answer_stream(answer, "text/csv; charset=utf-8; header=present", &text, to);
        answer_is_of_table(call, answer);
    } else {
        json_writer w = begin_json_object();
        put_stats(&w, call->table->table);
        answer_table_object(call, &w, answer);
    }
}
