/* SPDX-License-Identifier: MIT
 *
 * Positions at random: the rows of `plybase export --sample` with the same seed, of which those of
 * another value are passed over.
 */
#include <string.h>

#include "tools/answers/json_service.h"
#include "tools/export/export_rows.h"
#include "tools/quantity.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"

enum {
    MOST_SAMPLES = 1000,
    ROWS_PER_TASK = 1 << 11, /* of an export */
    MOST_TASKS = 64,         /* that are looked through for a value */
};

/* What is wanted, and what was found. */
typedef struct sampling {
    const plb_table *table;
    uint64_t count, seed;
    int ply; /* -1: any */
    bool any_value;
    plb_value value; /* for the player to move */
    json_t *found;
} sampling;

/* ---- parameters ---- */

static bool read_number(const route_call *call, http_answer *answer, const char *name,
                        uint64_t least, uint64_t most, uint64_t *number) {
    const char *text = request_target_find(&call->request->target, name);
    if (!text || parse_count(text, least, most, number)) return true;
    answer_bad_parameter(answer, name, "%s=%.40s: a number from %llu to %llu is needed", name, text,
                         (unsigned long long)least, (unsigned long long)most);
    return false;
}

static bool read_value(const route_call *call, http_answer *answer, sampling *s) {
    const char *text = request_target_find(&call->request->target, "value");
    s->any_value = !text;
    if (!text) return true;
    for (int value = PLB_LOSS; value <= PLB_WIN; value++) {
        s->value = (plb_value)value;
        if (strcmp(text, plb_value_text(s->value)) == 0) return true;
    }
    answer_bad_parameter(answer, "value", "value=%.40s: win, draw or loss is needed", text);
    return false;
}

static bool read_sampling(const route_call *call, http_answer *answer, sampling *s) {
    uint64_t ply = UINT64_MAX;
    *s = (sampling){.table = call->table->table, .count = 1, .seed = 1};
    if (!read_number(call, answer, "count", 1, MOST_SAMPLES, &s->count) ||
        !read_number(call, answer, "seed", 0, UINT64_MAX, &s->seed) ||
        !read_number(call, answer, "ply", 0, call->table->info->cells, &ply) ||
        !read_value(call, answer, s))
        return false;
    s->ply = ply == UINT64_MAX ? -1 : (int)ply;
    return true;
}

/* ---- drawing ---- */

/* Take a row, until there are enough. */
static bool take_row(void *context, const export_row *row) {
    sampling *s = context;
    if (s->any_value || row->value == s->value) {
        plb_answer answer;
        if (plb_probe(s->table, row->x, row->o, &answer, NULL) != PLB_OK) return false;
        json_array_append_new(s->found, json_of_probed(s->table, row->x, row->o, &answer));
    }
    return json_array_size(s->found) < s->count;
}

static int draw(sampling *s, plb_message *message) {
    export_source source = {0};
    export_options options = {.ply = s->ply, .seed = s->seed};
    uint64_t done;
    options.samples = s->any_value ? s->count : (uint64_t)MOST_TASKS * ROWS_PER_TASK;
    int error = export_init(s->table, &options, &source, message);
    for (uint64_t task = 0; task < source.tasks && !error; task++) {
        error = export_run(&source, task, &(export_taker){take_row, s}, &done, message);
        if (json_array_size(s->found) == s->count) break;
    }
    export_free(&source);
    return json_array_size(s->found) == s->count ? PLB_OK : error;
}

void answer_sample(const route_call *call, http_answer *answer) {
    sampling s;
    plb_message message;
    size_t size = 0;
    if (call->table->info->player) {
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no list of positions");
        return;
    }
    if (!read_sampling(call, answer, &s)) return;
    s.found = json_array();
    int error = s.found ? draw(&s, &message) : PLB_ENOMEM;
    if (error) {
        json_decref(s.found);
        answer_table_error(call, answer, error, &message, "ply");
        return;
    }
    bool complete = json_array_size(s.found) == s.count;
    char *line = format_json_line(
        json_of_answer(call->table->table, json_pack("{s:I, s:b, s:o}", "seed", (json_int_t)s.seed,
                                                     "complete", complete, "positions", s.found)),
        &size);
    answer_table_json(call, answer, line, size);
}
