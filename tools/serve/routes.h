/* SPDX-License-Identifier: MIT
 *
 * The addresses of the service, as rows of a table: path, methods, parameters and functions that
 * answer.
 *
 *     /v1                              what the server is, its limits, links
 *     /v1/tables                       all tables
 *     /v1/tables/SPEC                  one table, its rules, links
 *     /v1/tables/SPEC/positions        a position with all moves, ?board= or ?moves=; POST: a batch
 *     /v1/tables/SPEC/annotate         a game with what each move cost; ?moves=
 *     /v1/tables/SPEC/picture          a position as SVG
 *     /v1/tables/SPEC/stats            counts per ply; ?format=csv
 *     /v1/tables/SPEC/best             distance and best moves; ?seconds=
 *     /v1/tables/SPEC/line             a line to the end; ?seconds=
 *     /v1/tables/SPEC/sample           positions at random; ?count= ?seed= ?ply= ?value=
 *     /v1/tables/SPEC/export           positions as text; ?ply= ?format= ?where= ?sample= ?seed=
 *     /health /metrics                 for monitoring
 *     /openapi.json /api /problems/P   descriptions
 *     / /tables/SPEC /embed/SPEC       the page, which finds its files at /assets/HASH/NAME
 *
 * A position is given as a board, as moves from the empty board, or as a board and moves from it;
 * without both it is the empty board. With ?v=ID an address of a table answers only for the table
 * with this id, so that the answer never changes.
 *
 * Answers of /v1 are those of the commands with --json (tools/answers/), with `table` first, and
 * with `played` if there is ?moves=: each move with its cell and the position after it.
 *
 * Uses the public header alone.
 */
#ifndef PLB_TOOLS_SERVE_ROUTES_H
#define PLB_TOOLS_SERVE_ROUTES_H

#include "tools/answers/json_writer.h"
#include "tools/serve/problems.h"
#include "tools/serve/search_queue.h"
#include "tools/serve/serve_options.h"
#include "tools/serve/table_catalogue.h"

enum { ROUTES = 20 };

/* Counts of requests by route, method and status, and of the time that they took. Threads: safe,
 * without locks. */
enum { METRICS_METHODS = HTTP_OTHER + 1, METRICS_STATUSES = 600, METRICS_BOUNDS = 17 };
typedef struct route_counts {
    atomic_uint_fast64_t answers[METRICS_METHODS][METRICS_STATUSES];
    atomic_uint_fast64_t within[METRICS_BOUNDS + 1]; /* the last one: above all bounds */
    atomic_uint_fast64_t nanoseconds;
} route_counts;

typedef struct service_metrics {
    atomic_uint_fast64_t problems[PROBLEM_KINDS];
    route_counts counts[ROUTES + 1]; /* the last one: of requests without a route */
} service_metrics;

/* The service: what all requests share. */
typedef struct service {
    const serve_options *options;
    table_catalogue *catalogue;
    search_queue *searches, *batches;
    service_metrics metrics;
    atomic_int connections; /* that are open */
    double started;         /* seconds since 1970 */
    atomic_bool draining;   /* nothing new is taken */
} service;

/* A request that is being answered. */
typedef struct route_call {
    service *service;
    const http_request *request;
    served_table *table;     /* of the path's {spec}; NULL where there is none */
    const char *spec, *name; /* of the path's {spec} and {name}; NULL where there is none */
} route_call;

typedef void route_answerer(const route_call *call, http_answer *answer);

/* Every route answers GET, HEAD and OPTIONS. */
typedef struct route {
    const char *path;       /* segments in braces match any */
    const char *parameters; /* that it accepts, with blanks between; NULL: any */
    route_answerer *answer;
    route_answerer *post; /* answers POST, with v and input; NULL: none */
} route;

enum { SPEC_TEXT = 64 }; /* bytes of a table's name, with the final zero */

/* What a request has asked, to count and log it. */
typedef struct asked_route {
    int number;           /* -1: there is no such route */
    char spec[SPEC_TEXT]; /* of the table; "": none was found */
} asked_route;

/* Answer a request by its route, or set answer->work to the search that finds the answer. */
asked_route routes_answer(service *service, const http_request *request, http_answer *answer);

/* The path of a route as its row has it; `none` for -1. */
const char *routes_name(int route);

/* Count an answer of a route, or of -1 for none (metrics_routes.c). */
void metrics_count(service_metrics *metrics, int route, http_method method,
                   const http_answer *answer, double seconds);

/* Is this target one that pages of other origins may ask, whether there is such a route or not? */
bool routes_are_shared(const char *target);

/* Complete an answer that a search has found: if the address has the id of the table, it may be
 * cached for ever. */
void routes_complete(const http_request *request, http_answer *answer);

/* The functions that answer, by subject. */
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

/* The same about a table: 200, may be cached as long as the table is the same. Of the call only the
 * table is used. */
void answer_table_object(const route_call *call, json_writer *object, http_answer *answer);

/* Let an answer of status 200 be cached as long as the table of the call is the same. */
void answer_is_of_table(const route_call *call, http_answer *answer);

/* What the work of a route begins with. Several clients may wait for one work, and go before it
 * ends: then its call must not have a request. */
typedef struct route_work {
    search_work work; /* first: the queue has a pointer to it */
    route_call call;
} route_work;

/* Leave an answer to a queue: run finds it, in so many seconds, or 0. The work is from malloc, and
 * has its call and its key. */
void answer_later(route_work *work, search_queue *queue, double seconds, search_runner *run,
                  http_answer *answer);

/* Does the client already have the answer of this table (If-None-Match)? Then it is answered with
 * status 304. To be called after all checks of the request, before anything is looked up. For a
 * strategy it is false: it has to be asked whether it answers the position. */
bool answer_is_known(const route_call *call, http_answer *answer);

/* A later answer to the same question may be better: this one is not cached, and has no tag. */
void answer_is_unfinished(http_answer *answer);

/* Report an error to the catalogue and the log if it is one of the file of the table. */
void routes_report(const route_call *call, int error, const plb_message *message);

/* Answer with an error of the library; damage of the table is reported to the catalogue. The
 * request of the call is not used. */
void answer_table_error(const route_call *call, http_answer *answer, int error,
                        const plb_message *message, const char *parameter);

#endif
