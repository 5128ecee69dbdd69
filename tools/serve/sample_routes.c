/* SPDX-License-Identifier: MIT
 *
 * Positions in bulk: /export gives some plies or a random sample as text, /sample a random sample
 * in JSON. The sample has the rows of `plybase export --sample` with the same seed; with ?value=
 * only rows with this value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/export_rows.h"
#include "tables/message.h"
#include "tables/stop.h"
#include "tools/answers/json_positions.h"
#include "tools/serve/routes.h"
#include "tools/serve/search_queue.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

enum {
    ROWS_PER_TASK = 1 << 11, /* of a sample, as in export_rows.c */
    MAX_TASKS = 64,          /* tasks that are searched for a value */
    MAX_AT_ONCE = 1000,      /* positions that are drawn without a search job */
};

/* The parameters of a sample, and the positions that were drawn so far. */
typedef struct sampling {
    const plb_table *table;
    uint64_t count, seed;
    int ply;           /* -1: any */
    unsigned values;   /* as in plb_export_options */
    json_writer found; /* list of positions */
    uint64_t drawn;    /* its length */
} sampling;

/* ---- parameters ---- */

static bool read_number(const route_call *call, http_answer *answer, const char *name, uint64_t min,
                        uint64_t max, uint64_t *number) {
    const char *text = request_target_find(&call->request->target, name);
    if (!text || parse_count(text, min, max, number)) return true;
    answer_bad_parameter(answer, name, "%s=%.40s: a number from %llu to %llu is needed", name, text,
                         (unsigned long long)min, (unsigned long long)max);
    return false;
}

static bool read_sampling(const route_call *call, http_answer *answer, sampling *s) {
    const char *value = request_target_find(&call->request->target, "value");
    uint64_t ply = UINT64_MAX;
    *s = (sampling){.table = call->table->table, .count = 1, .seed = 1};
    if (!read_number(call, answer, "count", 1, call->service->options->samples, &s->count) ||
        !read_number(call, answer, "seed", 0, UINT64_MAX, &s->seed) ||
        !read_number(call, answer, "ply", 0, call->table->info->cells, &ply))
        return false;
    s->ply = ply == UINT64_MAX ? -1 : (int)ply;
    for (plb_value v = PLB_LOSS; value && v <= PLB_WIN; v++)
        if (strcmp(value, plb_value_text(v)) == 0) s->values = PLB_VALUE_BIT(v);
    if (!value || s->values) return true;
    answer_bad_parameter(answer, "value", "value=%.40s: win, draw or loss is needed", value);
    return false;
}

/* ---- drawing ---- */

static bool has_enough(const sampling *s) {
    return s->drawn == s->count;
}

/* Add a row to the sample, if it has the value. False: the sample is complete. */
static bool take_row(void *context, const plb_export_row *row) {
    sampling *s = context;
    if (!s->values || s->values & PLB_VALUE_BIT(row->value)) {
        plb_answer answer;
        if (plb_probe(s->table, row->x, row->o, &answer, NULL) != PLB_OK) return false;
        open_object(&s->found, NULL);
        put_probed(&s->found, s->table, row->x, row->o, &answer);
        close_object(&s->found);
        s->drawn++;
    }
    return !has_enough(s);
}

/* Draw rows until the sample is complete. If the time is over, the sample has what was found by
 * then, which is no error. If no position of the plies has the value, draw none: it would take long
 * to find none. */
static int draw(sampling *s, const plb_export_source *all, const volatile sig_atomic_t *stop,
                plb_message *message) {
    plb_export_source source;
    plb_export_options options = {.first_ply = s->ply < 0 ? 0 : s->ply,
                                  .end_ply = s->ply + 1,
                                  .values = s->values,
                                  .seed = s->seed,
                                  .stop = stop};
    uint64_t done;
    int error = plb_export_choose(s->table, &options, &source, message);
    if (!error && source.positions && options.values && !source.of_values) return PLB_OK;
    options.values = 0;
    options.samples = s->values ? (uint64_t)MAX_TASKS * ROWS_PER_TASK : s->count;
    if (!error) error = plb_export_vary(all, &options, &source, message);
    for (uint64_t task = 0; !error && task < source.tasks && !has_enough(s); task++)
        error = plb_export_run(&source, task, &(plb_export_taker){take_row, s}, &done, message);
    return has_enough(s) || error == PLB_EINTERRUPTED ? PLB_OK : error;
}

/* ---- answering ---- */

/* The first sample of a table prepares the enumeration of its positions, which is stored with the
 * table. For games of numbers this enumerates all positions. */
static void answer_drawn(const route_call *call, sampling *s, const volatile sig_atomic_t *stop,
                         http_answer *answer) {
    const plb_export_options all = {.samples = 1, .stop = stop};
    served_table *table = call->table;
    plb_message message;
    int error = PLB_OK;
    s->found = (json_writer){0};
    s->drawn = 0;
    open_object(&s->found, NULL);
    put_word(&s->found, "table", call->table->info->spec);
    put_count(&s->found, "seed", s->seed);
    open_list(&s->found, "positions");
    if (!table->enumeration) {
        plb_export_source *made = malloc(sizeof *made);
        void *none = NULL;
        error = made ? plb_export_init(table->table, &all, made, &message)
                     : plb_fail(&message, PLB_ENOMEM, "out of memory for positions");
        if (error || !atomic_compare_exchange_strong(&table->enumeration, &none, made)) free(made);
    }
    if (!error) error = draw(s, table->enumeration, stop, &message);
    if (error == PLB_EINTERRUPTED) {
        answer_problem(answer, PROBLEM_BUSY,
                       "the positions could not be enumerated within the time");
    } else if (error) {
        answer_table_error(call, answer, error, &message, "ply");
    } else {
        bool complete = has_enough(s);
        close_list(&s->found);
        put_flag(&s->found, "complete", complete);
        answer_table_object(call, &s->found, answer);
        if (!complete && plb_is_stopped(stop)) forbid_caching(answer);
    }
    drop_json(&s->found);
}

/* A sample as work for a queue. */
typedef struct long_sample {
    route_work route; /* call.request is NULL */
    sampling sampling;
} long_sample;

static void run_sample(search_work *work, search_job *job, http_answer *answer) {
    long_sample *s = (long_sample *)work;
    answer_drawn(&s->route.call, &s->sampling, search_stop_flag(job), answer);
}

/* A sample that may read many rows, or must enumerate the positions first, runs in a queue. */
void answer_sample(const route_call *call, http_answer *answer) {
    sampling s;
    service *of = call->service;
    if (call->table->info->player) {
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no list of positions");
    } else if (!read_sampling(call, answer, &s) || answer_not_modified(call, answer)) {
        return;
    } else if (!s.values && s.count <= MAX_AT_ONCE && call->table->enumeration) {
        answer_drawn(call, &s, NULL, answer);
    } else {
        long_sample l = {.route = {{.queue = of->searches,
                                    .seconds = of->options->max_search_seconds,
                                    .run = run_sample},
                                   *call},
                         .sampling = s};
        l.route.call.request = NULL;
        snprintf(l.route.work.key, SEARCH_KEY, "sample %s %llu %llu %d %u", call->table->info->id,
                 (unsigned long long)s.count, (unsigned long long)s.seed, s.ply, s.values);
        defer_answer(&l.route, sizeof l, "a sample", answer);
    }
}

/* ---- as text ---- */

/* An export as work for a queue. */
typedef struct text_export {
    route_work route; /* call.request is NULL */
    plb_export_options options;
} text_export;

/* The answer has all rows. If the time does not suffice, the request is refused: with the same time
 * it would fail again. */
static void run_export(search_work *work, search_job *job, http_answer *answer) {
    text_export *e = (text_export *)work;
    const route_call *call = &e->route.call;
    bool is_csv = strcmp(e->options.format, "csv") == 0;
    bool is_npy = strcmp(e->options.format, "npy") == 0;
    const char *type = is_csv   ? "text/csv; charset=utf-8; header=present"
                       : is_npy ? "application/octet-stream"
                                : "text/plain; charset=utf-8";
    char header[PLB_EXPORT_HEADER];
    const char *text = header;
    plb_export *cursor = NULL;
    plb_message message;
    text_stream stream;
    uint64_t rows = 0;
    size_t count, size = 0;
    FILE *to = text_stream_open(&stream);
    e->options.stop = search_stop_flag(job);
    int error = plb_export_open(call->table->table, &e->options, &cursor, &message);
    if (!error) error = plb_export_header(cursor, 0, header, &size);
    while (!error && text && to && !ferror(to)) {
        fwrite(text, 1, size, to);
        error = plb_export_next_text(cursor, &text, &size, &count, &message);
        if (!error) rows += count;
    }
    http_answer_stream(answer, type, &stream, to);
    if (error == PLB_EINTERRUPTED && call->service->draining) {
        answer_problem(answer, PROBLEM_DRAINING, "the server is shutting down");
    } else if (error == PLB_EINTERRUPTED) {
        answer_problem(answer, PROBLEM_TOO_MUCH_WORK,
                       "the rows need more than the %g s of processor time of this server: choose "
                       "fewer plies, a smaller sample=, or use `plybase export`",
                       e->route.work.seconds);
    } else if (error) {
        answer_table_error(call, answer, error, &message, error == PLB_ENOTFOUND ? "sample" : NULL);
    } else if (answer->status == 200) {
        plb_export_header(cursor, rows, header, &size);
        memcpy(answer->body, header, size);
        cache_with_table(call, answer);
    }
    plb_export_close(cursor);
}

/* Read and check the parameters. o  [out]  the options, restricted to what the format can show */
static bool read_export(const route_call *call, http_answer *answer, plb_export_options *o) {
    const plb_table_info *info = call->table->info;
    const request_target *target = &call->request->target;
    const char *ply = request_target_find(target, "ply");
    const char *where = request_target_find(target, "where");
    int limit = call->service->options->samples;
    plb_export_source source;
    plb_message message;
    *o = (plb_export_options){.seed = 1, .format = request_target_find(target, "format")};
    if (ply && !parse_plies(ply, o)) {
        answer_bad_parameter(answer, "ply", "ply=%.40s: " PLIES_NEEDED " is needed", ply);
        return false;
    }
    if (o->end_ply > info->cells + 1) {
        answer_bad_parameter(answer, "ply", "ply=%.40s: %s has plies 0 to %d", ply, info->spec,
                             info->cells);
        return false;
    }
    if (where && !parse_where(where, o)) {
        answer_bad_parameter(answer, "where", "where=%.40s: " WHERE_NEEDED " is needed", where);
        return false;
    }
    if (!read_number(call, answer, "sample", 1, (uint64_t)limit, &o->samples) ||
        !read_number(call, answer, "seed", 0, UINT64_MAX, &o->seed))
        return false;
    if (!o->samples && request_target_find(target, "seed")) {
        answer_bad_parameter(answer, "seed", "seed= needs sample=");
        return false;
    }
    int error = plb_export_choose(call->table->table, o, &source, &message);
    if (error) {
        answer_table_error(call, answer, error, &message,
                           !source.end_ply ? "format"
                           : where         ? "where"
                                           : "ply");
    } else if (!o->samples && source.positions > (uint64_t)limit) {
        char positions[32], max[32];
        answer_bad_parameter(answer, "ply",
                             "these plies have %s positions, and this server gives at most %s at "
                             "once: choose fewer plies, draw some with sample=, or use `plybase "
                             "export`",
                             format_count(source.positions, positions),
                             format_count((uint64_t)limit, max));
        error = PLB_EARGUMENT;
    } else {
        *o = source.options;
        o->format = source.format->name; /* static, unlike the text of the request */
    }
    return !error;
}

void answer_export(const route_call *call, http_answer *answer) {
    plb_export_options o;
    service *of = call->service;
    if (call->table->info->player) {
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no list of positions");
    } else if (!read_export(call, answer, &o)) {
        return;
    } else if (!(o.samples && (o.stage || o.values)) && answer_not_modified(call, answer)) {
        return; /* not a sample with a condition: it may find no row, which is an error */
    } else {
        text_export e = {.route = {{.queue = of->searches,
                                    .seconds = of->options->max_search_seconds,
                                    .run = run_export},
                                   *call},
                         .options = o};
        e.route.call.request = NULL;
        snprintf(e.route.work.key, SEARCH_KEY, "export %s %s %d %d %d %u %llu %llu",
                 call->table->info->id, o.format, o.first_ply, o.end_ply, (int)o.stage, o.values,
                 (unsigned long long)o.samples, (unsigned long long)o.seed);
        defer_answer(&e.route, sizeof e, "an export", answer);
    }
}
