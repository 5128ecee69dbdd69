/* SPDX-License-Identifier: MIT
 *
 * The routes of the service, and what the functions that answer them share. routes.c has the table
 * of all routes, tools/page/openapi.json describes them.
 *
 * A position is given as a board, as moves from the empty board, or as a board and moves from it;
 * without both it is the empty board. With ?v=ID a route of a table answers only for the table with
 * this id, so that the answer never changes.
 *
 * The answers of /v1 have the keys of the commands with --json (tools/answers/), `table` first, and
 * with ?moves= also `played`: each move with its cell and the position after it.
 *
 * Uses the public header alone.
 */
#pragma once

#include "tools/answers/json_writer.h"
#include "tools/serve/exchange.h"
#include "tools/serve/search_queue.h"
#include "tools/serve/serve_options.h"
#include "tools/serve/table_catalogue.h"

enum { ROUTES = 20 };

/* Numbers and durations of the requests of a route. Threads: safe, without locks. */
enum { METRICS_METHODS = HTTP_OTHER + 1, METRICS_STATUSES = 600, METRICS_BOUNDS = 17 };
typedef struct route_counts {
    atomic_uint_fast64_t answers[METRICS_METHODS][METRICS_STATUSES];
    atomic_uint_fast64_t buckets[METRICS_BOUNDS + 1]; /* the last one: above all bounds */
    atomic_uint_fast64_t nanoseconds;                 /* sum */
} route_counts;

typedef struct service_metrics {
    atomic_uint_fast64_t problems[PROBLEM_KINDS];
    route_counts counts[ROUTES + 1]; /* the last one: requests without a route */
} service_metrics;

/* State that all requests share. */
typedef struct service {
    const serve_options *options;
    table_catalogue *catalogue;
    search_queue *searches, *batches;
    service_metrics metrics;
    atomic_int connections; /* number of open ones */
    double start_seconds;   /* since 1970 */
    atomic_bool draining;   /* shutting down: new requests are refused */
} service;

/* The arguments of a function that answers a request. */
typedef struct route_call {
    service *service;
    const http_request *request;
    served_table *table;     /* named by {spec} in the path; NULL: none */
    const char *spec, *name; /* what matches {spec} and {name} in the path; NULL: none */
} route_call;

typedef void route_answerer(const route_call *call, http_answer *answer);

/* Every route accepts GET, HEAD and OPTIONS. */
typedef struct route {
    const char *path;       /* a segment in braces matches any segment */
    const char *parameters; /* of GET, separated by blanks; NULL: any */
    route_answerer *answer;
    route_answerer *post; /* NULL: POST is not accepted */
} route;

enum { SPEC_TEXT = 64 }; /* bytes of a spec, with the final zero */

/* The route and the table of a request, to count and log it. */
typedef struct route_match {
    int route;            /* -1: no route matches */
    char spec[SPEC_TEXT]; /* of the table; "": none */
} route_match;

/* Answer a request, or set answer->work to the search that will find the answer. */
route_match routes_answer(service *service, const http_request *request, http_answer *answer);

/* The path of a route, with its braces; `none` for -1. */
const char *routes_name(int route);

/* Count an answer of a route; -1: none (metrics_routes.c). */
void metrics_count(service_metrics *metrics, int route, http_method method,
                   const http_answer *answer, double seconds);

/* May pages of other origins request this target? Does not check that the route exists. */
bool routes_are_shared(const char *target);

/* Resolve CACHE_WITH_ID, which an answer from a search may have: with ?v= it is CACHE_FOREVER. */
void routes_complete(const http_request *request, http_answer *answer);

/* The functions that answer. */
route_answerer answer_service, answer_tables, answer_health;           /* service_routes.c */
route_answerer answer_table, answer_stats;                             /* service_routes.c */
route_answerer answer_metrics;                                         /* metrics_routes.c */
route_answerer answer_sample, answer_export;                           /* sample_routes.c */
route_answerer answer_position, answer_game, answer_picture;           /* position_routes.c */
route_answerer answer_best, answer_line;                               /* position_routes.c */
route_answerer answer_batch;                                           /* batch_routes.c */
route_answerer answer_page, answer_embedded_page, answer_asset;        /* page_routes.c */
route_answerer answer_description, answer_manual, answer_problem_page; /* page_routes.c */

/* Close an object and answer with it. */
void answer_object(int status, json_writer *object, http_answer *answer);

/* The same with status 200, and cache_with_table. Of the call only the table is used. */
void answer_table_object(const route_call *call, json_writer *object, http_answer *answer);

/* Let an answer with status 200 be cached until the table of the call changes. */
void cache_with_table(const route_call *call, http_answer *answer);

/* The common beginning of all work that routes submit. If several clients may share the work, they
 * may disconnect before it ends: then call.request must be NULL. */
typedef struct route_work {
    search_work work; /* first: the queue gets a pointer to it; all but `free` is set */
    route_call call;
} route_work;

/* Let a copy of this work, of `size` bytes, find the answer in its queue. what: for a message if
 * memory runs out. */
void defer_answer(const route_work *work, size_t size, const char *what, http_answer *answer);

/* Answer with status 304 if the client has an answer of the same table (If-None-Match). To be
 * called after all checks of the request, before any lookup. False: not answered; so for any
 * strategy, since only a lookup shows whether it knows the position. */
bool answer_not_modified(const route_call *call, http_answer *answer);

/* Mark an answer as incomplete: a later one may be better, so it must not be cached. */
void forbid_caching(http_answer *answer);

/* If an error comes from the file of the table, report it to the catalogue and the log. */
void routes_report(const route_call *call, int error, const plb_message *message);

/* Answer with an error of the library, and report it as routes_report does. The request of the call
 * is not used. */
void answer_table_error(const route_call *call, http_answer *answer, int error,
                        const plb_message *message, const char *parameter);
