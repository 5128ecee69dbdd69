/* SPDX-License-Identifier: MIT
 *
 * Answers about one position: what the table knows of it, its distance and best moves, and a best
 * line. A table with distances answers immediately. Otherwise a search does, which gets a copy of
 * everything that it needs, since the request may be gone before it ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/answers/asked_position.h"
#include "tools/serve/problems.h"
#include "tools/serve/routes.h"
#include "tools/terminal/quantity.h"

/* ---- the position of a request ---- */

/* Read the position of a request: a board, moves from the empty board, or a board and moves from
 * it. False: it is refused. */
static bool read_asked(const route_call *call, http_answer *answer, asked_position *asked) {
    const request_target *target = &call->request->target;
    plb_message message;
    int error = read_asked_position(call->table->table, request_target_find(target, "board"),
                                    request_target_find(target, "moves"), asked, &message);
    atomic_fetch_add_explicit(&call->table->probes, 1, memory_order_relaxed);
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return !error;
}

/* Does the client already have the answer (answer_is_known)? Then it is answered, or that the rules
 * refuse the position. Nothing is looked up. */
static bool asked_is_known(const route_call *call, const asked_position *asked,
                           http_answer *answer) {
    plb_state state;
    plb_message message;
    if (!answer_is_known(call, answer)) return false;
    int error = plb_find_state(call->table->table, asked->x, asked->o, &state, &message);
    if (error) answer_table_error(call, answer, error, &message, asked->parameter);
    return true;
}

/* Answer with what is found. Of the call only the table is used. */
static void answer_found(const route_call *call, const asked_position *asked, asked_finder *find,
                         const plb_limits *limits, http_answer *answer) {
    json_writer w = begin_json_object();
    plb_message message;
    bool final = true;
    int error = find(call->table->table, asked, limits, &w, &final, &message);
    if (error) {
        drop_json(&w);
        answer_table_error(call, answer, error, &message, asked->parameter);
        return;
    }
    answer_table_object(call, &w, answer);
    if (!final) answer_is_unfinished(answer);
}

/* ---- what the table knows ---- */

static void answer_at_once(const route_call *call, asked_finder *find, http_answer *answer) {
    asked_position asked;
    if (read_asked(call, answer, &asked) && !asked_is_known(call, &asked, answer))
        answer_found(call, &asked, find, &(plb_limits){0}, answer);
}

void answer_position(const route_call *call, http_answer *answer) {
    answer_at_once(call, find_asked_position, answer);
}

void answer_game(const route_call *call, http_answer *answer) {
    answer_at_once(call, find_asked_game, answer);
}

void answer_picture(const route_call *call, http_answer *answer) {
    asked_position asked;
    plb_picture picture = {.bare = false};
    plb_message message;
    if (!read_asked(call, answer, &asked) || asked_is_known(call, &asked, answer)) return;
    int error = plb_draw(call->table->table, asked.x, asked.o, &picture, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, asked.parameter);
        return;
    }
    http_answer_begin(answer, 200, "image/svg+xml");
    http_answer_own(answer, strdup(picture.svg), strlen(picture.svg));
    answer_is_of_table(call, answer);
}

/* ---- searches ---- */

/* A question, and the function that finds its answer. */
typedef struct position_search {
    route_work route; /* without a request once it is in the queue */
    asked_position asked;
    double seconds;
    asked_finder *find;
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
    answer_found(&s->route.call, &s->asked, s->find, &limits, answer);
}

/* The key of a question: what is asked about which table and position, and the moves that led
 * there, which the answer repeats. */
static void write_key(position_search *s, const char *what) {
    enum { BEGINNING = 256 };
    _Static_assert(BEGINNING + PLB_MAX_CELLS * PLB_MOVE_TEXT <= SEARCH_KEY, "all moves fit");
    const asked_position *a = &s->asked;
    char *end = s->route.work.key;
    end += snprintf(end, BEGINNING, "%s %d %s %.17g %llx %llx%s", what, a->resist,
                    s->route.call.table->info->id, s->seconds, (unsigned long long)a->x,
                    (unsigned long long)a->o, a->by_moves ? " +" : "");
    for (int m = 0; m < a->played.count; m++)
        end += snprintf(end, PLB_MOVE_TEXT + 1, ",%s", a->played.moves[m].text);
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

/* Answer immediately, or leave it to a search. */
static void ask(const route_call *call, const char *what, asked_finder *find, http_answer *answer) {
    position_search s = {.route.call = *call, .find = find}, *queued;
    plb_answer value;
    plb_message message;
    const char *resist = request_target_find(&call->request->target, "resist");
    if (!read_asked(call, answer, &s.asked) || !read_seconds(call, answer, &s.seconds)) return;
    if (resist && !parse_resist(resist, &s.asked.resist)) {
        answer_bad_parameter(answer, "resist", "resist=%.40s: " RESIST_NEEDED " is needed", resist);
        return;
    }
    if (asked_is_known(call, &s.asked, answer)) return;
    int error = plb_probe(call->table->table, s.asked.x, s.asked.o, &value, &message);
    if (error) {
        answer_table_error(call, answer, error, &message, s.asked.parameter);
    } else if (s.asked.resist <= 1 &&
               (value.value == PLB_DRAW || value.dtm != PLB_NO_DTM || call->table->info->player)) {
        answer_found(call, &s.asked, find, &(plb_limits){0}, answer);
    } else if (!(queued = malloc(sizeof *queued))) {
        answer_error(answer, PLB_ENOMEM, &(plb_message){"out of memory for a search"}, NULL);
    } else {
        write_key(&s, what);
        s.route.call.request = NULL;
        *queued = s;
        answer_later(&queued->route, call->service->searches, 0, run_search, answer);
    }
}

void answer_best(const route_call *call, http_answer *answer) {
    ask(call, "best", find_asked_best, answer);
}

void answer_line(const route_call *call, http_answer *answer) {
    if (call->table->info->player)
        answer_problem(answer, PROBLEM_NOT_KNOWN, "a strategy has no distances, and so no lines");
    else
        ask(call, "line", find_asked_line, answer);
}
