/* SPDX-License-Identifier: MIT
 *
 * Answers about a table.
 */
#include <stdio.h>
#include <string.h>

#include "tools/answers/json_service.h"
#include "tools/answers/stats_csv.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"
#include "tools/serve/text_stream.h"

static void answer_object(const route_call *call, json_t *object, http_answer *answer) {
    size_t size = 0;
    char *line = format_json_line(object, &size);
    answer_table_json(call, answer, line, size);
}

void answer_table(const route_call *call, http_answer *answer) {
    if (answer_is_known(call, answer)) return;
    answer_object(call, json_of_served_table(call->table->table, call->table->first_player),
                  answer);
}

/* ---- counts ---- */

static void answer_csv(const route_call *call, http_answer *answer) {
    text_stream csv;
    size_t size;
    FILE *to = text_stream_open(&csv);
    if (to) write_stats_csv(call->table->table, to);
    char *text = text_stream_close(&csv, to, &size);
    answer_table_json(call, answer, text, size);
    if (answer->status == 200) answer->type = "text/csv; charset=utf-8; header=present";
}

void answer_stats(const route_call *call, http_answer *answer) {
    const char *format = request_target_find(&call->request->target, "format");
    if (call->table->info->player)
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no counts of positions");
    else if (format && strcmp(format, "csv") != 0 && strcmp(format, "json") != 0)
        answer_bad_parameter(answer, "format", "format=%.40s: json or csv is needed", format);
    else if (answer_is_known(call, answer))
        return;
    else if (format && strcmp(format, "csv") == 0)
        answer_csv(call, answer);
    else
        answer_object(call, json_of_stats(call->table->table), answer);
}
