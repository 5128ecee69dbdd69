/* SPDX-License-Identifier: MIT
 *
 * Answers about one position: its value and moves, its game, a picture, its distance and best
 * moves, and a line of best play. If a search is needed, it gets a copy of all that it uses, since
 * the request may end before the search.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/answers/position_query.h"
#include "tools/serve/routes.h"
#include "tools/terminal/quantity.h"

/* ---- the position of a request ---- */

/* Read the position of a request from ?board= and ?moves=. False: the request is refused. */
static bool read_query(const route_call *call, http_answer *answer, position_query *query) {
    const request_target *target = &call->request->target;
    plb_message message;
    int error = read_position_query(call->table->table, request_target_find(target, "board"),
                                    request_target_find(target, "moves"), query, &message);
    atomic_fetch_add_explicit(&call->table->probes, 1, memory_order_relaxed);
    if (error) answer_table_error(call, answer, error, &message, query->parameter);
    return !error;
}

/* If the client has the answer (answer_not_modified), answer with status 304, or with an error if
 * the rules refuse the position. False: it does not; a lookup is needed. */
static bool query_not_modified(const route_call *call, const position_query *query,
                               http_answer *answer) {
    plb_state state;
    plb_message message;
    if (!answer_not_modified(call, answer)) return false;
    int error = plb_find_state(call->table->table, query->x, query->o, &state, &message);
    if (error) answer_table_error(call, answer, error, &message, query->parameter);
    return true;
}

/* Let a handler find the answer. Of the call only the table is used. */
static void answer_query(const route_call *call, const position_query *query, query_handler *find,
                         const plb_limits *limits, http_answer *answer) {
    json_writer w = begin_json_object();
    plb_message message;
    bool final = true;
    int error = find(call->table->table, query, limits, &w, &final, &message);
    if (error) {
        drop_json(&w);
        answer_table_error(call, answer, error, &message, query->parameter);
        return;
    }
    answer_table_object(call, &w, answer);
    if (!final) forbid_caching(answer);
}

/* ---- lookups ---- */

static void answer_lookup(const route_call *call, query_handler *find, http_answer *answer) {
    position_query query;
    if (read_query(call, answer, &query) && !query_not_modified(call, &query, answer))
        answer_query(call, &query, find, &(plb_limits){0}, answer);
}

void answer_position(const route_call *call, http_answer *answer) {
    answer_lookup(call, query_position, answer);
}

void answer_game(const route_call *call, http_answer *answer) {
    answer_lookup(call, query_game, answer);
}

void answer_picture(const route_call *call, http_answer *answer) {
    position_query query;
    plb_picture picture = {.bare = false};
    plb_message message;
    if (!read_query(call, answer, &query) || query_not_modified(call, &query, answer)) return;
    int error = plb_draw(call->table->table, query.x, query.o, &picture, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, query.parameter);
        return;
    }
    http_answer_begin(answer, 200, "image/svg+xml");
    http_answer_set_body(answer, strdup(picture.svg), strlen(picture.svg));
    cache_with_table(call, answer);
}

/* ---- searches ---- */

/* A query as work for a queue. */
typedef struct position_search {
    route_work route; /* call.request is NULL once it is in the queue */
    position_query query;
    double seconds;
    query_handler *find;
} position_search;

static bool continues(void *job, const plb_bounds *bounds) {
    (void)bounds;
    return search_continues(job);
}

static void run_search(search_work *work, search_job *job, http_answer *answer) {
    const position_search *s = (position_search *)work;
    plb_limits limits = {
        .seconds = s->seconds,
        .memory_bytes = (uint64_t)s->route.call.service->options->search_memory_bytes,
        .report = continues,
        .context = job,
    };
    answer_query(&s->route.call, &s->query, s->find, &limits, answer);
}

/* The key of a search: all that its answer depends on, including the moves of ?moves=, which the
 * answer repeats. */
static void write_key(position_search *s, const char *what) {
    enum { BEGINNING = 256 };
    _Static_assert(BEGINNING + PLB_MAX_CELLS * PLB_MOVE_TEXT <= SEARCH_KEY, "all moves fit");
    const position_query *q = &s->query;
    char *end = s->route.work.key;
    end += snprintf(end, BEGINNING, "%s %d %s %.17g %llx %llx%s", what, q->resist,
                    s->route.call.table->info->id, s->seconds, (unsigned long long)q->x,
                    (unsigned long long)q->o, q->by_moves ? " +" : "");
    for (int m = 0; m < q->played.count; m++)
        end += snprintf(end, PLB_MOVE_TEXT + 1, ",%s", q->played.moves[m].text);
}

static bool read_seconds(const route_call *call, http_answer *answer, double *seconds) {
    const serve_options *o = call->service->options;
    const char *text = request_target_find(&call->request->target, "seconds");
    *seconds = o->search_seconds;
    if (!text || (parse_seconds(text, seconds) && *seconds <= o->max_search_seconds)) return true;
    answer_bad_parameter(answer, "seconds",
                         "seconds=%.40s: more than 0 and at most %g seconds are needed", text,
                         o->max_search_seconds);
    return false;
}

/* Answer from the table, or by a search if only a search can find the distance. */
static void answer_or_search(const route_call *call, const char *what, query_handler *find,
                             http_answer *answer) {
    service *of = call->service;
    position_search s = {.route = {{.queue = of->searches, .run = run_search}, *call},
                         .find = find};
    plb_answer value;
    plb_message message;
    const char *resist = request_target_find(&call->request->target, "resist");
    if (!read_query(call, answer, &s.query) || !read_seconds(call, answer, &s.seconds)) return;
    if (resist && !parse_resist(resist, &s.query.resist)) {
        answer_bad_parameter(answer, "resist", "resist=%.40s: " RESIST_NEEDED " is needed", resist);
        return;
    }
    if (query_not_modified(call, &s.query, answer)) return;
    int error = plb_probe(call->table->table, s.query.x, s.query.o, &value, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, s.query.parameter);
    } else if (s.query.resist <= 1 &&
               (value.value == PLB_DRAW || value.dtm != PLB_NO_DTM || call->table->info->player)) {
        answer_query(call, &s.query, find, &(plb_limits){0}, answer);
    } else {
        write_key(&s, what);
        s.route.call.request = NULL;
        defer_answer(&s.route, sizeof s, "a search", answer);
    }
}

void answer_best(const route_call *call, http_answer *answer) {
    answer_or_search(call, "best", query_best, answer);
}

void answer_line(const route_call *call, http_answer *answer) {
    if (call->table->info->player)
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no distances, and so no lines");
    else
        answer_or_search(call, "line", query_line, answer);
}
