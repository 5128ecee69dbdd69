/* SPDX-License-Identifier: MIT
 *
 * Batches: many positions in one request. A JSON batch is looked up in one call (plb_probe_many),
 * unless it also wants the moves. Each line of a text batch is answered as by `plybase probe FILE
 * -`, with --input if the parameter input is given. A batch runs in a queue, so that other requests
 * do not wait, and ends when its time is over or its client disconnects. Equal positions of a batch
 * are analysed once.
 */
#include <jansson.h>
#include <pthread.h>
#include <search.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/answers/json_positions.h"
#include "tools/answers/position_answers.h"
#include "tools/serve/routes.h"
#include "tools/terminal/board.h"
#include "tools/terminal/operands.h"
#include "tools/terminal/quantity.h"

enum {
    MAX_POSITION_BYTES = 4096, /* text of a position */
    MAX_ESCAPE_BYTES = 6,      /* a character in JSON, such as \u0078 */
};

typedef struct batch_work {
    route_work route;   /* first member; call.request is set */
    const char *format; /* of lines, as for --input; NULL: each line is a board */
    uint64_t expect;    /* column that is compared with the answers; 0: none */
    int refused_lines, differing_lines;
} batch_work;

/* A parsed JSON body, and its positions as queries. */
typedef struct batch {
    const route_call *call;
    void *known; /* a tree of known_analysis, for tsearch */
    json_t *body;
    const json_t *texts; /* array of strings in the body */
    bool by_moves;       /* the texts are moves, else boards */
    bool with_moves;     /* answer with the moves of each position */
    size_t count;
    plb_query *queries;    /* [count] */
    plb_message *messages; /* [count], set for queries with an error */
} batch;

/* ---- reading ---- */

/* Check keys and types of a body, and fill in the batch. Returns what is wrong, or NULL. */
static const char *check_body(batch *b) {
    const json_t *boards = json_object_get(b->body, "positions");
    const json_t *moves = json_object_get(b->body, "moves");
    const json_t *with_moves = json_object_get(b->body, "with_moves");
    size_t known = !!boards + !!moves + !!with_moves;
    if (!json_is_object(b->body) || json_object_size(b->body) != known || !boards == !moves)
        return "an object is needed that has `positions` or `moves`, and perhaps `with_moves`";
    if (with_moves && !json_is_boolean(with_moves)) return "`with_moves` is true or false";
    b->by_moves = moves;
    b->with_moves = json_is_true(with_moves);
    b->texts = boards ? boards : moves;
    b->count = json_array_size(b->texts);
    if (!json_is_array(b->texts)) return "the positions are a list of texts";
    for (size_t t = 0; t < b->count; t++) {
        const json_t *text = json_array_get(b->texts, t);
        if (!json_is_string(text)) return "the positions are a list of texts";
        if (json_string_length(text) > MAX_POSITION_BYTES) return "a position is too long";
    }
    return NULL;
}

/* Does a body have too many values, or a string that is too long for a position? This is checked
 * before parsing, which may take ten times the memory of the body. */
static bool is_excessive(const char *body, size_t size, int max) {
    int commas = 0;
    for (const char *next = body, *end = body + size; next < end; next++) {
        if (*next == ',' && ++commas > max + 1) return true; /* one comma is before `with_moves` */
        if (*next != '"') continue;
        const char *text = ++next;
        while (next < end && *next != '"') next += *next == '\\' && next + 1 < end ? 2 : 1;
        if (next - text > MAX_ESCAPE_BYTES * MAX_POSITION_BYTES) return true;
    }
    return false;
}

/* When memory runs out, jansson drops parts of the input without an error, even single characters.
 * Therefore its allocations are watched. */
static _Thread_local bool out_of_memory;

static void *allocate(size_t size) {
    void *block = malloc(size);
    if (!block) out_of_memory = true;
    return block;
}

static void watch_memory(void) {
    json_set_alloc_funcs(allocate, free);
}

static bool read_batch(batch *b, http_answer *answer) {
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    json_error_t where;
    const http_request *request = b->call->request;
    const char *body = request->body ? request->body : "";
    size_t size = request->body_size;
    int max = b->call->service->options->batch;
    static const char mark[] = "\xef\xbb\xbf"; /* byte order mark, which jansson refuses */
    if (size >= strlen(mark) && memcmp(body, mark, strlen(mark)) == 0)
        body += strlen(mark), size -= strlen(mark);
    if (is_excessive(body, size, max)) {
        answer_problem(answer, PROBLEM_BAD_BODY,
                       "a request has at most %d positions, and each at most %d bytes", max,
                       MAX_POSITION_BYTES);
        return false;
    }
    pthread_once(&watched, watch_memory);
    out_of_memory = false;
    b->body = json_loadb(body, size, JSON_REJECT_DUPLICATES, &where);
    if (out_of_memory) {
        answer_problem(answer, PROBLEM_OUT_OF_MEMORY, "out of memory for the body");
        return false;
    }
    if (!b->body) {
        answer_problem(answer, PROBLEM_BAD_BODY, "the body is not JSON: line %d, column %d: %.160s",
                       where.line, where.column, where.text);
        return false;
    }
    const char *fault = check_body(b);
    if (fault)
        answer_problem(answer, PROBLEM_BAD_BODY, "%s", fault);
    else if (b->count > (size_t)max)
        answer_problem(answer, PROBLEM_BAD_BODY, "a request has at most %d positions", max);
    return !fault && b->count <= (size_t)max;
}

/* ---- answering ---- */

static const char *text_of(const batch *b, size_t number) {
    return json_string_value(json_array_get(b->texts, number));
}

/* Must a batch stop? Then the answer says why. */
static bool is_stopped(const route_call *call, const search_job *job, http_answer *answer) {
    if (search_continues(job)) return false;
    if (call->service->draining)
        answer_problem(answer, PROBLEM_DRAINING, "the server is shutting down");
    else
        answer_problem(
            answer, PROBLEM_TOO_MUCH_WORK,
            "%g s of processor time do not suffice for these positions; send fewer at once",
            call->service->options->batch_seconds);
    return true;
}

/* A position and its analysis. */
typedef struct known_analysis {
    uint64_t position[2];
    plb_analysis found; /* last member: only `count` moves are allocated */
} known_analysis;

static int compare_positions(const void *first, const void *second) {
    return memcmp(first, second, sizeof((known_analysis *)NULL)->position);
}

/* Analyse a position, or find it in the tree. Errors: those of plb_analyse. */
static int analyse_once(const route_call *call, void **known, const uint64_t position[2],
                        const plb_analysis **found, plb_message *message) {
    known_analysis **place = tfind(position, known, compare_positions);
    plb_analysis new;
    if (!place) {
        int error = plb_analyse(call->table->table, position[0], position[1], &new, message);
        if (error) return error;
        atomic_fetch_add_explicit(&call->table->analyses, 1, memory_order_relaxed);
        size_t bytes = offsetof(plb_analysis, moves) + new.count * sizeof *new.moves;
        known_analysis *made = malloc(offsetof(known_analysis, found) + bytes);
        if (made) {
            memcpy(made->position, position, sizeof made->position);
            memcpy(&made->found, &new, bytes);
            place = tsearch(made, known, compare_positions);
        }
        if (!place) {
            free(made);
            return plb_fail(message, PLB_ENOMEM, "out of memory for an analysis");
        }
    }
    *found = &(*place)->found;
    return PLB_OK;
}

/* Look up all positions without an error in one call of the library. Those that fail are looked up
 * again alone, for the message. */
static int probe_positions(batch *b) {
    const plb_table *table = b->call->table->table;
    plb_query *valid = malloc((b->count + 1) * sizeof *valid);
    size_t count = 0;
    if (!valid) return PLB_ENOMEM;
    for (size_t q = 0; q < b->count; q++)
        if (!b->queries[q].error) valid[count++] = b->queries[q];
    int error = plb_probe_many(table, valid, count);
    for (size_t q = 0, next = 0; q < b->count && !error; q++) {
        plb_query *query = &b->queries[q];
        if (query->error) continue;
        *query = valid[next++];
        plb_answer same;
        if (query->error)
            query->error = plb_probe(table, query->x, query->o, &same, &b->messages[q]);
    }
    free(valid);
    return error;
}

static void put_query(json_writer *to, batch *b, size_t number) {
    plb_query *q = &b->queries[number];
    const plb_table *table = b->call->table->table;
    const plb_analysis *found = NULL;
    if (!q->error && b->with_moves)
        q->error = analyse_once(b->call, &b->known, (uint64_t[]){q->x, q->o}, &found,
                                &b->messages[number]);
    open_object(to, NULL);
    if (q->error) {
        routes_report(b->call, q->error, &b->messages[number]);
        put_text(to, "position", text_of(b, number));
        open_object(to, "error");
        put_text(to, "code", error_name(q->error));
        put_text(to, "detail", b->messages[number].text);
        close_object(to);
    } else if (b->with_moves) {
        put_position(to, table, q->x, q->o, found);
    } else {
        put_probed(to, table, q->x, q->o, &q->answer);
    }
    close_object(to);
}

/* A position with an error gets an error object, at its place in the answer. */
static void answer_json(const route_call *call, const search_job *job, http_answer *answer) {
    const plb_table *table = call->table->table;
    batch b = {.call = call};
    if (read_batch(&b, answer)) {
        json_writer w = {0};
        b.queries = calloc(b.count + 1, sizeof *b.queries);
        b.messages = malloc((b.count + 1) * sizeof *b.messages);
        bool has_memory = b.queries && b.messages;
        w.failed = !has_memory;
        for (size_t q = 0; q < b.count && !w.failed; q++) {
            plb_query *query = &b.queries[q];
            query->error = (b.by_moves ? plb_parse_moves : plb_parse_board)(
                table, text_of(&b, q), &query->x, &query->o, &b.messages[q]);
        }
        if (!w.failed && !b.with_moves) w.failed = probe_positions(&b) != PLB_OK;
        open_object(&w, NULL);
        put_word(&w, "table", call->table->info->spec);
        open_list(&w, "positions");
        for (size_t q = 0; has_memory && q < b.count && !w.failed && search_continues(job); q++)
            put_query(&w, &b, q);
        close_list(&w);
        answer_object(200, &w, answer);
        answer->caching = CACHE_NEVER;
        is_stopped(call, job, answer);
    }
    atomic_fetch_add_explicit(&call->table->probes, b.count, memory_order_relaxed);
    tdestroy(b.known, free);
    free(b.queries);
    free(b.messages);
    json_decref(b.body);
}

/* ---- lines ---- */

/* line  [size] bytes and a zero; may contain further zeros */
static void answer_text_line(batch_work *work, void **known, char *line, size_t size, FILE *to) {
    const route_call *call = &work->route.call;
    const char *format = work->format;
    const position_arguments how = {.moves = format && plb_list_has_moves(format, false)};
    const plb_table *table = call->table->table;
    const plb_table_info *info = call->table->info;
    list_line read;
    plb_message message;
    const plb_analysis *found = NULL;
    uint64_t at[2];
    const list_form form = {format, how.moves, info->width, info->height};
    int error = read_list_line(&form, line, size, &read, &message);
    if (!error) error = read_position(table, &how, read.position, &at[0], &at[1], &message);
    if (!format) suggest_columns(line, "?input=", error, &message);
    if (!error) error = analyse_once(call, known, at, &found, &message);
    routes_report(call, error, &message);
    if (!found) {
        work->refused_lines++;
        write_error_line(to, read.as_given, &message);
        return;
    }
    bool agrees = true;
    if (work->expect) {
        plb_list_known truth = {found->answer.value, found->answer.dtm,
                                stones_on_board(table, at[0], at[1]), info->cells};
        agrees = plb_list_agrees(format, line, read.of.rest, (int)work->expect, &truth, &message);
    }
    work->differing_lines += !agrees;
    write_probed_line(to, read.as_given, found, agrees ? NULL : message.text);
}

/* Text after the last line end is a line, too. */
static void answer_text(batch_work *work, const search_job *job, http_answer *answer) {
    const route_call *call = &work->route.call;
    const char *body = call->request->body ? call->request->body : "";
    size_t body_size = call->request->body_size, count = 0;
    text_stream lines = {0};
    void *known = NULL;
    for (size_t c = 0; c < body_size; c++) count += body[c] == '\n';
    count += body_size && body[body_size - 1] != '\n';
    if (count > (size_t)call->service->options->batch) {
        answer_problem(answer, PROBLEM_BAD_BODY, "a request has at most %d positions",
                       call->service->options->batch);
        return;
    }
    char *text = malloc(body_size + 1);
    FILE *to = text ? text_stream_open(&lines) : NULL;
    if (to) memcpy(text, body, body_size);
    for (char *line = text, *next; to && line < text + body_size && search_continues(job);
         line = next) {
        char *end = memchr(line, '\n', text + body_size - line);
        next = end ? end + 1 : text + body_size;
        if (!end) end = next;
        if (end > line && end[-1] == '\r') end--;
        *end = 0;
        answer_text_line(work, &known, line, end - line, to);
    }
    free(text);
    tdestroy(known, free);
    http_answer_stream(answer, "text/plain; charset=utf-8", &lines, to);
    answer->refused_lines = work->refused_lines;
    answer->differing_lines = work->differing_lines;
    is_stopped(call, job, answer);
    atomic_fetch_add_explicit(&call->table->probes, count, memory_order_relaxed);
}

/* ---- the route ---- */

static bool has_type(const char *content_type, const char *type) {
    size_t length = strlen(type);
    return content_type && strncasecmp(content_type, type, length) == 0 &&
           (!content_type[length] || strchr("; \t", content_type[length]));
}

static void run_batch(search_work *work, search_job *job, http_answer *answer) {
    batch_work *b = (batch_work *)work;
    const route_call *call = &b->route.call;
    if (is_stopped(call, job, answer)) return;
    if (has_type(call->request->content_type, "text/plain"))
        answer_text(b, job, answer);
    else
        answer_json(call, job, answer);
}

/* Each batch has a key of its own, so the work is for one request, which exists until it is
 * answered: the work may use it. */
void answer_batch(const route_call *call, http_answer *answer) {
    const char *type = call->request->content_type;
    const char *input = request_target_find(&call->request->target, "input");
    const char *column = request_target_find(&call->request->target, "expect");
    const char *format = NULL;
    uint64_t expect = 0;
    if (!has_type(type, "application/json") && !has_type(type, "text/plain"))
        answer_problem(answer, PROBLEM_MEDIA_TYPE,
                       "positions are sent as application/json or text/plain, not %.80s",
                       type ? type : "without a type");
    else if (input && !has_type(type, "text/plain"))
        answer_bad_parameter(answer, "input", "the parameter 'input' is for text/plain");
    else if (input && !parse_list_format(input, &format))
        answer_bad_parameter(answer, "input", "the parameter 'input': " LIST_FORMATS " is needed");
    else if (column && (!input || !parse_count(column, 2, 99, &expect)))
        answer_bad_parameter(answer, "expect",
                             "the parameter 'expect' is a column of the lines of "
                             "'input', from 2 to 99");
    else if (column && call->table->info->player)
        answer_problem(answer, PROBLEM_NOT_KNOWN,
                       "a strategy knows bounds, not values: 'expect' needs a table");
    if (answer->body) return; /* refused; without memory for the reason, `problem` is not set */
    batch_work b = {.route = {{.queue = call->service->batches,
                               .seconds = call->service->options->batch_seconds,
                               .run = run_batch},
                              *call},
                    .format = format,
                    .expect = expect};
    snprintf(b.route.work.key, SEARCH_KEY, "%p", (void *)call->request);
    defer_answer(&b.route, sizeof b, "the positions", answer);
}
